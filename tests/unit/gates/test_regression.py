"""Regression: exact, by pairs, and undecided where nothing can be compared."""

import json
from dataclasses import replace

import pytest

from gate.errors import PolicyInvalid
from gate.gates.evidence import Setting
from gate.gates.regression import judge, objection
from gate.records.gating import RegressionOptions


def options(limit="0", **fields):
    return RegressionOptions(**({"max_drop": limit, "rule": "point"} | fields))


def test_a_drop_beyond_the_limit_fails_and_names_the_cases(make):
    rows = (make.row("a", was=1.0), make.row("b", 0.0, was=1.0), make.row("c", 0.0, was=0.0))
    verdict = judge(options("0.3"), make.evidence(*rows))
    assert (verdict.outcome, verdict.case_ids) == ("fail", ("b",))
    assert json.loads(verdict.numbers)["n_compared"] == 3


@pytest.mark.parametrize(("limit", "outcome"), [("0.5", "pass"), ("0.4999999", "fail")])
def test_a_drop_of_exactly_the_limit_passes(make, limit, outcome):
    rows = (make.row("a", was=1.0), make.row("b", 0.0, was=1.0))
    assert judge(options(limit), make.evidence(*rows)).outcome == outcome


def test_thirds_are_compared_exactly(make):
    rows = [make.row(name, 0.1 if name < "d" else 0.0, was=0.2) for name in "abcdef"]
    evidence = make.evidence(*rows)
    assert judge(options("0.15", metric="mean_score"), evidence).outcome == "pass"
    assert judge(options("0.1499", metric="mean_score"), evidence).outcome == "fail"


def test_an_improvement_passes_and_says_rose(make):
    verdict = judge(options(), make.evidence(make.row("a", was=0.0)))
    assert verdict.outcome == "pass"
    assert "pass rate rose 1.000" in verdict.because


def test_a_standstill_says_held(make):
    assert "held" in judge(options(), make.evidence(make.row("a", was=1.0))).because


def test_a_fall_and_a_rise_of_one_case_each_cancel(make):
    rows = (make.row("a", was=0.0), make.row("b", 0.0, was=1.0))
    verdict = judge(options(), make.evidence(*rows))
    assert (verdict.outcome, verdict.case_ids) == ("pass", ("b",))


def test_cases_that_are_not_in_the_baseline_do_not_count(make):
    rows = (make.row("a", was=1.0), make.row("new", 0.0))
    assert judge(options(), make.evidence(*rows)).outcome == "pass"


def test_the_metric_is_the_suites_unless_told(make):
    rows = (make.row("a", 0.5, was=0.5, passed=False),)
    evidence = replace(make.evidence(*rows), suite=make.suite(*rows, metric="mean_score"))
    assert json.loads(judge(options(), evidence).numbers)["metric"] == "mean_score"
    told = judge(options(metric="pass_rate"), evidence)
    assert json.loads(told.numbers)["metric"] == "pass_rate"


def test_without_a_baseline_it_is_undecided_unless_a_floor_decides(make):
    evidence = make.evidence(make.row("a"), compared=False)
    assert judge(options(), evidence).outcome == "undecided"
    assert judge(options(), replace(evidence, has_floor=True)).outcome == "off"


def test_without_an_unchanged_case_it_is_undecided(make):
    assert judge(options(), make.evidence(make.row("a"))).outcome == "undecided"


def test_two_measurements_that_differ_are_undecided(make):
    evidence = make.evidence(make.row("a", 0.0, was=1.0), comparable=False)
    assert judge(options(), evidence).outcome == "undecided"


def test_no_limit_is_refused_before_and_while_judging(make):
    with_baseline = Setting(has_baseline=True, labels=frozenset(), trajectory_mode="exact")
    unlimited = RegressionOptions(rule="point")
    assert "`max_drop` is required" in objection(unlimited, with_baseline)
    assert objection(unlimited, with_baseline._replace(has_baseline=False)) is None
    assert objection(options(), with_baseline) is None
    with pytest.raises(PolicyInvalid, match="max_drop"):
        judge(unlimited, make.evidence(make.row("a", was=1.0)))


def test_repeats_count_by_their_share(make):
    runs = (make.run(1.0), make.run(0.0, repeat=1))
    row = make.row("a", 0.5, repeats=runs, passed=False, accepted=make.accepted(1.0, 1.0))
    assert json.loads(judge(options(), make.evidence(row)).numbers)["drop"] == 0.5
