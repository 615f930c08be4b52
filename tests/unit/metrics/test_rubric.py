from decimal import Decimal

import pytest

from gate.metrics.rubric import check_rubric, rubric_score
from gate.records.scoring import RubricCheck


def check(kind, value, weight=1):
    return RubricCheck(kind=kind, value=value, weight=weight)


@pytest.mark.parametrize(
    ("kind", "value", "output", "satisfied"),
    [
        ("contains", " PARIS ", "it is paris", True),
        ("contains", "Paris", "it is Rome", False),
        ("excludes", "as an  AI", "As an AI model", False),
        ("excludes", "sorry", "Paris", True),
        ("equals", "new york", " New\n York ", True),
        ("equals", "York", "New York", False),
        ("min_words", 3, "one  two\nthree", True),
        ("min_words", 3, "one two", False),
        ("min_words", 1, " ", False),
        ("regex", "^[A-Z]{2}[0-9]+$", "AB12", True),
        ("regex", "^[A-Z]{2}[0-9]+$", "ab12", False),
        ("regex", "(?i)paris", "PARIS", True),
        ("regex", "a  b", "a  b", True),
        ("regex", "a  b", "a b", False),
        ("regex", "^$", "", True),
        ("regex", "12$", "12\n", False),
        ("regex", r"\p{Han}+", "in 北京", True),
        ("regex", r"\d", "٣", False),
    ],
)
def test_each_kind_of_check(kind, value, output, satisfied):
    assert rubric_score(output, [check(kind, value)]) == float(satisfied)


def test_the_score_is_the_satisfied_weight_over_the_total():
    checks = (check("contains", "a", 3), check("contains", "b", "0.5"), check("contains", "c", 0))
    assert rubric_score("a", checks) == 6 / 7
    assert rubric_score("b", checks) == 1 / 7
    assert rubric_score("c", checks) == 0.0
    assert rubric_score("a b", checks) == 1.0


def test_ten_tenths_are_one_and_three_of_ten_are_the_nearest_float():
    checks = [check("contains", letter, "0.1") for letter in "abcdefghij"]
    assert rubric_score("abcdefghij", checks) == 1.0
    assert rubric_score("abc", checks) == 0.3


def test_weights_far_apart_are_summed_exactly():
    heavy = check("contains", "heavy", "1e29")
    light = check("contains", "light", "1e-29")
    assert check_rubric([heavy, light]) == Decimal("1" + "0" * 29 + "." + "0" * 28 + "1")
    assert rubric_score("light", [heavy, light]) == 1e-58
    assert rubric_score("heavy light", [heavy, light]) == 1.0


def test_a_failed_check_never_rounds_up_to_full_credit():
    heavy, light = check("contains", "heavy", "1e29"), check("contains", "light", "1e-29")
    assert 0.999 < rubric_score("heavy", [heavy, light]) < 1.0


def test_an_empty_rubric_raises():
    with pytest.raises(ValueError, match="without checks"):
        rubric_score("anything", [])
    with pytest.raises(ValueError, match="without checks"):
        check_rubric(())


def test_a_total_weight_of_zero_raises():
    with pytest.raises(ValueError, match="sum to more than 0"):
        rubric_score("a", [check("contains", "a", 0), check("contains", "b", 0)])


def test_a_negative_weight_raises_though_the_total_is_positive():
    with pytest.raises(ValueError, match=r"check 2 of the rubric \(excludes\): its weight -1 is"):
        rubric_score("a", [check("contains", "a", 5), check("excludes", "b", -1)])


@pytest.mark.parametrize("kind", ["contains", "excludes", "equals"])
@pytest.mark.parametrize("value", ["", " \n"])
def test_a_text_check_with_an_empty_text_raises(kind, value):
    with pytest.raises(ValueError, match="its value is an empty text"):
        check_rubric([check(kind, value)])


def test_an_empty_pattern_raises():
    with pytest.raises(ValueError, match="its pattern is empty"):
        check_rubric([check("regex", "")])


@pytest.mark.parametrize("kind", ["contains", "excludes", "equals", "regex"])
def test_a_number_where_a_text_is_wanted_raises(kind):
    with pytest.raises(ValueError, match="must be a text, not the number 3"):
        check_rubric([check(kind, 3)])


def test_a_text_where_a_number_of_words_is_wanted_raises():
    with pytest.raises(ValueError, match="must be a number of words, not the text '3'"):
        check_rubric([check("min_words", "3")])


def test_a_minimum_of_no_words_raises():
    with pytest.raises(ValueError, match="at least 1"):
        check_rubric([check("min_words", 0)])


@pytest.mark.parametrize(
    "pattern", ["(?=a)b", "(?<!a)b", r"(a)\1", "a(", "[", "(x{1000}){1000}", "a\ud800", "(?P<n>a"]
)
def test_a_pattern_that_re2_does_not_take_raises_and_is_named(pattern, capfd):
    with pytest.raises(ValueError, match="look-around and backreferences") as raised:
        check_rubric([check("regex", pattern)])
    assert repr(pattern) in str(raised.value)
    assert "linear" in str(raised.value)
    assert "".join(capfd.readouterr()) == ""


def test_a_long_bad_pattern_is_named_in_short():
    with pytest.raises(ValueError, match="refused") as raised:
        check_rubric([check("regex", "(" + "a" * 100_000)])
    assert len(str(raised.value)) < 1000


def test_a_pattern_that_hangs_backtracking_engines_is_answered():
    checks = [check("regex", "(a+)+$")]
    assert rubric_score("a" * 100_000 + "!", checks) == 0.0
    assert rubric_score("a" * 100_000, checks) == 1.0


def test_a_lone_surrogate_in_the_output_is_one_more_character():
    assert rubric_score("x\ud800", [check("regex", "^x.$")]) == 1.0


def test_a_nul_in_the_output_does_not_end_it():
    assert rubric_score("a\0b", [check("regex", "b")]) == 1.0


def test_refusing_comes_before_scoring():
    # The first check alone would decide; the rubric is wrong all the same.
    with pytest.raises(ValueError, match="check 2"):
        rubric_score("a", [check("contains", "a"), check("regex", "(")])


def test_the_total_weight_is_given_exactly():
    assert check_rubric([check("contains", "a", 0.1), check("regex", "b", 0.2)]) == Decimal("0.3")
