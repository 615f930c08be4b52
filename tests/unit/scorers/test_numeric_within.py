"""The first numbers of both differ by at most the tolerance, exactly."""

import pytest
from pydantic import ValidationError

from gate.records.scoring import NumericWithinOptions
from gate.scorers.numeric_within import bind, objection


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
