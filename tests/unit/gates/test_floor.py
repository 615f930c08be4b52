"""The metric may not lie below the floor; equal is not below."""

import pytest

from gate.gates.floor import judge
from gate.records.gating import FloorOptions


@pytest.mark.parametrize(("least", "outcome"), [("0.75", "pass"), ("0.7500001", "fail")])
def test_the_floor_is_inclusive(make, least, outcome):
    rows = [make.row(name, float(name != "a")) for name in "abcd"]
    assert judge(FloorOptions(min=least), make.evidence(*rows)).outcome == outcome


def test_tenths_are_compared_exactly(make):
    rows = [make.row("a", 0.3), make.row("b", 0.0), make.row("c", 0.0)]
    given = FloorOptions(min="0.1", metric="mean_score")
    assert judge(given, make.evidence(*rows)).outcome == "pass"


def test_a_missing_case_counts_zero(make):
    rows = [make.row("a"), make.row("b", None)]
    verdict = judge(FloorOptions(min="0.6", metric="mean_score"), make.evidence(*rows))
    assert verdict.outcome == "fail"
    assert "mean score 0.500 is below the floor 0.600" in verdict.because
