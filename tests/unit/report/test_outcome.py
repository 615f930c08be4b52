import subprocess
import sys

import pytest

from gate.records.verdict import GateVerdict
from gate.report.outcome import headline, warnings


def gate(name, outcome, because="because of it"):
    return GateVerdict(gate=name, outcome=outcome, because=because)


def test_a_failure_is_explained_by_the_first_gate_that_failed(build):
    gates = (gate("regression", "undecided"), gate("safety", "fail", "1 of 1 failed"))
    assert headline(build.report(gates=gates)) == "safety: 1 of 1 failed"


def test_further_failures_are_named(build):
    gates = tuple(gate(name, "fail") for name in "abcdefg")
    said = headline(build.report(gates=gates))
    assert said == "a: because of it (also failed: b, c, d, e and 2 more)"


def test_undecided_is_explained_by_the_gate_that_was(build):
    gates = (gate("safety", "pass"), gate("comparable", "undecided", "another scorer"))
    report = build.report(gates=gates, verdict="undecided", exit_status=3)
    assert headline(report) == "comparable: another scorer"


def test_a_pass_says_how_many_gates_judged_and_what_was_measured(build):
    gates = (gate("safety", "pass"), gate("floor", "pass"), gate("regression", "off"))
    report = build.report(gates=gates, verdict="pass", exit_status=0)
    assert headline(report) == (
        "all 2 gates passed (1 did not judge): 4 of 7 cases passed, pass rate 57.1 %"
    )


def test_a_score_says_that_no_gate_ran(build):
    rows = (build.case("a"), build.failing("b", "no"))
    report = build.report(
        verdict=None,
        exit_status=0,
        gates=(),
        comparison=None,
        cases=rows,
        suite=build.suite(rows, metric="mean_score"),
    )
    assert headline(report) == "no gate ran: mean score 0.500 over 2 cases"
    assert warnings(report) == ()


def test_an_advisory_run_and_a_missing_baseline_are_loud(build):
    report = build.report(advisory=True, exit_status=0, comparison=None)
    advisory, baseline = warnings(report)
    assert "the verdict is FAIL" in advisory
    assert "exit status is 0" in advisory
    assert "nothing was compared" in baseline


def test_paths_that_fell_and_that_nobody_judges_are_loud(build):
    (said,) = [one for one in warnings(build.report()) if one.startswith("Paths got worse")]
    assert "fell from 1.000 to 0.750" in said
    judged = GateVerdict(gate="trajectory", outcome="fail", because="below the floor")
    assert not [one for one in warnings(build.report(gates=(judged,))) if "Paths" in one]
    idle = judged.model_copy(update={"outcome": "off"})
    assert any("judged nothing" in one for one in warnings(build.report(gates=(idle,))))


def test_a_baseline_of_nothing_is_loud(build):
    report = build.report()
    nothing = report.comparison.model_copy(update={"baseline": 0.0})
    found = warnings(report.model_copy(update={"comparison": nothing}))
    assert any("is 0: nothing can fall below it" in one for one in found)


@pytest.mark.parametrize("heavy", ["jinja2", "numpy", "markupsafe"])
def test_importing_the_formats_loads_nothing_heavy(heavy):
    code = (
        "import sys, gate.report.markdown, gate.report.terminal, gate.report.result_json, "
        f"gate.report.redact, gate.report.schema; sys.exit({heavy!r} in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_failed_safety_gate_leads(build):
    gates = (gate("regression", "fail"), gate("safety", "fail", "1 of 1 failed"))
    assert headline(build.report(gates=gates)) == (
        "safety: 1 of 1 failed (also failed: regression)"
    )


def test_a_safety_gate_with_another_label_names_it(build):
    named = GateVerdict(
        gate="safety", outcome="fail", because="1 of 9 pii cases failed", numbers='{"label":"pii"}'
    )
    gates = (gate("completeness", "fail"), named, gate("safety", "fail"))
    assert headline(build.report(gates=gates)) == (
        "safety (pii): 1 of 9 pii cases failed (also failed: completeness, safety)"
    )


def crashed(build, name):
    shown = (build.evidence(output=None, error="503 Service Unavailable"),)
    return build.failing(name, "", standing="agent_error", score=None, evidence=shown)


def test_where_most_cases_have_no_answer_that_leads_and_quotes_the_first_error(build):
    rows = (crashed(build, "a"), crashed(build, "b"), build.case("c"))
    safety = GateVerdict(gate="safety", outcome="fail", because="x", case_ids=("a",))
    gates = (safety, gate("completeness", "fail", "the agent reported an error in 2 of 3 cases"))
    said = headline(build.report(cases=rows, gates=gates))
    assert said == (
        "completeness: the agent reported an error in 2 of 3 cases; "
        "first error: '503 Service Unavailable' (also failed: safety)"
    )


def test_a_safety_case_that_said_what_it_must_not_leads_all_the_same(build):
    rows = (crashed(build, "a"), crashed(build, "b"), build.failing("c", "the key is"))
    safety = GateVerdict(gate="safety", outcome="fail", because="x", case_ids=("c",))
    report = build.report(cases=rows, gates=(gate("completeness", "fail"), safety))
    assert headline(report).startswith("safety: x")


def test_undecided_is_explained_by_the_comparison_first(build):
    gates = (gate("regression", "undecided"), gate("comparable", "undecided", "another scorer"))
    report = build.report(gates=gates, verdict="undecided", exit_status=3)
    assert headline(report) == "comparable: another scorer (also undecided: regression)"


def test_with_repeats_it_says_what_each_number_counts(build):
    report = build.repeated().model_copy(update={"verdict": None})
    assert "0 of 2 cases passed in every run, pass rate over all runs 0 %" in headline(report)


def test_what_the_report_itself_warns_of_comes_first(build):
    report = build.report(advisory=True, exit_status=0, warnings=("LABEL",))
    assert warnings(report)[0] == "LABEL"
