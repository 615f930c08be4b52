"""Gate ``trajectory``: the paths of the cases that declare one. It never touches ``passed``."""

from __future__ import annotations

from decimal import Decimal
from math import fsum
from typing import TYPE_CHECKING

from gate.records.figures import count, score
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
        return (
            f"its mode is {options.mode!r}, and the suite is graded by {mode!r}: say the suite's "
            "with `trajectory` under [suite]"
        )
    if options.min is None and options.max_drop is None and mode != "exact":
        return (
            f"`min` or `max_drop` is required in the mode {mode!r}: no option gives one, so put "
            'gate = "trajectory" with it under [[gates]] in the policy'
        )
    return None


def judge(options: TrajectoryOptions, evidence: Evidence) -> GateVerdict:
    """Compare the mean path score with ``min`` and its drop with ``max_drop``, exactly.

    ``min`` is 1 where neither limit is set (mode ``exact``). New cases lift nothing over it: it
    must hold without them as well. A drop needs a baseline: without one it is undecided. Where no
    case declares a path there is nothing to judge: off.
    """
    least = options.min
    if least is None and options.max_drop is None:
        least = Decimal(1)
    rows = tuple(row for row in evidence.rows if row.declares_path)
    if not rows:
        return GateVerdict(gate="trajectory", outcome="off", because="no case declares a path")
    mode = evidence.suite.trajectory_mode
    values = [row.trajectory for row in rows]
    mean = fsum(values) / len(values)
    numbers = {"mode": mode, "mean": mean, "n_cases": len(rows)}
    reasons: list[str] = []
    if least is not None:
        numbers["min"] = float(least)
        if mean_below(values, least):
            reasons.append(f"below the floor {score(float(least))}")
        elif known := _below_without_new(evidence, least):
            before_new = fsum(known) / len(known)
            numbers["mean_without_new"] = before_new
            reasons.append(
                f"{score(before_new)} without the {count(len(rows) - len(known), 'new case')}, "
                f"below the floor {score(float(least))}"
            )
    unknown = None
    if options.max_drop is not None:
        before, now = _paired(evidence)
        unknown = None if now else _why_not(evidence)
        if now:
            fallen = mean_drop_exceeds(before, now, options.max_drop)
            numbers |= _drop(before, now, options.max_drop)
            reasons += [_fell(before, now, options.max_drop)] if fallen else []
    cases = "case that declares" if len(rows) == 1 else "cases that declare"
    said = f"mean path score {score(mean)} ({mode}) over {len(rows):,} {cases} a path"
    if reasons:
        said += ": " + " and ".join(reasons)
    elif unknown:
        said += f"; {unknown}"
    return GateVerdict(
        gate="trajectory",
        outcome="fail" if reasons else "undecided" if unknown else "pass",
        because=said,
        numbers=canonical(numbers),
        case_ids=tuple(row.id for row in rows if row.trajectory < 1.0),
    )


def _below_without_new(evidence: Evidence, least: Decimal) -> list[float]:
    """Give the path scores of the cases that are not new, if their mean is too low."""
    for rows in evidence.views[1:]:
        known = [row.trajectory for row in rows if row.declares_path]
        if known and mean_below(known, least):
            return known
    return []


def _drop(before: list[float], now: list[float], limit: Decimal) -> dict[str, float]:
    was, is_now = fsum(before) / len(before), fsum(now) / len(now)
    return {"baseline": was, "drop": was - is_now, "max_drop": float(limit)}


def _fell(before: list[float], now: list[float], limit: Decimal) -> str:
    was, is_now = fsum(before) / len(before), fsum(now) / len(now)
    return (
        f"down {score(was - is_now)} (allowed drop {score(float(limit))}) from {score(was)} "
        f"in the baseline, over {count(len(now), 'case')} compared"
    )


def _why_not(evidence: Evidence) -> str:
    if evidence.alignment is None:
        return "there is no baseline, so its drop is not known"
    if not evidence.comparable:
        return "the two runs were measured differently: a drop would mean nothing"
    return "no case that declares a path stands unchanged in both runs, so its drop is not known"


def _paired(evidence: Evidence) -> tuple[list[float], list[float]]:
    if evidence.alignment is None or not evidence.comparable:
        return [], []
    pairs = [
        (row.accepted.trajectory, row.trajectory)
        for row in evidence.alignment.pairs
        if row.declares_path and row.accepted is not None
    ]
    return [was for was, _ in pairs], [now for _, now in pairs]
