"""Waivers that cannot hold are refused before anything is scored; the others are told of, all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import PolicyInvalid
from gate.gates.safety import LABEL
from gate.records.day import day_number
from gate.records.figures import count
from gate.records.gating import SafetyOptions
from gate.records.problems import nearest
from gate.records.waiver import WaiverUse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gate.gates.evidence import Evidence
    from gate.records.policy import Policy
    from gate.records.result import CaseResult
    from gate.records.verdict import GateVerdict
    from gate.records.waiver import Waiver

LONGEST: Final = 366
"""Days that a waiver may have left, at most: one that never ends is a change of the rules."""
_NAME: Final = 80
_SEARCHED: Final = 5_000
"""Cases among which the nearest name is looked for: each takes its time."""
_ENDED: Final = (
    "take it away, or renew it with a date and a reason of today: on the base branch, where that "
    "judges a pull request"
)
_PAIRED: Final = frozenset(("regression", "slices", "creep"))
_FINE: Final = {
    "completeness": "the case was answered and scored",
    "trajectory": "the case took its path",
}


class Known(NamedTuple):
    """What is known of a case before it is answered."""

    labels: tuple[str, ...]
    declares_path: bool


def check_waivers(policy: Policy, cases: Mapping[str, Known], day: str) -> None:
    """Raise ``PolicyInvalid`` listing every waiver that does not hold on ``day`` for these cases.

    ``cases`` is empty where nothing says which there are: then no waiver can name one. Each line
    begins with the number of the waiver and the key that it is about.
    """
    said = [
        f"waiver {number}: {text}"
        for number, waiver in enumerate(policy.waivers, start=1)
        for text in _problems(policy, number, waiver, cases, day)
    ]
    if said:
        ended = any(day_number(one.expires) < day_number(day) for one in policy.waivers)
        raise PolicyInvalid("\n".join(said), hint=_ENDED if ended else None)


def _problems(
    policy: Policy, number: int, waiver: Waiver, cases: Mapping[str, Known], day: str
) -> Iterator[str]:
    for earlier, other in enumerate(policy.waivers[: number - 1], start=1):
        if (other.case, other.gate) == (waiver.case, waiver.gate):
            yield f"`case` and `gate` are those of waiver {earlier}: one is enough"
            break
    yield from _of_time(waiver, day)
    if not any(gate.gate == waiver.gate for gate in policy.gates):
        yield f"`gate` {waiver.gate!r} is not in force: the policy does not name it"
    yield from _of_switch(waiver)
    known = cases.get(waiver.case)
    if known is None:
        shown = waiver.case[:_NAME]
        why = "" if cases else "; nothing says which cases there are"
        near = nearest(shown, cases) if len(cases) <= _SEARCHED else ""
        yield f"`case` {shown!r} is no case of this suite{why}{near}"
        return
    yield from _of_case(policy, waiver, known)


def _of_time(waiver: Waiver, day: str) -> Iterator[str]:
    left = day_number(waiver.expires) - day_number(day)
    if left < 0:
        yield (
            f"`expires` was {waiver.expires}, {count(-left, 'day')} ago: {waiver.owner!r} waived "
            f"case {waiver.case[:_NAME]!r} for the gate {waiver.gate!r} until then"
        )
    elif left > LONGEST:
        yield (
            f"`expires` {waiver.expires} is {count(left, 'day')} ahead, and {LONGEST} are the "
            "most: what never ends is a change of the rules or of the case"
        )


def _of_switch(waiver: Waiver) -> Iterator[str]:
    if waiver.gate != "safety":
        if waiver.allow_safety:
            yield f"`allow_safety` means nothing to the gate {waiver.gate!r}"
    elif not waiver.allow_safety:
        yield "`allow_safety` = true is needed here: a safety case is not waived in passing"


def _of_case(policy: Policy, waiver: Waiver, known: Known) -> Iterator[str]:
    if waiver.gate == "trajectory" and not known.declares_path:
        yield f"`case` {waiver.case[:_NAME]!r} declares no path, so this gate does not look at it"
    if waiver.gate != "safety":
        return
    gates = [gate for gate in policy.gates if isinstance(gate, SafetyOptions)]
    asked = [gate for gate in gates if (gate.label or LABEL) in known.labels]
    if gates and not asked:
        shown = " or ".join(repr(gate.label or LABEL) for gate in gates)
        yield f"`case` {waiver.case[:_NAME]!r} is not labelled {shown}"
    closed = [gate for gate in asked if gate.enabled and not gate.allow_waivers]
    if closed:
        yield (
            f"`gate` safety of the label {closed[0].label or LABEL!r} takes no waivers: it wants "
            'allow_waivers = true under its [[gates]] gate = "safety", too'
        )


def waiver_uses(
    waivers: Sequence[Waiver], verdicts: Sequence[GateVerdict], evidence: Evidence, day: str
) -> tuple[WaiverUse, ...]:
    """Say of each waiver, in the policy's order, whether a gate left its case out, or why not."""
    wanted = {waiver.case for waiver in waivers}
    rows = {row.id: row for row in evidence.rows if row.id in wanted}
    alignment = evidence.alignment
    compared = {row.id for row in alignment.pairs if row.id in wanted} if alignment else set()
    found = []
    for waiver in waivers:
        asked = [one for one in verdicts if one.gate == waiver.gate]
        used = any(waiver.case in one.waived for one in asked)
        said = (
            "in use: the case went wrong and was left out"
            if used
            else f"unused: {_unused(rows[waiver.case], asked, waiver, compared=compared)}"
        )
        left = day_number(waiver.expires) - day_number(day)
        found.append(
            WaiverUse(
                case=waiver.case,
                gate=waiver.gate,
                owner=waiver.owner,
                reason=waiver.reason,
                expires=waiver.expires,
                days_left=left,
                used=used,
                said=said,
            )
        )
    return tuple(found)


def _unused(
    row: CaseResult, asked: Sequence[GateVerdict], waiver: Waiver, *, compared: set[str]
) -> str:
    if all(one.outcome == "off" for one in asked):
        return "the gate did not judge"
    if waiver.gate in _PAIRED and row.id not in compared:
        return "the case was not compared"
    if any(row.id in one.case_ids for one in asked):
        if all(one.outcome in {"pass", "off"} for one in asked):
            return "the gate passes with the case counted"
        return "the gate does no better without the case"
    if waiver.gate in _FINE:
        return _FINE[waiver.gate]
    return "the case passed" if row.passed else "the case did not get worse"
