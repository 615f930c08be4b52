"""Gate ``slices``: no label's cases may fall by more than ``max_drop``, beyond chance.

With many slices some fall by chance. The p-values are adjusted together by Holm's method, so
that all of them together call an unchanged agent worse with probability ``alpha`` at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.gates.change import change_numbers, fallen, over
from gate.records.figures import count, p_value
from gate.records.json_text import canonical
from gate.records.verdict import GateVerdict
from gate.statistics.multiplicity import holm

if TYPE_CHECKING:
    from decimal import Decimal

    from gate.gates.evidence import Evidence, Setting
    from gate.gates.paired import Paired
    from gate.records.gating import SlicesOptions
    from gate.records.verdict import Outcome

_LISTED: Final = 50
"""Slices whose numbers a verdict holds, the worst first."""


class SliceChange(NamedTuple):
    """One label's comparison; ``p_value`` is the adjusted one."""

    label: str
    paired: Paired
    p_value: float
    exceeds: bool


def objection(options: SlicesOptions, setting: Setting) -> str | None:
    """Refuse to watch slices where no case has a label."""
    del options
    return None if setting.labels else "no case bears a label, so there is no slice"


def judge(options: SlicesOptions, evidence: Evidence) -> GateVerdict:
    """Fail if a slice fell by more than ``max_drop`` and its adjusted p is at most ``alpha``.

    A greater drop that may be chance is undecided, or green with a note under
    ``on_inconclusive = "pass"``. Without anything to compare it is undecided, and ``off`` where
    there is no baseline and a floor decides instead.
    """
    whole = evidence.paired(options.metric or evidence.suite.metric)
    if whole is None:
        alone = evidence.alignment is None and evidence.has_floor
        outcome: Outcome = "off" if alone else "undecided"
        return GateVerdict(gate="slices", outcome=outcome, because=evidence.why_unpaired)
    slices = compare_slices(whole, options.max_drop)
    if not slices:
        said = "no compared case bears a label, so no slice was compared"
        return GateVerdict(gate="slices", outcome="undecided", because=said)
    failed = [one for one in slices if one.exceeds and one.p_value <= options.alpha]
    unsure = [one for one in slices if one.exceeds and one.p_value > options.alpha]
    lenient = options.on_inconclusive == "pass"
    outcome = "fail" if failed else "undecided" if unsure and not lenient else "pass"
    numbers = {
        "n_slices": len(slices),
        "n_failed": len(failed),
        "n_inconclusive": len(unsure),
        "adjustment": "holm",
        "max_drop": float(options.max_drop),
        "alpha": float(options.alpha),
        "inconclusive": bool(unsure) and not failed,
        "worst": [_numbers(one) for one in slices[:_LISTED]],
    }
    worse = {name for one in failed or unsure for name in one.paired.worse}
    return GateVerdict(
        gate="slices",
        outcome=outcome,
        because=_said(slices, failed, unsure, options),
        numbers=canonical(numbers),
        case_ids=tuple(sorted(worse)),
    )


def compare_slices(whole: Paired, limit: Decimal) -> list[SliceChange]:
    """Compare every label's cases, the worst first.

    First come those that fell by more than ``limit``, then by adjusted p, by drop, by name.
    """
    parts = list(whole.by_label.items())
    adjusted = holm([part.test.p_value for _, part in parts])
    found = [
        SliceChange(label, part, p, part.exceeds(limit))
        for (label, part), p in zip(parts, adjusted, strict=True)
    ]
    return sorted(found, key=lambda one: (not one.exceeds, one.p_value, -one.paired.drop))


def _said(
    slices: list[SliceChange],
    failed: list[SliceChange],
    unsure: list[SliceChange],
    options: SlicesOptions,
) -> str:
    worst = slices[0]
    total = count(len(slices), "slice")
    if not (failed or unsure):
        return (
            f"none of {total} fell by more than allowed; the worst is {worst.label!r}: "
            f"{fallen(worst.paired, options.max_drop)}"
        )
    about = (
        f"{worst.label!r}: {fallen(worst.paired, options.max_drop)}, adjusted p "
        f"{p_value(worst.p_value)}{over(worst.paired)}"
    )
    if failed:
        chance = f", {len(unsure):,} more may have by chance" if unsure else ""
        return f"{len(failed):,} of {total} fell beyond chance{chance}; the worst is {about}"
    passes = ", which the policy lets pass" if options.on_inconclusive == "pass" else ""
    return (
        f"{len(unsure):,} of {total} fell by more than allowed, none distinguishable from "
        f"noise{passes}; the worst is {about}"
    )


def _numbers(one: SliceChange) -> dict[str, object]:
    return {"label": one.label, **change_numbers(one.paired), "p_adjusted": one.p_value}
