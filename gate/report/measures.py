"""The numbers of a report as people read them: one row a measure, the same in every format."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records import figures
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
    "wilson_clustered": "Wilson, by cluster",
    "percentile_bootstrap": "bootstrap",
    "bayesian_bootstrap": "Bayesian bootstrap",
    "cluster_bootstrap": "cluster bootstrap",
}
_ALWAYS: Final = 0.45
_SURE: Final = 0.05
_MOSTLY: Final = 0.55
"""p-values between the two are those of a coin."""
_DUST: Final = 1e-9
"""What floating point may leave between two means that are the same."""
_PASS_AT: Final = 3
"""pass@k and pass^k are shown for so many k, the greatest among them."""


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


class Beside(NamedTuple):
    """What the compared cases came to in the baseline and in this run, and how many they are.

    ``drop`` is their difference, without what floating point leaves of none.
    """

    baseline: float
    current: float
    drop: float
    n_compared: int


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
    known = report.judge_run is None or report.judge_run.bounds is None
    if suite.k_macro_average is not None and known:
        rows.append(Measure("mean of K strata", figures.score(suite.k_macro_average)))
    return (*rows, *_pass_at(report), *_trajectory(report))


def _pass_at(report: Report) -> Iterator[Measure]:
    """Give how often one of k runs passes, and how often all do: the first k and the last."""
    found = report.suite.pass_at
    shown = found if len(found) <= _PASS_AT else (*found[: _PASS_AT - 1], found[-1])
    for one in shown:
        if one.k > 1:
            yield Measure(f"pass@{one.k}: one of {one.k} runs", figures.percent(one.any_passes))
            yield Measure(f"pass^{one.k}: all {one.k} runs", figures.percent(one.all_pass))


def _rows(report: Report, metric: Metric, name: str) -> Iterator[Measure]:
    suite = report.suite
    every = " in every run" if suite.repeats > 1 else ""
    spans = [suite.interval] if suite.metric == metric else []
    if suite.metric == metric and suite.cluster_interval is not None:
        spans.append(suite.cluster_interval)
    spans += [suite.protocol_interval] if metric == "mean_score" else []
    bounds = None if report.judge_run is None else report.judge_run.bounds
    if bounds is not None:
        low, high = bounds.pass_rate if metric == "pass_rate" else bounds.mean_score
        spell = figures.interval if metric == "pass_rate" else figures.score_interval
        yield Measure(name, spell(low, high))
        return
    own = Measure(
        name,
        share(suite.pass_rate if metric == "pass_rate" else suite.mean_score, metric=metric),
        f"{suite.n_passed:,} of {suite.n_cases:,}{every}" if metric == "pass_rate" else "",
        tuple((span(one, metric=metric), METHODS[one.method]) for one in spans),
    )
    changes = report.comparison.changes if report.comparison is not None else ()
    found = next((one for one in changes if one.metric == metric and one.label is None), None)
    beside = None
    if found is not None:
        beside = Beside(found.baseline, found.current, found.drop, found.n_compared)
    yield from _beside(report, own, beside, metric=metric, n_cases=suite.n_cases)


def _trajectory(report: Report) -> Iterator[Measure]:
    """Give the paths as their gate sees them: the cases that declare one, and no others."""
    rows = [case for case in report.cases if case.declares_path]
    if not rows:
        return
    held = [case.accepted.trajectory for case in rows if case.accepted is not None]
    mean = fsum([case.trajectory for case in rows]) / len(rows)
    own = Measure(
        f"trajectory ({report.suite.trajectory_mode}, {figures.count(len(rows), 'case')})",
        figures.score(mean),
    )
    beside = None
    if held:
        was = fsum(held) / len(held)
        now = fsum([case.trajectory for case in rows if case.accepted is not None]) / len(held)
        fell = was - now if abs(was - now) > _DUST else 0.0
        beside = Beside(was, now, fell, len(held))
    yield from _beside(report, own, beside, metric="mean_score", n_cases=len(rows))


def _beside(
    report: Report, own: Measure, beside: Beside | None, *, metric: Metric, n_cases: int
) -> Iterator[Measure]:
    """Put the baseline beside a measure, or below it where only some of its cases have one."""
    if report.comparison is None or beside is None:
        yield own
        return
    baseline = share(beside.baseline, metric=metric)
    moved = change(-beside.drop, metric=metric) if is_comparable(report) else ""
    if beside.n_compared == n_cases:
        yield own._replace(baseline=baseline, change=moved)
        return
    yield own
    name = f"{own.name.partition(' (')[0]}, {beside.n_compared:,} compared"
    value = share(beside.current, metric=metric)
    yield Measure(name, value, baseline=baseline, change=moved)


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
    """Say what the rows leave out: how surely it moved, what could be seen, each full run."""
    found = (_comparison(report), _sight(report), _runs(report, most=10))
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
    if compared.interval is None or compared.p_value is None or compared.drop is None:
        return None
    interval, metric = compared.interval, compared.metric
    spell = figures.point_range if metric == "pass_rate" else figures.score_range
    moved = f"{figures.count(compared.n_worse, 'case')} worse, {compared.n_better:,} better"
    span = f"{figures.level(interval.level)} interval {spell(-interval.high, -interval.low)}"
    said = (
        f"Change of the {METRICS[metric]}: {change(-compared.drop, metric=metric)} "
        f"({span}; {moved})."
    )
    if compared.drop <= 0:
        return said
    said += f" {_chance(compared.p_value)}"
    if interval.low <= 0 and compared.p_value <= _SURE:
        said += " The interval is the more cautious of the two; the gate goes by p."
    return said


def _chance(p: float) -> str:
    """Put a p-value into words that need no statistics."""
    if p >= _ALWAYS:
        often = "as often as not" if p < _MOSTLY else "more often than not"
    else:
        often = f"in {figures.often(p)} runs"
    return f"By chance an unchanged agent falls this far {often} (p {figures.p_value(p)})."


def _sight(report: Report) -> str | None:
    """Say in one sentence what this suite can see."""
    compared = report.comparison
    if compared is None or compared.noise is None:
        return None
    given = f"What this suite can see: with {_units(compared)}, {_given(compared)}, "
    if compared.certification is not None:
        often = figures.percent(compared.certification)
        return f"{given}an unchanged agent passes this rule {often} of the time."
    least, even = compared.minimum_detectable_drop, compared.minimum_detectable_even_drop
    if least is None:
        return f"{given}no drop at all is seen reliably."
    spelt = _size(least, compared)
    if even is not None and even < least:
        spelt = (
            f"{_size(even, compared)} (if every case loses alike) to {spelt} (if some lose all)"
        )
    often = "fails this gate four times in five, a smaller one less often"
    return f"{given}a true drop of {spelt} {often}."


def _units(compared: Comparison) -> str:
    cases = figures.count(compared.n_compared, "compared case")
    units = compared.noise.n_units if compared.noise is not None else compared.n_compared
    return (
        cases if units == compared.n_compared else f"{figures.count(units, 'cluster')} of {cases}"
    )


def _given(compared: Comparison) -> str:
    noise = compared.noise
    if noise is None:
        return ""
    if noise.kind == "flips":
        flipped = round(noise.value * compared.n_compared)
        return f"{flipped} of which seem to flip by chance (repeats would measure it)"
    whose = "whose" if noise.n_units == compared.n_compared else "whose mean"
    shown = "between repeats" if noise.source == "repeats" else "between these two runs"
    return f"{whose} changes scatter by {_size(noise.value, compared)} {shown}"


def _size(value: float, compared: Comparison) -> str:
    return change(value, metric=compared.metric).removeprefix("+")
