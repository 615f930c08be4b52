from fractions import Fraction

import pytest

from gate.metrics.quantity import (
    MAX_EXPONENT,
    MAX_LENGTH,
    Quantity,
    quantity_credit,
    read_quantity,
    relative_credit,
)
from gate.metrics.units import read_unit

TENTH = Fraction(1, 10)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("42", "42", ""),
        (" 42. ", "42", ""),
        ("42!", "42", ""),
        ("(42).", "42", ""),
        ("+5", "5", ""),
        (".5", "0.5", ""),
        ("0.0000", "0", ""),
        ("-0.04", "-0.04", ""),
        ("−5", "-5", ""),
        ("–5", "-5", ""),
        ("–.5", "-0.5", ""),
        ("1,234", "1234", ""),
        ("1,234,567.89", "1234567.89", ""),
        ("1\u202f234", "1234", ""),
        ("1\u00a0234\u00a0567", "1234567", ""),
        ("1e3", "1000", ""),
        ("1E−3", "0.001", ""),
        ("1.5 × 10^3", "1500", ""),
        ("1.5*10**3", "1500", ""),
        ("69.75%", "69.75", "%"),
        ("69.75 percent", "69.75", "%"),
        ("$80,000", "80000", "usd"),
        ("-$5", "-5", "usd"),
        ("$-5", "-5", "usd"),
        ("USD 5", "5", "usd"),
        ("$5 USD", "5", "usd"),
        ("€1.2 million", "1200000", "eur"),
        ("5 million", "5000000", ""),
        ("12 km", "12", "km"),
        ("12\u00a0km²", "12", "km2"),
        ("12km", "12", "km"),
        ("8,849 m.", "8849", "m"),
        ("-89.2 °C", "-89.2", "°c"),
        ("48.86°", "48.86", "°"),
        ("48.86° N", "48.86", "°"),
        ("33.87°S", "-33.87", "°"),
        ("70.67 degrees West", "-70.67", "°"),
        ("about 6,400 km", "6400", "km"),
        ("~100", "100", ""),
        ("≈ 100", "100", ""),
    ],
)
def test_a_whole_quantity_is_read_exactly(text, value, unit):
    assert read_quantity(text) == Quantity(Fraction(value), unit)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        ".5x",
        ".5.5",
        "$.",
        "5 .km",
        "-",
        ".",
        "–",
        "– 5",
        "2018-01-26",
        "2018-01",
        "10:30",
        "1994–95",
        "0-1",
        "1/2",
        "1, 2018, 88.32",
        "9.03,9.0",
        "1,23",
        "12,34,567",
        "0,123",
        "1.234,56",
        "314, 577",
        "007",
        "00501",
        "--5",
        "-$-5",
        "1e",
        "1e3.5",
        "nan",
        "inf",
        "-Infinity",
        "0x10",
        "1_000",
        "true",
        "GPT-4",
        "12 Angry Men",
        "3 Kings",
        "5M",
        "5k",
        "5 mıllion",
        "$5 km",
        "-33.87° S",
        "33.87° S km",
        "٣",
        "１２",
        "²",
        "৩",
        "five",
        "1e999999999",
        "1e-999999999",
        f"1e{MAX_EXPONENT + 1}",
        "1" * (MAX_LENGTH + 1),
    ],
)
def test_a_text_that_is_not_wholly_a_quantity_is_no_number(text):
    assert read_quantity(text) is None


def test_a_number_at_both_limits_is_read():
    assert read_quantity(f"1e{MAX_EXPONENT}").value == 10**MAX_EXPONENT
    assert read_quantity("1" * MAX_LENGTH).value == int("1" * MAX_LENGTH)


def test_the_limit_of_the_tolerance_belongs_to_the_inside():
    assert relative_credit(Fraction(110), Fraction(100), tolerance=TENTH) == 1
    assert relative_credit(Fraction(90), Fraction(100), tolerance=TENTH) == 1
    just_outside = Fraction(110) + Fraction(1, 10**30)
    assert relative_credit(just_outside, Fraction(100), tolerance=TENTH) < Fraction(9, 10)


def test_credit_beyond_the_tolerance_is_what_the_error_leaves():
    assert relative_credit(Fraction(125), Fraction(100), tolerance=TENTH) == Fraction(3, 4)
    assert relative_credit(Fraction(1000), Fraction(100), tolerance=TENTH) == 0
    assert relative_credit(Fraction(-100), Fraction(100), tolerance=TENTH) == 0
    assert relative_credit(Fraction(0), Fraction(100), tolerance=TENTH) == 0


def test_an_expected_zero_credits_only_a_zero():
    assert relative_credit(Fraction(0), Fraction(0), tolerance=TENTH) == 1
    assert relative_credit(Fraction(1, 10**9), Fraction(0), tolerance=Fraction(1)) == 0


def test_two_percentages_have_one_reading():
    half, fifty = Quantity(Fraction(1, 2), "%"), Quantity(Fraction(50), "%")
    assert quantity_credit(half, fifty, tolerance=TENTH) == Fraction(1, 100)


def test_a_percentage_against_a_bare_number_has_two_readings_on_either_side():
    percent = Quantity(Fraction("69.75"), "%")
    for bare in ("69.75", "0.6975"):
        number = Quantity(Fraction(bare), "")
        assert quantity_credit(percent, number, tolerance=Fraction(0)) == 1
        assert quantity_credit(number, percent, tolerance=Fraction(0)) == 1
    wrong = Quantity(Fraction(-1), "")
    assert quantity_credit(percent, wrong, tolerance=TENTH) == 0


def test_different_units_are_not_compared_as_numbers():
    length, area = Quantity(Fraction(5), "km"), Quantity(Fraction(5), "km2")
    assert quantity_credit(length, area, tolerance=TENTH) is None
    assert quantity_credit(length, Quantity(Fraction(5), ""), tolerance=TENTH) == 1


def test_one_letter_is_a_unit_only_in_lower_case():
    assert read_unit("m") == "m"
    assert read_unit("M") is None
    assert read_unit("KM") == read_unit("kilometres") == "km"
