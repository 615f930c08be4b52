"""The metric may not lie below the floor; equal is not below."""

import pytest

from gate.gates.floor import judge
from gate.records.gating import FloorOptions
from gate.records.rule_change import RulesFrom


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


def test_it_holds_without_the_cases_that_only_a_pull_request_has(make):
    rows = [make.row("a"), make.row("b", 0.0), *(make.row(f"n{at}") for at in range(8))]
    new = [row.id for row in rows[2:]]
    known = make.evidence(*rows, compared=False, origin=make.origin(*new))
    verdict = judge(FloorOptions(min="0.9"), known)
    assert verdict.outcome == "fail"
    assert "pass rate 0.500 without the 8 new cases is below" in verdict.because


def test_where_the_rules_are_the_changes_own_nothing_is_new(make):
    rows = [make.row("a", 0.0), *(make.row(f"n{at}") for at in range(9))]
    new = [row.id for row in rows[1:]]
    own = make.origin(*new)
    head = own._replace(rules_from=RulesFrom(source="head", added=own.rules_from.added))
    evidence = make.evidence(*rows, compared=False, origin=head)
    assert judge(FloorOptions(min="0.9"), evidence).outcome == "pass"


def test_cases_that_the_baseline_lacks_are_not_left_out_with_those_of_the_change(make):
    """The base has `later`, which fails; without the change nothing would lift it."""
    rows = [make.row("a", was=1.0), make.row("later", 0.0), *(make.row(f"n{at}") for at in "abcd")]
    new = tuple(row.id for row in rows[2:])
    beside = make.alignment(rows[0], added=("later", *new))
    evidence = make.evidence(*rows, alignment=beside, origin=make.origin(*new))
    assert [len(view) for view in evidence.views] == [6, 2, 1]
    verdict = judge(FloorOptions(min="0.6"), evidence)
    assert verdict.outcome == "fail"
    assert "0.500 without the 4 new cases" in verdict.because


def test_where_all_cases_are_new_they_are_all_there_is(make):
    rows = [make.row("a"), make.row("b")]
    evidence = make.evidence(*rows, compared=False, origin=make.origin("a", "b"))
    assert judge(FloorOptions(min="1"), evidence).outcome == "pass"
