"""Gate ``comparable``: a run is only compared with a baseline that measured the same thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.records.figures import count
from gate.records.json_text import canonical
from gate.records.verdict import GateVerdict

if TYPE_CHECKING:
    from gate.gates.evidence import Evidence, Setting
    from gate.records.alignment import Alignment
    from gate.records.gating import ComparableOptions


def objection(options: ComparableOptions, setting: Setting) -> str | None:
    """Nothing can be wrong that reading the options has not refused."""
    del options, setting
    return None


def judge(options: ComparableOptions, evidence: Evidence) -> GateVerdict:
    """Undecided where scorer, threshold, trajectory mode, judge or cases are not the same.

    Each difference is named by its field, with what can be done about it. Added cases are
    shown and not compared; changed and removed ones are undecided unless the policy allows
    them, and are not compared either.
    """
    alignment = evidence.alignment
    if alignment is None:
        outcome = "off" if evidence.has_floor else "undecided"
        return GateVerdict(gate="comparable", outcome=outcome, because="there is no baseline")
    reasons = _reasons(options, alignment)
    noted = _notes(alignment)
    said = "; ".join(reasons or noted) or _unchanged(len(alignment.pairs))
    numbers = {
        "n_unchanged": len(alignment.pairs),
        "n_added": len(alignment.added),
        "n_changed": len(alignment.changed),
        "n_removed": len(alignment.removed),
    }
    moved = {*alignment.removed, *(case.id for case in alignment.changed)}
    return GateVerdict(
        gate="comparable",
        outcome="undecided" if reasons else "pass",
        because=said,
        numbers=canonical(numbers),
        case_ids=tuple(sorted(moved)),
    )


def _reasons(options: ComparableOptions, alignment: Alignment) -> list[str]:
    found = list(alignment.differences)
    remedies = ["drop the option that differs"] if found else []
    fields = sorted({field for case in alignment.changed for field in case.fields})
    # Another scorer of the suite changes every case: that is said once.
    if alignment.changed and not options.allow_changed and not (found and fields == ["scorer"]):
        found.append(
            f"{count(len(alignment.changed), 'case')} changed since the baseline "
            f"({', '.join(fields)})"
        )
        remedies.append("set allow_changed under this gate in the policy")
    if alignment.removed and not options.allow_removed:
        found.append(f"{count(len(alignment.removed), 'case')} of the baseline went away")
        remedies.append("set allow_removed under this gate in the policy")
    if found:
        found[-1] += f": {' and '.join(remedies)}, or promote a new baseline"
    return found


def _notes(alignment: Alignment) -> list[str]:
    groups = (
        ("added", len(alignment.added)),
        ("changed", len(alignment.changed)),
        ("removed", len(alignment.removed)),
    )
    moved = [f"{number} {name}" for name, number in groups if number]
    if not moved:
        return []
    stand = "stands" if len(alignment.pairs) == 1 else "stand"
    unmoved = f"{count(len(alignment.pairs), 'case')} {stand} unchanged"
    return [f"{unmoved}; {', '.join(moved)}: not compared"]


def _unchanged(number: int) -> str:
    return f"all {number:,} cases stand unchanged" if number > 1 else "the case stands unchanged"
