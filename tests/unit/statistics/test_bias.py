import math

import pytest

from gate.metrics.overlap import deterministic_judge
from gate.statistics.bias import _clamp, judge_with_bias


def test_each_word_adds_a_hundredth_up_to_three_tenths():
    assert judge_with_bias("a  b\nc", "z") == 0.03
    assert judge_with_bias("a " * 30, "z") == 0.3
    assert judge_with_bias("a " * 500, "z") == 0.3


def test_the_position_lifts_the_first_and_lowers_the_second_by_the_same():
    output, reference = "the capital is Paris", "Paris"
    plain = judge_with_bias(output, reference)
    first = judge_with_bias(output, reference, position="first")
    second = judge_with_bias(output, reference, position="second")
    assert first == pytest.approx(plain + 0.15)
    assert second == pytest.approx(plain - 0.15)
    assert (first + second) / 2 == pytest.approx(plain)


def test_the_judge_prefers_its_own_answer():
    assert judge_with_bias("a", "b", self_authored=True) == pytest.approx(0.01 + 0.2)


def test_stacked_biases_stay_in_the_range():
    assert judge_with_bias("Paris", "Paris", position="first", self_authored=True) == 1.0
    assert judge_with_bias("Paris", "Rome", position="second") == 0.0
    assert judge_with_bias("", "", position="second") == 0.85


def test_without_words_and_switches_it_is_the_plain_judge():
    assert judge_with_bias("", "Paris") == deterministic_judge("", "Paris") == 0.0


def test_another_position_raises():
    with pytest.raises(ValueError, match="'third'"):
        judge_with_bias("a", "b", position="third")


def test_a_score_that_is_no_number_is_never_clamped_to_one():
    with pytest.raises(ValueError, match="NaN"):
        _clamp(math.nan)
