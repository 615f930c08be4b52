"""What a suite can see under a rule: from what its baseline, or a result of it, shows."""

from __future__ import annotations

from math import fsum, sqrt
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from gate.errors import UsageInvalid
from gate.records.gating import ZERO
from gate.records.plan import Plan, RepeatedSight, Sight, Unchanged
from gate.statistics.detectable import cases_needed, minimum_detectable_drop
from gate.statistics.power import Flips, Spread, power, with_repeats
from gate.statistics.repeats import a_a_false_alarms, run_variance

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from gate.records.base import Metric
    from gate.records.baseline import Baseline
    from gate.records.gating import RegressionOptions
    from gate.records.report import Report
    from gate.records.verdict import Noise

_FLIPS: Final = (0.0, 0.03, 0.10, 0.20)
"""Shares of flipping cases that are assumed beside the measured one."""
_SPREADS: Final = (0.1, 0.2, 0.3)
"""Standard deviations of a graded case's change, likewise."""
_RUNS: Final = (1, 3, 5, 10)
"""Runs of each case that are compared."""


class Seen(NamedTuple):
    """What is known of a suite: the values of every case's runs, and the noise of a comparison."""

    metric: Metric
    runs: tuple[tuple[float, ...], ...]
    noise: Noise | None

    @property
    def repeats(self) -> int:
        """How many runs each case has."""
        return min(map(len, self.runs))

    @property
    def mean(self) -> float:
        """The mean over cases of their values."""
        return fsum(fsum(runs) / len(runs) for runs in self.runs) / len(self.runs)


def seen_in_baseline(baseline: Baseline, metric: Metric | None) -> Seen:
    """Read the runs of a baseline."""
    by = metric or baseline.metric
    runs = (
        tuple(map(float, row.passes)) if by == "pass_rate" else _scores(row.scores)
        for row in baseline.rows
    )
    return Seen(by, tuple(runs), None)


def seen_in_result(report: Report, metric: Metric | None) -> Seen:
    """Read the runs of a stored result, and the noise of the comparison that it holds."""
    by = metric or report.suite.metric
    runs = []
    for row in report.cases:
        each = row.repeats or (row,)
        if by == "pass_rate":
            runs.append(tuple(float(run.passed) for run in each))
        else:
            runs.append(_scores([run.score for run in each]))
    compared = report.comparison
    noise = compared.noise if compared is not None and compared.metric == by else None
    return Seen(by, tuple(runs), noise if noise is not None and noise.source == "pairs" else None)


def _scores(scores: Sequence[float | None]) -> tuple[float, ...]:
    return tuple(score or 0.0 for score in scores)


def foresee(
    seen: Seen, rule: RegressionOptions, *, size: int | None, wanted: float, aim: float
) -> Plan:
    """Say what ``rule`` sees in ``size`` cases (as many as there are, if ``None``).

    ``wanted`` is the drop that should be seen, ``aim`` how often. Raises ``UsageInvalid`` for
    the rule ``noninferior``, which does not look for drops.
    """
    looks_for = rule.rule
    if looks_for == "noninferior":
        raise UsageInvalid(
            "plan answers what drop a rule sees, and 'noninferior' does not look for drops: it "
            "asks for proof that there is none; use --rule significant or point"
        )
    n = size or len(seen.runs)
    limit = rule.max_drop if rule.max_drop is not None else ZERO
    terms = _Terms(n, limit, float(rule.alpha), looks_for, aim)
    single = _measured(seen)
    now = (
        None
        if single is None
        else with_repeats(single, current=seen.repeats, baseline=seen.repeats)
    )
    assumed: list[Flips | Spread] = [Flips(share) for share in _FLIPS]
    if _is_graded(seen):
        assumed = [Spread(sd, seen.mean) for sd in _SPREADS]
    models = [*([now] if now is not None else []), *assumed]
    sights = tuple(
        _sight(model, terms, wanted, measured=at == 0 and now is not None)
        for at, model in enumerate(models)
    )
    base = single if single is not None else assumed[1]
    source = None if single is None else "repeats" if seen.repeats > 1 else "pairs"
    return Plan(
        n_cases=n,
        metric=seen.metric,
        mean=seen.mean,
        rule=rule.rule,
        max_drop=limit,
        alpha=rule.alpha,
        power=aim,
        wanted=wanted,
        repeats=seen.repeats,
        source=source,
        sights=sights,
        at_max_drop=power(
            float(limit), n=n, noise=models[0], max_drop=limit, alpha=terms.alpha, rule=terms.rule
        ),
        by_repeats=tuple(_by_repeats(base, terms)),
        unchanged=_unchanged(seen, terms),
    )


class _Terms(NamedTuple):
    """What every question of one plan has in common."""

    n: int
    max_drop: Decimal
    alpha: float
    rule: Literal["significant", "point"]
    aim: float


def _is_graded(seen: Seen) -> bool:
    return any(value not in {0.0, 1.0} for runs in seen.runs for value in runs)


def _measured(seen: Seen) -> Flips | Spread | None:
    """Give how two single runs of one agent differ, as far as anything shows it."""
    if seen.repeats > 1:
        within = run_variance(seen.runs) or 0.0
        # For 0/1 values twice the variance within cases is the share of them that flip.
        return (
            Spread(min(1.0, sqrt(2 * within)), seen.mean)
            if _is_graded(seen)
            else Flips(2 * within)
        )
    if seen.noise is None:
        return None
    if seen.noise.kind == "flips":
        return Flips(seen.noise.value)
    return Spread(seen.noise.value, seen.mean)


def _sight(model: Flips | Spread, terms: _Terms, wanted: float, *, measured: bool) -> Sight:
    return Sight(
        kind="flips" if isinstance(model, Flips) else "spread",
        noise=model.share if isinstance(model, Flips) else model.sd,
        measured=measured,
        by_test=_least(model, terms._replace(max_drop=ZERO, rule="significant")),
        by_rule=_least(model, terms),
        cases_needed=cases_needed(
            wanted,
            noise=model,
            max_drop=terms.max_drop,
            alpha=terms.alpha,
            power=terms.aim,
            rule=terms.rule,
        ),
    )


def _least(model: Flips | Spread, terms: _Terms) -> float | None:
    return minimum_detectable_drop(
        n=terms.n,
        noise=model,
        max_drop=terms.max_drop,
        alpha=terms.alpha,
        power=terms.aim,
        rule=terms.rule,
    )


def _by_repeats(single: Flips | Spread, terms: _Terms) -> Iterator[RepeatedSight]:
    for runs in _RUNS:
        model = with_repeats(single, current=runs, baseline=runs)
        yield RepeatedSight(repeats=runs, by_rule=_least(model, terms))


def _unchanged(seen: Seen, terms: _Terms) -> Unchanged | None:
    """Judge one agent's own runs by the rule: whatever fails is a false alarm."""
    if seen.repeats == 1:
        return None
    columns = [[values[at] for values in seen.runs] for at in range(seen.repeats)]
    found = a_a_false_alarms(columns, max_drop=terms.max_drop, alpha=terms.alpha, rule=terms.rule)
    return Unchanged(**found._asdict())
