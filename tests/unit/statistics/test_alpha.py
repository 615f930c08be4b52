from decimal import Decimal
from fractions import Fraction

import pytest

from gate.statistics.alpha import krippendorffs_alpha

FIRST, SECOND = [0, 0, 1, 1, 2, 2, 2, 1, 0, 2], [0, 1, 1, 1, 2, 1, 2, 2, 0, 2]


@pytest.mark.parametrize(
    ("distance", "alpha"),
    [("nominal", 0.564885), ("ordinal", 0.758846), ("interval", 0.772908)],
)
def test_alpha_of_the_known_ratings(distance, alpha):
    found = krippendorffs_alpha([FIRST, SECOND], distance=distance)
    assert found == pytest.approx(alpha, abs=5e-7)


@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval"])
def test_perfect_agreement_is_1_and_raters_and_items_have_no_order(distance):
    assert krippendorffs_alpha([FIRST, FIRST, FIRST], distance=distance) == 1.0
    forwards = krippendorffs_alpha([FIRST, SECOND], distance=distance)
    assert forwards == krippendorffs_alpha([SECOND[::-1], FIRST[::-1]], distance=distance)


@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval"])
def test_an_item_rated_once_does_not_count(distance):
    with_it = [[*FIRST, 7], [*SECOND, None]]
    assert krippendorffs_alpha(with_it, distance=distance) == krippendorffs_alpha(
        [FIRST, SECOND], distance=distance
    )


def test_raters_may_come_and_go():
    # items: p p, f p f (weighing 1/2 a pair); three p and two f in all
    assert krippendorffs_alpha(["pf", "pp", [None, "f"]]) == pytest.approx(1 / 3)


def test_systematic_disagreement_is_below_0():
    assert krippendorffs_alpha(["pf", "fp"]) == -0.5


def test_ranks_know_only_the_order_and_intervals_the_distance():
    a, b = [1, 2, 3], [1, 3, 3]
    far_a, far_b = [1, 2, 300], [1, 300, 300]
    assert krippendorffs_alpha([a, b], distance="ordinal") == krippendorffs_alpha(
        [far_a, far_b], distance="ordinal"
    )
    assert krippendorffs_alpha([a, b], distance="interval") > krippendorffs_alpha(
        [far_a, far_b], distance="interval"
    )


def test_numbers_of_any_kind_have_intervals():
    whole = krippendorffs_alpha([[1, 2, 3], [1, 3, 3]], distance="interval")
    assert whole == krippendorffs_alpha([[0.5, 1, 1.5], [0.5, 1.5, 1.5]], distance="interval")
    tenths = [Decimal("0.1"), Decimal("0.2"), Decimal("0.3")]
    sevenths = [Fraction(1, 7), Fraction(2, 7), Fraction(3, 7)]
    for one, two, three in (tenths, sevenths):
        ratings = [[one, two, three], [one, three, three]]
        assert krippendorffs_alpha(ratings, distance="interval") == whole
    assert krippendorffs_alpha([[5e-324, 1e308], [5e-324, 1e308]], distance="interval") == 1.0


@pytest.mark.parametrize("distance", ["nominal", "ordinal", "interval"])
def test_one_value_throughout_has_no_alpha(distance):
    with pytest.raises(ValueError, match="undefined"):
        krippendorffs_alpha([[1, 1, 2], [1, 1, None]], distance=distance)


def test_too_few_raters_or_ratings_raise():
    with pytest.raises(ValueError, match="two raters"):
        krippendorffs_alpha([FIRST])
    with pytest.raises(ValueError, match="not 2, 1 of them"):
        krippendorffs_alpha(["pf", "p"])
    for ratings in (["", ""], [["p", None], [None, "f"]]):
        with pytest.raises(ValueError, match="an item with two ratings"):
            krippendorffs_alpha(ratings)


def test_what_is_no_number_raises():
    with pytest.raises(ValueError, match="None, not NaN"):
        krippendorffs_alpha([[1.0, float("nan")], [1.0, 2.0]], distance="interval")
    with pytest.raises(ValueError, match="finite numbers, not inf"):
        krippendorffs_alpha([[1.0, float("inf")], [1.0, 2.0]], distance="interval")
    with pytest.raises(ValueError, match="finite numbers, not 'p'"):
        krippendorffs_alpha(["pf", "pp"], distance="interval")
    with pytest.raises(TypeError):
        krippendorffs_alpha([["p", 1], ["p", 1]], distance="ordinal")


def test_an_unknown_distance_raises():
    with pytest.raises(ValueError, match="not 'ratio'"):
        krippendorffs_alpha([FIRST, SECOND], distance="ratio")
