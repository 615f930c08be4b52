"""This run against its baseline in numbers: what moved, how surely, and what could be seen."""

from __future__ import annotations

from math import fsum, sqrt
from typing import TYPE_CHECKING, Any, Final, Literal

from gate.gates.paired import LEVEL
from gate.gates.slices import compare_slices
from gate.pipeline.unscored import may_be_open
from gate.records.gating import ZERO
from gate.records.values import is_open
from gate.records.verdict import Comparison, DropInterval, MetricChange, Noise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gate.gates.evidence import Evidence
    from gate.gates.paired import Paired
    from gate.records.base import Metric
    from gate.records.gating import RegressionOptions
    from gate.records.result import CaseResult
    from gate.statistics.power import Flips, Spread

_LISTED: Final = 20
_METRICS: Final[tuple[Metric, ...]] = ("pass_rate", "mean_score")


def comparison(evidence: Evidence, rule: RegressionOptions) -> Comparison | None:
    """Compare by the metric and the rule of the regression gate; ``None`` without a baseline.

    Where a judge left a compared case open, nothing is given that would need its score.
    """
    alignment = evidence.alignment
    if alignment is None:
        return None
    metric = rule.metric or evidence.suite.metric
    beside, paired = evidence.beside(metric), evidence.paired(metric)
    pairs = alignment.pairs
    both = [(row, False not in row.accepted.passes) for row in pairs if row.accepted is not None]
    known = not may_be_open(evidence.suite) or not any(map(is_open, pairs))
    statistics = _statistics(paired, rule) if paired and known else {}
    return Comparison(
        metric=metric,
        rule=rule.rule,
        n_compared=len(pairs),
        baseline=beside and beside.baseline,
        current=beside.current if beside and known else None,
        drop=beside.drop if beside and known else None,
        changes=tuple(_changes(evidence)) if known else (),
        newly_failing=tuple(
            row.id for row, passed in both if passed and not row.passed and failed(row)
        ),
        newly_passing=tuple(row.id for row, passed in both if row.passed and not passed),
        added=alignment.added,
        removed=alignment.removed,
        changed=alignment.changed,
        differences=alignment.differences,
        history=alignment.history,
        baseline_reason=alignment.reason,
        baseline_best_of=alignment.best_of,
        baseline_knowingly=alignment.knowingly,
        baseline_waived=alignment.waived,
        baseline_repeats=alignment.repeats,
        **statistics,
    )


def failed(row: CaseResult) -> bool:
    """Say whether a case is known to have failed: what a judge left open may have passed."""
    if row.standing != "unscored":
        return not row.passed
    return any(not run.passed and run.standing != "unscored" for run in row.repeats)


def _statistics(paired: Paired, rule: RegressionOptions) -> dict[str, Any]:
    test, interval, noise = paired.test, paired.interval, noise_of(paired)
    return {
        "interval": DropInterval(
            method=interval.method, level=LEVEL, low=interval.low, high=interval.high
        ),
        "p_value": test.p_value,
        "test": test.method,
        "n_worse": len(paired.worse),
        "n_better": paired.n_better,
        "noise": noise,
        **_sight(noise, rule, loss=paired.baseline),
        "fallen_slices": _fallen(paired, rule),
    }


def _fallen(paired: Paired, rule: RegressionOptions) -> tuple[str, ...]:
    slices = compare_slices(paired, rule.max_drop or ZERO)
    fallen = [one.label for one in slices if one.exceeds and one.p_value <= rule.alpha]
    return tuple(fallen[:_LISTED])


def _changes(evidence: Evidence) -> Iterator[MetricChange]:
    """Give both metrics over all compared cases, then the headline of each label's."""
    for metric in _METRICS:
        if (paired := evidence.beside(metric)) is not None:
            yield _change(paired, None)
    whole = evidence.beside(evidence.suite.metric)
    if whole is None:
        return
    for label, part in whole.by_label.items():
        yield _change(part, label)


def _change(paired: Paired, label: str | None) -> MetricChange:
    return MetricChange(
        metric=paired.metric,
        label=label,
        n_compared=len(paired),
        baseline=paired.baseline,
        current=paired.current,
        drop=paired.drop,
    )


def noise_of(paired: Paired) -> Noise:
    """Estimate how much an unchanged agent moves.

    Clusters are the units where there are any: what matters is how their means scatter. Repeats
    show the noise of a case best: the scatter of its own runs, on both sides. Without them two
    runs of 0/1 values show the flips that cancel: what got better by chance would as often get
    worse. Graded values show the scatter of their changes around the mean change.
    """
    size = len(paired)
    if paired.clusters is not None:
        means = _cluster_means(_apart(paired), paired.clusters)
        return _spread(fsum(one * one for one in means), len(means), "pairs")
    repeated = [
        row
        for row in paired.rows
        if row.repeats or (row.accepted is not None and len(row.accepted.scores) > 1)
    ]
    within = [var for row in repeated if (var := _within(row, paired.metric)) is not None]
    if within:
        value = _root(fsum(within) / len(within))
        return Noise(kind="spread", value=value, source="repeats", n_units=size)
    if {*paired.was, *paired.now} <= {0.0, 1.0}:
        flips = min(1.0, 2 * min(paired.test.n_worse, paired.test.n_better) / size)
        return Noise(kind="flips", value=flips, source="pairs", n_units=size)
    return _spread(fsum([one * one for one in _apart(paired)]), size, "pairs")


def _apart(paired: Paired) -> list[float]:
    """Give how far the change of each case lies from the mean change."""
    drop = paired.drop
    return [was - now - drop for was, now in zip(paired.was, paired.now, strict=True)]


def _spread(squares: float, n_units: int, source: Literal["repeats", "pairs"]) -> Noise:
    value = _root(squares / max(1, n_units - 1))
    return Noise(kind="spread", value=value, source=source, n_units=n_units)


def _cluster_means(apart: Sequence[float], clusters: Sequence[str]) -> list[float]:
    """Add up what the cases of each cluster moved, in units of a cluster of mean size."""
    sums: dict[str, list[float]] = {}
    for one, cluster in zip(apart, clusters, strict=True):
        sums.setdefault(cluster, []).append(one)
    usual = len(apart) / len(sums)
    return [fsum(moved) / usual for moved in sums.values()]


def _root(variance: float) -> float:
    return min(1.0, sqrt(variance))


def _within(row: CaseResult, metric: Metric) -> float | None:
    """Give the variance of a case's change if nothing changed; ``None`` without repeats."""
    rate = metric == "pass_rate"
    now = [float(run.passed) if rate else run.score or 0.0 for run in row.repeats or (row,)]
    held = row.accepted
    was: list[float] = []
    if held is not None:
        was = [float(one) for one in held.passes] if rate else [s or 0.0 for s in held.scores]
    freedom = sum(max(0, len(side) - 1) for side in (now, was))
    if not freedom:
        return None
    usual = (_squares(now) + _squares(was)) / freedom
    return usual / len(now) + usual / max(1, len(was))


def _squares(values: list[float]) -> float:
    mean = fsum(values) / max(1, len(values))
    return fsum((value - mean) ** 2 for value in values)


def _sight(noise: Noise, rule: RegressionOptions, *, loss: float) -> dict[str, float | None]:
    """Say what the rule sees four times in five, or how often ``noninferior`` lets pass."""
    from gate.statistics.detectable import certification_power, minimum_detectable_drop

    limit, alpha, n = rule.max_drop or ZERO, float(rule.alpha), noise.n_units
    worst = as_model(noise, loss=loss)
    if rule.rule == "noninferior":
        passes = certification_power(n=n, noise=worst, max_drop=limit, alpha=alpha)
        return {"certification": passes}
    seen = {
        name: minimum_detectable_drop(
            n=n, noise=model, max_drop=limit, alpha=alpha, rule=rule.rule
        )
        for name, model in (
            ("minimum_detectable_drop", worst),
            ("minimum_detectable_even_drop", as_model(noise, loss=0.0)),
        )
    }
    if noise.kind == "flips":  # a case has its all to lose, or nothing
        del seen["minimum_detectable_even_drop"]
    # Nobody loses more than there is.
    return {
        name: None if drop is not None and drop > loss else drop for name, drop in seen.items()
    }


def as_model(noise: Noise, *, loss: float) -> Flips | Spread:
    """Give the noise as the arithmetic of power takes it; ``loss`` is what a case has to lose."""
    from gate.statistics.power import Flips, Spread

    return Flips(noise.value) if noise.kind == "flips" else Spread(noise.value, loss)
