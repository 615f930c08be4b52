"""What a suite can see under a rule: from what its baseline, or a result of it, shows."""

from __future__ import annotations

from math import fsum, sqrt
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from gate.errors import UsageInvalid
from gate.records.gating import ZERO
from gate.records.plan import Certification, Plan, RepeatedSight, Sight, Unchanged
from gate.statistics.detectable import (
    cases_needed,
    cases_to_certify,
    certification_power,
    minimum_detectable_drop,
    repeats_needed,
)
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
_SECOND: Final = 1
"""Which assumed noise stands for a measured one: neither none nor the most."""
_RUNS: Final = (1, 3, 5, 10)
"""Runs of each case that are compared."""


class Seen(NamedTuple):
    """What is known of a suite: the values of every unit's runs, and the noise of a comparison.

    A unit is a case, or a cluster of them: then its values are the means of its cases'.
    """

    metric: Metric
    runs: tuple[tuple[float, ...], ...]
    noise: Noise | None
    clustered: bool = False

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
    runs = [
        tuple(map(float, row.passes)) if by == "pass_rate" else _scores(row.scores)
        for row in baseline.rows
    ]
    return _seen(by, runs, [(row.id, row.cluster) for row in baseline.rows], None)


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
    if noise is not None and noise.source != "pairs":
        noise = None
    return _seen(by, runs, [(row.id, row.cluster) for row in report.cases], noise)


def _seen(
    metric: Metric,
    runs: list[tuple[float, ...]],
    names: list[tuple[str, str | None]],
    noise: Noise | None,
) -> Seen:
    """Put cases of one cluster together: what moves with them moves as one."""
    if all(cluster is None for _, cluster in names):
        return Seen(metric, tuple(runs), noise)
    members: dict[tuple[str | None, str], list[tuple[float, ...]]] = {}
    for (case_id, cluster), values in zip(names, runs, strict=True):
        members.setdefault((cluster, "" if cluster else case_id), []).append(values)
    means = (
        tuple(fsum(column) / len(column) for column in zip(*cases, strict=False))
        for cases in members.values()
    )
    return Seen(metric, tuple(means), noise, clustered=True)


def _scores(scores: Sequence[float | None]) -> tuple[float, ...]:
    return tuple(score or 0.0 for score in scores)


def foresee(
    seen: Seen, rule: RegressionOptions, *, size: int | None, wanted: float, aim: float
) -> Plan:
    """Say what ``rule`` sees in ``size`` cases (as many as there are, if ``None``).

    ``wanted`` is the drop that should be seen, ``aim`` how often. For ``noninferior``, which looks
    for no drop, it is how often an unchanged agent passes. Raises ``UsageInvalid`` for that rule
    without a margin.
    """
    n = size or len(seen.runs)
    limit = rule.max_drop if rule.max_drop is not None else ZERO
    single = _measured(seen)
    models = [_Model(noise, measured=False) for noise in _assumed(seen)]
    if single is not None:
        repeated = with_repeats(single, current=seen.repeats, baseline=seen.repeats)
        models.insert(0, _Model(repeated, measured=True))
    known: dict[str, Any] = {
        "n_cases": n,
        "clustered": seen.clustered,
        "metric": seen.metric,
        "mean": seen.mean,
        "rule": rule.rule,
        "max_drop": limit,
        "alpha": rule.alpha,
        "power": aim,
        "wanted": wanted,
        "repeats": seen.repeats,
        "source": None if single is None else "repeats" if seen.repeats > 1 else "pairs",
    }
    if rule.rule == "noninferior":
        if not limit:
            raise UsageInvalid("the rule 'noninferior' is about a margin: pass --max-drop above 0")
        found = (_certification(model, n, limit, float(rule.alpha), aim) for model in models)
        return Plan(**known, certifications=tuple(found))
    terms = _Terms(n, limit, float(rule.alpha), rule.rule, aim)
    base = single if single is not None else models[_SECOND].noise
    at_max_drop = power(float(limit), n=n, noise=models[0].noise, **terms.test)
    return Plan(
        **known,
        sights=tuple(_sight(model, terms, wanted) for model in models),
        at_max_drop=at_max_drop,
        by_repeats=tuple(_by_repeats(base, terms)),
        repeats_needed=repeats_needed(wanted, n=n, noise=base, power=aim, **terms.test),
        unchanged=_unchanged(seen, terms),
    )


class _Model(NamedTuple):
    """One noise, and whether it was measured or only assumed."""

    noise: Flips | Spread
    measured: bool

    @property
    def spelt(self) -> dict[str, Any]:
        """Name kind and size of the noise, as the records do."""
        if isinstance(self.noise, Flips):
            return {"kind": "flips", "noise": self.noise.share, "measured": self.measured}
        return {"kind": "spread", "noise": self.noise.sd, "measured": self.measured}


class _Terms(NamedTuple):
    """What every question of one plan has in common."""

    n: int
    max_drop: Decimal
    alpha: float
    rule: Literal["significant", "point"]
    aim: float

    @property
    def test(self) -> dict[str, Any]:
        """What the test itself is given."""
        return {"max_drop": self.max_drop, "alpha": self.alpha, "rule": self.rule}


def _is_graded(seen: Seen) -> bool:
    return seen.clustered or any(value not in {0.0, 1.0} for runs in seen.runs for value in runs)


def _assumed(seen: Seen) -> list[Flips | Spread]:
    if _is_graded(seen):
        return [Spread(sd, seen.mean) for sd in _SPREADS]
    return [Flips(share) for share in _FLIPS]


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


def _certification(
    model: _Model, n: int, limit: Decimal, alpha: float, aim: float
) -> Certification:
    return Certification(
        **model.spelt,
        passes=certification_power(n=n, noise=model.noise, max_drop=limit, alpha=alpha),
        cases_needed=cases_to_certify(noise=model.noise, max_drop=limit, alpha=alpha, power=aim),
    )


def _sight(model: _Model, terms: _Terms, wanted: float) -> Sight:
    alone = terms._replace(max_drop=ZERO, rule="significant")
    even = None
    if isinstance(model.noise, Spread):
        even = _least(model.noise._replace(loss=0.0), terms)
    return Sight(
        even_by_rule=even,
        **model.spelt,
        by_test=_least(model.noise, alone),
        by_rule=_least(model.noise, terms),
        cases_needed=cases_needed(wanted, noise=model.noise, power=terms.aim, **terms.test),
    )


def _least(noise: Flips | Spread, terms: _Terms) -> float | None:
    return minimum_detectable_drop(n=terms.n, noise=noise, power=terms.aim, **terms.test)


def _by_repeats(single: Flips | Spread, terms: _Terms) -> Iterator[RepeatedSight]:
    for runs in _RUNS:
        noise = with_repeats(single, current=runs, baseline=runs)
        yield RepeatedSight(repeats=runs, by_rule=_least(noise, terms))


def _unchanged(seen: Seen, terms: _Terms) -> Unchanged | None:
    """Judge one agent's own runs by the rule: whatever fails is a false alarm."""
    if seen.repeats == 1:
        return None
    columns = [[values[at] for values in seen.runs] for at in range(seen.repeats)]
    found = a_a_false_alarms(columns, max_drop=terms.max_drop, alpha=terms.alpha, rule=terms.rule)
    return Unchanged(**found._asdict())
