import math

import pytest

from gate.statistics import lattice
from gate.statistics.lattice import denominator, sum_of_signs


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], 1),
        ([0.0, 1.0, -1.0], 1),
        ([0.5], 2),
        ([1 / 3, 0.5], 6),
        ([-1 / 3, 1 / 7], 21),
        ([0.85, 0.9], 20),
        ([0.001], 1000),
        ([k / 1000 for k in range(1001)], 1000),
        ([1 / 1001], None),
        ([0.1 + 0.2], None),
        ([k / 1009 for k in range(1, 1009)], None),
        ([3.25, -17.5], 4),
    ],
)
def test_the_least_denominator_is_found_or_none(values, expected):
    assert denominator(values) == expected


def test_the_largest_denominator_tried_can_be_chosen():
    assert denominator([1 / 6], most=5) is None
    assert denominator([1 / 6], most=6) == 6


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_has_no_denominator(value):
    with pytest.raises(ValueError, match="not finite"):
        denominator([0.5, value])


def exact_chances(steps):
    chances = {0: 1}
    for step in steps:
        moved = {}
        for total, ways in chances.items():
            for after in (total + step, total - step):
                moved[after] = moved.get(after, 0) + ways
        chances = moved
    return {total: ways / 2 ** len(steps) for total, ways in chances.items()}


@pytest.mark.parametrize(
    "steps", [[1], [2], [1, 2], [1, 1, 1], [3, 6, 6], [5, 7, 11, 13], [1] * 9 + [2] * 8 + [7]]
)
def test_every_sum_has_its_exact_chance(steps):
    found = sum_of_signs(steps)
    sums = range(found.lowest, found.largest + 1, found.spacing)
    got = dict(zip(sums, found.probabilities.tolist(), strict=True))
    expected = exact_chances(steps)
    assert set(expected) <= set(got)
    assert all(abs(got[total] - expected.get(total, 0.0)) < 1e-14 for total in got)


def test_no_steps_add_up_to_nothing():
    for steps in ([], [0, 0], {0: 5}):
        found = sum_of_signs(steps)
        assert (found.lowest, found.largest, found.probabilities.tolist()) == (0, 0, [1.0])
        assert found.at_least(0) == 1.0
        assert found.at_least(1) == 0.0


def test_steps_may_come_as_counts_and_with_any_sign():
    listed, counted = sum_of_signs([2, -2, 0, 3]), sum_of_signs({2: 1, -2: 1, 3: 1})
    assert listed[:3] == counted[:3]
    assert listed.probabilities.tolist() == counted.probabilities.tolist()


def test_up_to_forty_steps_give_exact_tails():
    found = sum_of_signs([1] * 40)
    for worse in range(41):
        ways = sum(math.comb(40, k) for k in range(worse, 41))
        assert found.at_least(2 * worse - 40) == ways / 2**40


def test_no_chance_is_claimed_to_be_smaller_than_one_in_a_million_million():
    assert sum_of_signs([1] * 5000).at_least(5000) == 2.0**-40
    assert sum_of_signs([1] * 5000).at_least(-5000) == 1.0


@pytest.mark.parametrize(
    "counts", [{1: 400}, {6: 300, 5: 1, 1: 20}, {2: 399, 1: 1}, {3: 300, 2: 9}]
)
def test_a_window_narrower_than_the_range_still_gives_exact_tails(counts):
    found = sum_of_signs(counts)
    assert found.probabilities.size < found.largest
    # One bit field for each weighted number of ups, so a product of polynomials is a sum.
    width = sum(counts.values()) + 1
    ways = 1
    for size, count in counts.items():
        for _ in range(count):
            ways += ways << (width * size)
    for total in (found.largest % 2, 20, 101, 133, 200, found.largest):
        ups = -((-found.largest - total) // 2)
        # Modulo a base less 1 a number is the sum of its digits.
        exact = (ways >> (width * ups)) % ((1 << width) - 1)
        assert abs(found.at_least(total) - exact / (1 << (width - 1))) < 1e-12


def test_too_many_different_sums_are_refused():
    assert sum_of_signs([10**9, 1, 10**9 - 7]) is None
    assert sum_of_signs([10**9, 2 * 10**9]) is not None


@pytest.mark.parametrize("length", [4, 6, 64, 96, 1000])
def test_the_table_of_cosines_is_accurate(length):
    table = lattice._half_turn(length)
    assert table.size == length + 1
    assert max(abs(table[j] - math.cos(math.pi * j / length)) for j in range(length + 1)) < 1e-15
