"""The numbers of a report as people read them: one row a measure, the same in every format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records import figures
from gate.report.outcome import METRICS

if TYPE_CHECKING:
    from gate.records.base import Metric
    from gate.records.report import Report
    from gate.records.result import Interval, SliceResult, SuiteResult
    from gate.records.verdict import Comparison

METHODS: Final = {
    "wilson": "Wilson",
    "wilson_effective": "Wilson, effective n",
    "percentile_bootstrap": "bootstrap",
    "bayesian_bootstrap": "Bayesian bootstrap",
}


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


class SliceRow(NamedTuple):
    """One slice; ``label`` is untrusted text."""

    label: str
    cases: str
    pass_rate: str
    mean_score: str
    interval: str
    resampled: str


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


def interval_titles(suite: SuiteResult) -> tuple[str, str]:
    """Title the two interval columns of the slices: what each is about, and its method."""
    first, second = METHODS[suite.interval.method], METHODS[suite.protocol_interval.method]
    return f"{METRICS[suite.metric]} interval ({first})", f"mean score interval ({second})"


def measures(report: Report) -> tuple[Measure, ...]:
    """Give the rows of the suite, the headline metric first."""
    suite = report.suite
    every = " in every run" if suite.repeats > 1 else ""
    of = f"{suite.n_passed:,} of {suite.n_cases:,}{every}"
    rate = _row(report, "pass_rate", suite.pass_rate, of=of)
    mean = _row(report, "mean_score", suite.mean_score)
    rows = [rate, mean] if suite.metric == "pass_rate" else [mean, rate]
    if suite.k_macro_average is not None:
        rows.append(Measure("mean of K strata", figures.score(suite.k_macro_average)))
    if any(case.declares_path for case in report.cases):
        name = f"trajectory ({suite.trajectory_mode})"
        rows.append(Measure(name, figures.score(suite.trajectory_mean)))
    return tuple(rows)


def _row(report: Report, metric: Metric, value: float, *, of: str = "") -> Measure:
    suite, compared = report.suite, report.comparison
    spans = [suite.interval] if suite.metric == metric else []
    spans += [suite.protocol_interval] if metric == "mean_score" else []
    baseline = moved = ""
    if compared is not None and compared.metric == metric:
        if compared.baseline is not None:
            baseline = share(compared.baseline, metric=metric)
        if compared.drop is not None:
            moved = change(-compared.drop, metric=metric)
    return Measure(
        METRICS[metric],
        share(value, metric=metric),
        of,
        tuple((span(one, metric=metric), METHODS[one.method]) for one in spans),
        baseline,
        moved,
    )


def slice_rows(report: Report, *, most: int) -> tuple[SliceRow, ...]:
    """Give the first ``most`` slices, in the order of the report."""
    metric = report.suite.metric
    return tuple(_slice(one, metric) for one in report.suite.slices[:most])


def _slice(one: SliceResult, metric: Metric) -> SliceRow:
    return SliceRow(
        one.label,
        f"{one.n_cases:,}",
        figures.percent(one.pass_rate),
        figures.score(one.mean_score),
        span(one.interval, metric=metric),
        span(one.protocol_interval, metric="mean_score"),
    )


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
        f"{share(runs.mean, metric=metric)} ± {spread} s.d. ({each}{more})."
    )


def _comparison(report: Report) -> str | None:
    compared = report.comparison
    if compared is None:
        return None
    parts = "; ".join([*_compared_cases(compared, report.suite.n_cases), *_paired(compared)])
    return f"{parts[0].upper()}{parts[1:]}." if parts else None


def _compared_cases(compared: Comparison, n_cases: int) -> list[str]:
    if not compared.n_compared:
        return ["no case stands unchanged in both runs, so nothing was compared"]
    if compared.n_compared == n_cases or compared.current is None:
        return []
    now = share(compared.current, metric=compared.metric)
    cases = figures.count(compared.n_compared, "case")
    return [f"compared over the {cases} that stand unchanged in both, where this run has {now}"]


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
