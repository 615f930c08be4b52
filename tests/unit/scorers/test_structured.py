"""A bracketed JSON list, element by element."""

import pytest

from gate.records.scoring import StructuredOptions
from gate.scorers.structured import bind, objection


@pytest.mark.parametrize(
    ("output", "reference", "score"),
    [
        ("so: [110]", "[100]", 1.0),
        ("[150]", "[100]", 0.5),
        ('["Paris", 100]', '["paris", 100]', 1.0),
        ("[100]", "[100, 100]", 0.5),
        ("nothing", "[100]", 0.0),
    ],
)
def test_elements_earn_credit_one_by_one(output, reference, score):
    assert bind(StructuredOptions())(output, reference) == score


@pytest.mark.parametrize(("ratio", "score"), [("0.2", 1.0), ("0.1", 0.8)])
def test_the_tolerance_is_the_options(ratio, score):
    assert bind(StructuredOptions(tolerance_ratio=ratio))("[120]", "[100]") == score


def test_a_golden_list_is_not_objected_to():
    assert objection(StructuredOptions(), "[100]") is None
