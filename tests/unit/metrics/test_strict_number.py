from decimal import Decimal
from fractions import Fraction

import pytest

from gate.metrics.numbers import MAX_DIGITS
from gate.metrics.quantity import MAX_EXPONENT
from gate.metrics.strict_number import MAX_RUNS, strict_number, strictly_within


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("144", "144"),
        ("1,234", "1234"),
        ("12,345,678.90", "12345678.9"),
        ("1\u00a0234\u202f567", None),
        ("1\u00a0234\u00a0567", "1234567"),
        ("\u22125", "-5"),
        ("\u20135", "-5"),
        ("+5", "5"),
        ("-$5", "-5"),
        ("$-5", "-5"),
        ("$29.00", "29"),
        ("US$80,000", "80000"),
        ("EUR 5", "5"),
        ("5%", "5"),
        ("5 percent", "5"),
        ("1e3", "1000"),
        ("1.5e-3", "0.0015"),
        ("2e\u22122", "0.02"),
        ("1.5 \u00d7 10^3", "1500"),
        (".5", "0.5"),
        ("-.5", "-0.5"),
        ("5.", "5"),
        ("1/2", "0.5"),
        ("1 1/2", "1.5"),
        ("-1/4", "-0.25"),
        ("5 million", "5000000"),
        ("5km", "5"),
        ("5 \u00b0C", "5"),
        ("**16.00**", "16"),
        ("(42).", "42"),
        ("(5)", "5"),
        ("0", "0"),
        ("-0.0", "0"),
    ],
)
def test_a_number_is_read_as_people_write_it(text, number):
    expected = None if number is None else Fraction(Decimal(number))
    assert strict_number(text) == expected
    assert strict_number(text, numbers="whole") == expected


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("4 eggs. The answer is 16.00", "16"),
        ("GPT-4 says 17", "17"),
        ("1,000,000, 500,000", "500000"),
        ("it is 5 (as of 2024-05-20)", "5"),
        ("5, at 10:30", "5"),
        ("5, in 1994\u201395", "5"),
        ("5 with v1.2.3.4", "5"),
        ("5 for the 1st", "5"),
        ("5 by B12", "5"),
        ("x\u00b2 is 9", "9"),
        ("9, or \u0663", "9"),
        ("the bullet:\n- 5", "5"),
        ("it is \u20135", "-5"),
        ("x=-3", "-3"),
        ("3-year", "3"),
        ("[1, 2]", "2"),
        ("\\boxed{42}", "42"),
        ("-(5)", "-5"),
        ("f(5)", "5"),
        ("5 - 3", "3"),
        ("2024 500", "500"),
        ("[ERROR] the server said 503", "503"),
    ],
)
def test_the_last_number_of_a_text_is_read(text, number):
    assert strict_number(text) == Fraction(Decimal(number))


@pytest.mark.parametrize(
    "text",
    [
        *("", "none", "True", "nan", "inf", "-", ".", "\u0663", "\u00bd", "5\u00b2", "5_000"),
        *(
            "2024-05-20",
            "10:30",
            "1994\u201395",
            "1.2.3.4",
            "GPT-4",
            "B12",
            "1st",
            "a-5",
            "10\u22125",
        ),
    ],
)
def test_what_is_no_number_is_passed_over(text):
    assert strict_number(text) is None
    assert strict_number(f"7, {text}") == 7


@pytest.mark.parametrize(
    "text",
    [
        *("1,23", "1.234,56", "1,234,56", "12.34.56", "1 234", "1 234 567", "007", "5M", "10k"),
        *("5bn", "1/0", "--5", "-(-5)", "1e3.5", "1,2,3", "1e999999999"),
    ],
)
def test_a_last_number_that_may_be_two_things_is_none(text):
    assert strict_number(f"7, {text}") is None


@pytest.mark.parametrize(
    "text", ["about 42", "42 or so", "4 eggs", "x=5", "5 and 6", "[5]: see", "5/month", "a 5"]
)
def test_a_whole_answer_holds_nothing_else(text):
    assert strict_number(text, numbers="whole") is None
    assert strict_number(text) is not None


def test_what_a_percent_sign_does_is_somebodys_word():
    assert strict_number("5%") == 5
    assert strict_number("5%", percent="hundredths") == Fraction(1, 20)
    assert strict_number("12 percent", percent="hundredths") == Fraction(3, 25)
    assert strict_number("0.05", percent="hundredths") == Fraction(1, 20)


def test_what_parentheses_do_is_somebodys_word():
    for text in ("(5)", "($5)", "( 5 )", "(5.00)."):
        assert strict_number(text) == 5
        assert strict_number(text, parentheses="negative") == -5
    assert strict_number("(12%)", percent="hundredths", parentheses="negative") == Fraction(-3, 25)
    assert strict_number("(5", parentheses="negative") == 5
    assert strict_number("(5 of 6)", parentheses="negative") == 6


def test_the_digits_and_the_exponent_of_a_number_are_bounded():
    assert strict_number("9" * MAX_DIGITS) == int("9" * MAX_DIGITS)
    assert strict_number("9" * (MAX_DIGITS + 1)) is None
    assert strict_number(f"1e{MAX_EXPONENT}") == 10**MAX_EXPONENT
    assert strict_number(f"1e{MAX_EXPONENT + 1}") is None


def test_a_number_is_looked_for_among_the_last_things_that_begin_with_a_digit():
    assert strict_number("5 " + "b1 " * (MAX_RUNS - 1)) == 5
    assert strict_number("5 " + "b1 " * MAX_RUNS) is None


def test_the_limit_is_inclusive_and_exact():
    assert strictly_within("0.95", "1", "0.05") == 1.0
    assert strictly_within("0.9499999999999999999999", "1", "0.05") == 0.0
    assert strictly_within("1/3", "0.333", 0.001) == 1.0
    assert strictly_within("none", "none", 1000) == 0.0


@pytest.mark.parametrize("tol", [-1, "x", True, float("nan"), float("inf")])
def test_a_tolerance_that_is_none_raises(tol):
    with pytest.raises(ValueError, match=r"number|negative"):
        strictly_within("1", "1", tol)


def test_a_bool_is_never_a_number():
    assert strictly_within(True, "1", 0) == 0.0  # noqa: FBT003 - that is what it is about
    assert strict_number("true") is None
