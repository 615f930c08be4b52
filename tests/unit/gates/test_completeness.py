"""Every golden case is answered and scored, or the run fails."""

import json
from dataclasses import replace

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
        ("unscored", 0, 0, "pass"),  # the other gates are asked both ways about it
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


@pytest.mark.parametrize(
    ("standing", "said"),
    [
        ("missing", "1 of 2 cases has no prediction (allowed 0)"),
        ("agent_error", "the agent reported an error in 1 of 2 cases (allowed 0)"),
        ("unscorable", "there is no score in 1 of 2 cases (allowed 0)"),
    ],
)
def test_it_says_what_there_is_and_not_what_there_is_not(make, standing, said):
    rows = (make.row("a", None, standing=standing), make.row("b"))
    assert judge(CompletenessOptions(), make.evidence(*rows)).because == said


def test_with_repeats_it_counts_runs_and_cases(make):
    runs = (make.run(1.0), make.run(None, repeat=1))
    rows = [make.row(name, 0.5, repeats=runs, passed=False, standing="missing") for name in "ab"]
    evidence = replace(make.evidence(*rows), suite=make.suite(*rows, repeats=2))
    verdict = judge(CompletenessOptions(), evidence)
    assert verdict.because == "2 of 4 expected runs did not come, in 2 of 2 cases (allowed 0)"


def test_gaps_in_the_predictions_leave_it_undecided_and_a_failure_fails(make):
    gaps = ("the log has no end", "a member is unreadable")
    verdict = judge(CompletenessOptions(), make.evidence(make.row("a"), gaps=gaps))
    assert verdict.outcome == "undecided"
    assert "all that was run: the log has no end (and 1 other reason)" in verdict.because
    rows = (make.row("a"), make.row("b", None))
    assert judge(CompletenessOptions(), make.evidence(*rows, gaps=gaps)).outcome == "fail"
    verdict = judge(CompletenessOptions(), make.evidence(rows[0], gaps=gaps, pinned=False))
    assert "the log has no end" in verdict.because


def test_a_new_case_that_is_scored_proves_nothing_of_the_others(make):
    rows = (make.row("a", None, standing="agent_error"), make.row("n"))
    given = CompletenessOptions(max_errors=9)
    assert judge(given, make.evidence(*rows)).outcome == "pass"
    evidence = make.evidence(*rows, origin=make.origin("n"))
    assert judge(given, evidence).outcome == "undecided"
    assert judge(given, make.evidence(rows[1], origin=make.origin("n"))).outcome == "pass"
