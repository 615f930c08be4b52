"""Gate ``comparable``: a run is only compared with a baseline that measured the same thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

    Each difference is named by its field. Added cases are shown and not compared; changed
    and removed ones are undecided unless the policy allows them, and are not compared either.
    """
    alignment = evidence.alignment
    if alignment is None:
        outcome = "off" if evidence.has_floor else "undecided"
        return GateVerdict(gate="comparable", outcome=outcome, because="there is no baseline")
    reasons = _reasons(options, alignment)
    noted = _notes(alignment)
    said = "; ".join(reasons or noted) or f"all {len(alignment.pairs)} cases stand unchanged"
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
    if alignment.changed and not options.allow_changed:
        fields = sorted({field for case in alignment.changed for field in case.fields})
        found.append(
            f"{_cases(len(alignment.changed))} changed since the baseline ({', '.join(fields)})"
        )
    if alignment.removed and not options.allow_removed:
        found.append(f"{_cases(len(alignment.removed))} of the baseline went away")
    return found


def _notes(alignment: Alignment) -> list[str]:
    groups = (
        ("added", len(alignment.added)),
        ("changed", len(alignment.changed)),
        ("removed", len(alignment.removed)),
    )
    counts = [f"{count} {name}" for name, count in groups if count]
    if not counts:
        return []
    return [f"{len(alignment.pairs)} cases stand unchanged; {', '.join(counts)}: not compared"]


def _cases(count: int) -> str:
    return f"{count} case" if count == 1 else f"{count} cases"
