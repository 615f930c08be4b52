"""Shared tokens over all tokens: the stand-in for a judge."""

import pytest

from gate.records.scoring import JaccardOptions
from gate.scorers.jaccard import bind, objection


@pytest.mark.parametrize(
    ("output", "reference", "score"),
    [("a b", "B C", 1 / 3), ("a a b", "b a", 1.0), ("", "", 1.0), ("", "x", 0.0)],
)
def test_order_and_repetition_do_not_count(output, reference, score):
    assert bind(JaccardOptions())(output, reference) == score


def test_any_reference_can_be_compared():
    assert objection(JaccardOptions(), "x") is None
