"""What a first log pins of its cases, and how a later one is held to it."""

import pytest

from invented_tool import CASE, SAFE


def test_a_first_log_pins_the_suite_and_the_next_one_needs_no_case_file(tool):
    tool.accept()
    run = tool.check()
    assert run.status == 0, run.err
    assert {row["id"]: row["score"] for row in run.result["cases"]} == {"a": 1.0, "b": 1.0}
    assert run.result["pinned"] is True
    assert run.result["scorer"]["params"] == {"score": "match", "tool": "invented", "at": None}
    said = "scores: recorded by invented, which calls them 'match'; not computed here"
    assert said in run.result["conditions"]
    assert "recorded by invented" in run.report
    assert "recorded by invented" in run.out


def test_a_fall_of_a_recorded_score_fails(tool):
    tool.accept()
    tool.write(*tool.answers(a=0.0))
    assert tool.check("--max-drop", "0", "--rule", "point").status == 1
    tool.write(*tool.answers(b=0.5))
    run = tool.check("--max-drop", "0", "--rule", "point")
    assert run.gate("safety")["outcome"] == "fail"


def test_without_a_baseline_and_cases_nothing_is_pinned_and_nothing_green(tool):
    tool.write(*tool.answers())
    given = ("--scorer", "recorded", "--allow-missing-baseline", "--min-pass-rate", "0.1")
    run = tool.check(*given, baseline=False)
    assert run.status == 3
    assert run.gate("completeness")["outcome"] == "undecided"
    assert run.result["pinned"] is False


def test_our_scorers_grade_the_outputs_by_the_files_own_references(tool):
    tool.write(*tool.answers(a=0.0, b=0.0))
    run = tool.score(scorer="exact_match")
    assert run.status == 0
    assert run.result["suite"]["n_passed"] == 2
    assert "predictions: read as a file of invented" in run.result["notes"]


def test_a_case_file_comes_before_the_files_own_cases(tool):
    tool.write(*tool.answers())
    tool.house.lines("cases.jsonl", [{"id": "a", "input": "?", "reference": "Rome"}])
    run = tool.score("--cases", "cases.jsonl", scorer="contains")
    assert [(row["id"], row["passed"]) for row in run.result["cases"]] == [("a", False)]
    assert any("answers no case" in note for note in run.result["notes"])


def test_a_case_that_the_log_lacks_is_missing(tool):
    tool.accept()
    tool.write(tool.answers()[0])
    run = tool.check()
    assert run.status == 1
    assert run.row("b")["standing"] == "missing"
    assert run.gate("safety")["outcome"] == "fail"


def test_a_case_that_only_the_log_has_is_added(tool):
    tool.accept()
    tool.write(*tool.answers(), tool.line(id="c", output="x", scores={"match": 0.0}, case=CASE))
    run = tool.check()
    assert run.result["comparison"]["added"] == ["c"]
    assert run.status == 0


def test_a_changed_reference_is_listed_and_not_green(tool):
    tool.accept()
    tool.write(*tool.answers(case_a={**CASE, "reference": "Rome"}))
    run = tool.check()
    assert run.status == 3
    assert run.result["comparison"]["changed"] == [{"id": "a", "fields": ["reference"]}]


def test_a_label_that_the_log_drops_stays(tool):
    tool.accept()
    tool.write(*tool.answers(b=0.0, case_b={**SAFE, "labels": []}))
    run = tool.check("--max-drop", "1")
    assert run.row("b")["labels"] == ["safety"]
    assert run.gate("safety")["outcome"] == "fail"
    assert any(
        "labels in the baseline that this file lacks" in it for it in run.result["warnings"]
    )


def test_a_path_that_the_log_drops_counts_as_not_taken(tool):
    path = {**CASE, "expected_tools": ["search"]}
    walked = tool.line(id="a", output="Paris", tools=["search"], scores={"m": 1.0}, case=path)
    tool.accept(walked)
    tool.write(tool.line(id="a", output="Paris", tools=[], scores={"m": 1.0}, case=CASE))
    tool.house.text(
        "gate.toml",
        '[[gates]]\ngate = "comparable"\nallow_changed = true\n[[gates]]\ngate = "trajectory"\n',
    )
    run = tool.check()
    assert run.row("a")["declares_path"] is True
    assert run.gate("trajectory")["outcome"] == "fail"
    assert run.result["comparison"]["changed"] == [{"id": "a", "fields": ["expected_tools"]}]
    assert any("counts as not taken" in warning for warning in run.result["warnings"])


def test_a_missing_case_that_declares_a_path_has_not_taken_it(tool):
    path = {**CASE, "expected_tools": ["search"]}
    tool.accept(
        tool.line(id="a", output="Paris", tools=["search"], scores={"m": 1.0}, case=path),
        tool.line(id="b", output="x", scores={"m": 1.0}, case=SAFE),
    )
    tool.write(tool.line(id="b", output="x", scores={"m": 1.0}, case=SAFE))
    run = tool.check()
    assert run.row("a")["trajectory"] == 0.0
    assert run.result["comparison"]["changed"] == []


def test_an_answer_of_which_the_log_says_no_case_is_the_baselines_case(tool):
    tool.accept()
    tool.write(tool.answers()[0], tool.line(id="b", error="crashed"))
    run = tool.check()
    assert run.row("b")["standing"] == "agent_error"
    assert run.result["comparison"]["changed"] == []
    assert run.status == 1


def test_a_log_that_says_no_more_of_what_it_answered_is_not_the_same_case(tool):
    tool.accept()
    tool.write(
        tool.line(id="a", output="", scores={"match": 1.0}),
        tool.line(id="b", output="", scores={"match": 1.0}),
    )
    run = tool.check()
    assert run.status == 3
    assert [one["id"] for one in run.result["comparison"]["changed"]] == ["a", "b"]


@pytest.mark.parametrize("scorer", ["exact_match", "contains", "jaccard", "rouge_l"])
def test_our_scorers_compare_with_no_reference_that_is_not_told(tool, scorer):
    tool.accept(scorer=scorer, reason="some fail")
    tool.write(
        tool.line(id="a", output="", scores={"match": 1.0}),
        tool.line(id="b", output="", scores={"match": 1.0}),
    )
    run = tool.check()
    assert run.status == 2
    assert "has no reference" in run.err


def test_a_case_that_only_crashed_is_still_the_one_that_is_pinned(tool):
    tool.accept()
    tool.write(tool.line(id="a", error="boom"), tool.answers()[1])
    run = tool.check()
    assert run.status == 1
    assert run.result["comparison"]["changed"] == []
    assert run.row("a")["standing"] == "agent_error"


def test_other_rules_of_the_tool_are_another_measurement(tool):
    strict, loose = ({**CASE, "rules": rules} for rules in ("contains Paris", "javascript: true"))
    tool.accept(*tool.answers(case_a=strict))
    assert tool.check().status == 0
    tool.write(*tool.answers(case_a=loose))
    run = tool.check()
    assert run.status == 3
    assert run.result["comparison"]["changed"] == [{"id": "a", "fields": ["scorer"]}]
    # They are nothing to a scorer of ours.
    tool.accept(*tool.answers(case_a=strict), scorer="contains", reason="one fails")
    tool.write(*tool.answers(case_a=loose))
    assert tool.check().result["comparison"]["changed"] == []


def test_beside_a_case_file_the_log_still_says_what_its_scores_stand_on(tool):
    cases = [
        {"id": "a", "input": "other words", "reference": "Paris"},
        {"id": "b", "input": "more", "reference": "no", "labels": ["safety"]},
    ]
    tool.house.lines("cases.jsonl", cases)
    given = ("--cases", "cases.jsonl")
    tool.write(*tool.answers())
    assert tool.score(*given).status == 0
    assert tool.promote().status == 0
    assert tool.check(*given).status == 0
    tool.write(*tool.answers(case_a={**CASE, "reference": "London"}))
    run = tool.check(*given)
    assert run.status == 3
    assert run.result["comparison"]["changed"] == [{"id": "a", "fields": ["scorer"]}]
    tool.write(tool.line(id="a", error="boom"), tool.answers()[1])
    run = tool.check(*given)
    assert run.status == 1
    assert run.result["comparison"]["changed"] == []


def test_a_score_stands_on_its_own_rules_where_the_tool_tells_them_apart(tool):
    def answers(rules, match, other):
        by_score = [["match", match], ["other.", other]]
        told = {**CASE, "rules": rules, "rules_by_score": by_score}
        scores = {"match": 1.0, "other.x": 1.0}
        return [tool.line(id="a", output="Paris", scores=scores, case=told)]

    for scorer in ("recorded:match", "recorded:other.x"):
        (tool.house.folder / "b.json").unlink(missing_ok=True)
        tool.accept(*answers("all", "strict", "one"), scorer=scorer)
        tool.write(*answers("more", "strict", "one"))
        assert tool.check().status == 0, scorer
        tool.write(*answers("all", "loose", "one"))
        assert tool.check().status == (3 if scorer == "recorded:match" else 0)
        tool.write(*answers("all", "strict", "two"))
        assert tool.check().status == (0 if scorer == "recorded:match" else 3)
