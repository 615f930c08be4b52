"""What a verdict that blocks says to do next."""

import pytest

from gate.records.rule_change import RulesFrom
from gate.records.verdict import GateVerdict
from gate.report import next_step as steps
from gate.report.bounds import USUAL
from gate.report.markdown import render_markdown
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
    assert "`max_missing` and `max_errors`" in step
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


HELD = RulesFrom(source="base", commit="a" * 40, file="gate.toml")


def unsure(build, found):
    gate = GateVerdict(
        gate="regression", outcome="undecided", because="said", numbers='{"inconclusive": true}'
    )
    given = {"verdict": "undecided", "exit_status": 3, "gates": (gate,), "rules_from": found}
    return next_step(build.report(**given))


def test_a_drop_that_may_be_chance_is_not_to_be_allowed_by_the_pull_request_itself(build):
    step = unsure(build, HELD)
    assert "changed on the base branch first" in step
    assert "they fail the gate `rules`" in step
    assert "more cases" in step
    assert "allow a drop" not in step
    for found in (None, RulesFrom(source="head"), RulesFrom(source="base", first=True)):
        assert "allow a drop that you can live with (`max_drop`)" in unsure(build, found)


@pytest.mark.parametrize("others", [(), ("slices",)])
def test_a_drop_is_mended_or_accepted_where_that_may_be_done(build, others):
    gates = tuple(map(failed, ("regression", *others)))
    alone = next_step(build.report(gates=gates))
    assert alone.startswith("mend the cases that newly fail")
    assert "`baseline promote --reason`" in alone
    assert "[[waivers]]" in alone
    held = next_step(build.report(gates=gates, rules_from=HELD))
    assert "on the base branch, not in this pull request" in held
    assert "`baseline promote --reason`" in held


def test_a_safety_case_of_the_change_is_its_own_to_mend(build):
    cases = (build.failing("new", "no"), build.failing("old", "no"))
    found = RulesFrom(source="base", commit="a" * 40, file="gate.toml", added=("new",))
    given = {"cases": cases, "rules_from": found}
    step = next_step(build.report(**given, gates=(failed("safety", "new"),)))
    assert "or the cases themselves" in step
    assert "base branch" not in step
    both = next_step(build.report(**given, gates=(failed("safety", "new", "old"),)))
    assert both.endswith("Rules are changed on the base branch, before this.")


def test_no_step_is_too_long_for_the_reports():
    texts = [text for text in vars(steps).values() if isinstance(text, str) and " " in text]
    longest = max(len(text) for text in texts if text != steps.__doc__)
    with_rules = max(len(steps._COMPLETE), len(steps._SAFE)) + len(steps._AT_THE_BASE)
    assert max(longest, with_rules) <= USUAL.sentence


@pytest.mark.parametrize("found", [None, HELD])
def test_what_is_to_be_written_is_one_code_span(build, found):
    gates = (failed("safety", "a"),)
    page = render_markdown(
        build.report(cases=(build.failing("a", "no"),), gates=gates, rules_from=found)
    )
    (line,) = (line for line in page.splitlines() if line.startswith("**Next:**"))
    assert "`allow_waivers = true`" in line
    assert "``" not in line
