"""The metric may not lie below the floor; equal is not below."""

import pytest

from gate.gates.floor import judge
from gate.records.gating import FloorOptions
from gate.records.rule_change import Origin, RulesFrom


@pytest.mark.parametrize(("least", "outcome"), [("0.75", "pass"), ("0.7500001", "fail")])
def test_the_floor_is_inclusive(make, least, outcome):
    rows = [make.row(name, float(name != "a")) for name in "abcd"]
    assert judge(FloorOptions(min=least), make.evidence(*rows)).outcome == outcome


def test_tenths_are_compared_exactly(make):
    rows = [make.row("a", 0.3), make.row("b", 0.0), make.row("c", 0.0)]
    given = FloorOptions(min="0.1", metric="mean_score")
    assert judge(given, make.evidence(*rows)).outcome == "pass"


def test_it_holds_without_each_kind_of_new_cases_alone(make):
    """The base's own new cases fail, and those that a pull request brings make up for them."""
    known = [make.row(f"k{at}", accepted=make.accepted(1.0)) for at in range(6)]
    landed = [make.row(f"l{at}", 0.0) for at in range(4)]
    brought = [make.row(f"b{at}") for at in range(20)]
    given = FloorOptions(min="0.8")
    rows = (*known, *landed, *brought)
    alignment = make.alignment(*known)._replace(added=tuple(row.id for row in (*landed, *brought)))
    rules = RulesFrom(source="base", commit="1" * 40, added=tuple(row.id for row in brought))
    bound = make.evidence(*rows, alignment=alignment, origin=Origin(rules))
    verdict = judge(given, bound)
    assert verdict.outcome == "fail"
    assert "0.600 without the 20 new cases is below" in verdict.because
    assert judge(given, make.evidence(*known, *brought, alignment=alignment)).outcome == "pass"


def test_a_missing_case_counts_zero(make):
    rows = [make.row("a"), make.row("b", None)]
    verdict = judge(FloorOptions(min="0.6", metric="mean_score"), make.evidence(*rows))
    assert verdict.outcome == "fail"
    assert "mean score 0.500 is below the floor 0.600" in verdict.because
