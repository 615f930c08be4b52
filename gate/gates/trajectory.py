"""Gate ``trajectory``: the paths of the cases that declare one. It never touches ``passed``."""

from __future__ import annotations

from decimal import Decimal
from math import fsum
from typing import TYPE_CHECKING

from gate.records.figures import score
from gate.records.json_text import canonical
from gate.records.verdict import GateVerdict
from gate.statistics.exact import mean_below, mean_drop_exceeds

if TYPE_CHECKING:
    from gate.gates.evidence import Evidence, Setting
    from gate.records.gating import TrajectoryOptions


def objection(options: TrajectoryOptions, setting: Setting) -> str | None:
    """Refuse a mode that is not the suite's, and a soft mode without a limit of its own."""
    mode = setting.trajectory_mode
    if options.mode is not None and options.mode != mode:
        return f"its mode is {options.mode!r}, and the suite is graded by {mode!r}"
    if options.min is None and options.max_drop is None and mode != "exact":
        return f"`min` or `max_drop` is required in the mode {mode!r}"
    return None


def judge(options: TrajectoryOptions, evidence: Evidence) -> GateVerdict:
    """Compare the mean path score with ``min`` and its drop with ``max_drop``, exactly.

    ``min`` is 1 where neither limit is set (mode ``exact``). A drop needs a baseline: without
    one it is undecided.
    """
    least = options.min
    if least is None and options.max_drop is None:
        least = Decimal(1)
    rows = tuple(row for row in evidence.rows if row.declares_path)
    if not rows:
        return GateVerdict(gate="trajectory", outcome="pass", because="no case declares a path")
    mode = evidence.suite.trajectory_mode
    values = [row.trajectory for row in rows]
    mean = fsum(values) / len(values)
    reasons: list[str] = []
    if least is not None and mean_below(values, least):
        reasons.append(f"below the least allowed, {score(float(least))}")
    undecided = False
    if options.max_drop is not None:
        before, now = _paired(evidence)
        undecided = not now
        if now and mean_drop_exceeds(before, now, options.max_drop):
            reasons.append(f"down by more than {score(float(options.max_drop))}")
    imperfect = tuple(row.id for row in rows if row.trajectory < 1.0)
    said = f"mean path score {score(mean)} ({mode}) over {len(rows)} cases that declare a path"
    if reasons:
        said += ": " + " and ".join(reasons)
    elif undecided:
        said += "; no baseline case to compare the drop with"
    return GateVerdict(
        gate="trajectory",
        outcome="fail" if reasons else "undecided" if undecided else "pass",
        because=said,
        numbers=canonical({"mode": mode, "mean": mean, "n_cases": len(rows)}),
        case_ids=imperfect,
    )


def _paired(evidence: Evidence) -> tuple[list[float], list[float]]:
    if evidence.alignment is None or not evidence.comparable:
        return [], []
    pairs = [
        (row.accepted.trajectory, row.trajectory)
        for row in evidence.alignment.pairs
        if row.declares_path and row.accepted is not None
    ]
    return [was for was, _ in pairs], [now for _, now in pairs]
