import math
import tracemalloc
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from gate.statistics import ideal
from gate.statistics.ideal import ideal_ends

PRIME = 1009
"""Fractions over it stand on no lattice that is looked for, but on one that a test knows."""


def distribution(numerators):
    """Convolve the sum of a resample draw by draw, in whole numbers out of n ** n."""
    once = Counter(numerators)
    sums = {0: 1}
    for _ in numerators:
        further = Counter()
        for total, ways in sums.items():
            for numerator, count in once.items():
                further[total + numerator] += ways * count
        sums = further
    return sorted(sums.items())


def reach(sums, tail):
    """Give the first sum at which the chance of all up to it reaches the tail."""
    share, ways = Fraction(0), sum(count for _, count in sums)
    for total, count in sums:
        share += Fraction(count, ways)
        if share >= tail:
            return total
    raise AssertionError


def transformed_ends(numerators, over, tail):
    """Transform everything that can be told from 0, with no window and no binning."""
    n, top = len(numerators), int(numerators.max())
    length = 1 << (n * top).bit_length()
    chances = np.bincount(numerators, minlength=length) / n
    sums = np.fft.irfft(np.fft.rfft(chances) ** n, length)
    low = int(np.argmax(np.cumsum(sums) >= tail - 1e-9))
    beyond = int(np.argmax(np.cumsum(sums[: n * top + 1][::-1]) >= tail - 1e-9))
    return low / (n * over), (n * top - beyond) / (n * over)


@pytest.mark.parametrize("n", [2, 10, 100, 1000, 10_000, 100_000, 1_000_000])
@pytest.mark.parametrize("share", [0.5, 0.83, 0.999])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.9999])
def test_0_1_scores_give_the_quantiles_of_the_binomial(n, share, level):
    passed = min(max(1, round(n * share)), n - 1)
    binomial = stats.binom(n, passed / n)
    low, high, computed = ideal_ends(np.repeat([0.0, 1.0], [n - passed, passed]), level=level)
    tail = (1 - level) / 2
    assert computed == "ideal"
    # Both ends by the chance at or beyond them, which is how ties are decided.
    assert binomial.cdf(low * n) >= tail - 1e-9 > binomial.cdf(low * n - 1) - 2e-9
    assert binomial.sf(high * n - 1) >= tail - 1e-9 > binomial.sf(high * n) - 2e-9


@pytest.mark.parametrize("level", [0.5, 0.8, 0.95, 0.99])
@pytest.mark.parametrize(
    ("numerators", "over"),
    [
        ((0, 1), 1),
        ((0, 1, 1, 1), 2),
        ((3, 3, 4, 6), 6),
        ((2, 4, 6, 6, 6), 7),
        ((50, 75, 100, 100, 100, 25), 100),
        ((997, 998, 1000), 1000),
        ((0, 1, 1, 2, 2, 2, 3, 3, 3, 3), 10),
    ],
)
def test_every_lattice_gives_the_enumerated_ends(numerators, over, level):
    n, tail = len(numerators), Fraction(str(1 - level)).limit_denominator(1000) / 2
    sums = distribution(numerators)
    low = reach(sums, tail)
    high = -reach([(-total, count) for total, count in reversed(sums)], tail)
    ordered = np.array(sorted(numerator / over for numerator in numerators))
    assert ideal_ends(ordered, level=level) == (low / (n * over), high / (n * over), "ideal")


def test_a_chance_equal_to_the_tail_reaches_it_at_both_ends():
    # Two draws of 0 or 1: a quarter has no success, a quarter has two.
    assert ideal_ends(np.array([0.0, 1.0]), level=0.5)[:2] == (0.0, 1.0)
    assert ideal_ends(np.array([0.0, 1.0]), level=0.499)[:2] == (0.5, 0.5)


@pytest.mark.parametrize("level", [0.5, 0.95])
def test_mirrored_scores_have_mirrored_ends(level):
    numerators = np.sort(np.random.default_rng(2).binomial(100, 0.9, 400))
    low, high, _ = ideal_ends(numerators / 100, level=level)
    mirrored = ideal_ends((100 - numerators[::-1]) / 100, level=level)
    assert mirrored[:2] == pytest.approx((1 - high, 1 - low), abs=1e-12)


def graded(kind, n):
    draw = np.random.default_rng(n)
    numerators = {
        "uniform": lambda: draw.integers(0, PRIME + 1, n),
        "skewed": lambda: draw.beta(8, 1, n) * PRIME,
        "like ROUGE-L": lambda: 2 * draw.binomial(8, 0.85, n) / draw.integers(16, 29, n) * PRIME,
        "rare failures": lambda: np.where(
            draw.random(n) < 0.99, PRIME, draw.integers(0, PRIME, n)
        ),
    }[kind]()
    numerators = np.sort(np.minimum(numerators, PRIME).astype(np.int64))
    numerators[0] = min(numerators[0], PRIME - 7)
    return numerators


@pytest.mark.parametrize("n", [8, 30, 300, 2500])
@pytest.mark.parametrize("kind", ["uniform", "skewed", "like ROUGE-L", "rare failures"])
def test_binned_ends_are_off_by_a_small_part_of_the_noise_of_resampling(kind, n):
    numerators = graded(kind, n)
    scores = numerators / PRIME
    found = ideal_ends(scores, level=0.95)
    exact = transformed_ends(numerators, PRIME, 0.025)
    assert found.computed == "ideal_binned"
    assert found[:2] == pytest.approx(exact, abs=0.002 * scores.std() / math.sqrt(n))


@pytest.mark.parametrize("n", [30, 300, 1000])
@pytest.mark.parametrize("points", [(0, 335, 671, PRIME), (0, 252, 716, PRIME), (252, 716)])
def test_jumps_that_fall_between_the_bins_stay_below_that_noise(points, n):
    numerators = np.sort(np.random.default_rng(n).choice(points, n))
    scores = numerators / PRIME
    found = ideal_ends(scores, level=0.95)
    exact = transformed_ends(numerators, PRIME, 0.025)
    assert found[:2] == pytest.approx(exact, abs=0.02 * scores.std() / math.sqrt(n))


def test_real_floats_agree_with_drawing_them():
    scores = np.sort(np.random.default_rng(3).beta(3, 1, 60))
    drawn = np.random.default_rng(4).integers(0, 60, (100_000, 60))
    expected = np.quantile(scores[drawn].mean(axis=1), [0.025, 0.975])
    # A hundred thousand resamples have a noise of .0085 standard deviations of the mean.
    noise = 0.0085 * scores.std() / math.sqrt(60)
    assert ideal_ends(scores, level=0.95)[:2] == pytest.approx(expected, abs=4 * noise)


@pytest.mark.parametrize("kind", ["uniform", "skewed"])
def test_hundredths_in_a_window_equal_the_whole_transform(kind):
    numerators = graded(kind, 3_000) // 101
    window = ideal._window(np.arange(100), np.bincount(numerators, minlength=100) / 3_000, 3_000)
    assert window.size < 3_000 * int(numerators.max()) / 5
    found = ideal_ends(numerators / 100, level=0.95)
    assert found == (*transformed_ends(numerators, 100, 0.025), "ideal")


def test_a_lattice_too_wide_is_binned_to_nearly_the_same_ends(monkeypatch):
    scores = np.sort(np.random.default_rng(5).integers(0, 101, 500)) / 100
    own = ideal_ends(scores, level=0.95)
    monkeypatch.setattr(ideal, "_LARGEST_WINDOW", 1000)
    binned = ideal_ends(scores, level=0.95)
    assert (own.computed, binned.computed) == ("ideal", "ideal_binned")
    assert binned[:2] == pytest.approx(own[:2], abs=0.002 * scores.std() / math.sqrt(500))


def test_no_sum_beyond_the_window_is_likely():
    for passed, n in ((5, 10), (1, 1000), (830, 1000), (99_999, 100_000)):
        share = passed / n
        first, last = ideal._window(np.array([0, 1]), np.array([1 - share, share]), n)
        binomial = stats.binom(n, share)
        assert binomial.cdf(first - 1) + binomial.sf(last) < 1e-12


def test_binning_keeps_the_mean_and_nearly_the_variance():
    draw = np.random.default_rng(6)
    for n in (5, 500, 50_000):
        places = np.sort(np.append(draw.random(48), (0.0, 1.0)))
        shares = draw.dirichlet(np.ones(50))
        binned = ideal._binned(places, shares, n)
        points = np.arange(binned.size) / (binned.size - 1)
        mean = (places * shares).sum()
        variance = ((places - mean) ** 2 * shares).sum()
        assert binned.sum() == pytest.approx(1, abs=1e-12)
        assert (points * binned).sum() == pytest.approx(mean, abs=1e-12)
        assert 1 <= ((points - mean) ** 2 * binned).sum() / variance < 1 + 1 / 32**2


@pytest.mark.parametrize(
    "pair", [(0.0, 5e-324), (0.5, math.nextafter(0.5, 1)), (math.nextafter(1, 0), 1.0)]
)
def test_scores_a_bit_apart_have_ends_among_them(pair):
    assert ideal_ends(np.array([pair[0], *pair]), level=0.95)[:2] == pair


def test_memory_follows_the_spread_of_the_sum_and_not_the_number_of_resamples():
    scores = np.sort(np.random.default_rng(7).random(10_000))
    ideal_ends(scores, level=0.95)
    tracemalloc.start()
    ideal_ends(scores, level=0.95)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10e6
