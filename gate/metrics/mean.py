"""The mean of scores, without a bit lost on the way."""

from __future__ import annotations

from math import nextafter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction


def mean(scores: Iterable[Fraction], *, of: int) -> float:
    """Average scores in [0, 1] over ``of`` places, exactly, and round once.

    Fewer scores than places: the others are 0. Less than full credit stays below 1.0, which is
    what passes at a threshold of 1. Raises ``ValueError`` for no place at all.

    >>> from fractions import Fraction
    >>> mean((Fraction("0.1"), Fraction("0.2")), of=2), mean((Fraction(1),), of=4)
    (0.15, 0.25)
    """
    if of < 1:
        raise ValueError("a mean needs at least one place")
    exact = sum(scores) / of
    nearest = float(exact)
    return nextafter(1.0, 0.0) if nearest == 1.0 and exact < 1 else nearest
