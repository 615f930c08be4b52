"""The standard normal distribution, without the import that costs more than its use."""

from __future__ import annotations

from functools import lru_cache
from math import erfc, sqrt
from typing import Final

_FARTHEST: Final = 40.0
"""No float probability is left in the tail beyond this."""


def normal_share(z: float) -> float:
    """Give the share of the standard normal distribution that lies below ``z``.

    >>> normal_share(0.0), round(normal_share(1.96), 4)
    (0.5, 0.975)
    """
    return erfc(-z / sqrt(2)) / 2


def upper_quantile(tail: float) -> float:
    """Give the z above which the standard normal distribution has the share ``tail``.

    Bisection down to the last bit of ``z``. ``statistics.NormalDist`` gives the same to 1e-14,
    but its import takes a short command longer than all that is planned with it. A ``tail``
    outside (0, 1) raises ``ValueError``.

    >>> round(upper_quantile(0.05), 12), round(upper_quantile(0.975), 12)
    (1.644853626951, -1.95996398454)
    """
    if not 0 < tail < 1:
        raise ValueError(f"a tail is a share between 0 and 1, not {tail}")
    low, high = -_FARTHEST, _FARTHEST
    while low < (middle := (low + high) / 2) < high:
        if normal_share(-middle) > tail:
            low = middle
        else:
            high = middle
    return high


@lru_cache(maxsize=16)
def two_sided_quantile(level: float) -> float:
    """Give the z that holds ``level`` of the normal distribution between -z and z.

    A ``level`` outside (0, 1) raises ``ValueError``.

    >>> round(two_sided_quantile(0.9), 6), round(two_sided_quantile(0.95), 12)
    (1.644854, 1.95996398454)
    """
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not {level}")
    return upper_quantile((1 - level) / 2)
