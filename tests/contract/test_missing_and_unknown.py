"""Which cases there are, and what becomes of those that nobody answered."""

CASE = {"id": "a", "input": "?", "expected_tools": ["t"]}
RUBRIC = '[scorer]\nname = "rubric"\nchecks = [{kind = "contains", value = "yes"}]\n'


def test_a_missing_case_is_not_passed_and_zero_in_the_mean(house):
    house.start()
    run = house.check(predictions=house.GOOD[1:])
    assert run.row("qa-1")["standing"] == "missing"
    assert run.row("qa-1")["score"] is None
    assert run.row("qa-1")["passed"] is False
    assert run.result["suite"]["mean_score"] == 0.75
    assert run.result["suite"]["pass_rate"] == 0.75


def test_a_missing_case_is_zero_in_trajectory_only_where_a_path_is_declared(house):
    house.start()
    run = house.check(predictions=[house.GOOD[0]])
    assert run.row("num-1")["trajectory"] == 0.0
    assert run.row("qa-2")["trajectory"] == 1.0


def test_a_crashed_agent_is_not_passed_and_zero_in_the_mean(house):
    house.start()
    crashed = {"id": "qa-1", "error": "Timeout"}
    run = house.check(predictions=[crashed, *house.GOOD[1:]])
    assert run.row("qa-1")["standing"] == "agent_error"
    assert run.row("qa-1")["score"] is None
    assert run.result["suite"]["pass_rate"] == 0.75
    assert run.status == 1
    assert run.outcomes()["completeness"] == "fail"


def test_an_output_that_looks_right_in_an_error_text_earns_nothing(house):
    house.start()
    run = house.check(predictions=[{"id": "qa-1", "error": "Paris"}, *house.GOOD[1:]])
    assert run.row("qa-1")["passed"] is False


def test_there_are_as_many_rows_as_golden_cases_always(house):
    house.start()
    extra = [{"id": f"x-{number}", "output": "Paris"} for number in range(9)]
    for answers in (house.GOOD, house.GOOD[:1], [*house.GOOD, *extra]):
        run = house.check(predictions=answers)
        assert len(run.result["cases"]) == run.result["suite"]["n_cases"] == 4


def test_unknown_ids_are_noted_and_listed_capped_and_never_counted(house):
    house.start()
    extra = [{"id": f"x-{number:03d}", "output": "Paris"} for number in range(300)]
    run = house.check(predictions=[*house.GOOD, *extra])
    note = next(note for note in run.result["notes"] if "answer no case" in note)
    assert note.startswith("300 predictions answer no case and were not counted: 'x-000', 'x-0")
    assert len(note) < 1000
    assert run.result["suite"]["n_passed"] == 4
    assert run.status == 0


def test_none_matching_at_all_is_2(house):
    house.start()
    run = house.check(predictions=[{"id": "other", "output": "Paris"}])
    assert run.status == 2
    assert "none of the 1 prediction answers any of the 4 cases" in run.err


def test_no_predictions_at_all_is_2(house):
    house.start()
    house.text("predictions.jsonl", "")
    run = house.check()
    assert run.status == 2
    assert "0 predictions for 4 cases" in run.err


def test_no_cases_at_all_is_2(house):
    house.start()
    house.text("cases.jsonl", "\n")
    assert house.check().status == 2


def ruled(house):
    house.text("gate.toml", RUBRIC)
    house.lines("cases.jsonl", [{"id": name, "input": "?"} for name in "ab"])
    house.lines("predictions.jsonl", [{"id": name, "output": "yes"} for name in "ab"])
    return house


def test_without_a_case_file_the_baselines_ids_are_the_cases(house):
    ruled(house).accept()
    assert house.check(cases=False).status == 0
    run = house.check(cases=False, predictions=[{"id": "a", "output": "yes"}])
    assert run.status == 1
    assert run.row("b")["standing"] == "missing"


def test_a_baseline_alone_cannot_grade_a_path_and_says_what_is_needed(house):
    house.text("gate.toml", RUBRIC)
    house.lines("cases.jsonl", [CASE])
    house.lines("predictions.jsonl", [{"id": "a", "output": "yes", "tools": ["t"]}])
    house.accept()
    run = house.check(cases=False)
    assert run.status == 2
    assert "give --cases" in run.err


def test_with_neither_cases_nor_baseline_the_suite_is_unpinned_and_never_green(house):
    ruled(house)
    run = house.check(
        *("--allow-missing-baseline", "--min-pass-rate", "0.5"), cases=False, baseline=False
    )
    assert run.status == 3
    assert run.result["pinned"] is False
    assert run.outcomes()["completeness"] == "undecided"
    assert "Unpinned suite" in run.report


def test_an_unpinned_suite_is_not_green_either_where_completeness_is_switched_off(house):
    ruled(house)
    house.text("gate.toml", RUBRIC + '[[gates]]\ngate = "completeness"\nenabled = false\n')
    run = house.check(
        *("--allow-missing-baseline", "--min-pass-rate", "0.5"), cases=False, baseline=False
    )
    assert run.status == 3
