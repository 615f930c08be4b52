"""The ideal bootstrap of the mean: what ever more resamples converge to, with none drawn.

The sum of ``n`` draws with replacement has the distribution of one draw, convolved ``n`` times
with itself. Where the scores stand on a lattice (0/1, halves, sixths, hundredths) that is a
power of a Fourier transform, and the quantiles of the mean are read off it.

Scores without a small lattice are binned onto a fine one: the chance of each is shared between
the two points around it such that its mean stays (linear binning). To a resample's mean this
adds an error of mean 0 with a standard deviation far below that mean's own.
"""

from __future__ import annotations

from math import ceil, exp, floor, gcd, log, sqrt
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from gate.statistics.lattice import denominator

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LOG_RISK: Final = log(2e12)
"""Sums beyond the window have a chance of 1e-12, wherever the wrap-around puts them."""
_LARGEST_WINDOW: Final = 1 << 16
"""So many sums are transformed at most on the scores' own lattice: some 3 ms."""
_FINE_WINDOW: Final = 32_000
"""About so many on a fine one, a little less than a power of two: some 1.5 ms."""
_LEAST_FINENESS: Final = 16
"""So many points of a fine lattice lie within a standard deviation of the scores at least."""
_NEGLIGIBLE: Final = 40.0
"""Frequencies of an amplitude below exp(-40) move no probability by more than 1e-12."""
_TIE: Final = 1e-9
"""Closer to the tail than this, a probability equals it; all are right to about 1e-10."""


class IdealEnds(NamedTuple):
    """Two quantiles of resample means, and whether their scores had to be binned."""

    low: float
    high: float
    computed: Literal["ideal", "ideal_binned"]


def ideal_ends(ordered: NDArray[np.float64], *, level: float) -> IdealEnds:
    """Give the ends of the percentile interval of the means of resamples of ``ordered`` scores.

    ``ordered`` is ascending and holds at least two different scores in [0, 1]; ``level`` lies
    between 0 and 1. With the tail ``(1 - level) / 2``, ``low`` is the least mean whose chance,
    together with that of all lower ones, reaches the tail, and ``high`` is its mirror image,
    the greatest mean whose chance does so together with all higher ones. Chances within 1e-9
    of the tail reach it. These are the ``(1 - level) / 2`` and ``(1 + level) / 2`` quantiles
    (the distribution function inverted), except that where a chance equals the tail the mean
    farther out is taken at either end, so that mirrored scores have mirrored ends.

    On the scores' own lattice (``ideal``) the ends are exact, as floats of fractions. Those of
    scores that were binned (``ideal_binned``) are off by less than a thousandth of the standard
    deviation of the mean where the distribution is smooth, as for all but small samples it is.
    Where it jumps, the binning is an error with at most a thirty-second of that deviation, and
    one to two hundredths are the most that near-lattices could be made to show. The ends of ten
    thousand resamples scatter with .027 of it.

    Time and memory grow with the square root of the number of scores, once they are sorted.

    Source: Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7
    (1979), for the limit; Hall and Wand, On the accuracy of binned kernel density estimators,
    Journal of Multivariate Analysis 56 (1996), for linear binning; Boucheron, Lugosi and
    Massart, Concentration Inequalities (2013), section 2.8 (Bernstein), for the window.

    >>> import numpy as np
    >>> ideal_ends(np.repeat([0.0, 1.0], [17, 83]), level=0.95)
    IdealEnds(low=0.75, high=0.9, computed='ideal')
    >>> low, high, computed = ideal_ends(np.arange(1, 100) ** 0.5 / 10, level=0.95)
    >>> f"{low:.4f} {high:.4f} {computed}"
    '0.6220 0.7131 ideal_binned'
    """
    import numpy as np

    n, tail = ordered.size, (1 - level) / 2
    firsts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    values, shares = ordered[firsts], np.diff(np.append(firsts, n)) / n
    over = denominator(values.tolist())
    if over is not None:
        places = np.rint(values * over).astype(np.intp)
        start = int(places[0])
        places -= start
        step = gcd(*places.tolist())
        places //= step
        window = _window(places, shares, n)
        if window.size <= _LARGEST_WINDOW:
            chances = np.zeros(int(places[-1]) + 1)
            chances[places] = shares
            low, high = _quantiles(chances, n, window=window, tail=tail)
            first, whole = n * start, n * over
            return IdealEnds((first + step * low) / whole, (first + step * high) / whole, "ideal")
    least, most = float(values[0]), float(values[-1])
    chances = _binned((values - least) / (most - least), shares, n)
    points = np.arange(chances.size)
    low, high = _quantiles(chances, n, window=_window(points, chances, n), tail=tail)
    span, whole = most - least, n * (chances.size - 1)
    return IdealEnds(least + span * (low / whole), least + span * (high / whole), "ideal_binned")


class _Window(NamedTuple):
    """Neighbouring sums, the first and the last included."""

    first: int
    last: int

    @property
    def size(self) -> int:
        """How many they are."""
        return self.last - self.first + 1


def _window(
    places: NDArray[np.intp] | NDArray[np.float64], chances: NDArray[np.float64], n: int
) -> _Window:
    """Bound the sum of ``n`` draws from ``places``, which ascend from 0, but for 1e-12.

    >>> import numpy as np
    >>> _window(np.array([0, 1]), np.array([0.5, 0.5]), 10_000)
    _Window(first=4618, last=5382)
    """
    mean = float((places * chances).sum())
    variance = float(((places - mean) ** 2 * chances).sum())
    farthest = float(places[-1])
    linear = max(mean, farthest - mean) * _LOG_RISK / 3
    reach = linear + sqrt(linear**2 + 2 * _LOG_RISK * n * variance)
    return _Window(
        max(0, floor(n * mean - reach)), min(ceil(n * farthest), ceil(n * mean + reach))
    )


def _binned(
    places: NDArray[np.float64], shares: NDArray[np.float64], n: int
) -> NDArray[np.float64]:
    """Share the chances of ``places``, which go from 0 to 1, among evenly spaced points.

    Both ends are points. There are as many of them as fill a window of ``n`` draws, and enough
    to keep the standard deviation.

    >>> import numpy as np
    >>> binned = _binned(np.array([0.0, 0.3, 1.0]), np.array([0.25, 0.5, 0.25]), 50)
    >>> points = np.arange(binned.size) / (binned.size - 1)
    >>> binned.size, float((points * binned).sum().round(12))
    (667, 0.4)
    """
    import numpy as np

    mean = (places * shares).sum()
    deviation = sqrt(((places - mean) ** 2 * shares).sum())
    steps = max(_FINE_WINDOW // _window(places, shares, n).size, ceil(_LEAST_FINENESS / deviation))
    scaled = places * steps
    below = np.minimum(scaled.astype(np.intp), steps - 1)
    upper = scaled - below
    chances = np.zeros(steps + 1)
    np.add.at(chances, below, shares * (1 - upper))
    np.add.at(chances, below + 1, shares * upper)
    return chances


def _quantiles(
    chances: NDArray[np.float64], n: int, *, window: _Window, tail: float
) -> tuple[int, int]:
    """Give the first sums of ``n`` draws from 0, 1, ... from below and above to reach the tail.

    >>> import numpy as np
    >>> _quantiles(np.array([0.5, 0.5]), 2, window=_Window(0, 2), tail=0.25)
    (0, 2)
    """
    import numpy as np

    length = _fast_length(window.size)
    spectrum = np.fft.rfft(chances, length)
    kept = np.abs(spectrum) > exp(-_NEGLIGIBLE / n)
    spectrum[~kept] = 0.0
    spectrum[kept] **= n
    wrapped = np.fft.irfft(spectrum, length)
    sums = np.roll(wrapped, -window.first % length)[: window.size]
    enough = tail - min(_TIE, tail / 2)
    below, above = np.cumsum(sums), np.cumsum(sums[::-1])
    return (
        window.first + int(np.searchsorted(below, enough)),
        window.last - int(np.searchsorted(above, enough)),
    )


def _fast_length(size: int) -> int:
    """Round up to four to eight times a power of two, which transforms fast.

    >>> _fast_length(3), _fast_length(9), _fast_length(1025)
    (3, 10, 1280)
    """
    unit = 1 << max(0, (size - 1).bit_length() - 3)
    return -(-size // unit) * unit
