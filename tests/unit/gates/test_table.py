"""The table of gates, and what several of them decide together."""

from dataclasses import replace
from importlib import import_module
from itertools import product

import pytest

from gate.errors import PolicyInvalid
from gate.gates.decide import decide, exit_status
from gate.gates.evidence import Setting, evidence_for
from gate.gates.table import GATES, check_gates, judge_all
from gate.records.gating import (
    ComparableOptions,
    CompletenessOptions,
    FloorOptions,
    RegressionOptions,
    SafetyOptions,
    TrajectoryOptions,
)
from gate.records.policy import Policy, SuiteOptions
from gate.records.verdict import GateVerdict

OUTCOMES = ("pass", "fail", "undecided", "off")


@pytest.mark.parametrize("name", GATES)
def test_a_gates_module_judges_and_objects(name):
    module = import_module(GATES[name])
    assert callable(module.judge)
    assert callable(module.objection)


def verdicts(*outcomes):
    return [GateVerdict(gate="x", outcome=outcome, because="") for outcome in outcomes]


@pytest.mark.parametrize("outcomes", list(product(OUTCOMES, repeat=3)))
def test_fail_beats_undecided_beats_pass(outcomes):
    expected = (
        "fail"
        if "fail" in outcomes
        else "undecided"
        if "undecided" in outcomes or "pass" not in outcomes
        else "pass"
    )
    assert decide(verdicts(*outcomes)) == expected


def test_gates_that_are_all_off_prove_nothing():
    assert decide(verdicts("off", "off")) == "undecided"
    assert decide([]) == "undecided"


def test_the_statuses_are_0_1_and_3_and_0_under_advisory():
    assert [exit_status(verdict, advisory=False) for verdict in OUTCOMES[:3]] == [0, 1, 3]
    assert {exit_status(verdict, advisory=True) for verdict in OUTCOMES[:3]} == {0}


def test_every_objection_is_listed_and_those_of_gates_that_are_off_are_not():
    setting = Setting(has_baseline=True, labels=frozenset(), trajectory_mode="set")
    gates = (
        RegressionOptions(rule="point"),
        SafetyOptions(label="x"),
        SafetyOptions(label="y", enabled=False),
        TrajectoryOptions(),
    )
    with pytest.raises(PolicyInvalid) as caught:
        check_gates(gates, setting)
    lines = str(caught.value).splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "gate 'regression'",
        "gate 'safety'",
        "gate 'trajectory'",
    ]


def test_a_gate_that_is_switched_off_says_so(make):
    (verdict,) = judge_all(
        [SafetyOptions(enabled=False)], make.evidence(make.row("s", 0.0, labels=("safety",)))
    )
    assert (verdict.outcome, verdict.because) == ("off", "switched off by the policy")


def test_completeness_cannot_be_switched_off_without_a_list_of_cases(make):
    evidence = make.evidence(make.row("a"), pinned=False)
    (verdict,) = judge_all([CompletenessOptions(enabled=False)], evidence)
    assert verdict.outcome == "undecided"


def test_regression_cannot_be_switched_off_without_baseline_and_floor(make):
    evidence = make.evidence(make.row("a"), compared=False)
    off = [RegressionOptions(enabled=False)]
    assert judge_all(off, evidence)[0].outcome == "undecided"
    assert judge_all(off, replace(evidence, has_floor=True))[0].outcome == "off"


def test_a_floor_counts_only_while_it_is_on(make):
    row = make.row("a")

    def has_floor(*gates):
        policy = Policy(suite=SuiteOptions(), gates=gates)
        return evidence_for(policy, (row,), make.suite(row), None, pinned=True).has_floor

    assert has_floor(FloorOptions(min="0.01"))
    assert not has_floor(FloorOptions(min=0))  # no run lies below it
    assert not has_floor(FloorOptions(min=1, enabled=False))
    assert not has_floor(SafetyOptions())


def test_differences_make_runs_incomparable_unless_that_check_is_off(make):
    row = make.row("a", was=1.0)
    differing = make.alignment(row, differences=("scorer",))

    def is_comparable(alignment, *gates):
        policy = Policy(suite=SuiteOptions(), gates=gates)
        return evidence_for(policy, (row,), make.suite(row), alignment, pinned=True).comparable

    assert is_comparable(make.alignment(row), ComparableOptions())
    assert not is_comparable(differing, ComparableOptions())
    assert is_comparable(differing, ComparableOptions(enabled=False))
    assert not is_comparable(None, ComparableOptions())
