"""Equal after normalisation, and nothing else."""

import pytest

from gate.records.scoring import ExactMatchOptions
from gate.scorers.exact_match import bind, objection


@pytest.mark.parametrize(
    ("output", "reference", "score"),
    [
        (" PARIS\n", "Paris", 1.0),
        ("New   York", "new york", 1.0),
        ("Paris.", "Paris", 0.0),
        ("144.0", "144", 0.0),
        ("", "Paris", 0.0),
    ],
)
def test_only_case_and_white_space_are_forgiven(output, reference, score):
    assert bind(ExactMatchOptions())(output, reference) == score


def test_any_reference_can_be_matched():
    assert objection(ExactMatchOptions(), "x") is None
    assert objection(ExactMatchOptions(), "") is None
