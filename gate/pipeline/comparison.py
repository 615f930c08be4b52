"""This run against its baseline in numbers: what moved, how surely, and what could be seen."""

from __future__ import annotations

from math import fsum, sqrt
from typing import TYPE_CHECKING, Final

from gate.gates.paired import LEVEL
from gate.records.gating import ZERO
from gate.records.verdict import Comparison, DropInterval, MetricChange, Noise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.gates.evidence import Evidence
    from gate.gates.paired import Paired
    from gate.records.base import Metric
    from gate.records.gating import RegressionOptions
    from gate.records.result import CaseResult
    from gate.statistics.power import Flips, Spread

_METRICS: Final[tuple[Metric, ...]] = ("pass_rate", "mean_score")


def comparison(evidence: Evidence, rule: RegressionOptions) -> Comparison | None:
    """Compare by the metric and the rule of the regression gate; ``None`` without a baseline."""
    alignment = evidence.alignment
    if alignment is None:
        return None
    metric = rule.metric or evidence.suite.metric
    beside, paired = evidence.beside(metric), evidence.paired(metric)
    pairs = alignment.pairs
    both = [(row, False not in row.accepted.passes) for row in pairs if row.accepted is not None]
    statistics = _statistics(paired, rule) if paired else {}
    return Comparison(
        metric=metric,
        rule=rule.rule,
        n_compared=len(pairs),
        baseline=beside and beside.baseline,
        current=beside and beside.current,
        drop=beside and beside.drop,
        changes=tuple(_changes(evidence)),
        newly_failing=tuple(row.id for row, passed in both if passed and not row.passed),
        newly_passing=tuple(row.id for row, passed in both if row.passed and not passed),
        added=alignment.added,
        removed=alignment.removed,
        changed=alignment.changed,
        differences=alignment.differences,
        history=alignment.history,
        baseline_reason=alignment.reason,
        baseline_repeats=alignment.repeats,
        **statistics,
    )


def _statistics(paired: Paired, rule: RegressionOptions) -> dict[str, object]:
    test, interval, noise = paired.test, paired.interval, noise_of(paired)
    return {
        "interval": DropInterval(
            method=interval.method, level=LEVEL, low=interval.low, high=interval.high
        ),
        "p_value": test.p_value,
        "test": test.method,
        "n_worse": test.n_worse,
        "n_better": test.n_better,
        "noise": noise,
        "minimum_detectable_drop": _least(paired, noise, rule),
    }


def _changes(evidence: Evidence) -> Iterator[MetricChange]:
    """Give both metrics over all compared cases, then the headline of each label's."""
    for metric in _METRICS:
        if (paired := evidence.beside(metric)) is not None:
            yield _change(paired, None)
    whole = evidence.beside(evidence.suite.metric)
    if whole is None:
        return
    members: dict[str, list[int]] = {}
    for place, row in enumerate(whole.rows):
        for label in row.labels:
            members.setdefault(label, []).append(place)
    for label in sorted(members):
        yield _change(whole.only(members[label]), label)


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

    Repeats show it best: the scatter of a case's own runs, on both sides. Without them two runs
    of 0/1 values show the flips that cancel: what got better by chance would as often get worse.
    Graded values show the scatter of their changes around the mean change.
    """
    repeated = [
        row
        for row in paired.rows
        if row.repeats or (row.accepted is not None and len(row.accepted.scores) > 1)
    ]
    within = [var for row in repeated if (var := _within(row, paired.metric)) is not None]
    if within:
        return Noise(kind="spread", value=_root(fsum(within) / len(within)), source="repeats")
    size = len(paired)
    values = {*paired.was, *paired.now}
    if values <= {0.0, 1.0}:
        flips = 2 * min(paired.test.n_worse, paired.test.n_better) / size
        return Noise(kind="flips", value=min(1.0, flips), source="pairs")
    apart = [was - now - paired.drop for was, now in zip(paired.was, paired.now, strict=True)]
    squares = fsum(one * one for one in apart)
    return Noise(kind="spread", value=_root(squares / max(1, size - 1)), source="pairs")


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


def _least(paired: Paired, noise: Noise, rule: RegressionOptions) -> float | None:
    """Give the least drop that the rule fails four times in five.

    ``noninferior`` fails by the number alone, as ``point`` does: what it asks for beyond that
    is undecided.
    """
    from gate.statistics.detectable import minimum_detectable_drop

    return minimum_detectable_drop(
        n=len(paired),
        noise=as_model(noise, loss=paired.baseline),
        max_drop=rule.max_drop or ZERO,
        alpha=float(rule.alpha),
        rule="significant" if rule.rule == "significant" else "point",
    )


def as_model(noise: Noise, *, loss: float) -> Flips | Spread:
    """Give the noise as the arithmetic of power takes it; ``loss`` is what a case has to lose."""
    from gate.statistics.power import Flips, Spread

    return Flips(noise.value) if noise.kind == "flips" else Spread(noise.value, loss)
