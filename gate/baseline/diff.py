"""Two baselines side by side, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.baseline.comparable import changed_fields
from gate.records.values import accepted_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.base import Metric
    from gate.records.baseline import Baseline, BaselineRow


def diff(old: Baseline, new: Baseline) -> Iterator[str]:
    """Give one line for everything in which ``new`` differs from ``old``; none if nothing."""
    for name in (
        "scorer",
        "judge_config",
        "pass_threshold",
        "trajectory_mode",
        "repeats",
        "reason",
    ):
        before, now = getattr(old, name), getattr(new, name)
        if before != now:
            yield f"{name}: {_short(before)} -> {_short(now)}"
    for name in ("n_cases", "pass_rate", "mean_score", "trajectory_mean"):
        before, now = getattr(old.summary, name), getattr(new.summary, name)
        if before != now:
            yield f"{name}: {before} -> {now}"
    rows = {row.id: row for row in old.rows}
    for row in new.rows:
        gone = rows.pop(row.id, None)
        if gone is None:
            yield f"+ {row.id!r} added"
        else:
            yield from _row(gone, row)
    for case_id in sorted(rows):
        yield f"- {case_id!r} removed"


def _row(old: BaselineRow, new: BaselineRow) -> Iterator[str]:
    if old.digest.whole != new.digest.whole:
        yield f"~ {new.id!r} changed: {', '.join(changed_fields(new, old))}"
    metrics: tuple[Metric, ...] = ("pass_rate", "mean_score")
    told: tuple[float, float] | None = None
    for metric in metrics:
        before, now = accepted_value(old, metric), accepted_value(new, metric)
        if before != now and (before, now) != told:  # all or nothing: both are the same
            told = before, now
            yield f"  {new.id!r} {metric}: {before:g} -> {now:g}"


def _short(value: object) -> str:
    return str(value)[:200]
