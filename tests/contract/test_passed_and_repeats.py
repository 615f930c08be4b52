"""What `passed` means, and how repeats of a case count."""

import pytest

RUBRIC = {
    "name": "rubric",
    "checks": [
        {"kind": "contains", "value": "a"},
        {"kind": "contains", "value": "b", "weight": 3},
    ],
}
SCORE = ("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl")


def runs_of(case_id, *outputs):
    return [
        {"id": case_id, "repeat": number, "output": output}
        for number, output in enumerate(outputs)
    ]


@pytest.fixture
def two(house):
    house.lines("cases.jsonl", [{"id": name, "input": "?", "reference": "yes"} for name in "ab"])
    return house


def graded(house, *options):
    house.lines("cases.jsonl", [{"id": "g", "input": "?", "scorer": RUBRIC}])
    house.lines("predictions.jsonl", [{"id": "g", "output": "b"}])
    return house.run(*SCORE, "--scorer", "rouge_l", *options)


@pytest.mark.parametrize("command", ["check", "score"])
@pytest.mark.parametrize("by", ["option", "policy"])
def test_a_threshold_of_0_which_every_wrong_answer_reaches_is_refused(house, command, by):
    house.start()
    given = ("--pass-threshold", "0") if by == "option" else ()
    if by == "policy":
        house.text("gate.toml", "[suite]\npass_threshold = 0.0\n")
    run = house.run(
        *(command, "--cases", "cases.jsonl", "--predictions", "predictions.jsonl"), *given
    )
    assert (run.status, run.result) == (2, None)
    assert "should be greater than 0" in run.err


def test_a_case_passes_at_a_score_of_the_threshold_or_above(house):
    assert graded(house, "--pass-threshold", "0.75").row("g")["passed"] is True
    assert graded(house, "--pass-threshold", "0.76").row("g")["passed"] is False


def test_the_threshold_is_one_unless_set(house):
    run = graded(house)
    assert run.row("g")["score"] == 0.75
    assert run.row("g")["passed"] is False
    assert run.result["suite"]["pass_threshold"] == 1


def test_a_graded_scorer_without_a_threshold_gates_on_the_mean_score_and_says_so(house):
    run = graded(house)
    assert run.result["suite"]["metric"] == "mean_score"
    assert any("the headline is the mean score" in said for said in run.result["conditions"])
    assert graded(house, "--pass-threshold", "0.75").result["suite"]["metric"] == "pass_rate"
    assert graded(house, "--pass-threshold", "1").result["suite"]["metric"] == "pass_rate"


def test_a_graded_drop_is_seen_without_any_case_changing_sides(house):
    house.lines("cases.jsonl", [{"id": "g", "input": "?", "reference": "one two three four"}])
    house.lines("predictions.jsonl", [{"id": "g", "output": "one two three"}])
    house.accept("--scorer", "rouge_l")
    house.lines("predictions.jsonl", [{"id": "g", "output": "one two"}])
    run = house.check()
    assert run.status == 1
    assert run.gate("regression")["numbers"]["metric"] == "mean_score"


def test_each_repeat_is_scored_and_passed_by_itself(two):
    two.lines("predictions.jsonl", runs_of("a", "yes", "no", "yes") + runs_of("b", "yes"))
    run = two.run(*SCORE, "--scorer", "contains")
    assert [repeat["passed"] for repeat in run.row("a")["repeats"]] == [True, False, True]
    assert [repeat["score"] for repeat in run.row("a")["repeats"]] == [1.0, 0.0, 1.0]


def test_a_cases_value_is_the_share_of_its_passing_repeats(two):
    two.lines("predictions.jsonl", runs_of("a", "yes", "no") + runs_of("b", "yes", "yes"))
    suite = two.run(*SCORE, "--scorer", "contains").result["suite"]
    assert suite["pass_rate"] == 0.75
    assert suite["mean_score"] == 0.75
    assert suite["n_passed"] == 1


def test_a_case_passed_only_if_all_its_repeats_did(two):
    two.lines("predictions.jsonl", runs_of("a", "yes", "no") + runs_of("b", "yes", "yes"))
    run = two.run(*SCORE, "--scorer", "contains")
    assert [row["passed"] for row in run.result["cases"]] == [False, True]


def test_an_absent_repeat_is_missing_and_counts_zero(two):
    two.lines("predictions.jsonl", runs_of("a", "yes", "yes") + runs_of("b", "yes"))
    run = two.run(*SCORE, "--scorer", "contains")
    assert run.result["suite"]["repeats"] == 2
    assert run.row("b")["standing"] == "missing"
    assert run.row("b")["repeats"][1] == {
        "repeat": 1,
        "standing": "missing",
        "score": None,
        "passed": False,
        "trajectory": 1.0,
        "judgement": None,
    }
    assert run.result["suite"]["mean_score"] == 0.75


def test_the_missing_repeat_is_the_one_that_did_not_come(two):
    late = [{"id": "b", "repeat": 1, "output": "yes"}]
    two.lines("predictions.jsonl", runs_of("a", "yes", "yes") + late)
    repeats = two.run(*SCORE, "--scorer", "contains").row("b")["repeats"]
    assert [run["standing"] for run in repeats] == ["missing", "scored"]


def test_expected_repeats_are_the_options(two):
    two.lines("predictions.jsonl", runs_of("a", "yes") + runs_of("b", "yes"))
    run = two.run(*SCORE, "--scorer", "contains", "--repeats", "3")
    assert run.result["suite"]["repeats"] == 3
    assert run.result["suite"]["pass_rate"] == pytest.approx(1 / 3, abs=1e-6)


def test_expected_repeats_are_else_the_baselines(two):
    two.lines("predictions.jsonl", runs_of("a", "yes", "yes") + runs_of("b", "yes", "yes"))
    two.accept("--scorer", "contains")
    run = two.check(predictions=runs_of("a", "yes") + runs_of("b", "yes"))
    assert run.result["suite"]["repeats"] == 2
    assert run.outcomes()["completeness"] == "fail"
    assert run.status == 1


def test_more_runs_than_an_explicit_number_are_an_error(two):
    two.lines("predictions.jsonl", runs_of("a", "yes", "yes") + runs_of("b", "yes"))
    run = two.run(*SCORE, "--scorer", "contains", "--repeats", "1")
    assert run.status == 2
    assert "case 'a' has repeat 1, and 1 run(s) of each case are expected: 0 to 0" in run.err


def test_a_repeat_left_out_of_every_case_is_missing_and_not_forgotten(two):
    gaps = [line for case in "ab" for line in runs_of(case, "yes", "yes", "yes")]
    two.lines("predictions.jsonl", [line for line in gaps if line["repeat"] != 1])
    run = two.run(*SCORE, "--scorer", "contains")
    assert run.result["suite"]["repeats"] == 3
    assert [repeat["standing"] for repeat in run.row("a")["repeats"]] == [
        "scored",
        "missing",
        "scored",
    ]


def test_one_huge_repeat_number_is_refused_before_it_takes_memory(two):
    line = {"id": "a", "repeat": 1_000_000, "output": "yes"}
    two.lines("predictions.jsonl", [line] + [{"id": f"b{at}", "output": "x"} for at in range(3)])
    two.lines(
        "cases.jsonl",
        [
            {"id": name, "input": "?", "reference": "yes"}
            for name in ("a", *map("b{}".format, range(5)))
        ],
    )
    run = two.run(*SCORE, "--scorer", "contains")
    assert run.status == 2
    assert "repeats count from 0" in run.err


def test_mean_and_deviation_across_full_runs_are_reported(two):
    two.lines("predictions.jsonl", runs_of("a", "yes", "no") + runs_of("b", "yes", "yes"))
    run = two.run(*SCORE, "--scorer", "contains")
    assert run.result["suite"]["runs"] == {
        "metric": "pass_rate",
        "values": [1.0, 0.5],
        "mean": 0.75,
        "sd": 0.353553,
    }
    assert "±" in run.report


def test_one_run_has_no_deviation(two):
    two.lines("predictions.jsonl", runs_of("a", "yes") + runs_of("b", "yes"))
    assert two.run(*SCORE, "--scorer", "contains").result["suite"]["runs"] is None


def test_the_threshold_is_recorded_and_another_one_is_not_comparable(house):
    house.start()
    run = house.check("--pass-threshold", "0.5")
    assert run.status == 3
    assert "pass_threshold is 0.5, and was 1 in the baseline" in run.gate("comparable")["because"]


def test_the_baselines_threshold_serves_where_none_is_set(house):
    house.start(scoring=("--scorer", "contains", "--pass-threshold", "0.5"))
    run = house.check()
    assert run.status == 0
    assert run.result["suite"]["pass_threshold"] == 0.5


def test_a_run_that_passed_never_stands_as_evidence_of_a_failure(two):
    answers = [*runs_of("a", "yes", "no", "yes"), *runs_of("b", "yes", "yes", "yes")]
    two.lines("predictions.jsonl", [*runs_of("a", "no", "no", "no"), *answers[3:]])
    two.accept("--scorer", "contains")
    run = two.check(predictions=answers)
    assert [shown["output"] for shown in run.row("a")["evidence"]] == ["no"]
    better = two.check(predictions=[*runs_of("a", "yes", "yes", "yes"), *answers[3:]])
    assert [shown["output"] for shown in better.row("a")["evidence"]] == ["yes"]


def test_repeats_that_do_not_begin_at_0_are_a_warning(two):
    late = [{**row, "repeat": row["repeat"] + 1} for row in runs_of("a", "yes", "yes")]
    two.lines("predictions.jsonl", late)
    said = two.run(*SCORE, "--scorer", "contains").result["warnings"]
    assert said[0].startswith("Repeats count from 0")


def test_a_case_that_alone_sets_the_number_of_runs_is_a_warning(two):
    answers = [*runs_of("a", "yes"), *runs_of("b", "yes"), {"id": "b", "repeat": 7, "output": ""}]
    two.lines("predictions.jsonl", answers)
    (said,) = two.run(*SCORE, "--scorer", "contains").result["warnings"]
    assert "'b'" in said
    assert two.run(*SCORE, "--scorer", "contains", "--repeats", "8").result["warnings"] == []


def test_scorers_that_cases_bring_are_counted(two):
    rows = [
        {"id": "a", "input": "?", "reference": "yes"},
        {"id": "b", "input": "?", "scorer": RUBRIC},
    ]
    two.lines("cases.jsonl", rows)
    two.lines("predictions.jsonl", [*runs_of("a", "yes"), *runs_of("b", "ab")])
    notes = two.run(*SCORE, "--scorer", "contains").result["notes"]
    assert "scorers: contains graded 1 case; brought by the case: rubric (1)" in notes
