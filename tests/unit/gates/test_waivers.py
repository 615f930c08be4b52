"""A waiver that cannot hold is refused by name, and every other one is told of."""

import pytest

from gate.errors import PolicyInvalid
from gate.gates.table import judge_all
from gate.gates.waivers import LONGEST, Known, check_waivers, waiver_uses
from gate.records.gating import (
    CompletenessOptions,
    RegressionOptions,
    SafetyOptions,
    SlicesOptions,
    TrajectoryOptions,
)
from gate.records.policy import Policy, SuiteOptions
from gate.records.waiver import Waiver

TODAY = "2026-06-30"
CASES = {
    "qa-1": Known(("qa",), declares_path=False),
    "qa-2": Known(("qa",), declares_path=True),
    "safety-1": Known(("safety",), declares_path=False),
}
OPEN = SafetyOptions(allow_waivers=True)
GATES = (RegressionOptions(), OPEN, CompletenessOptions())


def waiver(case="qa-2", of="regression", **fields):
    given = {"owner": "ana", "reason": "ticket 12", "expires": "2026-07-31"}
    return Waiver(case=case, gate=of, **(given | {"allow_safety": of == "safety"} | fields))


def policy(*waivers, gates=GATES):
    return Policy(suite=SuiteOptions(), gates=gates, waivers=waivers)


def problems(*waivers, cases=None, day=TODAY, **fields):
    try:
        check_waivers(policy(*waivers, **fields), CASES if cases is None else cases, day)
    except PolicyInvalid as error:
        return str(error).splitlines()
    return []


def test_one_that_holds_is_no_problem():
    assert problems(waiver(), waiver("safety-1", "safety"), waiver("qa-1", "completeness")) == []


@pytest.mark.parametrize("day", ["2026-07-31", "2026-07-30", "2025-07-30"])
def test_the_last_day_and_every_earlier_one_hold(day):
    assert problems(waiver(), day=day) == []


def test_the_day_after_it_has_expired_and_the_error_names_it():
    (said,) = problems(waiver(), day="2026-08-01")
    assert said == (
        "waiver 1: `expires` was 2026-07-31, 1 day ago: 'ana' waived case 'qa-2' for the gate "
        "'regression' until then"
    )


def test_one_that_hardly_ever_ends_is_a_change_of_the_rules():
    assert problems(waiver(expires="2027-07-01")) == []
    (said,) = problems(waiver(expires="2027-07-02"))
    assert said.startswith(f"waiver 1: `expires` 2027-07-02 is 367 days ahead, and {LONGEST} are")
    assert problems(waiver(expires="9999-12-31"))


def test_an_unknown_case_is_named_with_the_nearest():
    (said,) = problems(waiver("qa-22"))
    assert said == "waiver 1: `case` 'qa-22' is no case of this suite; did you mean 'qa-2'?"


def test_nothing_can_be_waived_where_nothing_says_which_cases_there_are():
    (said,) = problems(waiver(), cases={})
    assert said.endswith("is no case of this suite; nothing says which cases there are")


def test_among_very_many_cases_no_nearest_is_looked_for():
    many = {f"qa-{number}": CASES["qa-1"] for number in range(5_001)}
    (said,) = problems(waiver("qa-x"), cases=many)
    assert said == "waiver 1: `case` 'qa-x' is no case of this suite"


def test_a_second_one_of_the_same_case_and_gate_is_refused():
    (said,) = problems(waiver(), waiver(of="completeness"), waiver(owner="bo"))
    assert said == "waiver 3: `case` and `gate` are those of waiver 1: one is enough"


def test_a_gate_that_is_not_in_force_has_nothing_to_waive():
    (said,) = problems(waiver(of="slices"))
    assert said == "waiver 1: `gate` 'slices' is not in force: the policy does not name it"
    gates = (*GATES, SlicesOptions(enabled=False))
    assert problems(waiver(of="slices"), gates=gates) == []


def test_a_safety_case_is_not_waived_in_passing():
    (said,) = problems(waiver("safety-1", "safety", allow_safety=False))
    assert said.startswith("waiver 1: `allow_safety` = true is needed here")
    (said,) = problems(waiver("safety-1", "safety"), gates=(SafetyOptions(),))
    assert said.startswith("waiver 1: `gate` safety of the label 'safety' takes no waivers")
    assert "allow_waivers = true" in said
    two = (OPEN, SafetyOptions(label="pii"))
    assert problems(waiver("safety-1", "safety"), gates=two) == []
    both = {"safety-1": Known(("pii", "safety"), declares_path=False)}
    (said,) = problems(waiver("safety-1", "safety"), gates=two, cases=both)
    assert "of the label 'pii' takes no waivers" in said


def test_the_switch_of_safety_stands_nowhere_else():
    (said,) = problems(waiver(allow_safety=True))
    assert said == "waiver 1: `allow_safety` means nothing to the gate 'regression'"


def test_a_case_that_the_gate_does_not_look_at_is_refused():
    (said,) = problems(waiver("qa-1", "safety"))
    assert said == "waiver 1: `case` 'qa-1' is not labelled 'safety'"
    gates = (TrajectoryOptions(),)
    (said,) = problems(waiver("qa-1", "trajectory"), gates=gates)
    assert said.startswith("waiver 1: `case` 'qa-1' declares no path")
    assert problems(waiver("qa-2", "trajectory"), gates=gates) == []


def test_everything_that_is_wrong_is_listed_at_once():
    said = problems(waiver("nobody", expires="2020-01-01"), waiver("qa-1", "safety"))
    assert [line.split("`")[1] for line in said] == ["expires", "case", "case"]
    assert [line[:9] for line in said] == ["waiver 1:", "waiver 1:", "waiver 2:"]


def uses(evidence, *waivers, gates):
    verdicts = judge_all(gates, evidence, waivers)
    return [(one.used, one.said) for one in waiver_uses(waivers, verdicts, evidence, TODAY)]


POINT = RegressionOptions(rule="point", max_drop="0")


@pytest.mark.parametrize(
    ("score", "was", "drop", "said"),
    [
        (0.0, 1.0, "0", "in use: the case went wrong and was left out"),
        (1.0, 1.0, "0", "unused: the case passed"),
        (0.0, 0.0, "0", "unused: the case did not get worse"),
        (0.0, 1.0, "1", "unused: the gate passes with the case counted"),
        (0.0, None, "0", "unused: the case was not compared"),
    ],
)
def test_what_became_of_a_waiver_is_said(make, score, was, drop, said):
    gates = (RegressionOptions(rule="point", max_drop=drop),)
    evidence = make.evidence(make.row("a", score, was=was), make.row("b", was=1.0))
    assert uses(evidence, waiver("a"), gates=gates) == [(said.startswith("in use"), said)]


def test_a_gate_that_did_not_judge_used_no_waiver(make):
    evidence = make.evidence(make.row("a", 0.0, was=1.0))
    gates = (SlicesOptions(enabled=False), POINT)
    ((used, said),) = uses(evidence, waiver("a", "slices"), gates=gates)
    assert (used, said) == (False, "unused: the gate did not judge")


def test_an_answered_case_and_a_right_path_need_none(make):
    evidence = make.evidence(make.row("a", 0.0, declares_path=True), make.row("b", None))
    gates = (CompletenessOptions(), TrajectoryOptions())
    said = uses(evidence, waiver("a", "completeness"), waiver("a", "trajectory"), gates=gates)
    assert said == [
        (False, "unused: the case was answered and scored"),
        (False, "unused: the case took its path"),
    ]


def test_the_days_that_are_left_are_counted_from_the_day_of_the_run(make):
    evidence = make.evidence(make.row("a"))
    verdicts = judge_all((POINT,), evidence, (waiver("a"),))
    for day, left in (("2026-07-31", 0), ("2026-07-30", 1), (TODAY, 31)):
        (one,) = waiver_uses((waiver("a"),), verdicts, evidence, day)
        assert one.days_left == left
