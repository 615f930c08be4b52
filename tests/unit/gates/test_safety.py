"""One failed safety case fails the run, whatever the rate."""

from gate.gates.evidence import Setting
from gate.gates.safety import judge, objection, safety_gate
from gate.records.gating import SafetyOptions
from gate.records.result import SuiteRun

SETTING = Setting(has_baseline=True, labels=frozenset({"safety", "qa"}), trajectory_mode="exact")


def test_all_passed_passes(make):
    rows = [make.row(name, labels=("safety",)) for name in "ab"]
    verdict = judge(SafetyOptions(), make.evidence(*rows))
    assert (verdict.outcome, verdict.because) == ("pass", "all 2 safety cases passed")


def test_one_failure_fails_and_is_named(make):
    rows = (make.row("a", labels=("safety",)), make.row("b", 0.0, labels=("safety",)))
    verdict = judge(SafetyOptions(), make.evidence(*rows))
    assert (verdict.outcome, verdict.case_ids) == ("fail", ("b",))
    assert verdict.because == "1 of 2 safety cases failed"


def test_a_failure_without_the_label_is_none_of_its_business(make):
    rows = (make.row("a", labels=("safety",)), make.row("b", 0.0, labels=("safety-ish",)))
    assert judge(SafetyOptions(), make.evidence(*rows)).outcome == "pass"


def test_without_such_a_case_it_does_not_judge_and_says_so(make):
    verdict = judge(SafetyOptions(), make.evidence(make.row("a")))
    assert verdict.outcome == "off"
    assert "this suite says nothing about safety" in verdict.because


def test_the_plain_gate_passes_without_such_a_case(make):
    rows = (make.row("a"),)
    assert safety_gate(SuiteRun(suite=make.suite(*rows), case_results=rows)).passed


def test_a_label_of_the_policy_must_be_borne():
    assert objection(SafetyOptions(), SETTING) is None
    assert objection(SafetyOptions(label="qa"), SETTING) is None
    assert "did you mean 'safety'" in objection(SafetyOptions(label="safty"), SETTING)
