"""The compared cases by one metric, and what paired statistics say of them: each computed once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import fsum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from gate.records.gating import ZERO
from gate.records.values import clusters_of, paired_values
from gate.statistics.exact import exact_mean, mean_drop_exceeds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from gate.records.base import Metric
    from gate.records.result import Accepted, CaseResult
    from gate.statistics.differences import DropInterval
    from gate.statistics.paired import PairedTest

_T = TypeVar("_T")

LEVEL: Final = 0.95
_DUST: Final = 1e-9
"""What floating point may leave between two means that are the same."""


class Tested(NamedTuple):
    """What the test sees: one value a case and side, each the mean of as many runs.

    The test trades the two sides of a case, so they must be alike where nothing changed. A mean
    of three runs and a single run are not: one scatters less, and a case that rarely passes is
    mostly a little above 0 in the one and mostly 0 in the other. So the first runs of the side
    that has more stand for all of them, unless they can be exchanged one by one
    (:class:`Exchanged`).
    """

    was: Sequence[float]
    now: Sequence[float]


class Exchanged(NamedTuple):
    """How many runs each case has on each side, and how many of them passed, case by case."""

    was: int
    now: int
    passed: Sequence[tuple[int, int]]


@dataclass(frozen=True, kw_only=True)
class Paired:
    """One value a case and side, aligned: ``was`` is accepted, ``now`` of all current runs.

    ``clusters`` is ``None`` where no case says that it belongs to others. ``exchanged`` is there
    where pass rates of unequal many runs are compared: then all of them are tested.
    """

    metric: Metric
    rows: Sequence[CaseResult]
    was: Sequence[float]
    now: Sequence[float]
    tested: Tested
    clusters: Sequence[str] | None
    exchanged: Exchanged | None = None

    @classmethod
    def of_rows(cls, rows: Sequence[CaseResult], metric: Metric) -> Paired:
        """Read the values off the rows of cases that stand unchanged in the baseline."""
        was, now = paired_values(rows, metric)
        least, most = _counts(rows)
        if metric == "mean_score" and most > 1:
            was, now = _means(rows, metric, most=most)
        tested = Tested(was, now)
        if least < most:
            tested = Tested(*_means(rows, metric, most=least))
        clusters = clusters_of(rows)
        exchanged = None
        if metric == "pass_rate" and least < most and clusters is None:
            exchanged = _exchanged(rows)
        return cls(
            metric=metric,
            rows=rows,
            was=was,
            now=now,
            tested=tested,
            clusters=clusters,
            exchanged=exchanged,
        )

    def __len__(self) -> int:
        """Count the compared cases."""
        return len(self.now)

    @property
    def repeats(self) -> int:
        """Count the runs that every compared case has now, at least."""
        return min(len(row.repeats) or 1 for row in self.rows)

    def only(self, places: Sequence[int]) -> Paired:
        """Give the same for some of the cases."""

        def taken(values: Sequence[_T]) -> list[_T]:
            return [values[at] for at in places]

        was, now, clusters = taken(self.was), taken(self.now), self.clusters
        alike = self.tested == (self.was, self.now)
        exchanged = self.exchanged
        return Paired(
            exchanged=exchanged and exchanged._replace(passed=taken(exchanged.passed)),
            metric=self.metric,
            rows=taken(self.rows),
            was=was,
            now=now,
            tested=Tested(was, now) if alike else Tested(*map(taken, self.tested)),
            clusters=None if clusters is None else taken(clusters),
        )

    @cached_property
    def by_label(self) -> dict[str, Paired]:
        """The same for the cases of each label, by name."""
        members: dict[str, list[int]] = {}
        for place, row in enumerate(self.rows):
            for label in row.labels:
                members.setdefault(label, []).append(place)
        return {label: self.only(members[label]) for label in sorted(members)}

    def against(self, was: Sequence[float], *, repeats: int) -> Paired:
        """Give the same cases beside other accepted values, each the mean of ``repeats`` runs.

        This run must have as many: see :attr:`repeats`.
        """
        metric = self.metric
        tested = [_mean(_now(row, metric)[:repeats]) for row in self.rows]
        return Paired(
            metric=metric,
            rows=self.rows,
            was=was,
            now=self.now,
            tested=Tested(was, tested),
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
        moved = abs(found) > _DUST or mean_drop_exceeds(self.was, self.now, ZERO)
        return found if moved or mean_drop_exceeds(self.now, self.was, ZERO) else 0.0

    def exceeds(self, limit: Decimal) -> bool:
        """Say whether the drop is greater than ``limit``, exactly."""
        return mean_drop_exceeds(self.was, self.now, limit)

    @cached_property
    def test(self) -> PairedTest:
        """The one-sided test of no drop."""
        from gate.statistics.paired import PairedTest, paired_test

        if self.exchanged is None:
            return paired_test(self.tested.was, self.tested.now, clusters=self.clusters)
        from gate.statistics.exchange import exchange_test

        p_value = exchange_test(
            self.exchanged.passed, was=self.exchanged.was, now=self.exchanged.now
        )
        return PairedTest("run_exchange", p_value, len(self.worse), self.n_better)

    @cached_property
    def interval(self) -> DropInterval:
        """The interval of the drop, at the usual level."""
        return self.interval_at(LEVEL)

    def interval_at(self, level: float) -> DropInterval:
        """Give the interval of the drop at another level."""
        from gate.statistics.differences import drop_interval

        return drop_interval(self.was, self.now, level=level, clusters=self.clusters)

    @cached_property
    def n_better(self) -> int:
        """Count the cases whose value rose."""
        return sum(now > was for was, now in zip(self.was, self.now, strict=True))

    @cached_property
    def worse(self) -> tuple[str, ...]:
        """Name the cases whose value fell, in id order."""
        values = zip(self.rows, self.was, self.now, strict=True)
        return tuple(row.id for row, was, now in values if now < was)


def _counts(rows: Sequence[CaseResult]) -> tuple[int, int]:
    """Count the runs of the cases on both sides: the fewest, and the most."""
    now = {len(row.repeats) or 1 for row in rows}
    was = {len(row.accepted.scores) for row in rows if row.accepted is not None}
    return min(now | was), max(now | was)


def _exchanged(rows: Sequence[CaseResult]) -> Exchanged | None:
    """Count the passed runs of both sides; ``None`` unless each side has as many of every case."""
    passes = [(row.accepted.passes, _now(row, "pass_rate")) for row in rows if row.accepted]
    was, now = ({len(side[at]) for side in passes} for at in (0, 1))
    if len(was) > 1 or len(now) > 1:
        return None
    passed = [(sum(before), round(fsum(one or 0.0 for one in after))) for before, after in passes]
    return Exchanged(was.pop(), now.pop(), passed)


def _means(
    rows: Sequence[CaseResult], metric: Metric, *, most: int
) -> tuple[list[float], list[float]]:
    """Average the first ``most`` runs of every case on both sides, exactly.

    A sum of decimals divided in floats may miss the number it stands for by a last bit, and
    then it would lie on no lattice.
    """
    was = [_mean(_was(row.accepted, metric)[:most]) for row in rows if row.accepted is not None]
    return was, [_mean(_now(row, metric)[:most]) for row in rows]


def _was(accepted: Accepted, metric: Metric) -> tuple[float | None, ...]:
    return accepted.scores if metric == "mean_score" else tuple(map(float, accepted.passes))


def _now(row: CaseResult, metric: Metric) -> tuple[float | None, ...]:
    runs = row.repeats or (row,)
    if metric == "mean_score":
        return tuple(run.score for run in runs)
    return tuple(float(run.passed) for run in runs)


@lru_cache(maxsize=4096)
def _mean(values: tuple[float | None, ...]) -> float:
    return float(exact_mean([value or 0.0 for value in values]))
