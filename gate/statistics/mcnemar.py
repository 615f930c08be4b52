"""McNemar's test of two runs of 0/1 values, in whole numbers."""

from __future__ import annotations

from math import comb, nextafter
from typing import Final, NamedTuple

_ONE: Final = 1 << 1100
"""Chances as whole numbers: as fine as floats go, and without rounding up to 1100 coins."""
_NEGLIGIBLE: Final = 60
"""Terms below the sum by a factor of two to this power are not added: no float shows them."""


class McNemar(NamedTuple):
    """Three p-values of one table; the last two ask for a drop."""

    two_sided: float
    one_sided: float
    mid_p: float


def mcnemar(worse: int, better: int) -> McNemar:
    """Give McNemar's exact p-values for ``worse`` cases lost and ``better`` cases won.

    Under no change the lost ones are binomial with a half. ``one_sided`` is the chance of
    ``worse`` or more, ``mid_p`` counts ``worse`` itself by half, and ``two_sided`` is twice the
    smaller tail, at most 1. All are sums of integers, rounded once. Without any
    discordant case all are 1. Negative counts raise ``ValueError``.

    Source: Fagerland, Lydersen and Laake, The McNemar test for binary matched-pairs data,
    BMC Medical Research Methodology 13:91 (2013).

    >>> two_sided, one_sided, mid_p = mcnemar(10, 3)
    >>> f"{two_sided:.6f} {one_sided:.6f} {mid_p:.6f}"
    '0.092285 0.046143 0.028687'
    >>> mcnemar(5, 0)
    McNemar(two_sided=0.0625, one_sided=0.03125, mid_p=0.015625)
    """
    if worse < 0 or better < 0:
        raise ValueError(f"counts are not negative, unlike {worse} and {better}")
    n = worse + better
    if not n:
        return McNemar(1.0, 1.0, 1.0)
    more = max(worse, better)
    actual = comb(n, more) * _ONE >> n
    extreme = _upper_tail(n, more, actual)
    upper = extreme if worse == more else _ONE - extreme + actual
    least = nextafter(0.0, 1.0)  # 1,100 cases lost and none won have an even smaller chance
    return McNemar(
        two_sided=max(min(2 * extreme, _ONE) / _ONE, least),
        one_sided=max(upper / _ONE, least),
        mid_p=max((2 * upper - actual) / (2 * _ONE), least),
    )


def _upper_tail(n: int, least: int, term: int) -> int:
    """Add up the chances of ``least`` or more heads in ``n``, at least half of them.

    ``term`` is the chance of ``least``; both are shares of ``_ONE``.

    >>> _upper_tail(5, 4, 5 * _ONE // 32) / _ONE
    0.1875
    """
    total = term
    for heads in range(least, n):
        term = term * (n - heads) // (heads + 1)
        if term << _NEGLIGIBLE < total:
            break
        total += term
    return total
