"""What one case weighs in a mean: read from the rows, never from a stored aggregate."""

from __future__ import annotations

from functools import lru_cache
from math import fsum
from typing import TYPE_CHECKING

from gate.records.result import RepeatResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.records.base import Metric, Standing
    from gate.records.baseline import BaselineRow
    from gate.records.case import EvalCase
    from gate.records.judge_run import Judgement
    from gate.records.result import Accepted, CaseResult


def case_value(row: CaseResult, metric: Metric) -> float:
    """Give the value of a case: its share of passing runs, or its mean score.

    Whatever has no score counts 0: missing, errored and unscored runs are not passed.
    """
    if metric == "mean_score":
        return row.score or 0.0
    if row.repeats:
        return sum(run.passed for run in row.repeats) / len(row.repeats)
    return float(row.passed)


def accepted_value(row: Accepted | BaselineRow, metric: Metric) -> float:
    """Give the same value of a case as the baseline holds it."""
    scores, passes = row.scores, row.passes
    if len(scores) == 1:  # what follows, in less time
        return scores[0] or 0.0 if metric == "mean_score" else float(passes[0])
    if metric == "mean_score":
        return fsum(score or 0.0 for score in scores) / len(scores)
    return sum(passes) / len(passes)


def paired_values(rows: Sequence[CaseResult], metric: Metric) -> tuple[list[float], list[float]]:
    """Give (accepted, current) values of the rows that stand unchanged in the baseline."""
    was: list[float] = []
    now: list[float] = []
    rate = metric == "pass_rate"
    for row in rows:
        accepted = row.accepted
        if accepted is None:
            continue
        if not row.repeats and len(accepted.passes) == 1:  # what follows, in less time
            if rate:
                was.append(1.0 if accepted.passes[0] else 0.0)
                now.append(1.0 if row.passed else 0.0)
            else:
                was.append(accepted.scores[0] or 0.0)
                now.append(row.score or 0.0)
        else:
            was.append(accepted_value(accepted, metric))
            now.append(case_value(row, metric))
    return was, now


def clusters_of(rows: Sequence[CaseResult]) -> list[str] | None:
    """Give the cluster of every row, or ``None`` where none says so.

    A case without one is a cluster of its own: ``=`` and its id against ``@`` and a name, so
    that no id is taken for a cluster.
    """
    if all(row.cluster is None for row in rows):
        return None
    return [f"={row.id}" if row.cluster is None else f"@{row.cluster}" for row in rows]


def is_open(row: CaseResult) -> bool:
    """Say whether a judge left a run of a case without a verdict."""
    if not row.repeats:
        return row.standing == "unscored"
    return any(run.standing == "unscored" for run in row.repeats)


@lru_cache(maxsize=4096)
def run_result(
    *,
    repeat: int,
    standing: Standing,
    score: float | None,
    passed: bool,
    trajectory: float,
    judgement: Judgement | None = None,
) -> RepeatResult:
    """Give one run of a case; equal runs are one value, since a suite has few different ones."""
    return RepeatResult(
        repeat=repeat,
        standing=standing,
        score=score,
        passed=passed,
        trajectory=trajectory,
        judgement=judgement,
    )


def run_without_score(
    case: EvalCase,
    repeat: int,
    standing: Standing,
    *,
    trajectory: float | None = None,
    judgement: Judgement | None = None,
) -> RepeatResult:
    """Give the row of a run that has no score: not passed, and no path where one is declared."""
    vacuous = 0.0 if case.expected_tools else 1.0
    return run_result(
        repeat=repeat,
        standing=standing,
        score=None,
        passed=False,
        trajectory=vacuous if trajectory is None else trajectory,
        judgement=judgement,
    )
