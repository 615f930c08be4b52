"""What a verdict that blocks says to do next."""

import pytest

from gate.records.rule_change import RulesFrom
from gate.records.verdict import GateVerdict
from gate.report.next_step import next_step


def failed(name, *ids):
    return GateVerdict(gate=name, outcome="fail", because="said", case_ids=ids)


def test_a_failed_safety_case_is_mended_or_waived_with_two_switches(build):
    report = build.report(cases=(build.failing("a", "no"),), gates=(failed("safety", "a"),))
    step = next_step(report)
    assert step.startswith("mend what the safety cases show")
    assert "allow_safety" in step
    assert "allow_waivers = true" in step


def test_answers_that_are_missing_come_before_the_safety_cases_among_them(build):
    absent = build.failing("a", "", standing="agent_error", score=None)
    gates = (failed("safety", "a"), failed("completeness", "a"))
    step = next_step(build.report(cases=(absent,), gates=gates))
    assert "max_missing and max_errors" in step
    assert "waiver" in step
    other = build.failing("b", "no")
    gates = (failed("safety", "a", "b"), failed("completeness", "a"))
    assert "mend what the safety" in next_step(build.report(cases=(absent, other), gates=gates))


def test_where_the_base_judges_its_rules_are_changed_there(build):
    gates = (failed("completeness", "a"),)
    report = build.report(gates=gates, rules_from=RulesFrom(source="base"))
    assert next_step(report).endswith("Rules are changed on the base branch, before this.")
    first = build.report(gates=gates, rules_from=RulesFrom(source="base", first=True))
    assert "base branch" not in next_step(first)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, "--min-pass-rate"),
        (RulesFrom(source="head"), "--min-pass-rate"),
        (RulesFrom(source="base"), "land one on the base branch"),
        (RulesFrom(source="base", first=True), "into the policy that this change brings"),
    ],
)
def test_without_a_baseline_a_floor_decides(build, found, said):
    gate = GateVerdict(gate="regression", outcome="undecided", because="said")
    given = {"verdict": "undecided", "exit_status": 3, "comparison": None, "gates": (gate,)}
    step = next_step(build.report(**given, rules_from=found))
    assert said in step
    assert 'gate = "floor"' in step
