from itertools import product
from math import factorial, prod

import pytest

from gate.statistics.kappa_intervals import (
    augmented_kappa_interval,
    kappa_interval,
    kappa_lower_bound,
)

FUNCTIONS = [kappa_interval, augmented_kappa_interval, kappa_lower_bound]


def labels(a, b, c, d):
    """Spell out a table of both pass, pass and fail, fail and pass, both fail."""
    return "p" * (a + b) + "f" * (c + d), "p" * a + "f" * b + "p" * c + "f" * d


def tables(n):
    """All tables of ``n`` items of which the first rater passes some and fails some."""
    return [
        (a, passed - a, b, n - passed - b)
        for passed in range(1, n)
        for a, b in product(range(passed + 1), range(n - passed + 1))
    ]


def probability(table, kappa, share):
    """How likely a table is where both raters pass ``share`` and agree by ``kappa``."""
    shared = kappa * share * (1 - share)
    apart = share * (1 - share) - shared
    cells = share**2 + shared, apart, apart, (1 - share) ** 2 + shared
    ways = factorial(sum(table)) // prod(factorial(count) for count in table)
    return ways * prod(cell**count for cell, count in zip(cells, table, strict=True))


def test_the_interval_of_the_known_table():
    method, kappa, se, low, high = kappa_interval(*labels(20, 5, 10, 15))
    assert method == "large_sample"
    assert kappa == 0.4
    assert se == pytest.approx(0.126996, abs=5e-7)
    assert (low, high) == pytest.approx((0.1511, 0.6489), abs=5e-5)


def test_the_large_sample_interval_is_symmetric_and_collapses_on_perfect_agreement():
    _, kappa, _, low, high = kappa_interval(*labels(20, 1, 0, 3))
    assert high - kappa == pytest.approx(kappa - low)
    assert high > 1
    assert kappa_interval(*labels(9, 0, 0, 1))[1:] == (1.0, 0.0, 1.0, 1.0)


def test_a_higher_level_is_wider():
    pair = labels(20, 5, 10, 15)
    for function in (kappa_interval, augmented_kappa_interval):
        narrow, wide = function(*pair, level=0.5), function(*pair, level=0.99)
        assert wide.low < narrow.low < 0.4 < narrow.high < wide.high


@pytest.mark.parametrize("n", [2, 5, 9, 14])
@pytest.mark.parametrize("level", [0.1, 0.95])
def test_the_augmented_interval_has_a_width_and_holds_kappa_in_range(n, level):
    for table in tables(n):
        found = augmented_kappa_interval(*labels(*table), level=level)
        assert -1 <= found.low < found.high <= 1
        assert found.low <= found.kappa <= found.high
        assert found.se > 0


def test_the_lower_bound_is_the_low_end_at_90_percent():
    pair = labels(20, 5, 10, 15)
    assert kappa_lower_bound(*pair) == pytest.approx(
        augmented_kappa_interval(*pair, level=0.9).low, abs=1e-12
    )


def test_both_intervals_meet_in_large_samples():
    pair = labels(20_000, 5_000, 10_000, 15_000)
    assert augmented_kappa_interval(*pair)[1:] == pytest.approx(
        kappa_interval(*pair)[1:], abs=1e-4
    )


@pytest.mark.parametrize("n", [10, 20, 30])
def test_the_augmented_interval_covers_the_true_kappa(n):
    intervals = {table: augmented_kappa_interval(*labels(*table)) for table in tables(n)}
    for kappa, share in product((0.2, 0.4, 0.6, 0.8, 0.95), (0.5, 0.7, 0.9)):
        likely = {table: probability(table, kappa, share) for table in intervals}
        covered = sum(
            likely[table] for table, found in intervals.items() if found.low <= kappa <= found.high
        )
        assert covered / sum(likely.values()) > 0.91, (kappa, share)


@pytest.mark.parametrize("n", [10, 20, 30])
def test_the_lower_bound_rarely_lies_above_the_true_kappa(n):
    bounds = {table: kappa_lower_bound(*labels(*table)) for table in tables(n)}
    reached = [table for table, bound in bounds.items() if bound >= 0.6]
    for share in (0.5, 0.7, 0.9):
        assert sum(probability(table, 0.6, share) for table in reached) < 0.05
        assert sum(probability(table, 0.4, share) for table in reached) < 0.01
    if n == 30:
        assert sum(probability(table, 0.6, 0.5) for table in reached) > 0.02
        assert sum(probability(table, 0.95, 0.5) for table in reached) > 0.9


def test_the_measured_kappa_takes_a_weak_judge_for_a_good_one():
    reached = [
        table for table in tables(30) if kappa_interval(*labels(*table)).kappa >= 0.6 - 1e-12
    ]
    assert sum(probability(table, 0.4, 0.9) for table in reached) == pytest.approx(0.246, abs=5e-4)


def test_more_categories_are_augmented_by_two_items_in_all():
    a, b = "000111222", "000112222"
    fine = augmented_kappa_interval(a, b)
    coarse = augmented_kappa_interval(a, b, categories="0123456789")
    assert fine.kappa == coarse.kappa
    assert fine.low < fine.kappa < fine.high
    assert coarse.low < coarse.kappa


@pytest.mark.parametrize("function", FUNCTIONS)
def test_where_kappa_is_undefined_there_is_no_interval(function):
    with pytest.raises(ValueError, match="undefined"):
        function("ppp", "ppp")
    with pytest.raises(ValueError, match="undefined"):
        function("ppp", "ppp", categories="pf")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_bad_labels_and_weights_without_a_scale_raise(function):
    with pytest.raises(ValueError, match="2 and 1 labels"):
        function("pf", "p")
    with pytest.raises(ValueError, match="at least one"):
        function("", "")
    with pytest.raises(ValueError, match="quadratic weights need the scale"):
        function("pf", "pp", weights="quadratic")


@pytest.mark.parametrize("function", [kappa_interval, augmented_kappa_interval])
def test_a_level_out_of_range_raises(function):
    with pytest.raises(ValueError, match="between 0 and 1"):
        function("pf", "pf", level=0.0)
