"""Sums of values that lie on a lattice, such as 0/1, halves, sixths or hundredths, exactly.

On a lattice a sum is an integer over one denominator: equal sums are equal, whatever order they
were added in, and the distribution of a random sum is a polynomial, which a Fourier transform
multiplies out without a random number.
"""

from __future__ import annotations

from collections import Counter
from math import ceil, cos, gcd, isfinite, pi, sin, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from numpy.typing import NDArray

_REACH: Final = 8.0
"""Standard deviations to each side that are kept. By Hoeffding's inequality the others hold
less than 2 exp(-32), 3e-14, wherever the wrap-around puts them."""
_LARGEST_WINDOW: Final = 1 << 20
"""So many different sums are transformed at most: some 30 ms and 50 MB."""
_NOTHING: Final = 1e-17
"""A coefficient below this one moves a probability by less than 1e-15."""
_GRAIN: Final = 2.0**40
"""Tails are whole numbers of 2**-40, 9e-13: the rounding of the transform is far below."""


def denominator(values: Iterable[float], *, most: int = 1000) -> int | None:
    """Give the least denominator up to ``most`` over which every value reads back exactly.

    A value ``v`` reads back over ``d`` when ``round(v * d) / d == v``. There may be none:
    ``None``. No values have the denominator 1. NaN and infinities raise ``ValueError``.

    >>> denominator([0.0, 1 / 6, -0.5]), denominator([0.25, 0.123456789])
    (6, None)
    """
    listed = list(set(values))
    if not listed:
        return 1
    low, high = min(listed), max(listed)
    if not all(map(isfinite, listed)):
        raise ValueError("values that are not finite have no denominator")
    if len(listed) > (high - low) * most + 1:
        return None
    first = 0
    for candidate in range(1, most + 1):
        for place, value in enumerate(listed):
            if round(value * candidate) / candidate != value:
                # The one that refused is asked first from now on: it mostly refuses again.
                listed[first], listed[place] = value, listed[first]
                break
        else:
            return candidate
    return None


class SignedSum(NamedTuple):
    """The distribution of a sum of steps, each up or down with equal chance."""

    lowest: int
    """The first sum of the window."""
    spacing: int
    """From one possible sum to the next."""
    largest: int
    """The sum when every step goes up."""
    probabilities: NDArray[np.float64]
    """Of ``lowest``, ``lowest + spacing``, and so on."""

    def at_least(self, total: int) -> float:
        """Give the chance of ``total`` or more, equal sums included.

        With up to 40 steps it is exact, else within 1e-12. What can happen at all has a chance
        of at least 2**-40 here: no smaller one is claimed.

        >>> found = sum_of_signs([1, 1, 2])
        >>> found.at_least(2), found.at_least(5)
        (0.375, 0.0)
        """
        if total > self.largest:
            return 0.0
        first = max(0, -((self.lowest - total) // self.spacing))
        grains = round(float(self.probabilities[first:].sum()) * _GRAIN)
        return min(max(grains, 1), _GRAIN) / _GRAIN


def sum_of_signs(steps: Iterable[int] | Mapping[int, int]) -> SignedSum | None:
    """Give the distribution of the sum of ``steps``, each with a fair random sign.

    ``steps`` are whole numbers, or counts of them; their own signs and zeros do not matter.
    Time and memory grow with the standard deviation of the sum, not with its range. More than
    a million sums within eight standard deviations of 0 are too many: ``None``.

    The transform of the distribution is a product of cosines. Sums beyond the window come out
    inside it, at their remainder, and are too rare to be seen.

    Source: Pagano and Tritchler, On obtaining permutation distributions in polynomial time,
    Journal of the American Statistical Association 78 (1983).

    >>> found = sum_of_signs([3, -3, 6])
    >>> found.lowest, found.spacing, found.probabilities.round(12)
    (-12, 6, array([0.125, 0.25 , 0.25 , 0.25 , 0.125]))
    """
    import numpy as np

    sizes = _sizes(steps)
    unit = gcd(*sizes)
    if not unit:
        return SignedSum(lowest=0, spacing=1, largest=0, probabilities=np.ones(1))
    counts = {size // unit: count for size, count in sizes.items()}
    largest = sum(size * count for size, count in counts.items())
    needed = _window(counts)
    if needed > _LARGEST_WINDOW:
        return None
    # The number of steps up, weighted, less the middle of its range rounded down. It lives on
    # every whole number, while the signed sum lives on every second one.
    length = _smooth(needed)
    cosines = _half_turn(length)
    places, product = _product_of_cosines(counts, cosines)
    spectrum = np.zeros(length // 2 + 1, dtype=np.complex128)
    if largest % 2:  # half a place to the right of the middle
        spectrum[places] = product * (cosines[places] - 1j * cosines[length // 2 - places])
    else:
        spectrum[places] = product
    wrapped = np.fft.irfft(spectrum, length)
    below = min(length // 2, largest // 2)
    above = min(length - 1 - below, largest - largest // 2)
    probabilities = np.concatenate((wrapped[length - below :], wrapped[: above + 1]))
    return SignedSum(
        lowest=(2 * (largest // 2 - below) - largest) * unit,
        spacing=2 * unit,
        largest=largest * unit,
        probabilities=np.maximum(probabilities, 0.0),
    )


def _sizes(steps: Iterable[int] | Mapping[int, int]) -> dict[int, int]:
    """Count the steps by size, without their signs.

    >>> _sizes([2, -2, 0, 3])
    {2: 2, 3: 1}
    """
    sizes: dict[int, int] = {}
    for step, count in Counter(steps).items():
        if step and count:
            sizes[abs(step)] = sizes.get(abs(step), 0) + count
    return sizes


def _window(counts: Mapping[int, int]) -> int:
    """Give how many neighbouring sums hold all but a negligible chance.

    >>> _window({1: 4}), _window({1: 10_000})
    (5, 802)
    """
    everything = sum(size * count for size, count in counts.items()) + 1
    deviation = sqrt(sum(size * size * count for size, count in counts.items())) / 2
    return min(everything, ceil(2 * _REACH * deviation) + 2)


def _smooth(length: int) -> int:
    """Give the next length that transforms fast: a power of two, or three times one.

    >>> _smooth(1), _smooth(5), _smooth(802)
    (4, 6, 1024)
    """
    power = 4
    while power < length:
        power *= 2
    shorter = power // 4 * 3
    return shorter if shorter >= max(length, 6) else power


def _half_turn(length: int) -> NDArray[np.float64]:
    """Give cos(pi * j / length) for j from 0 to ``length``.

    One angle in ~sqrt(length) is asked for and the rest are added up, which is quick and the
    same on every processor, as numpy's cosine is not.

    >>> _half_turn(4).round(6)
    array([ 1.      ,  0.707107,  0.      , -0.707107, -1.      ])
    """
    import numpy as np

    block = ceil(sqrt(length + 1))
    fine = [pi * j / length for j in range(block)]
    coarse = [pi * j * block / length for j in range(block)]
    cosines = np.multiply.outer([cos(angle) for angle in coarse], [cos(angle) for angle in fine])
    cosines -= np.multiply.outer([sin(angle) for angle in coarse], [sin(angle) for angle in fine])
    flat: NDArray[np.float64] = cosines.ravel()[: length + 1]
    return flat


def _product_of_cosines(
    counts: Mapping[int, int], cosines: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Give the frequencies where the transform is not negligible, and its values there.

    >>> places, product = _product_of_cosines({1: 2}, _half_turn(4))
    >>> places, product.round(6)
    (array([0, 1]), array([1. , 0.5]))
    """
    import numpy as np

    turn = 2 * (cosines.size - 1)
    places = np.arange(turn // 4 + 1)
    product = np.ones(places.size)
    # Many equal steps leave the fewest frequencies to the others.
    for size, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        angles = places * size % turn
        product *= _power(cosines[np.minimum(angles, turn - angles)], count)
        kept = np.abs(product) > _NOTHING
        if not kept.all():
            places, product = places[kept], product[kept]
    return places, product


def _power(base: NDArray[np.float64], exponent: int) -> NDArray[np.float64]:
    """Raise to a whole power from 1 on by squaring, the same on every processor.

    >>> import numpy as np
    >>> _power(np.array([2.0, -1.0]), 11)
    array([ 2.048e+03, -1.000e+00])
    """
    result = base if exponent % 2 else None
    while exponent := exponent // 2:
        base = base * base
        if exponent % 2:
            result = base if result is None else result * base
    return base if result is None else result
