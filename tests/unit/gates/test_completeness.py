"""Every golden case is answered and scored, or the run fails."""

import json

import pytest

from gate.gates.completeness import judge
from gate.records.gating import CompletenessOptions


@pytest.mark.parametrize(
    ("standing", "missing", "errors", "outcome"),
    [
        ("scored", 0, 0, "pass"),
        ("missing", 0, 9, "fail"),
        ("missing", 1, 0, "pass"),
        ("agent_error", 9, 0, "fail"),
        ("agent_error", 0, 1, "pass"),
        ("unscorable", 0, 0, "fail"),
        ("unscored", 0, 0, "fail"),
    ],
)
def test_it_counts_each_standing_under_its_own_limit(make, standing, missing, errors, outcome):
    score = 1.0 if standing == "scored" else None
    rows = (make.row("a", score, standing=standing), make.row("b"))
    given = CompletenessOptions(max_missing=missing, max_errors=errors)
    assert judge(given, make.evidence(*rows)).outcome == outcome


def test_a_case_with_one_missing_run_counts(make):
    runs = (make.run(1.0), make.run(None, repeat=1))
    row = make.row("a", 0.5, repeats=runs, passed=False, standing="missing")
    verdict = judge(CompletenessOptions(), make.evidence(row))
    assert (verdict.outcome, verdict.case_ids) == ("fail", ("a",))


def test_a_case_with_a_missing_and_a_crashed_run_counts_in_both(make):
    runs = (make.run(None), make.run(None, repeat=1, standing="agent_error"))
    row = make.row("a", None, repeats=runs, standing="missing")
    numbers = json.loads(judge(CompletenessOptions(), make.evidence(row)).numbers)
    assert (numbers["n_missing"], numbers["n_errors"]) == (1, 1)


def test_an_unpinned_suite_is_undecided(make):
    evidence = make.evidence(make.row("a"), pinned=False)
    assert judge(CompletenessOptions(), evidence).outcome == "undecided"
