"""The normalised reference stands in the normalised output."""

import pytest

from gate.records.scoring import ContainsOptions
from gate.scorers.contains import bind, objection


@pytest.mark.parametrize(
    ("output", "reference", "score"),
    [
        ("The capital of France is PARIS.", "paris", 1.0),
        ("new\n york", "New York", 1.0),
        ("I'm not sure", "Shakespeare", 0.0),
        ("", "x", 0.0),
    ],
)
def test_framing_is_forgiven(output, reference, score):
    assert bind(ContainsOptions())(output, reference) == score


@pytest.mark.parametrize("reference", ["", " ", "\n\t"])
def test_a_reference_that_any_output_contains_is_objected_to(reference):
    assert "which any output contains" in objection(ContainsOptions(), reference)
    assert objection(ContainsOptions(), "x") is None
