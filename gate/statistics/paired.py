"""Paired tests of a drop: how often would an unchanged agent lose this much by chance.

The same cases are answered twice. If nothing changed, each case's two results might as well
have been swapped, so a case that got worse is as likely as one that got better by as much.
Only cases that differ say anything. All tests here are one-sided: a small p-value means that
the current run is worse.
"""

from __future__ import annotations

from collections import Counter
from math import isfinite
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from gate.statistics.lattice import denominator, sum_of_signs
from gate.statistics.mcnemar import mcnemar
from gate.statistics.shares import require_shares

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

_LARGEST_LATTICE: Final = 1000
"""The greatest denominator that is looked for: more values than that lie on no lattice."""
_FINE: Final = 1 << 40
"""Differences without a common denominator are rounded to this one, so that their sums are
integers and equal sums tie."""
_ENUMERABLE: Final = 32
"""With so many differences all sign patterns are counted, as pairs of two halves' patterns."""
_WINDOW: Final = 1 << 15
"""Places of the sum of differences that were rounded; a unit is then some 1/2000 of its standard
deviation."""
_REACH: Final = 16
"""Standard deviations that the window is as wide as."""


class PairedTest(NamedTuple):
    """A one-sided p-value in (0, 1], its method, and how many cases got worse and better.

    ``run_exchange`` is that of :mod:`gate.statistics.exchange`, for unequal numbers of runs.
    """

    method: Literal["mcnemar_mid_p", "sign_flip", "sign_flip_rounded", "run_exchange"]
    p_value: float
    n_worse: int
    n_better: int


def paired_test(
    was: Sequence[float],
    now: Sequence[float],
    *,
    clusters: Sequence[Hashable] | None = None,
) -> PairedTest:
    """Test whether the mean fell from ``was`` to ``now``, case by case.

    Both hold one value in [0, 1] per case, aligned by position. Without any difference the
    p-value is 1. The method is

    - ``mcnemar_mid_p`` when every value is 0 or 1: the mid-p of
      :func:`gate.statistics.mcnemar.mcnemar`;
    - ``sign_flip`` when every value is a fraction over one denominator up to 1000, or when
      there are at most 32 differences: exact, equal sums included, no random number;
    - ``sign_flip_rounded`` otherwise: the same of differences rounded to some 1/2000 of the
      standard deviation of their sum. It is as exact a test, of slightly coarser values, where
      drawn sign patterns would add noise and need a seed.

    ``clusters`` names the cluster of each case. Cases of one cluster may fail together, so
    their differences are added up and flipped together; 0/1 values then take ``sign_flip``,
    unless every case is a cluster of its own. The order of the cases moves no bit.

    No cases, rows of different length or values outside [0, 1] raise ``ValueError``.

    >>> paired_test([1, 1, 1, 1, 1], [0, 0, 0, 0, 1])
    PairedTest(method='mcnemar_mid_p', p_value=0.03125, n_worse=4, n_better=0)
    >>> paired_test([1, 0.5, 1, 1], [0.5, 0.5, 0.5, 0])
    PairedTest(method='sign_flip', p_value=0.125, n_worse=3, n_better=0)
    >>> paired_test([1, 1, 1, 1], [0, 0, 0, 0], clusters=["a", "a", "b", "b"]).p_value
    0.25
    """
    if not was:
        raise ValueError("a paired test needs at least one case")
    values = {*was, *now}
    require_shares(values)
    if clusters is None and len(values) > _LARGEST_LATTICE + 1:
        return _of_real_numbers(was, now)
    pairs = Counter(zip(was, now, strict=True))
    n_worse = sum(count for (before, after), count in pairs.items() if before > after)
    n_better = sum(count for (before, after), count in pairs.items() if before < after)
    alone = clusters is None or len(set(clusters)) == len(was)
    if alone and values <= {0, 1}:
        p_value = mcnemar(n_worse, n_better).mid_p
        return PairedTest("mcnemar_mid_p", p_value, n_worse, n_better)
    scale = denominator(values) or _FINE
    steps: Counter[int] = Counter()
    if clusters is None or alone:
        for (before, after), count in pairs.items():
            steps[round((before - after) * scale)] += count
    else:
        sums: dict[Hashable, int] = {}
        for before, after, cluster in zip(was, now, clusters, strict=True):
            sums[cluster] = sums.get(cluster, 0) + round((before - after) * scale)
        steps.update(sums.values())
    flipped = _flip(steps)
    method: Literal["sign_flip", "sign_flip_rounded"] = (
        "sign_flip" if flipped.exact else "sign_flip_rounded"
    )
    return PairedTest(method, flipped.p_value, n_worse, n_better)


def _of_real_numbers(was: Sequence[float], now: Sequence[float]) -> PairedTest:
    """Test values that are too many to lie on a lattice, all at once.

    >>> _of_real_numbers([at / 7000 for at in range(5000)], [0.0] * 5000)
    PairedTest(method='sign_flip_rounded', p_value=9.094947017729282e-13, n_worse=4999, n_better=0)
    """
    import numpy as np

    if len(was) != len(now):
        raise ValueError(f"both runs need the same cases, not {len(was)} and {len(now)}")
    before, after = np.asarray(was, dtype=np.float64), np.asarray(now, dtype=np.float64)
    n_worse, n_better = int((before > after).sum()), int((before < after).sum())
    steps = np.sort(np.rint((before - after) * _FINE).astype(np.int64))
    steps = steps[steps != 0]
    if steps.size <= _ENUMERABLE:
        p_value = _flip(Counter(steps.tolist())).p_value
        return PairedTest("sign_flip", p_value, n_worse, n_better)
    return PairedTest("sign_flip_rounded", _flip_rounded(steps), n_worse, n_better)


def sign_flip(differences: Sequence[float]) -> float:
    """Give the chance that randomly signed ``differences`` add up to their sum or more.

    Differences lie in [-1, 1]; a positive one is a drop. The p-value is exact (equal sums
    count in full) when all are fractions over one denominator up to 1000 or at most 32 are not
    0; otherwise they are rounded to some 1/2000 of the standard deviation of their sum, and it
    is exact for the rounded ones. It is never below 2**-40. No differences, or only zeros, give
    1. Anything outside [-1, 1] raises ``ValueError``.

    Source: Fisher, The Design of Experiments (1935), section 21.

    >>> sign_flip([0.5, 0.5, 1.0, 0.0, -0.5])
    0.25
    >>> sign_flip([])
    1.0
    """
    for difference in differences:
        if not (isfinite(difference) and -1 <= difference <= 1):
            raise ValueError(f"differences of scores lie in [-1, 1], not {difference}")
    scale = denominator(differences) or _FINE
    steps = Counter(round(difference * scale) for difference in differences)
    return _flip(steps).p_value


class _Flipped(NamedTuple):
    p_value: float
    exact: bool


def _flip(steps: Mapping[int, int]) -> _Flipped:
    """Compare the sum of counted ``steps`` with the sums under all sign patterns.

    >>> _flip({1: 4, -1: 1})
    _Flipped(p_value=0.1875, exact=True)
    """
    observed = sum(step * count for step, count in steps.items())
    n = sum(count for step, count in steps.items() if step)
    if not n:
        return _Flipped(p_value=1.0, exact=True)
    transformed = sum_of_signs(steps)
    if transformed is not None:
        return _Flipped(transformed.at_least(observed), exact=True)
    import numpy as np

    # In ascending order, so that the cases' own order moves nothing.
    ordered = sorted(step for step, count in steps.items() if step for _ in range(count))
    if n <= _ENUMERABLE:
        return _Flipped(_enumerated(ordered, observed), exact=True)
    return _Flipped(_flip_rounded(np.array(ordered, dtype=np.int64)), exact=False)


def _flip_rounded(ordered: NDArray[np.int64]) -> float:
    """Do the same with ascending steps that are rounded first.

    >>> import numpy as np
    >>> _flip_rounded(np.array([1 << 30] * 4))
    0.0625
    """
    coarse, observed = _rounded(ordered, window=_WINDOW)
    transformed = sum_of_signs(coarse)
    if transformed is None:
        raise AssertionError("steps were rounded so that their window is small")
    return transformed.at_least(observed)


def _enumerated(steps: Sequence[int], observed: int) -> float:
    """Give the exact share of sign patterns whose sum is ``observed`` or more.

    >>> _enumerated([5, 7, 9], 21), _enumerated([5, 7, 9], 11)
    (0.125, 0.25)
    """
    import numpy as np

    half = len(steps) // 2
    right = np.sort(_all_sums(steps[half:]))
    below = np.searchsorted(right, observed - np.sort(_all_sums(steps[:half])))
    return int((right.size - below).sum()) / (1 << len(steps))


def _all_sums(steps: Sequence[int]) -> NDArray[np.int64]:
    """Give the sums under every sign pattern: the last steps' signs change slowest.

    >>> _all_sums([1, 10])
    array([ 11,   9,  -9, -11])
    """
    import numpy as np

    sums = np.zeros(1, dtype=np.int64)
    for step in steps:
        sums = np.concatenate((sums + step, sums - step))
    return sums


def _rounded(steps: NDArray[np.int64], *, window: int) -> tuple[dict[int, int], int]:
    """Round steps to a unit so coarse that the window of their sum holds few places.

    Gives the sizes of the steps, counted, and their sum, in that unit. A step and its opposite
    round alike.

    >>> import numpy as np
    >>> _rounded(np.array([10, 31, -31]), window=1 << 20)
    ({10: 1, 31: 2}, 10)
    >>> _rounded(np.array([1000] * 40), window=64)
    ({1: 40}, 40)
    """
    import numpy as np

    deviation = float(np.sqrt(np.square(steps.astype(np.float64)).sum()))
    unit = max(1, int(deviation * _REACH / window))
    sizes = (2 * np.abs(steps) + unit) // (2 * unit)
    counts = np.bincount(sizes)
    counted = {size: int(counts[size]) for size in np.flatnonzero(counts).tolist()}
    return counted, int((sizes * np.sign(steps)).sum())
