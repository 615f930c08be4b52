"""The numbers of a report as people read them: one row a measure, the same in every format."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records import figures
from gate.records.values import paired_values
from gate.report.outcome import METRICS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.base import Metric
    from gate.records.report import Report
    from gate.records.result import Interval
    from gate.records.verdict import Comparison

METHODS: Final = {
    "wilson": "Wilson",
    "wilson_effective": "Wilson, effective n",
    "percentile_bootstrap": "bootstrap",
    "bayesian_bootstrap": "Bayesian bootstrap",
}
_DUST: Final = 1e-9
"""What floating point may leave between two sums that are the same."""


class Measure(NamedTuple):
    """One row: a name, what this run has, of how many, its intervals, the baseline, the change.

    Texts are empty where there is nothing to say; ``intervals`` pairs interval and method.
    """

    name: str
    value: str
    of: str = ""
    intervals: tuple[tuple[str, str], ...] = ()
    baseline: str = ""
    change: str = ""


class Pair(NamedTuple):
    """One value a compared case: what the baseline holds, and what this run has."""

    was: list[float]
    now: list[float]


def share(value: float, *, metric: Metric) -> str:
    """Spell a value of ``metric`` in its unit: rates in percent, scores in decimals."""
    return figures.percent(value) if metric == "pass_rate" else figures.score(value)


def change(value: float, *, metric: Metric) -> str:
    """Spell a change of ``metric`` in its unit, with its sign."""
    return figures.points(value) if metric == "pass_rate" else figures.score_change(value)


def span(interval: Interval, *, metric: Metric) -> str:
    """Spell an interval in the unit of ``metric``.

    One without width is not shown as an interval: its method saw no spread, which is no
    evidence that there is none.
    """
    if interval.low == interval.high:
        return f"no spread seen at {share(interval.low, metric=metric)}"
    spell = figures.interval if metric == "pass_rate" else figures.score_interval
    return spell(interval.low, interval.high)


def measures(report: Report) -> tuple[Measure, ...]:
    """Give the rows of the suite, the headline metric first.

    Where only some cases are compared, what they come to stands in a row of its own: a change
    is always between the two numbers beside it.
    """
    suite = report.suite
    names = METRICS if suite.repeats == 1 else {**METRICS, "pass_rate": "pass rate, all runs"}
    metrics: tuple[Metric, Metric] = ("pass_rate", "mean_score")
    rows: list[Measure] = []
    for metric in metrics if suite.metric == "pass_rate" else reversed(metrics):
        rows += _rows(report, metric, names[metric])
    if suite.k_macro_average is not None:
        rows.append(Measure("mean of K strata", figures.score(suite.k_macro_average)))
    return (*rows, *_trajectory(report))


def _rows(report: Report, metric: Metric, name: str) -> Iterator[Measure]:
    suite = report.suite
    every = " in every run" if suite.repeats > 1 else ""
    spans = [suite.interval] if suite.metric == metric else []
    spans += [suite.protocol_interval] if metric == "mean_score" else []
    pairs = tuple(case for case in report.cases if case.accepted is not None)
    own = Measure(
        name,
        share(suite.pass_rate if metric == "pass_rate" else suite.mean_score, metric=metric),
        f"{suite.n_passed:,} of {suite.n_cases:,}{every}" if metric == "pass_rate" else "",
        tuple((span(one, metric=metric), METHODS[one.method]) for one in spans),
    )
    was, now = paired_values(pairs, metric)
    yield from _beside(report, own, Pair(was, now), metric=metric, n_cases=suite.n_cases)


def _trajectory(report: Report) -> Iterator[Measure]:
    """Give the paths as their gate sees them: the cases that declare one, and no others."""
    rows = [case for case in report.cases if case.declares_path]
    if not rows:
        return
    pairs = [(case.accepted.trajectory, case.trajectory) for case in rows if case.accepted]
    mean = fsum(case.trajectory for case in rows) / len(rows)
    own = Measure(
        f"trajectory ({report.suite.trajectory_mode}, {figures.count(len(rows), 'case')})",
        figures.score(mean),
    )
    pair = Pair([was for was, _ in pairs], [now for _, now in pairs])
    yield from _beside(report, own, pair, metric="mean_score", n_cases=len(rows))


def _beside(
    report: Report, own: Measure, pair: Pair, *, metric: Metric, n_cases: int
) -> Iterator[Measure]:
    """Put the baseline beside a measure, or below it where only some of its cases have one."""
    if report.comparison is None or not pair.was:
        yield own
        return
    was, now = (fsum(values) / len(values) for values in pair)
    baseline = share(was, metric=metric)
    moved = change(difference(pair), metric=metric) if is_comparable(report) else ""
    if len(pair.now) == n_cases:
        yield own._replace(baseline=baseline, change=moved)
        return
    yield own
    name = f"{own.name.partition(' (')[0]}, {len(pair.now):,} compared"
    yield Measure(name, share(now, metric=metric), baseline=baseline, change=moved)


def difference(pair: Pair) -> float:
    """Give the mean of this run minus that of the baseline; both have the same cases, one or more.

    >>> difference(Pair(was=[1.0, 1.0], now=[1.0, 0.5]))
    -0.25
    """
    found = (fsum(pair.now) - fsum(pair.was)) / len(pair.was)
    return found if abs(found) > _DUST else 0.0


def is_comparable(report: Report) -> bool:
    """Say whether a change against the baseline means anything.

    It does not where the two were measured differently, unless the policy has switched that
    check off.
    """
    compared = report.comparison
    if compared is None:
        return False
    unchecked = any(gate.gate == "comparable" and gate.outcome == "off" for gate in report.gates)
    return unchecked or not compared.differences


def sentences(report: Report) -> tuple[str, ...]:
    """Say what the rows leave out: what was compared, and what each full run measured."""
    found = (_comparison(report), _runs(report, most=10))
    return tuple(sentence for sentence in found if sentence is not None)


def _runs(report: Report, *, most: int) -> str | None:
    runs = report.suite.runs
    if runs is None:
        return None
    metric = runs.metric
    each = ", ".join(share(value, metric=metric) for value in runs.values[:most])
    more = f" and {len(runs.values) - most:,} more" if len(runs.values) > most else ""
    spread = change(runs.sd, metric=metric).removeprefix("+")
    return (
        f"Full runs: {METRICS[metric]} over {figures.count(len(runs.values), 'run')}, mean "
        f"{share(runs.mean, metric=metric)} ± {spread} SD ({each}{more})."
    )


def _comparison(report: Report) -> str | None:
    compared = report.comparison
    if compared is None:
        return None
    if not compared.n_compared:
        return "No case stands unchanged in both runs, so nothing was compared."
    parts = "; ".join(_paired(compared))
    return f"{parts[0].upper()}{parts[1:]}." if parts else None


def _paired(compared: Comparison) -> list[str]:
    parts = []
    if compared.interval is not None:
        spelt = span(compared.interval, metric=compared.metric)
        parts.append(f"{figures.level(compared.interval.level)} interval of the drop {spelt}")
    if compared.p_value is not None:
        parts.append(f"p {figures.p_value(compared.p_value)}")
    if compared.minimum_detectable_drop is not None:
        least = change(compared.minimum_detectable_drop, metric=compared.metric)
        parts.append(f"smallest drop that this suite could tell from noise: {least[1:]}")
    return parts
