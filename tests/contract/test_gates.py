"""Each gate through the command, in its smallest sentences."""

import pytest


def policy(house, gate, **keys):
    spelt = {
        key: str(value).lower() if value in (True, False) else value for key, value in keys.items()
    }
    rows = "".join(f"{key} = {value}\n" for key, value in spelt.items())
    house.text("gate.toml", f'[[gates]]\ngate = "{gate}"\n{rows}')


def test_the_four_defaults_are_on(house):
    house.start()
    assert list(house.check().outcomes()) == ["regression", "safety", "completeness", "comparable"]


def test_regression_names_the_cases_that_fell_and_explains_itself_in_numbers(house):
    house.start()
    gate = house.check(predictions=house.ONE_WRONG).gate("regression")
    assert gate["case_ids"] == ["qa-2"]
    assert gate["because"] == (
        "pass rate fell 0.250 (allowed drop 0.000): 1.000 in the baseline, 0.750 now, over 4 cases"
    )
    assert gate["numbers"]["drop"] == 0.25


def test_regression_can_be_told_its_metric(house):
    house.start()
    gate = house.check("--metric", "mean_score").gate("regression")
    assert gate["numbers"]["metric"] == "mean_score"


def test_one_failed_safety_case_fails_the_gate_at_any_pass_rate(house):
    house.suite(99)
    cases = [{"id": f"c-{number:02d}", "input": "?", "reference": "yes"} for number in range(99)]
    cases.append({"id": "s", "input": "?", "reference": "no", "labels": ["safety"]})
    answers = [{"id": case["id"], "output": case["reference"]} for case in cases]
    house.start(cases=cases, accepted=answers)
    answers[-1]["output"] = "sk-1"
    run = house.check("--max-drop", "1", drop=False, predictions=answers)
    assert run.result["suite"]["pass_rate"] == 0.99
    assert run.outcomes()["regression"] == "pass"
    assert (run.status, run.gate("safety")["case_ids"]) == (1, ["s"])


def test_a_safety_case_that_fails_in_one_repeat_is_a_failure(house):
    answers = [{**row, "repeat": number} for row in house.GOOD for number in range(3)]
    house.start(accepted=answers)
    answers[-1] = {**answers[-1], "output": "sk-1"}
    run = house.check("--max-drop", "1", drop=False, predictions=answers)
    assert (run.status, run.outcomes()["safety"]) == (1, "fail")


def test_a_missing_safety_case_is_a_failure(house):
    house.start()
    run = house.check("--max-drop", "1", drop=False, predictions=house.GOOD[:3])
    assert run.outcomes()["safety"] == "fail"


def test_a_safety_case_that_failed_in_the_baseline_too_still_fails(house):
    house.start(accepted=house.LEAK, reason="known leak")
    assert house.check(predictions=house.LEAK).outcomes()["safety"] == "fail"


def test_a_suite_without_a_safety_case_says_so(house):
    house.suite(2)
    house.accept("--scorer", "contains")
    gate = house.check().gate("safety")
    assert gate["outcome"] == "off"
    assert "says nothing about safety" in gate["because"]


def test_a_safety_label_of_the_policy_that_no_case_bears_is_2(house):
    house.start()
    policy(house, "safety", label='"harm"')
    run = house.check()
    assert run.status == 2
    assert "the label 'harm' is borne by no case" in run.err


def test_a_safety_label_of_the_policy_guards_its_cases(house):
    house.start()
    policy(house, "safety", label='"qa"')
    run = house.check("--max-drop", "1", drop=False, predictions=house.ONE_WRONG)
    assert (run.status, run.gate("safety")["case_ids"]) == (1, ["qa-2"])


def test_completeness_allows_nothing_missing_by_default(house):
    house.start()
    run = house.check("--max-drop", "1", drop=False, predictions=house.GOOD[1:])
    assert (run.status, run.gate("completeness")["case_ids"]) == (1, ["qa-1"])


def test_completeness_counts_missing_and_errors_apart(house):
    house.start()
    answers = [{"id": "qa-1", "error": "x"}, *house.GOOD[2:]]
    policy(house, "completeness", max_missing=1)
    options = ("--max-drop", "1")
    assert house.check(*options, drop=False, predictions=answers).status == 1
    policy(house, "completeness", max_missing=1, max_errors=1)
    run = house.check(*options, drop=False)
    assert run.status == 0
    assert run.gate("completeness")["because"] == (
        "1 of 4 cases has no prediction (allowed 1) and the agent reported an error in "
        "1 of 4 cases (allowed 1)"
    )


def test_comparable_says_that_all_stand_unchanged(house):
    house.start()
    assert house.check().gate("comparable")["because"] == "all 4 cases stand unchanged"


def test_floor_judges_every_golden_case_missing_ones_included(house):
    house.start()
    run = house.check("--min-pass-rate", "0.76", predictions=house.GOOD[1:])
    assert run.gate("floor")["numbers"]["value"] == 0.75
    assert run.outcomes()["floor"] == "fail"


def test_min_pass_rate_is_judged_by_the_floor_of_the_policy(house):
    house.start()
    policy(house, "floor", min=0.1, metric='"pass_rate"')
    run = house.check("--min-pass-rate", "0.9", predictions=house.ONE_WRONG)
    assert [gate["gate"] for gate in run.result["gates"]].count("floor") == 1
    assert run.gate("floor")["numbers"]["min"] == 0.9


@pytest.mark.parametrize("mode", ["exact", "set", "order"])
def test_trajectory_mode_of_the_gate_must_be_the_suites(house, mode):
    house.start()
    house.text(
        "gate.toml",
        f'[suite]\ntrajectory = "set"\n[[gates]]\ngate = "trajectory"\nmode = "{mode}"\nmin = 1\n',
    )
    assert house.check("--max-drop", "1", drop=False).status == (3 if mode == "set" else 2)


def test_a_label_that_only_looks_like_safety_is_a_warning(house):
    rows = [{"id": name, "input": "?", "reference": "yes", "labels": ["Safety"]} for name in "ab"]
    house.start(cases=rows, accepted=[{"id": name, "output": "yes"} for name in "ab"])
    run = house.check()
    assert run.gate("safety")["outcome"] == "off"
    (said,) = run.result["warnings"]
    assert said.startswith("The label 'Safety' of 2 cases is not 'safety'")
    assert "!  The label 'Safety'" in run.out


def test_a_field_that_looks_like_labels_is_a_warning(house):
    rows = [{"id": "a", "input": "?", "reference": "yes", "label": ["safety"]}]
    house.start(cases=rows, accepted=[{"id": "a", "output": "yes"}])
    (said,) = house.check().result["warnings"]
    assert "did you mean 'labels'?" in said


def test_undecided_leads_with_the_comparison_and_says_what_to_do(house):
    house.start()
    house.lines("cases.jsonl", house.CASES[1:])
    run = house.check()
    assert run.status == 3
    said = " ".join(run.out.split())
    assert said.startswith(
        "UNDECIDED comparable: 1 case of the baseline went away: set allow_remo"
    )
    assert "or promote a new baseline" in said
