"""What a confusion matrix of people and a judge says, as a trust record holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gate.records.trust import KappaBounds
from gate.statistics.agreement import table_agreement
from gate.statistics.weighted import ConfusionTable, disagreement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.records.trust import Weighting


class Agreed(NamedTuple):
    """All that follows from a matrix; the names are those of the record."""

    n_items: int
    human_counts: tuple[int, ...]
    judge_counts: tuple[int, ...]
    agreement: float | None
    kappa: float | None
    unweighted_kappa: float | None
    interval: KappaBounds | None


def agreed(
    confusion: Sequence[Sequence[int]], categories: Sequence[float], *, weighting: Weighting
) -> Agreed:
    """Measure agreement by a table of items: people's labels in rows, the judge's in columns.

    ``agreement`` is the share of equal labels, ``None`` of no item. Kappa and its interval are
    ``None`` unless people used two classes: with one nobody could agree beyond chance. A judge
    that used one class has a kappa, of 0.

    >>> agreed([[4, 1], [1, 4]], (0, 1), weighting="none").kappa
    0.6
    >>> agreed([[0, 0], [1, 4]], (0, 1), weighting="none").kappa
    >>> agreed([[0, 3], [0, 4]], (0, 1), weighting="none").kappa
    0.0
    """
    counts = tuple(map(tuple, confusion))
    found = table_agreement(ConfusionTable(tuple(categories), counts), weights=weighting)
    equal = sum(row[at] for at, row in enumerate(counts))
    kappa = plain = bounds = None
    if sum(map(bool, found.human_counts)) > 1 and found.interval and found.lower_bound is not None:
        observed, by_luck = disagreement(counts, weights="none")
        kappa, plain = found.kappa, (by_luck - observed) / by_luck
        method, _, _, low, high = found.interval
        bounds = KappaBounds(method=method, low=low, high=high, lower_bound=found.lower_bound)
    return Agreed(
        n_items=found.n,
        human_counts=found.human_counts,
        judge_counts=found.judge_counts,
        agreement=equal / found.n if found.n else None,
        kappa=kappa,
        unweighted_kappa=plain,
        interval=bounds,
    )
