"""Rows become a suite: rates, means, intervals, slices, full runs."""

from __future__ import annotations

from math import fsum, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.json_text import canonical
from gate.records.result import Interval, PassAt, RunsSummary, SliceResult, SuiteResult
from gate.records.values import case_value, clusters_of
from gate.statistics.bootstrap import protocol_bootstrap
from gate.statistics.intervals import score_interval
from gate.suite.order import is_stratum, label_order
from gate.suite.rows import runs_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from gate.records.base import Metric, TrajectoryMode
    from gate.records.result import CaseResult

LEVEL: Final = 0.95
MOST_K: Final = 10
"""pass@k and pass^k are given for k up to it."""


class Measurement(NamedTuple):
    """How the suite was measured and is summarised."""

    metric: Metric
    pass_threshold: Decimal
    trajectory_mode: TrajectoryMode
    repeats: int
    seed: int
    n_boot: int


def summarise(rows: Sequence[CaseResult], how: Measurement) -> SuiteResult:
    """Summarise rows that stand in canonical order; there is at least one.

    Whatever was not scored counts as not passed and 0, so the denominator is always the
    number of golden cases.
    """
    passes, scores = _values(rows)
    clusters = clusters_of(rows)
    slices = _slices(rows, passes, scores, clusters, how)
    strata = [part.mean_score for part in slices if is_stratum(part.label)]
    headline = scores if how.metric == "mean_score" else passes
    standings: dict[str, int] = {}
    for row in rows:
        standings[row.standing] = standings.get(row.standing, 0) + 1
    return SuiteResult(
        n_cases=len(rows),
        n_passed=sum(row.passed for row in rows),
        pass_rate=_mean(passes),
        mean_score=_mean(scores),
        trajectory_mean=_mean([row.trajectory for row in rows]),
        k_macro_average=_mean(strata) if strata else None,
        metric=how.metric,
        pass_threshold=how.pass_threshold,
        trajectory_mode=how.trajectory_mode,
        repeats=how.repeats,
        standings=canonical(standings),
        interval=display_interval(headline, clusters),
        protocol_interval=protocol_interval(scores, how),
        runs=_runs(rows, how),
        slices=tuple(slices),
        pass_at=tuple(_pass_at(rows, how.repeats)),
        n_clusters=None if clusters is None else len(set(clusters)),
        cluster_interval=None if clusters is None else _by_cluster(headline, clusters, how),
    )


def display_interval(values: Sequence[float], clusters: Sequence[str] | None) -> Interval:
    """Give the interval that does not collapse at the edges (Wilson).

    ``clusters`` say which values are no independent evidence; ``None`` if all are.
    """
    if clusters is not None:
        from gate.statistics.clusters import cluster_interval

        low, high = cluster_interval(values, clusters, level=LEVEL)
        return Interval(method="wilson_clustered", level=LEVEL, low=low, high=high)
    found = score_interval(values, level=LEVEL)
    return Interval(method=found.method, level=LEVEL, low=found.low, high=found.high)


def _by_cluster(values: Sequence[float], clusters: Sequence[str], how: Measurement) -> Interval:
    from gate.statistics.clusters import cluster_bootstrap

    low, high = cluster_bootstrap(values, clusters, n_boot=how.n_boot, seed=how.seed, level=LEVEL)
    return Interval(
        method="cluster_bootstrap",
        level=LEVEL,
        low=low,
        high=high,
        n_boot=how.n_boot,
        seed=how.seed,
    )


def _pass_at(rows: Sequence[CaseResult], repeats: int) -> Iterator[PassAt]:
    """Give pass@k and pass^k for every k that the repeats allow, up to :data:`MOST_K`."""
    if repeats == 1:
        return
    from gate.statistics.repeats import Tally, mean_pass_at_k, mean_pass_hat_k

    tallies = [
        Tally(n_runs=len(runs), n_passed=sum(run.passed for run in runs))
        for runs in map(runs_of, rows)
    ]
    for k in range(1, min(repeats, MOST_K) + 1):
        yield PassAt(
            k=k, any_passes=mean_pass_at_k(tallies, k=k), all_pass=mean_pass_hat_k(tallies, k=k)
        )


def protocol_interval(scores: Sequence[float], how: Measurement) -> Interval:
    """Give the interval that the published protocol reports: percentile bootstrap of the mean."""
    found = protocol_bootstrap(scores, level=LEVEL)
    return Interval(
        method="percentile_bootstrap",
        level=LEVEL,
        low=found.low,
        high=found.high,
        n_boot=how.n_boot,
        seed=how.seed,
        computed=found.computed,
    )


def _values(rows: Sequence[CaseResult]) -> tuple[list[float], list[float]]:
    passes = [case_value(row, "pass_rate") for row in rows]
    scores = [case_value(row, "mean_score") for row in rows]
    return passes, scores


def _slices(
    rows: Sequence[CaseResult],
    passes: list[float],
    scores: list[float],
    clusters: list[str] | None,
    how: Measurement,
) -> list[SliceResult]:
    members: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        for label in row.labels:
            members.setdefault(label, []).append(place)
    return [
        _slice(
            label,
            [rows[place].passed for place in members[label]],
            [passes[place] for place in members[label]],
            [scores[place] for place in members[label]],
            None if clusters is None else [clusters[place] for place in members[label]],
            how,
        )
        for label in sorted(members, key=label_order)
    ]


def _slice(
    label: str,
    passed: list[bool],
    passes: list[float],
    scores: list[float],
    clusters: list[str] | None,
    how: Measurement,
) -> SliceResult:
    headline = scores if how.metric == "mean_score" else passes
    return SliceResult(
        label=label,
        n_cases=len(passed),
        n_passed=sum(passed),
        pass_rate=_mean(passes),
        mean_score=_mean(scores),
        interval=display_interval(headline, clusters),
        protocol_interval=protocol_interval(scores, how),
    )


def _runs(rows: Sequence[CaseResult], how: Measurement) -> RunsSummary | None:
    if how.repeats == 1:
        return None
    by_run = [runs_of(row) for row in rows]
    values = []
    for number in range(how.repeats):
        column = [runs[number] for runs in by_run]
        if how.metric == "mean_score":
            values.append(_mean([run.score or 0.0 for run in column]))
        else:
            values.append(_mean([float(run.passed) for run in column]))
    mean = _mean(values)
    spread = fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return RunsSummary(metric=how.metric, values=tuple(values), mean=mean, sd=sqrt(spread))


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)
