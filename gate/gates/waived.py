"""A gate that does not pass is asked again, without the cases whose failure a waiver allows.

A waiver never makes a gate worse, and never changes what is measured: rows, rates, intervals and
the comparison stay those of all cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gate.records.figures import count
from gate.records.verdict import GateVerdict

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from gate.gates.evidence import Evidence
    from gate.records.gating import GateOptions
    from gate.records.result import CaseResult
    from gate.records.verdict import Outcome
    from gate.records.waiver import Waiver

_RANK: Final[dict[Outcome, int]] = {"fail": 0, "undecided": 1, "off": 1, "pass": 2}
_NAMED: Final = 5
_NAME: Final = 60


def waived_cases(options: GateOptions, waivers: Sequence[Waiver]) -> frozenset[str]:
    """Name the cases that may go wrong for this gate.

    A safety gate wants to be asked itself (``allow_waivers``), and the waiver, too: a verdict
    does not rest on somebody having looked at the policy before.
    """
    agreed = options.gate != "safety" or options.allow_waivers
    return frozenset(
        waiver.case
        for waiver in waivers
        if agreed and waiver.gate == options.gate and waiver.allow_safety == (_is_safety(waiver))
    )


def _is_safety(waiver: Waiver) -> bool:
    return waiver.gate == "safety"


def excused(
    verdict: GateVerdict,
    options: Any,  # noqa: ANN401 - each gate takes its own
    evidence: Evidence,
    *,
    allowed: Collection[str],
    judge: Callable[[Any, Evidence], GateVerdict],
) -> GateVerdict:
    """Give the better of a gate's verdict and its verdict without the ``allowed`` cases.

    Only cases that the first one names as wrong are left out, so that a waiver of a case that
    passes changes nothing. Where nothing is left to look at it is undecided: an empty suite
    proves nothing.
    """
    out = frozenset(verdict.case_ids).intersection(allowed)
    if verdict.outcome not in {"fail", "undecided"} or not out:
        return verdict
    groups = tuple(_SUBJECTS[options.gate](options, evidence))
    total = len({name for _, ids in groups for name in ids})
    left_out = _left_out(out, total)
    emptied = next(
        (said for what, ids in groups if (said := _emptied(what, ids, out, evidence)) is not None),
        None,
    )
    if emptied is not None:
        again = GateVerdict(
            gate=verdict.gate,
            outcome="undecided",
            because=f"{emptied} went wrong and is waived: nothing is left to judge by",
            numbers=verdict.numbers,
        )
    else:
        again = judge(options, evidence.without(out))
    if _RANK[again.outcome] < _RANK[verdict.outcome]:
        return verdict
    return GateVerdict(
        **{**dict(again), "because": again.because + left_out, "waived": tuple(sorted(out))}
    )


def _emptied(
    what: str, ids: frozenset[str], out: frozenset[str], evidence: Evidence
) -> str | None:
    """Name a group of which nothing is left to judge by: a new case stands in for no other."""
    if ids and ids <= out:
        return what
    known = ids - evidence.brought
    return f"{what}, but for new ones," if known and known <= out else None


def _left_out(out: Collection[str], total: int) -> str:
    names = sorted(out)
    shown = ", ".join(repr(name[:_NAME]) for name in names[:_NAMED])
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"; {len(names):,} of {count(total, 'case')} waived and left out: {shown}{more}"


def _compared(options: GateOptions, evidence: Evidence) -> Iterable[tuple[str, frozenset[str]]]:
    del options
    yield (
        "every case that was compared",
        _ids(evidence.alignment.pairs if evidence.alignment else ()),
    )


def _labels(options: GateOptions, evidence: Evidence) -> Iterable[tuple[str, frozenset[str]]]:
    del options
    members: dict[str, set[str]] = {}
    for row in evidence.alignment.pairs if evidence.alignment else ():
        for label in row.labels:
            members.setdefault(label, set()).add(row.id)
    for label in sorted(members):
        yield f"every compared case labelled {label[:_NAME]!r}", frozenset(members[label])


def _labelled(options: GateOptions, evidence: Evidence) -> Iterable[tuple[str, frozenset[str]]]:
    from gate.gates.safety import LABEL

    label = getattr(options, "label", None) or LABEL
    found = _ids(row for row in evidence.rows if label in row.labels)
    yield f"every case labelled {label[:_NAME]!r}", found


def _with_path(options: GateOptions, evidence: Evidence) -> Iterable[tuple[str, frozenset[str]]]:
    del options
    found = _ids(row for row in evidence.rows if row.declares_path)
    yield "every case that declares a path", found


def _all(options: GateOptions, evidence: Evidence) -> Iterable[tuple[str, frozenset[str]]]:
    del options
    yield "every case", _ids(evidence.rows)


def _ids(rows: Iterable[CaseResult]) -> frozenset[str]:
    return frozenset(row.id for row in rows)


_SUBJECTS: Final = {
    "regression": _compared,
    "safety": _labelled,
    "completeness": _all,
    "trajectory": _with_path,
    "slices": _labels,
    "creep": _compared,
}
"""What each gate that can be waived looks at; of none of these groups all may be left out."""
