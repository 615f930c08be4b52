import math
from decimal import Decimal
from fractions import Fraction

import pytest

from gate.statistics import exact
from gate.statistics.exact import (
    compare,
    exact_drop,
    exact_mean,
    exceeds,
    mean_below,
    mean_drop_exceeds,
    simplest_fraction,
)

FIVE_POINTS = Decimal("0.05")


@pytest.mark.parametrize(
    ("x", "fraction"),
    [
        (0.0, Fraction(0)),
        (-0.0, Fraction(0)),
        (1.0, Fraction(1)),
        (7.0, Fraction(7)),
        (0.1, Fraction(1, 10)),
        (-0.1, Fraction(-1, 10)),
        (0.6666666666666666, Fraction(2, 3)),
        (5 / 6, Fraction(5, 6)),
        (0.05, Fraction(1, 20)),
        (123.456, Fraction(15432, 125)),
        (2.0**53, Fraction(2**53)),
        (1e-5, Fraction(1, 100_000)),
    ],
)
def test_a_float_stands_for_the_simplest_fraction_that_reads_back(x, fraction):
    assert simplest_fraction(x) == fraction


def test_smaller_denominators_do_not_read_back():
    for x in (0.1, 2 / 3, 0.83, 0.123, 355 / 1130):
        found = simplest_fraction(x)
        for denominator in range(1, found.denominator):
            assert round(x * denominator) / denominator != x


@pytest.mark.parametrize("x", [5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, math.pi])
def test_extreme_floats_have_a_fraction_that_reads_back(x):
    assert float(simplest_fraction(x)) == x


@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf])
def test_no_fraction_stands_for_what_is_not_finite(x):
    with pytest.raises(ValueError, match="not a finite number"):
        simplest_fraction(x)


def test_a_mean_is_that_of_the_fractions():
    assert exact_mean([2 / 3, 1 / 6, 0.1, 1.0]) == Fraction(29, 60)
    assert exact_mean([0.1] * 43) == Fraction(1, 10)
    assert math.fsum([0.1] * 43) / 43 != 0.1


def test_a_mean_over_many_denominators_is_exact():
    denominators = range(2, 500)
    expected = sum((Fraction(1, d) for d in denominators), Fraction(0)) / len(denominators)
    assert exact_mean([1 / d for d in denominators]) == expected


@pytest.mark.parametrize("function", [exact_mean, lambda values: mean_below(values, Decimal(0))])
def test_there_is_no_mean_of_nothing(function):
    with pytest.raises(ValueError, match="no values"):
        function([])


def test_a_drop_is_that_of_the_fractions_at_any_two_sizes():
    assert exact_drop([0.1, 0.2, 0.6], [0.1]) == Fraction(1, 5)
    assert exact_drop([0.1], [0.1, 0.2, 0.6]) == Fraction(-1, 5)
    for pair in ([], [0.5]), ([0.5], []):
        with pytest.raises(ValueError, match="no values"):
            exact_drop(*pair)


def test_what_stands_in_both_cancels_before_any_fraction_is_made(monkeypatch):
    made = []
    monkeypatch.setattr(exact, "simplest_fraction", lambda x: made.append(x) or Fraction(x))
    scores = [i / 7919 for i in range(1000)]
    assert exact_drop([*scores, 0.5], [*reversed(scores), 0.25]) == Fraction(1, 4004)
    assert sorted(made) == [0.25, 0.5]


def test_a_drop_of_exactly_the_limit_does_not_exceed_it():
    assert 0.90 - 0.85 > 0.05
    assert not mean_drop_exceeds([0.90], [0.85], FIVE_POINTS)
    assert mean_drop_exceeds([0.90], [0.85], Decimal("0.0499999999999999999999"))


def test_none_of_96_exact_five_point_drops_exceeds_though_39_do_in_floats():
    in_floats = exactly = 0
    for passed in range(5, 101):
        in_floats += passed / 100 - (passed - 5) / 100 > 0.05
        before = [1.0] * passed + [0.0] * (100 - passed)
        after = [1.0] * (passed - 5) + [0.0] * (105 - passed)
        exactly += mean_drop_exceeds(before, after, FIVE_POINTS)
    assert (in_floats, exactly) == (39, 0)


def test_one_case_more_than_the_limit_exceeds_it():
    assert mean_drop_exceeds([1.0] * 1000, [1.0] * 949 + [0.0] * 51, FIVE_POINTS)


def test_a_rise_never_exceeds_a_limit_of_nothing():
    assert not mean_drop_exceeds([0.5], [0.6], Decimal(0))
    assert not mean_drop_exceeds([0.3, 0.3, 0.3], [0.3], Decimal(0))


def test_a_floor_is_inclusive():
    assert math.fsum([0.1] * 43) / 43 < 0.1
    assert not mean_below([0.1] * 43, Decimal("0.1"))
    assert mean_below([0.1] * 43, Decimal("0.10000000000000000000000000000000000000001"))


def test_far_from_the_limit_nothing_exact_is_computed():
    def must_not_run():
        raise AssertionError

    assert exceeds(0.2, must_not_run, FIVE_POINTS)
    assert not exceeds(0.01, must_not_run, FIVE_POINTS)
    assert compare(0.01, must_not_run, Fraction(1, 20)) == -1


def test_near_the_limit_the_float_is_not_asked(monkeypatch):
    tiny = Fraction(1, 10**30)
    assert exceeds(0.05, lambda: Fraction(1, 20) + tiny, FIVE_POINTS)
    assert not exceeds(0.05000000000000001, lambda: Fraction(1, 20) - tiny, FIVE_POINTS)
    monkeypatch.setattr(exact, "NEAR", 0.0)
    assert exceeds(0.05000000000000001, lambda: Fraction(0), FIVE_POINTS)


def test_a_number_that_is_none_cannot_be_compared():
    with pytest.raises(ValueError, match="cannot be compared"):
        mean_below([math.nan], FIVE_POINTS)
