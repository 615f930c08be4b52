"""How far a measured kappa may be from the true one: the textbook interval and an honest one."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from gate.statistics.normal import two_sided_quantile
from gate.statistics.weighted import Weights, confusion_table, disagreement, distances

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

_ONE_SIDED_QUANTILE: Final = 1.6448536269514722
"""The normal quantile that leaves 5 % on one side."""


class KappaInterval(NamedTuple):
    """The measured kappa, a standard error and two ends, with the method that made them."""

    method: Literal["large_sample", "augmented"]
    kappa: float
    se: float
    low: float
    high: float


class _Spread(NamedTuple):
    """A table's kappa and its large-sample standard error."""

    kappa: float
    se: float


def kappa_interval(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    *,
    level: float = 0.95,
    weights: Weights = "none",
    categories: Sequence[Hashable] | None = None,
) -> KappaInterval:
    """Give the large-sample interval of (weighted) kappa, the one statistics packages print.

    It is symmetric and not cut at 1. It is for comparison with other tools, not for trust: on
    perfect agreement its standard error is 0, so ten labels that agree read "exactly 1". Show
    and decide by :func:`augmented_kappa_interval` and :func:`kappa_lower_bound`.

    ``weights`` other than ``none`` need ``categories``, the whole scale in its order. Where
    both raters used one and the same label throughout there is no kappa, hence no interval:
    that raises ``ValueError``, as do unequal lengths, no items and a level outside (0, 1).

    Source: Fleiss, Cohen and Everitt, Large sample standard errors of kappa and weighted
    kappa, Psychological Bulletin 72 (1969).

    >>> a = "p" * 25 + "f" * 25  # 20 and 15 of them agree
    >>> b = "p" * 20 + "f" * 5 + "p" * 10 + "f" * 15
    >>> method, kappa, se, low, high = kappa_interval(a, b)
    >>> f"{kappa:.6f} {se:.6f} {low:.4f} {high:.4f}"
    '0.400000 0.126996 0.1511 0.6489'
    >>> kappa_interval("pppppppppf", "pppppppppf").se
    0.0
    """
    counts = _counts(a, b, weights=weights, categories=categories)
    kappa, se = _spread(counts, len(a), weights=weights)
    reach = two_sided_quantile(level) * se
    return KappaInterval("large_sample", kappa, se, kappa - reach, kappa + reach)


def augmented_kappa_interval(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    *,
    level: float = 0.95,
    weights: Weights = "none",
    categories: Sequence[Hashable] | None = None,
) -> KappaInterval:
    """Give an interval of (weighted) kappa that never has width 0; the one to show.

    It is the interval of :func:`kappa_interval` on the table with two more items, spread evenly
    over its cells (for two categories half an item a cell): they stand for the disagreement
    that was not drawn. ``se`` is that table's; ``kappa`` is the measured one, which the
    interval is made to hold. It is cut to [-1, 1]. Arguments and errors are those of
    :func:`kappa_interval`; cost is the square of the categories.

    Two raters of two labels with like margins, true kappa .2, .4, .6, .8 and .95, the more
    frequent label at 50, 70 and 90 %, every table enumerated where the first rater used both
    labels: 95 % means at least 91.1, 92.8, 92.8, 90.8, 92.5 and 94.1 % at 10, 20, 30, 50, 100
    and 300 items (the large-sample interval: 7.9, 16.0, 23.4, 36.2, 59.4 and 88.9 %). Near
    kappa 1 it is wider than it need be. Three to five categories, weighted ones too, drawn:
    88 % and more at 10 items, about 90 % and more from 20 on.

    >>> low, high = augmented_kappa_interval("pppppppppf", "pppppppppf")[-2:]
    >>> f"{low:.4f} {high:.4f}"
    '0.1495 1.0000'
    """
    counts = _counts(a, b, weights=weights, categories=categories)
    return table_kappa_interval(counts, level=level, weights=weights)


def kappa_lower_bound(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    *,
    weights: Weights = "none",
    categories: Sequence[Hashable] | None = None,
) -> float:
    """Give the one-sided 95 % lower bound of (weighted) kappa, by the augmented table.

    It is the low end of the two-sided 90 % interval of :func:`augmented_kappa_interval`, whose
    arguments and errors it has. With two labels it lies above a true kappa of .6 at most 5.2 %
    of the time (same tables); with three categories of which two are rare (5 % each) and
    quadratic weights up to 7.5 %. With 30 items at 90 % it takes a true .4 for .6 in 0.7 % of
    samples, where the measured kappa does in 25 %. Its price: it says .6 of a true .8 in 87 %
    of samples with 100 items at 50 %, in 48 % at 90 %. Perfect agreement reaches .6 with 11
    items at 50 %, 18 at 80 % and 26 at 90 %.

    >>> for labels in ("p" * 27 + "f" * 3, "p" * 28 + "f" * 2):
    ...     print(f"{kappa_lower_bound(labels, labels):.3f}")
    0.627
    0.522
    """
    counts = _counts(a, b, weights=weights, categories=categories)
    return table_kappa_lower_bound(counts, weights=weights)


def table_kappa_interval(
    counts: Sequence[Sequence[int]], *, level: float = 0.95, weights: Weights = "none"
) -> KappaInterval:
    """Give :func:`augmented_kappa_interval` of a table that is counted already, in its order.

    A table in one and the same category raises ``ValueError``, as does a level outside (0, 1).

    >>> f"{table_kappa_interval([[9, 0], [0, 1]]).low:.4f}"
    '0.1495'
    """
    kappa, centre, se = _both(counts, weights=weights)
    reach = two_sided_quantile(level) * se
    return KappaInterval(
        "augmented",
        kappa,
        se,
        max(min(centre - reach, kappa), -1.0),
        min(max(centre + reach, kappa), 1.0),
    )


def table_kappa_lower_bound(
    counts: Sequence[Sequence[int]], *, weights: Weights = "none"
) -> float:
    """Give :func:`kappa_lower_bound` of a table that is counted already, in its order.

    >>> f"{table_kappa_lower_bound([[27, 0], [0, 3]]):.3f}"
    '0.627'
    """
    kappa, centre, se = _both(counts, weights=weights)
    return max(min(centre - _ONE_SIDED_QUANTILE * se, kappa), -1.0)


def _both(counts: Sequence[Sequence[int]], *, weights: Weights) -> tuple[float, float, float]:
    """Give the measured kappa, and the augmented one with its standard error.

    >>> _both([[2, 0], [0, 0]], weights="none")
    Traceback (most recent call last):
    ValueError: kappa is undefined where both raters gave one and the same label
    """
    if not disagreement(counts, weights=weights).by_luck:
        raise ValueError("kappa is undefined where both raters gave one and the same label")
    n = sum(map(sum, counts))
    kappa, _ = _spread(counts, n, weights=weights)
    return (kappa, *_augmented(counts, n, weights=weights))


def _counts(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    *,
    weights: Weights,
    categories: Sequence[Hashable] | None,
) -> tuple[tuple[int, ...], ...]:
    """Count the table, once it is known that it has a kappa.

    >>> _counts("pf", "pp", weights="linear", categories=None)
    Traceback (most recent call last):
    ValueError: linear weights need the scale: categories in their order
    """
    if weights != "none" and categories is None:
        raise ValueError(f"{weights} weights need the scale: categories in their order")
    counts = confusion_table(a, b, categories=categories).counts
    if not disagreement(counts, weights=weights).by_luck:
        raise ValueError("kappa is undefined where both raters gave one and the same label")
    return counts


def _augmented(counts: Sequence[Sequence[int]], n: int, *, weights: Weights) -> _Spread:
    """Give kappa and its standard error with two more items spread over all cells.

    >>> round(_augmented([[9, 0], [0, 1]], 10, weights="none").kappa, 4)
    0.7
    """
    cells = len(counts) ** 2
    table = [[cells * count + 2 for count in row] for row in counts]
    return _spread(table, n + 2, weights=weights)


def _spread(counts: Sequence[Sequence[int]], n: int, *, weights: Weights) -> _Spread:
    """Give kappa and its standard error for shares as in ``counts`` among ``n`` items.

    The delta method in integers, each result divided once: no disagreement gives exactly 0.

    >>> _spread([[5, 0], [0, 5]], 10, weights="none")
    _Spread(kappa=1.0, se=0.0)
    """
    weighing = distances(len(counts), weights=weights)
    observed, by_luck = disagreement(counts, weights=weights)
    by_a = [sum(row) for row in counts]
    by_b = [sum(column) for column in zip(*counts, strict=True)]
    total = sum(by_a)
    # A label's mean distance from the other rater's labels, times the total.
    from_b = [sum(w * of_b for w, of_b in zip(row, by_b, strict=True)) for row in weighing]
    from_a = [sum(w * of_a for w, of_a in zip(row, by_a, strict=True)) for row in weighing]
    seen = observed // total
    squares = sum(
        count * (weighing[i][j] * by_luck - seen * (from_b[i] + from_a[j])) ** 2
        for i, row in enumerate(counts)
        for j, count in enumerate(row)
        if count
    )
    above = total * total * (total * squares - (seen * by_luck) ** 2)
    return _Spread((by_luck - observed) / by_luck, sqrt(above / (n * by_luck**4)))
