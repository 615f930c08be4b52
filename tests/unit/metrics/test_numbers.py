from decimal import Decimal, getcontext, localcontext

import pytest

from gate.metrics.numbers import MAX_DIGITS, first_number, numeric_within


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("144", "144"),
        ("144.0", "144.0"),
        (" 144 ", "144"),
        ("-5", "-5"),
        ("- 5", "5"),
        ("--5", "-5"),
        ("007", "7"),
        ("5.", "5"),
        ("1.2.3", "1.2"),
        ("the first is 4, then 16.00", "4"),
    ],
)
def test_the_first_number_is_read_as_written(text, number):
    assert first_number(text) == Decimal(number)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234", "1"),
        ("$80,000", "80"),
        ("$29.00", "29.00"),
        ("-$5", "5"),
        ("\u22125", "5"),
        ("(5)", "5"),
        ("(42).", "42"),
        ("5%", "5"),
        ("101.4 %", "101.4"),
        ("1e3", "1"),
        (".5", "5"),
        ("1/2", "1"),
        ("2024-05-20", "2024"),
        ("GPT-4 says 17", "-4"),
        ("4 eggs. The answer is 16.00", "4"),
        ("1,000,000, 500,000", "1"),
        ("[ERROR] the server said 503", "503"),
        ("x\u00b2 is 9", "9"),
        ("\u0663 or 4", "4"),
    ],
)
def test_what_stands_around_a_number_is_not_read(text, number):
    assert first_number(text) == Decimal(number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "none",
        "-",
        ".",
        "nan",
        "inf",
        "-Infinity",
        "True",
        "\u0663",
        "\u00b2",
        "\u00bd",
        "\uff15",
    ],
)
def test_a_text_without_ascii_digits_has_no_number(text):
    assert first_number(text) is None


def test_non_ascii_numerals_fail_the_case_and_do_not_crash():
    assert numeric_within("\u0663", "3", 0) == 0.0
    assert numeric_within("x\u00b2", "2", 0) == 0.0


def test_true_is_not_one():
    assert numeric_within("True", "1", 0) == 0.0
    assert numeric_within(output=True, reference="1", tol=0) == 0.0


def test_150_is_not_15():
    assert numeric_within("150", "15", 0) == 0.0
    assert numeric_within("150", "15", "134.999") == 0.0


def test_the_percent_sign_is_not_read():
    assert numeric_within("10%", "10", 0) == 1.0
    assert numeric_within("101.4 %", "1.015", "0.01") == 0.0


def test_a_number_in_parentheses_with_a_full_stop_is_read():
    assert numeric_within("The answer is (42).", "42", 0) == 1.0


def test_dollars_and_cents_are_read():
    assert numeric_within("$29.00", "29", 0) == 1.0


def test_a_thousands_separator_ends_the_number():
    assert numeric_within("$80,000", "80000", 0) == 0.0
    assert numeric_within("$80,000", "$80,500", 0) == 1.0


def test_a_rounded_answer_is_within_its_rounding():
    assert numeric_within("3.14", "3.14159", "0.00159") == 1.0
    assert numeric_within("3.14", "3.14159", "0.001589") == 0.0


@pytest.mark.parametrize("output", ["144", "144.0", " 144 ", "It is 144.000 degrees"])
def test_a_number_is_not_a_string(output):
    assert numeric_within(output, "144", 0) == 1.0


@pytest.mark.parametrize(
    ("output", "reference", "tol"),
    [
        ("0.95", "1", 0.05),
        ("1.05", "1", "0.05"),
        ("110", "100", 10),
        ("0.3", "0.1", 0.2),
        ("-1", "1", Decimal(2)),
        ("-0", "0", 0),
    ],
)
def test_the_limit_is_inclusive_and_exact(output, reference, tol):
    assert numeric_within(output, reference, tol) == 1.0
    assert numeric_within(reference, output, tol) == 1.0


def test_just_beyond_the_limit_scores_zero():
    assert numeric_within("1.0500000000000000000000000000000000001", "1", "0.05") == 0.0
    assert numeric_within("1" + "0" * 40 + ".1", "1" + "0" * 40, 0) == 0.0


def test_the_widest_difference_is_exact_whatever_the_callers_precision():
    wide = "1" + "0" * (MAX_DIGITS - 1)
    narrow = "0." + "0" * (MAX_DIGITS - 3) + "1"
    with localcontext() as context:
        context.prec = 3
        assert numeric_within(wide, narrow, "1e30") == 0.0
        assert numeric_within("1000.4", "1000.9", "0.5") == 1.0
        assert numeric_within("1000.4", "1000.9", "0.4999") == 0.0
    assert getcontext().prec == 28


@pytest.mark.parametrize(("output", "reference"), [("no idea", "1"), ("1", "none"), ("", "")])
def test_an_unparseable_side_scores_zero_at_any_tolerance(output, reference):
    assert numeric_within(output, reference, "1e30") == 0.0


@pytest.mark.parametrize(
    "tol",
    [-1, -0.001, "-0.1", float("nan"), float("inf"), "Infinity", "", "x", True, None, "1e99"],
)
def test_a_tolerance_that_is_no_slack_raises(tol):
    with pytest.raises(ValueError, match=r"number|negative"):
        numeric_within("1", "1", tol)


def test_the_tolerance_is_refused_even_if_nothing_parses():
    with pytest.raises(ValueError, match="negative"):
        numeric_within("none", "none", -1)


def test_a_huge_exponent_is_not_read():
    assert first_number("1e999999999") == 1
    assert numeric_within("1e999999999", "1", 0) == 1.0


def test_a_number_beyond_the_limit_of_digits_is_unparseable():
    longest = "9" * MAX_DIGITS
    assert first_number(longest) == Decimal(longest)
    assert first_number(longest + "9") is None
    assert first_number("9" * 1_000_000) is None
    assert first_number("0." + "0" * MAX_DIGITS) is None
    assert numeric_within("9" * 1_000_000, "9" * 1_000_000, 0) == 0.0


def test_a_second_number_does_not_stand_in_for_an_unparseable_first():
    assert first_number("9" * (MAX_DIGITS + 1) + " or 5") is None
