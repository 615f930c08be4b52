import math
import statistics

import pytest

from gate.statistics.intervals import score_interval, wilson, wilson_effective


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (83, 100, 0.744520, 0.891064),
        (20, 20, 0.838875, 1.0),
        (0, 20, 0.0, 0.161125),
        (297, 300, 0.971017, 0.996593),
    ],
)
def test_wilson_gives_the_known_values(successes, n, low, high):
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-7)


@pytest.mark.parametrize(
    ("n", "low"), [(5, 56.6), (10, 72.2), (20, 83.9), (50, 92.9), (100, 96.3), (1000, 99.6)]
)
def test_all_passed_says_at_least(n, low):
    assert round(100 * wilson(n, n).low, 1) == low


def test_the_ends_are_exact_at_the_edges():
    for n in (1, 3, 7.25, 1e6):
        assert wilson(0, n).low == 0.0
        assert wilson(n, n).high == 1.0


def test_the_interval_of_failures_mirrors_that_of_successes():
    low, high = wilson(3, 17)
    assert wilson(14, 17) == pytest.approx((1 - high, 1 - low), abs=1e-15)


def test_real_sizes_lie_between_whole_ones():
    assert wilson(8, 10).low < wilson(8.4, 10.5).low < wilson(8.8, 11).low


def test_a_higher_level_is_wider():
    assert wilson(8, 10, level=0.99).low < wilson(8, 10).low < wilson(8, 10, level=0.9).low


@pytest.mark.parametrize(
    ("successes", "n"), [(0, 0), (1, -1), (-1, 5), (6, 5), (math.nan, 5), (1, math.nan)]
)
def test_impossible_counts_raise(successes, n):
    with pytest.raises(ValueError, match=r"trials|impossible"):
        wilson(successes, n)


@pytest.mark.parametrize("level", [0.0, 1.0, -0.5, 95, math.nan])
def test_a_level_lies_between_0_and_1(level):
    with pytest.raises(ValueError, match="level"):
        wilson(1, 2, level=level)


def coverage(p, n):
    """Sum the chances of the counts whose interval holds p: exact, no simulation."""
    return sum(
        math.comb(n, k) * p**k * (1 - p) ** (n - k)
        for k in range(n + 1)
        if wilson(k, n).low <= p <= wilson(k, n).high
    )


@pytest.mark.parametrize(
    ("n", "p", "percent"),
    [(10, 0.95, 91.4), (20, 0.95, 92.5), (50, 0.95, 96.2), (50, 0.99, 91.1), (300, 0.95, 95.5)],
)
def test_wilson_covers_what_the_binomial_says(n, p, percent):
    assert round(100 * coverage(p, n), 1) == percent


def test_the_effective_size_of_0_and_1_is_a_little_less_than_their_number():
    n, passed = 20, 17
    effective = n * (n + 1) / (n + 2)
    expected = wilson(passed / n * effective, effective)
    assert wilson_effective([1.0] * passed + [0.0] * 3) == pytest.approx(expected, abs=1e-12)


def test_scores_that_scatter_less_have_a_narrower_interval():
    graded, binary = wilson_effective([0.4, 0.6] * 50), wilson([1, 0].count(1) * 50, 100)
    assert graded.high - graded.low < 0.6 * (binary.high - binary.low)


@pytest.mark.parametrize("score", [0.0, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("n", [1, 2, 50])
def test_equal_scores_and_single_scores_have_an_interval_with_a_width(score, n):
    low, high = wilson_effective([score] * n)
    assert 0 <= low <= score <= high <= 1
    assert high - low > 0.01


def test_a_rare_failure_that_was_not_drawn_is_allowed_for():
    high_scores = [0.75 + 0.01 * (i % 11) for i in range(20)]
    mean, error = statistics.mean(high_scores), statistics.stdev(high_scores) / math.sqrt(20)
    assert mean - 2 * error > 0.78
    assert wilson_effective(high_scores).low < 0.72


@pytest.mark.parametrize(("n", "least"), [(20, 0.92), (50, 0.92), (100, 0.93)])
def test_the_effective_interval_covers_a_mixture_with_rare_zeros(n, least):
    # Sixths: 1 with .97, 5/6 with .02, 0 with .01; exact, over all counts of the three.
    mean = 0.97 + 0.02 * 5 / 6
    covered = 0.0
    for zeros in range(min(n, 12) + 1):
        for fives in range(min(n - zeros, 16) + 1):
            ones = n - zeros - fives
            low, high = wilson_effective([1.0] * ones + [5 / 6] * fives + [0.0] * zeros)
            if low <= mean <= high:
                ways = math.comb(n, zeros) * math.comb(n - zeros, fives)
                covered += ways * 0.97**ones * 0.02**fives * 0.01**zeros
    assert covered > least


def test_the_method_follows_from_the_scores():
    assert score_interval([1.0, 0.0]) == ("wilson", *wilson(1, 2))
    assert score_interval([1.0, 0.5]) == ("wilson_effective", *wilson_effective([1.0, 0.5]))
    assert score_interval([1.0, 0.5], level=0.5).low > score_interval([1.0, 0.5]).low


@pytest.mark.parametrize("function", [score_interval, wilson_effective])
@pytest.mark.parametrize("scores", [[], [math.nan], [1.5], [0.5, -0.1], [math.inf]])
def test_what_is_no_sample_of_scores_raises(function, scores):
    with pytest.raises(ValueError, match="score"):
        function(scores)
