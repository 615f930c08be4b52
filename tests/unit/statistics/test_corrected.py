import math

import pytest

from gate.statistics.corrected import corrected_rate

JUDGED = [0.9, 0.75, 0.6, 0.5, 0.3, 0.1, 0.8, 0.95] * 25
JUDGE = [0.9, 0.8, 0.6, 0.4, 0.7, 0.2, 1.0, 0.5, 0.35, 0.85] * 3
HUMAN = [1, 1, 0.5, 0.5, 0.5, 0, 1, 1, 0, 1] * 3
BINARY = ([1] * 90 + [0] * 10, ([1] * 9 + [0]) * 4, ([1] * 7 + [0] * 3) * 4)


@pytest.mark.parametrize(
    ("data", "weight", "level", "rate", "reach"),
    [
        (BINARY, 1.0, 0.95, 0.7, 0.14860044823444352),
        (BINARY, 0.5, 0.95, 0.7, 0.13232846777360086),
        (BINARY, 1.0, 0.9, 0.7, 0.12470942740429913),
        ((JUDGED, JUDGE, HUMAN), 1.0, 0.95, 0.6325, 0.1229297246806681),
        ((JUDGED, JUDGE, HUMAN), 0.7, 0.95, 0.63775, 0.11882845548081566),
    ],
)
def test_the_values_are_those_of_ppi_python(data, weight, level, rate, reach):
    # ppi-python 0.2.3, lam = weight: the point of the data, the interval's half width of the
    # data with a judged 0 and 1 and a label missed each way.
    corrected = corrected_rate(*data, weight=weight, level=level)
    assert corrected == pytest.approx((rate, rate - reach, rate + reach), abs=1e-12)


def test_a_generous_judge_is_brought_down_to_what_people_say():
    assert corrected_rate([1] * 50, [1] * 10, [1, 0] * 5).rate == 0.5


def test_the_rate_and_its_interval_stay_shares():
    above = corrected_rate([1] * 50, [0.5] * 30, [1] * 30)
    assert above.rate == above.high == 1
    assert 0 < above.low < 1
    below = corrected_rate([0] * 50, [0.5] * 30, [0] * 30)
    assert below.rate == below.low == 0
    assert 0 < below.high < 1


@pytest.mark.parametrize("verdict", [0, 1])
@pytest.mark.parametrize("labels", [1, 10, 30, 300])
def test_a_judge_that_never_erred_is_not_held_infallible(verdict, labels):
    rate, low, high = corrected_rate([verdict] * 100, [verdict] * labels, [verdict] * labels)
    assert rate == verdict
    assert high - low > 1 / (labels + 2)


def test_the_labels_alone_count_where_the_judge_has_no_weight():
    heard = corrected_rate([1] * 100, [0, 1] * 10, [1, 1, 0, 1] * 5, weight=0)
    assert heard == corrected_rate([0] * 100, [1, 0] * 10, [1, 1, 0, 1] * 5, weight=0)
    assert heard.rate == 0.75


def test_a_good_judge_narrows_what_few_labels_say():
    judge, human = [1, 1, 0, 1] * 10, [1, 1, 0, 1] * 9 + [1, 1, 0, 0]
    with_judge = corrected_rate([1, 1, 0, 1] * 200, judge, human)
    alone = corrected_rate([1, 1, 0, 1] * 200, judge, human, weight=0)
    assert with_judge.high - with_judge.low < alone.high - alone.low


def test_more_labels_and_a_lower_level_narrow_the_interval():
    widths = [
        high - low
        for times, level in ((1, 0.95), (4, 0.95), (4, 0.8))
        for _, low, high in [
            corrected_rate([1, 0] * 50, [1, 0, 1] * 5 * times, [1, 0, 0] * 5 * times, level=level)
        ]
    ]
    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) == 3


@pytest.mark.parametrize(
    ("judged", "judge", "human", "options", "message"),
    [
        ([], [1], [1], {}, "judged cases and labelled"),
        ([1], [], [], {}, "judged cases and labelled"),
        ([1], [1, 0], [1], {}, "2 and 1 scores"),
        ([1.5], [1], [1], {}, "not 1.5"),
        ([1], [math.nan], [1], {}, "not nan"),
        ([1], [1], [-1], {}, "not -1"),
        ([1], [1], [1], {"weight": 2}, "not 2"),
        ([1], [1], [1], {"weight": math.nan}, "not nan"),
        ([1], [1], [1], {"level": 95}, "confidence level"),
        ([1], [1], [1], {"level": 0.0}, "confidence level"),
    ],
)
def test_what_cannot_be_corrected_raises(judged, judge, human, options, message):
    with pytest.raises(ValueError, match=message):
        corrected_rate(judged, judge, human, **options)
