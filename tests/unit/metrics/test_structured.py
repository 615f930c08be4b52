import json
from decimal import Decimal

import pytest

from gate.metrics.structured import score_structured_answer as score


def listed(*elements):
    return json.dumps(elements, ensure_ascii=False)


def element(actual, expected):
    """Score one element, spelled so that no shortcut applies."""
    return score(f"Answer: {listed(actual)}", listed(expected))


def test_texts_equal_after_stripping_score_one():
    assert score('  ["Paris"]\n', '["Paris"]') == 1.0
    assert score("not a list [", "not a list [") == 1.0


def test_equal_json_scores_one():
    assert score('[ 1.0,{"b":2, "a":null} ]', '[1, {"a": null, "b": 2.00}]') == 1.0


def test_an_empty_answer_scores_zero():
    assert score("", '["Paris"]') == 0.0
    assert score(" \n", '[""]') == 0.0
    assert score("", "[]") == 0.0


def test_an_answer_without_a_list_scores_zero():
    assert score("Paris and Lima", '["Paris", "Lima"]') == 0.0
    assert score("nothing", "[]") == 0.0


def test_one_golden_element_may_be_answered_without_a_list():
    assert score("paris", '["Paris"]') == 1.0
    assert score("12 km.", "[12]") == 1.0
    assert score("```\nParis\n```", '["Paris"]') == 1.0
    assert score("```Paris```", '["Paris"]') == 1.0
    assert score("The answer is 12", "[12]") == 0.0


def test_missing_elements_score_zero():
    assert score('x ["Paris"]', '["Paris", "Lima", 3, 4]') == 0.25
    assert score("x []", '["Paris"]') == 0.0


def test_surplus_elements_earn_nothing_and_cost_nothing():
    assert score('["Paris", "Lima"] ', '["Paris"]') == 1.0


def test_a_list_of_guesses_is_as_good_as_its_first_ones():
    guesses = listed(*range(1000))
    assert score(guesses, "[500]") == 0.0
    assert score(guesses, "[500, 501]") == pytest.approx(1 / 1002)


def test_many_lists_are_one_chance():
    assert score(" ".join(f"[{guess}]" for guess in range(1000)), "[100]") == 0.0


def test_the_score_is_the_mean_over_golden_elements():
    assert score('x ["Paris", 150, "no"]', '["paris", 100, "Lima"]') == 0.5


@pytest.mark.parametrize("actual", [110, 90, 100.0, "110", "110 km", "+100", "1.1e2", "~110"])
def test_numbers_within_the_tolerance_score_one(actual):
    assert element(actual, 100) == 1.0
    assert element(actual, "100") == 1.0


def test_the_tolerance_is_exact_where_binary_floats_are_not():
    # 0.33 is 0.3 and a tenth of it; in binary floats the error comes out above 0.1.
    assert (0.33 - 0.3) / 0.3 > 0.1
    assert element(0.33, 0.3) == 1.0
    assert score("x [110.00000000000000000000000000001]", "[100]") < 0.9001
    assert score("x [10000000000000000000000000000000000000.1]", "[1e37]") == 1.0


@pytest.mark.parametrize(
    ("actual", "expected", "credit"),
    [(150, 100, 0.5), (50, 100, 0.5), (200, 100, 0.0), (1000, 100, 0.0), (-100, 100, 0.0),
     (-150, -100, 0.5), (0, 100, 0.0), (0.12, 0.1, 0.8)],
)  # fmt: skip
def test_beyond_the_tolerance_one_minus_the_relative_error_is_left(actual, expected, credit):
    assert element(actual, expected) == credit


def test_an_expected_zero_credits_only_a_zero():
    assert element("0.000", 0) == 1.0
    assert element(-0.0, 0) == 1.0
    assert element(1e-300, 0) == 0.0


def test_the_tolerance_can_be_set_as_a_decimal_a_float_or_a_text():
    for tolerance in (Decimal("0.2"), 0.2, "0.2"):
        assert score("x [120]", "[100]", tolerance_ratio=tolerance) == 1.0
    assert score("x [105]", "[100]", tolerance_ratio=0) == 0.95


@pytest.mark.parametrize("tolerance", [-0.1, 1.1, float("nan"), float("inf"), True, "x"])
def test_a_tolerance_that_is_none_raises(tolerance):
    with pytest.raises(ValueError, match=r"toleran|number"):
        score("[1]", "[1]", tolerance_ratio=tolerance)


def test_what_is_not_a_string_raises():
    with pytest.raises(TypeError, match="not list"):
        score(["Paris"], '["Paris"]')
    with pytest.raises(TypeError, match="not NoneType"):
        score('["Paris"]', None)


def test_less_than_full_credit_never_rounds_up_to_one():
    answer = "x [1.00000000000000000000000000001]"
    assert 0.9999 < score(answer, "[1]", tolerance_ratio=0) < 1.0


@pytest.mark.parametrize(
    ("actual", "expected", "credit"),
    [
        (True, True, 1.0),
        ("true", True, 1.0),
        ("False", False, 1.0),
        (True, "True", 1.0),
        (True, 1, 0.0),
        (1, True, 0.0),
        (False, 0, 0.0),
        (0, False, 0.0),
        ("yes", True, 0.0),
        (True, "yes", 0.0),
        ("true", False, 0.0),
    ],
)
def test_a_boolean_is_itself_or_its_word_and_never_a_number(actual, expected, credit):
    assert element(actual, expected) == credit


@pytest.mark.parametrize(
    ("actual", "expected", "credit"),
    [(None, None, 1.0), (None, "", 0.0), ("", None, 0.0), (None, 0, 0.0), (None, "null", 0.0),
     ("null", None, 0.0), ("", "", 1.0), (None, [], 0.0)],
)  # fmt: skip
def test_null_matches_only_null(actual, expected, credit):
    assert element(actual, expected) == credit


@pytest.mark.parametrize(
    ("actual", "expected", "credit"),
    [
        ([1, 2], [1, 2], 1.0),
        ([1], [1, 2], 0.5),
        ([2, 1], ["a", "b"], 0.0),
        ([], [], 1.0),
        ([1], [], 0.0),
        (1, [1], 0.0),
        ([1], 1, 0.0),
        ([[["x"], 1]], [[["x"], 2]], 0.75),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, 1.0),
        ({"a": 1, "c": 2}, {"a": 1, "b": 2}, 0.5),
        ({}, {"a": None}, 0.0),
        ({}, {}, 1.0),
        ({"a": 1}, {}, 0.0),
        ([1], {"0": 1}, 0.0),
        ([314, 577], "314, 577", 1.0),
    ],
)
def test_lists_and_objects_score_by_the_same_rule_within(actual, expected, credit):
    assert element(actual, expected) == credit


@pytest.mark.parametrize(
    ("actual", "expected", "credit"),
    [
        ("  PARIS ", "Paris", 1.0),
        ("St Louis", "St. Louis", 1.0),
        ("Rio Janeiro", "Rio de Janeiro", 0.8),
        ("Oslo", "Lima", 0.0),
        ("2018-01-26", "2018-01-26", 1.0),
        ("NaN", "nan", 1.0),
        ("5", "nan", 0.0),
        ("inf", "1e400", 0.0),
        (42, "Route 42", 2 / 3),
        ("北京", "北京", 1.0),
        ("上海", "北京", 0.0),
        ("上海 Beijing", "北京 Beijing", 1 / 3),
    ],
)
def test_texts_are_equal_or_overlap(actual, expected, credit):
    assert element(actual, expected) == pytest.approx(credit)


def test_a_text_earns_nothing_where_a_number_is_expected():
    assert element("in 2010", 2010) == 0.0
    assert element("100 200 300", 100) == 0.0


def test_units_must_agree_where_both_sides_name_one():
    assert element("12 km", 12) == 1.0
    assert element(12, "12 km") == 1.0
    assert element("12 kilometres", "12 km") == 1.0
    assert element("12 m", "12 km") == 0.5


@pytest.mark.parametrize(
    ("actual", "expected", "credit"),
    [
        ("69.75%", "69.75", 1.0),
        ("69.75", "69.75%", 1.0),
        (0.6975, "69.75%", 1.0),
        ("20%", 20, 1.0),
        ("60 %", "60", 1.0),
        ("101.4 %", 1.015, 1.0),
        ("$29.00", 29, 1.0),
        ("$80,000", 80000, 1.0),
        ("(42).", 42, 1.0),
        ("42!", 42, 1.0),
        ("25", 5, 0.0),
        ("5", -5, 0.0),
        ("33.14", 3.14, 0.0),
        ("15", 150, 0.1),
        (True, 1.0, 0.0),
        (3.63, 3.6349, 1.0),
        ("٣", 3, 0.0),
        ("²", 2, 0.0),
        ("−5", -5, 1.0),
        ("–5", -5, 1.0),
        ("1994–95", "1994–95", 1.0),
    ],
)
def test_numbers_that_other_scorers_misread(actual, expected, credit):
    assert element(actual, expected) == pytest.approx(credit, abs=1e-12)


def test_a_list_with_thousands_separators_is_not_shredded():
    assert score("[1,000,000, 500,000]", "[1000000, 500000]") == 1.0
    assert score('["1,000,000", "500,000"]', "[1000000, 500000]") == 1.0


def test_a_doubly_bracketed_number_is_not_the_number():
    assert score("[[90]]", "[90]") == 0.0


def test_huge_exponents_score_zero_without_being_spelled_out():
    assert score("[1e999999999]", "[100]") == 0.0
    assert score("[1e-999999999]", "[0]") == 0.0
    assert score('["1e999999999999999999999"]', "[100]") == 0.0
    assert score("x [1e999999999]", "[1e999999999]") == 1.0
    assert score('["1e999999999 or so"]', "[1e999999999]") == 0.0


@pytest.mark.parametrize(
    "odd",
    ["[", "]", "", '"Non-Normal"', '"', "'", "{", "nan", "```", "[1, 2", "a\nb", "\\", "1,2",
     "{'month_1': 7.17, 'month_2': 6.53}", "\u2028", "0.0000", "9.03,9.0", "(HA2)121,326"],
)  # fmt: skip
def test_an_odd_golden_text_equals_itself_when_reformatted(odd):
    golden = listed(odd, 1)
    assert score(f"```json\n{golden}\n```", golden) == 1.0
    assert score(f"Here you are: {golden} as asked.", golden) == 1.0


@pytest.mark.parametrize(
    ("output", "golden"),
    [
        ("paris", "Paris"),
        ('["Paris"]', "Paris"),
        ('"Paris"', "Paris"),
        ("[42]", "42"),
        ("42.0", "42"),
        ('{"b": [2], "a": 1}', '{"a": 1, "b": [2]}'),
        ("x [Paris, 42]", "[Paris, 42]"),
    ],
)
def test_a_golden_that_is_no_list_is_one_element(output, golden):
    assert score(output, golden) == 1.0


def test_a_text_too_long_to_align_scores_zero():
    assert score(listed("a b " * 60_000), listed("a b c")) == 0.0


def test_a_long_list_of_partial_credits_has_an_exact_mean():
    golden = listed(*(7919 + i for i in range(2000)))
    assert score(listed(*(2 * (7919 + i) for i in range(2000))), golden) == 0.0
    halves = listed(*((7919 + i) * 1.5 for i in range(2000)))
    assert score(halves, golden) == 0.5
