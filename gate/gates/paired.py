"""The compared cases by one metric, and what paired statistics say of them: each computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import fsum
from typing import TYPE_CHECKING, Final

from gate.records.values import clusters_of, paired_values, tested_rates
from gate.statistics.exact import exact_mean, mean_drop_exceeds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from gate.records.base import Metric
    from gate.records.result import CaseResult
    from gate.statistics.differences import DropInterval
    from gate.statistics.paired import PairedTest

LEVEL: Final = 0.95
_DUST: Final = 1e-9
"""What floating point may leave between two means that are the same."""


@dataclass(frozen=True, kw_only=True)
class Paired:
    """One value a case and side, aligned: ``was`` is accepted, ``now`` of all current runs.

    ``tested`` is what the test sees of this run: no more runs of a case than the baseline has.
    ``clusters`` is ``None`` where no case says that it belongs to others.
    """

    metric: Metric
    rows: Sequence[CaseResult]
    was: Sequence[float]
    now: Sequence[float]
    tested: Sequence[float]
    clusters: Sequence[str] | None

    @classmethod
    def of_rows(cls, rows: Sequence[CaseResult], metric: Metric) -> Paired:
        """Read the values off the rows of cases that stand unchanged in the baseline."""
        was, now = paired_values(rows, metric)
        most = _accepted_runs(rows)
        if metric == "mean_score" and (most > 1 or _runs(rows) > 1):
            was, now = _mean_scores(rows)
        return cls(
            metric=metric,
            rows=rows,
            was=was,
            now=now,
            tested=_tested(rows, metric, most=most) if _runs(rows) > most else now,
            clusters=clusters_of(rows),
        )

    def __len__(self) -> int:
        """Count the compared cases."""
        return len(self.now)

    def only(self, places: Sequence[int]) -> Paired:
        """Give the same for some of the cases."""
        clusters = self.clusters
        return Paired(
            metric=self.metric,
            rows=[self.rows[at] for at in places],
            was=[self.was[at] for at in places],
            now=[self.now[at] for at in places],
            tested=[self.tested[at] for at in places],
            clusters=None if clusters is None else [clusters[at] for at in places],
        )

    def against(self, was: Sequence[float], *, repeats: int) -> Paired:
        """Give the same cases beside other accepted values, each the mean of ``repeats`` runs."""
        most = min(repeats, _accepted_runs(self.rows))
        return Paired(
            metric=self.metric,
            rows=self.rows,
            was=was,
            now=self.now,
            tested=_tested(self.rows, self.metric, most=most),
            clusters=self.clusters,
        )

    @cached_property
    def baseline(self) -> float:
        """The mean of the accepted values."""
        return fsum(self.was) / len(self.was)

    @cached_property
    def current(self) -> float:
        """The mean of this run's values."""
        return fsum(self.now) / len(self.now)

    @cached_property
    def drop(self) -> float:
        """Baseline minus current; positive is worse."""
        found = self.baseline - self.current
        return found if abs(found) > _DUST else 0.0

    def exceeds(self, limit: Decimal) -> bool:
        """Say whether the drop is greater than ``limit``, exactly."""
        return mean_drop_exceeds(self.was, self.now, limit)

    @cached_property
    def test(self) -> PairedTest:
        """The one-sided test of no drop."""
        from gate.statistics.paired import paired_test

        return paired_test(self.was, self.tested, clusters=self.clusters)

    @cached_property
    def interval(self) -> DropInterval:
        """The interval of the drop, at the usual level."""
        return self.interval_at(LEVEL)

    def interval_at(self, level: float) -> DropInterval:
        """Give the interval of the drop at another level."""
        from gate.statistics.differences import drop_interval

        return drop_interval(self.was, self.now, level=level, clusters=self.clusters)

    @property
    def worse(self) -> tuple[str, ...]:
        """Name the cases whose value fell, in id order."""
        values = zip(self.rows, self.was, self.now, strict=True)
        return tuple(row.id for row, was, now in values if now < was)


def _mean_scores(rows: Sequence[CaseResult]) -> tuple[list[float], list[float]]:
    """Average the repeats of every case exactly, on both sides.

    A sum of decimals divided in floats may miss the number it stands for by a last bit. Then
    it would lie on no lattice, and the test would have to draw.
    """
    was = [_exact(row.accepted.scores) for row in rows if row.accepted is not None]
    return was, [_exact(_scores(row)) for row in rows]


def _tested(rows: Sequence[CaseResult], metric: Metric, *, most: int) -> list[float]:
    if metric == "pass_rate":
        return tested_rates(rows, most=most)
    return [_exact(_scores(row)[:most]) for row in rows]


def _scores(row: CaseResult) -> tuple[float | None, ...]:
    return tuple(run.score for run in row.repeats or (row,))


@lru_cache(maxsize=4096)
def _exact(scores: tuple[float | None, ...]) -> float:
    return float(exact_mean([score or 0.0 for score in scores]))


def _runs(rows: Sequence[CaseResult]) -> int:
    return max(len(row.repeats) or 1 for row in rows)


def _accepted_runs(rows: Sequence[CaseResult]) -> int:
    return min(len(row.accepted.scores) for row in rows if row.accepted is not None)
