"""Exact comparisons at limits: what the decimal texts say, not what binary floats say.

In binary floats ``.90 - .85 > .05`` is true, and 39 of the 96 drops of exactly five points
between two shares of a hundred "exceed" .05. So a float stands here for the simplest fraction
that reads back as it (0.1 is one tenth, 0.6666666666666666 two thirds), and a mean near its
limit is compared as a fraction. Farther away the correctly rounded float sum decides, which
keeps ten thousand different scores cheap.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import fsum, isfinite
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from decimal import Decimal
    from fractions import Fraction

NEAR: Final = 1e-9
"""Closer to a limit than this, only exact arithmetic decides; float means of values in [0, 1]
are wrong by less than 1e-15, a millionth of it."""


@lru_cache(maxsize=4096)
def simplest_fraction(x: float) -> Fraction:
    """Give the fraction with the smallest denominator that rounds to exactly ``x``.

    It is the first node on the Stern-Brocot path to ``x`` that reads back as ``x``; the path
    is walked a continued-fraction term at a time, so the cost is linear in the bits of ``x``.
    Whole numbers are themselves; NaN and infinities raise ``ValueError``.

    Source: Graham, Knuth and Patashnik, Concrete Mathematics, section 4.5.

    >>> simplest_fraction(0.1), simplest_fraction(0.6666666666666666)
    (Fraction(1, 10), Fraction(2, 3))
    >>> simplest_fraction(1.0), simplest_fraction(-0.05)
    (Fraction(1, 1), Fraction(-1, 20))
    """
    from fractions import Fraction

    if not isfinite(x):
        raise ValueError(f"{x} is not a finite number, so no fraction stands for it")
    target = abs(x)
    above, below = target.as_integer_ratio()
    # The last two convergents; the first of them starts as the formal 1/0.
    (older_n, older_d), (newer_n, newer_d) = (0, 1), (1, 0)
    while True:
        term, rest = divmod(above, below)
        if _reads_back(older_n + term * newer_n, older_d + term * newer_d, target):
            break
        older_n, older_d, newer_n, newer_d = (
            newer_n,
            newer_d,
            older_n + term * newer_n,
            older_d + term * newer_d,
        )
        above, below = below, rest
    # Between two convergents the path approaches from one side only: bisect for its first hit.
    low, high = min(term, 1), term
    while low < high:
        middle = (low + high) // 2
        if _reads_back(older_n + middle * newer_n, older_d + middle * newer_d, target):
            high = middle
        else:
            low = middle + 1
    found = Fraction(older_n + high * newer_n, older_d + high * newer_d)
    return found if x >= 0 else -found


def _reads_back(numerator: int, denominator: int, target: float) -> bool:
    """Say whether the fraction rounds to ``target``; the division of integers is exact.

    >>> _reads_back(2, 3, 0.6666666666666666), _reads_back(5, 3, 0.6666666666666666)
    (True, False)
    """
    try:
        return numerator / denominator == target
    except OverflowError:  # beyond the largest float, so it does not read back
        return False


def exact_mean(values: Sequence[float]) -> Fraction:
    """Average ``values`` as the simplest fractions they stand for.

    The cost is per different value, and per different denominator only two integers grow.
    No values, NaN and infinities raise ``ValueError``.

    >>> exact_mean([0.1, 0.2, 0.6])
    Fraction(3, 10)
    >>> exact_mean([0.6666666666666666, 0.6666666666666666, 1.0])
    Fraction(7, 9)
    """
    if not values:
        raise ValueError("there is no mean of no values")
    return _weighted_sum(Counter(values)) / len(values)


def exact_drop(baseline: Sequence[float], current: Sequence[float]) -> Fraction:
    """Give the mean of ``baseline`` less the mean of ``current``, exactly; negative is a rise.

    Values that stand as often in both cancel before any fraction is made, so an unchanged run
    is cheap however many different scores it has. An empty sequence raises ``ValueError``.

    >>> exact_drop([0.1, 0.9], [0.9, 0.05])
    Fraction(1, 40)
    """
    if not (baseline and current):
        raise ValueError("there is no mean of no values")
    weights: dict[float, int] = {}
    for value, count in Counter(baseline).items():
        weights[value] = count * len(current)
    for value, count in Counter(current).items():
        weights[value] = weights.get(value, 0) - count * len(baseline)
    return _weighted_sum(weights) / (len(baseline) * len(current))


def _weighted_sum(weights: Mapping[float, int]) -> Fraction:
    """Add up the values' simplest fractions, each as often as its weight says.

    >>> _weighted_sum({0.1: 3, 0.2: -1, 0.7: 0})
    Fraction(1, 10)
    """
    from fractions import Fraction

    numerators: dict[int, int] = {}
    for value, weight in weights.items():
        if weight:
            numerator, denominator = simplest_fraction(value).as_integer_ratio()
            numerators[denominator] = numerators.get(denominator, 0) + weight * numerator
    parts = [(numerator, denominator) for denominator, numerator in numerators.items()]
    while len(parts) > 1:  # in halves, so that most additions are of small integers
        odd = parts[:1] if len(parts) % 2 else []
        pairs = zip(parts[len(odd) :: 2], parts[len(odd) + 1 :: 2], strict=True)
        parts = odd + [
            (left * lower + right * upper, upper * lower)
            for (left, upper), (right, lower) in pairs
        ]
    return Fraction(*parts[0]) if parts else Fraction(0)


def compare(estimate: float, exact: Callable[[], Fraction], limit: Decimal | Fraction) -> int:
    """Give -1, 0 or 1: a number is below, exactly at, or above ``limit``.

    ``estimate`` is the number as a float, right to much better than 1e-9; ``exact`` computes
    it as a fraction and is only called when the estimate is closer than that to the limit.
    An estimate that is not finite raises ``ValueError``.

    >>> from decimal import Decimal
    >>> from fractions import Fraction
    >>> 0.90 - 0.85 > 0.05
    True
    >>> compare(0.90 - 0.85, lambda: Fraction(90, 100) - Fraction(85, 100), Decimal("0.05"))
    0
    """
    if not isfinite(estimate):
        raise ValueError(f"{estimate} is not a finite number, so it cannot be compared")
    distance = estimate - float(limit)
    if abs(distance) > NEAR:
        return 1 if distance > 0 else -1
    from fractions import Fraction

    difference = exact() - Fraction(limit)
    return (difference > 0) - (difference < 0)


def exceeds(estimate: float, exact: Callable[[], Fraction], limit: Decimal | Fraction) -> bool:
    """Say whether a number is above ``limit``, decided like :func:`compare`; equal is not above.

    >>> from decimal import Decimal
    >>> exceeds(0.1 + 0.2, lambda: simplest_fraction(0.1) * 3, Decimal("0.3"))
    False
    """
    return compare(estimate, exact, limit) > 0


def mean_drop_exceeds(
    baseline: Sequence[float], current: Sequence[float], limit: Decimal | Fraction
) -> bool:
    """Say whether the mean fell from ``baseline`` to ``current`` by more than ``limit``.

    Values lie in [0, 1]; the two sequences may differ in length. A drop of exactly the limit
    does not exceed it, nor does a rise. An empty sequence raises ``ValueError``.

    >>> from decimal import Decimal
    >>> mean_drop_exceeds([1.0] * 20, [1.0] * 19 + [0.0], Decimal("0.05"))
    False
    >>> mean_drop_exceeds([1.0] * 20, [1.0] * 18 + [0.0] * 2, Decimal("0.05"))
    True
    """
    estimate = _float_mean(baseline) - _float_mean(current)
    return exceeds(estimate, lambda: exact_drop(baseline, current), limit)


def mean_below(values: Sequence[float], minimum: Decimal | Fraction) -> bool:
    """Say whether the mean of ``values``, each in [0, 1], is less than ``minimum``.

    The floor is inclusive: a mean of exactly the minimum is not below it. No values raise
    ``ValueError``.

    >>> from decimal import Decimal
    >>> (0.3 + 0.0 + 0.0) / 3 < 0.1, mean_below([0.3, 0.0, 0.0], Decimal("0.1"))
    (True, False)
    """
    return compare(_float_mean(values), lambda: exact_mean(values), minimum) < 0


def _float_mean(values: Sequence[float]) -> float:
    """Average in floats, the sum correctly rounded.

    >>> _float_mean([0.1] * 10)
    0.1
    """
    if not values:
        raise ValueError("there is no mean of no values")
    return fsum(values) / len(values)
