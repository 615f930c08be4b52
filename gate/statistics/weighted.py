"""Weighted kappa: on ordered categories, a near miss is a smaller disagreement than a far one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

Weights = Literal["none", "linear", "quadratic"]
"""What a disagreement weighs: 1, the steps between the two categories, or their square."""


class ConfusionTable(NamedTuple):
    """How often rater a (rows) gave one category while rater b (columns) gave another."""

    categories: tuple[Hashable, ...]
    counts: tuple[tuple[int, ...], ...]


class Disagreement(NamedTuple):
    """Weighted disagreement, seen and by luck, as integers on one scale; kappa is 1 - ratio."""

    observed: int
    by_luck: int


def weighted_kappa(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    *,
    categories: Sequence[Hashable],
    weights: Weights = "linear",
) -> float:
    """Give kappa with disagreements weighted by their distance on the scale ``categories``.

    The scale is given in its order and whole: a category nobody used still is a step. For
    ``linear`` the distance counts steps, for ``quadratic`` their square (then kappa is close to
    an intraclass correlation), and ``none`` is Cohen's kappa. On two categories all three are
    equal. Counted in integers and divided once.

    Where both raters used one and the same category throughout, the value is 1.0 by the
    convention of Cohen's kappa, and no evidence. Labels outside the scale, repeated categories,
    unequal lengths, no items and unknown weights raise ``ValueError``.

    Source: Cohen, Weighted kappa, Psychological Bulletin 70 (1968).

    >>> a, b = [0, 0, 1, 1, 2, 2, 2, 1, 0, 2], [0, 1, 1, 1, 2, 1, 2, 2, 0, 2]
    >>> for weights in ("none", "linear", "quadratic"):
    ...     print(f"{weighted_kappa(a, b, categories=(0, 1, 2), weights=weights):.6f}")
    0.545455
    0.651163
    0.761905
    """
    observed, by_luck = disagreement(
        confusion_table(a, b, categories=categories).counts, weights=weights
    )
    return (by_luck - observed) / by_luck if by_luck else 1.0


def confusion_table(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    *,
    categories: Sequence[Hashable] | None = None,
) -> ConfusionTable:
    """Count how two raters labelled the same items.

    Without ``categories`` the labels either rater used stand in their own order (those that do
    not compare: in that of their texts). Memory is the square of the categories. Errors are
    those of :func:`weighted_kappa`.

    >>> confusion_table("ppf", "pff")
    ConfusionTable(categories=('f', 'p'), counts=((1, 0), (1, 1)))
    >>> confusion_table("ppf", "pff", categories="pf").counts
    ((1, 1), (0, 1))
    """
    if len(a) != len(b):
        raise ValueError(f"both raters must label the same items: {len(a)} and {len(b)} labels")
    if not a:
        raise ValueError("agreement needs at least one labelled item")
    pairs = Counter(zip(a, b, strict=True))
    used = {label for pair in pairs for label in pair}
    scale = _in_order(used) if categories is None else tuple(categories)
    if len(set(scale)) < len(scale):
        raise ValueError(f"a scale names each category once: {list(scale)}")
    if foreign := used.difference(scale):
        raise ValueError(f"{_in_order(foreign)[0]!r} is not on the scale {list(scale)}")
    counts = tuple(tuple(pairs[row, column] for column in scale) for row in scale)
    return ConfusionTable(scale, counts)


def _in_order(labels: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Sort labels, whether they compare or not.

    >>> _in_order({2, 10, 1}), _in_order({2, "ten", None})
    ((1, 2, 10), ('ten', 2, None))
    """
    try:
        return tuple(sorted(labels))  # type: ignore[type-var]
    except TypeError:
        return tuple(sorted(labels, key=repr))


def distances(size: int, *, weights: Weights) -> list[list[int]]:
    """Give what each disagreement weighs on a scale of ``size`` categories.

    >>> distances(3, weights="quadratic")
    [[0, 1, 4], [1, 0, 1], [4, 1, 0]]
    """
    steps = [[abs(row - column) for column in range(size)] for row in range(size)]
    if weights == "none":
        return [[min(step, 1) for step in row] for row in steps]
    if weights == "linear":
        return steps
    if weights == "quadratic":
        return [[step * step for step in row] for row in steps]
    raise ValueError(f"weights are none, linear or quadratic, not {weights!r}")


def disagreement(counts: Sequence[Sequence[int]], *, weights: Weights) -> Disagreement:
    """Add up a table's weighted disagreement, and that of raters with its margins by luck.

    Both are times the square of the items, so they are integers. ``by_luck`` is 0 only where
    both raters used one and the same category throughout.

    >>> disagreement([[20, 5], [10, 15]], weights="none")
    Disagreement(observed=750, by_luck=1250)
    """
    weighing = distances(len(counts), weights=weights)
    by_a = [sum(row) for row in counts]
    by_b = [sum(column) for column in zip(*counts, strict=True)]
    observed = by_luck = 0
    for row, weights_of_row, of_a in zip(counts, weighing, by_a, strict=True):
        for count, weight, of_b in zip(row, weights_of_row, by_b, strict=True):
            observed += weight * count
            by_luck += weight * of_a * of_b
    return Disagreement(observed * sum(by_a), by_luck)
