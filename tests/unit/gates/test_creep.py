"""Creep: many small drops that were each accepted are seen together."""

import json
from dataclasses import replace

import pytest

from gate.gates.creep import judge
from gate.records.baseline import AcceptedSummary
from gate.records.gating import CreepOptions
from gate.records.result import Accepted


def summary(digit, *, metric="pass_rate", repeats=1, knowingly=False):
    return AcceptedSummary(
        n_cases=60,
        pass_rate=1.0,
        mean_score=1.0,
        trajectory_mean=1.0,
        predictions="sha256:" + digit * 64,
        metric=metric,
        repeats=repeats,
        knowingly=knowingly,
    )


def crept(make, *, lost, since, history=("a", "b", "c"), size=60, **fields):
    """Make cases of which ``lost`` failed long ago unnoticed, and passed ``since`` runs ago."""
    rows = []
    for at in range(size):
        gone = at < lost
        earlier = tuple(1.0 if not gone or place < since else 0.0 for place in range(len(history)))
        score = 0.0 if gone else 1.0
        accepted = Accepted(scores=(score,), passes=(not gone,), trajectory=1.0, earlier=earlier)
        rows.append(make.row(f"c{at:03}", score, accepted=accepted))
    alignment = make.alignment(*rows, history=tuple(summary(digit) for digit in history))
    return make.evidence(*rows, alignment=alignment, **fields)


def options(limit="0.05", **fields):
    return CreepOptions(max_drop=limit, **fields)


def test_what_no_single_step_shows_is_seen_against_the_oldest(make):
    verdict = judge(options(), crept(make, lost=9, since=1))
    assert verdict.outcome == "fail"
    assert "since the baseline 3 before the present one (sha256:aaaaaaaa)" in verdict.because
    assert len(verdict.case_ids) == 9
    assert json.loads(verdict.numbers)["drop"] == pytest.approx(0.15)


def test_only_the_last_n_are_looked_at(make):
    evidence = crept(make, lost=9, since=1)
    assert judge(options(last=2), evidence).outcome == "pass"


def test_a_pinned_one_is_compared_with(make):
    evidence = crept(make, lost=9, since=2)
    assert judge(options(pinned="b" * 8), evidence).outcome == "fail"
    assert judge(options(pinned="sha256:" + "c" * 8), evidence).outcome == "pass"


def test_a_pinned_one_that_is_forgotten_is_undecided(make):
    verdict = judge(options(pinned="d" * 8), crept(make, lost=0, since=1))
    assert verdict.outcome == "undecided"
    assert "none of predictions dddddddd" in verdict.because


def test_without_an_earlier_baseline_it_is_off(make):
    evidence = make.evidence(make.row("a", was=1.0))
    assert judge(options(), evidence).outcome == "off"


def test_a_creep_that_may_be_chance_is_undecided_or_let_pass(make):
    evidence = crept(make, lost=3, since=1, size=20)
    assert judge(options(), evidence).outcome == "undecided"
    assert judge(options(on_inconclusive="pass"), evidence).outcome == "pass"


def test_a_drop_that_was_accepted_with_a_reason_is_not_held_against_anybody(make):
    evidence = crept(make, lost=9, since=1)
    knowingly = evidence.alignment._replace(knowingly=True)
    verdict = judge(options(), replace(evidence, alignment=knowingly))
    assert (verdict.outcome, "creep starts anew" in verdict.because) == ("off", True)
    history = (summary("a"), summary("b", knowingly=True), summary("c"))
    later = evidence.alignment._replace(history=history)
    verdict = judge(options(), replace(evidence, alignment=later))
    assert (verdict.outcome, "baseline 2 before" in verdict.because) == ("pass", True)


def test_a_reason_for_a_run_that_passed_starts_nothing_anew(make):
    evidence = crept(make, lost=9, since=1)
    noted = evidence.alignment._replace(reason="weekly refresh")
    assert judge(options(), replace(evidence, alignment=noted)).outcome == "fail"


def test_another_metric_than_was_kept_is_undecided(make):
    evidence = crept(make, lost=9, since=1)
    assert judge(options(metric="mean_score"), evidence).outcome == "undecided"


def test_where_nothing_of_then_is_left_it_is_undecided(make):
    rows = [make.row("a", was=1.0)]
    alignment = make.alignment(*rows, history=(summary("a"),))
    verdict = judge(options(), make.evidence(*rows, alignment=alignment))
    assert (verdict.outcome, "of 1 compared case only 0 stand unchanged" in verdict.because) == (
        "undecided",
        True,
    )


def test_more_repeats_than_it_had_do_not_make_it_surer(make):
    """Earlier values of one run each: of three current runs the test takes the first."""
    runs = tuple(make.run(score, repeat=at) for at, score in enumerate((1.0, 0.0, 0.0)))
    accepted = Accepted(
        scores=(1.0, 1.0, 1.0), passes=(True, True, True), trajectory=1.0, earlier=(1.0,)
    )
    rows = [
        make.row(f"c{at}", 1 / 3, passed=False, repeats=runs, accepted=accepted) for at in range(8)
    ]
    alignment = make.alignment(*rows, history=(summary("a"),), repeats=3)
    verdict = judge(options(), make.evidence(*rows, alignment=alignment))
    assert (verdict.outcome, json.loads(verdict.numbers)["p_value"]) == ("undecided", 1.0)


def test_as_many_repeats_as_it_had_count_however_few_the_baseline_has_now(make):
    runs = tuple(make.run(score, repeat=at) for at, score in enumerate((1.0, 0.0, 0.0)))
    accepted = Accepted(scores=(1.0,), passes=(True,), trajectory=1.0, earlier=(1.0,))
    rows = [
        make.row(f"c{at}", 1 / 3, passed=False, repeats=runs, accepted=accepted) for at in range(8)
    ]
    alignment = make.alignment(*rows, history=(summary("a", repeats=3),))
    verdict = judge(options(), make.evidence(*rows, alignment=alignment))
    assert (verdict.outcome, json.loads(verdict.numbers)["p_value"]) == ("fail", 2**-8)


def test_fewer_repeats_than_it_had_cannot_be_compared_with_it(make):
    evidence = crept(make, lost=9, since=1)
    history = tuple(summary(digit, repeats=3) for digit in "abc")
    alignment = evidence.alignment._replace(history=history)
    verdict = judge(options(), replace(evidence, alignment=alignment))
    assert verdict.outcome == "undecided"
    assert "has 3 runs of each case, and this run 1 run" in verdict.because


def test_a_memory_of_few_cases_speaks_for_no_others(make):
    rows = crept(make, lost=9, since=1).rows
    forgotten = [
        replace(row, accepted=replace(row.accepted, earlier=())) if at < 31 else row
        for at, row in enumerate(rows)
    ]
    history = tuple(summary(digit) for digit in "abc")
    alignment = make.alignment(*forgotten, history=history)
    verdict = judge(options(), make.evidence(*forgotten, alignment=alignment))
    assert (verdict.outcome, "only 29 stand unchanged" in verdict.because) == ("undecided", True)
