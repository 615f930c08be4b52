"""The exact test of 0/1 runs where one side has more of them than the other."""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

_GRAIN: Final = 2.0**40
"""Tails are whole numbers of 2**-40, 9e-13: the rounding of the transform is far below."""


def exchange_test(passed: Sequence[tuple[int, int]], *, was: int, now: int) -> float:
    """Give the chance that as few current runs pass if runs change sides at random.

    ``passed`` holds, per case, how many of its ``was`` accepted and of its ``now`` current runs
    passed. If nothing changed, the runs of a case are alike, so which of them are the current
    ones might as well have been drawn: given how many of all of a case's runs passed, those
    among the current ones are hypergeometric. The p-value is the chance that, over all cases, as
    few or fewer current runs pass. Equal sums count in full. It is exact for any number of runs
    on either side, where trading means of unequal many would not be; within 1e-12, never below
    2**-40. Cases all of whose runs passed, or none, say nothing.

    Counts outside 0 to the number of runs, sides without a run and no cases raise
    ``ValueError``.

    Source: Fisher, The Design of Experiments (1935), section 21; stratified as in Mantel and
    Haenszel, Statistical aspects of the analysis of data from retrospective studies of disease,
    Journal of the National Cancer Institute 22 (1959).

    >>> exchange_test([(1, 0)] * 4, was=1, now=1)  # each the worse of two equal ways
    0.0625
    >>> exchange_test([(1, 0)] * 3, was=1, now=3)  # one run in four passed, and was accepted
    0.015625
    """
    if not passed:
        raise ValueError("a test needs at least one case")
    if was < 1 or now < 1:
        raise ValueError(f"a side has at least one run, not {min(was, now)}")
    kinds: Counter[int] = Counter()
    observed = 0
    for before, after in passed:
        if not (0 <= before <= was and 0 <= after <= now):
            raise ValueError(f"{before} of {was} and {after} of {now} runs cannot have passed")
        kinds[before + after] += 1
        observed += after
    import numpy as np

    length = 1 << (now * len(passed)).bit_length()
    spectrum = np.ones(length // 2 + 1, dtype=np.complex128)
    for total in sorted(kinds):
        one = np.fft.rfft(_hypergeometric(total, was=was, now=now), length)
        spectrum *= _power(one, kinds[total])
    tail = float(np.maximum(np.fft.irfft(spectrum, length)[: observed + 1], 0.0).sum())
    return min(max(round(tail * _GRAIN), 1), _GRAIN) / _GRAIN


def _hypergeometric(total: int, *, was: int, now: int) -> NDArray[np.float64]:
    """Give the chances of 0 to ``now`` passed runs among ``now`` of all, ``total`` of them passed.

    >>> _hypergeometric(1, was=1, now=3)
    array([0.25, 0.75, 0.  , 0.  ])
    """
    import numpy as np

    runs = was + now
    ways = [comb(total, k) * comb(runs - total, now - k) for k in range(now + 1)]
    return np.array([way / comb(runs, now) for way in ways])


def _power(base: NDArray[np.complex128], exponent: int) -> NDArray[np.complex128]:
    """Raise to a whole power from 1 on by squaring, the same on every processor.

    >>> import numpy as np
    >>> _power(np.array([2.0 + 0j]), 10).real
    array([1024.])
    """
    result = None
    while True:
        if exponent % 2:
            result = base if result is None else result * base
        exponent //= 2
        if not exponent:
            break
        base = base * base
    assert result is not None  # noqa: S101 - the exponent is at least 1
    return result
