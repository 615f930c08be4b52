"""Many tests at once: p-values adjusted so that ten unchanged slices do not cry wolf."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Give Holm's adjusted p-values, in the order of the input.

    Rejecting those at most ``alpha`` keeps the chance of even one false rejection at ``alpha``,
    however the tests depend on each other. No p-values give none; one stays as it is. A
    p-value outside [0, 1] raises ``ValueError``.

    Source: Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal
    of Statistics 6 (1979).

    >>> [round(p, 4) for p in holm([0.04, 0.01, 0.03, 0.02, 0.2])]
    [0.09, 0.05, 0.09, 0.08, 0.2]
    """
    order = _ascending(p_values)
    adjusted = [0.0] * len(order)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min((len(order) - rank) * p_values[place], 1.0))
        adjusted[place] = largest
    return tuple(adjusted)


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Give Benjamini and Hochberg's adjusted p-values, in the order of the input.

    Rejecting those at most ``alpha`` keeps the expected share of false ones among the rejected
    at ``alpha``, for independent or positively dependent tests: a screen, not a gate, since
    several rejections let one more false one through. Edges and errors are those of
    :func:`holm`.

    Source: Benjamini and Hochberg, Controlling the false discovery rate, Journal of the Royal
    Statistical Society B 57 (1995).

    >>> [round(p, 4) for p in benjamini_hochberg([0.04, 0.01, 0.03, 0.02, 0.2])]
    [0.05, 0.05, 0.05, 0.05, 0.2]
    """
    order = _ascending(p_values)
    adjusted = [0.0] * len(order)
    smallest = 1.0
    for rank, place in reversed(list(enumerate(order, start=1))):
        smallest = min(smallest, p_values[place] * len(order) / rank)
        adjusted[place] = smallest
    return tuple(adjusted)


def _ascending(p_values: Sequence[float]) -> list[int]:
    """Give the places of the p-values from the smallest to the largest.

    >>> _ascending([0.3, 0.1])
    [1, 0]
    """
    for p_value in p_values:
        if not 0 <= p_value <= 1:
            raise ValueError(f"a p-value lies in [0, 1], not {p_value}")
    return sorted(range(len(p_values)), key=p_values.__getitem__)
