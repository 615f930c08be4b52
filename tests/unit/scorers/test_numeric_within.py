"""The first numbers of both differ by at most the tolerance, exactly."""

import pytest
from pydantic import ValidationError

from gate.records.scoring import NumericWithinOptions
from gate.scorers.numeric_within import bind, objection
from gate.scorers.table import identity


@pytest.mark.parametrize(
    ("output", "tolerance", "score"),
    [
        ("144", "0", 1.0),
        (" 144.0 ", "0", 1.0),
        ("it is 145", "1", 1.0),
        ("144.1", "0.1", 1.0),
        ("144.11", "0.1", 0.0),
        ("a gross", "1000", 0.0),
    ],
)
def test_numbers_are_not_strings_and_the_tolerance_is_inclusive(output, tolerance, score):
    assert bind(NumericWithinOptions(tolerance=tolerance))(output, "144") == score


@pytest.mark.parametrize("tolerance", [None, -1, "nan", "inf", "x"])
def test_a_tolerance_is_required_and_no_negative_number(tolerance):
    given = {} if tolerance is None else {"tolerance": tolerance}
    with pytest.raises(ValidationError):
        NumericWithinOptions(**given)


def test_a_reference_without_a_number_is_objected_to():
    options = NumericWithinOptions(tolerance=1)
    assert "without a number" in objection(options, "many")
    assert objection(options, "about 3") is None


@pytest.mark.parametrize(
    ("numbers", "output", "score"),
    [
        ("first", "144 eggs, or 12", 1.0),
        ("last", "144 eggs, or 12", 0.0),
        ("last", "12 eggs, or $144.00", 1.0),
        ("whole", "12 eggs, or $144.00", 0.0),
        ("whole", "$144.00.", 1.0),
    ],
)
def test_which_number_counts_is_an_option(numbers, output, score):
    options = NumericWithinOptions(tolerance=0, numbers=numbers)
    assert bind(options)(output, "144") == score


def test_percent_and_parentheses_are_read_as_the_options_say():
    options = NumericWithinOptions(
        tolerance="0.01", numbers="last", percent="hundredths", parentheses="negative"
    )
    assert bind(options)("101.4%", "1.015") == 1.0
    assert bind(options)("($5)", "-5") == 1.0


@pytest.mark.parametrize("rule", [{"percent": "hundredths"}, {"parentheses": "negative"}])
def test_rules_of_the_strict_reading_need_it(rule):
    with pytest.raises(ValidationError, match="need numbers"):
        NumericWithinOptions(tolerance=0, **rule)


def test_the_strict_reading_objects_to_a_reference_that_it_cannot_read():
    whole = NumericWithinOptions(tolerance=0, numbers="whole")
    assert "not wholly a number" in objection(whole, "about 3")
    assert objection(whole, "$3.00") is None
    last = NumericWithinOptions(tolerance=0, numbers="last")
    assert "holds no number" in objection(last, "1,23")
    assert objection(last, "about 3") is None


def test_what_is_as_usual_is_no_parameter_so_that_a_baseline_stays_comparable():
    assert identity(NumericWithinOptions(tolerance=0)).params == '{"tolerance":0}'
    given = NumericWithinOptions(tolerance=0, numbers="last", percent="hundredths")
    assert identity(given).params == '{"numbers":"last","percent":"hundredths","tolerance":0}'
    assert NumericWithinOptions(**given.model_dump()) == given
