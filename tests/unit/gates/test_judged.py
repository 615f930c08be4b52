"""The judge was asked, was not talked into anything, and nothing stopped it."""

import json
from dataclasses import replace

import pytest

from gate.gates.judged import judge, objection
from gate.records.gating import JudgedOptions
from gate.records.judge_run import Canary, JudgeCounts


def counts(**fields):
    given = dict.fromkeys(JudgeCounts.model_fields, 0)
    return JudgeCounts(**{**given, "responses": 4, "judged": 4, **fields})


def canary(score, status="ok"):
    return Canary(
        case_id="a", kind="new_orders", score=score, status=status, key="0" * 16, elements=0
    )


@pytest.fixture
def seen(make, fakes):
    quiet = fakes("judged_records").quiet_run

    def show(**fields):
        given = {"counts": counts(), "canaries": (canary(0.0), canary(0.0)), **fields}
        evidence = make.evidence(make.row("a"))
        return judge(JudgedOptions(), replace(evidence, judge_run=quiet(**given)))

    return show


def test_it_is_off_where_nobody_was_asked(make):
    verdict = judge(JudgedOptions(), make.evidence(make.row("a")))
    assert (verdict.outcome, verdict.because) == ("off", "no judge was asked")


def test_nothing_is_wrong_with_its_options():
    assert objection(JudgedOptions(), None) is None


def test_known_bad_answers_that_earn_nothing_pass(seen):
    verdict = seen()
    assert verdict.outcome == "pass"
    assert verdict.because == ("4 of 4 responses have a score (4 by the judge, 0 without a call)")
    assert json.loads(verdict.numbers)["n_fallen"] == 0


@pytest.mark.parametrize("score", [1.0, 0.5, 1e-9])
def test_any_mark_for_a_known_bad_answer_is_undecided(seen, score):
    verdict = seen(canaries=(canary(0.0), canary(score)))
    assert verdict.outcome == "undecided"
    assert "gave marks to 1 of 2 known-bad answers (new_orders)" in verdict.because
    assert json.loads(verdict.numbers)["n_fallen"] == 1


def test_silence_about_a_known_bad_answer_is_undecided(seen):
    verdict = seen(canaries=(canary(0.0), canary(None, "blocked")))
    assert verdict.outcome == "undecided"
    assert "no verdict on 1 of 2 known-bad answers (blocked)" in verdict.because


def test_a_spent_budget_is_undecided_whatever_else_holds(seen):
    verdict = seen(budget=True, stopped="stopped at $1")
    assert verdict.outcome == "undecided"
    assert verdict.because.startswith("the budget was spent before everything was asked")


def test_what_is_open_is_left_to_the_other_gates(seen):
    verdict = seen(counts=counts(judged=3, unscored=1))
    assert verdict.outcome == "pass"
    assert verdict.because.startswith("3 of 4 responses have a score (3 by the judge")
    assert "asked both ways" in verdict.because


def test_a_stop_is_named(seen):
    verdict = seen(counts=counts(judged=3, unscored=1), stopped="the deadline is over")
    assert "the deadline is over" in verdict.because


def test_what_made_no_call_is_counted(seen):
    found = counts(judged=1, exact=1, empty=1, own=1)
    assert "(1 by the judge, 3 without a call)" in seen(counts=found).because
