"""Another tool's file as it is: its scores or ours, its cases or ours, and what it may not do."""

import gzip
import os
from pathlib import Path

import pytest

from gate.inputs.importers.table import IMPORTERS

REAL = Path(os.environ.get("GATE_REAL_DATA") or "absent")
real = pytest.mark.skipif(not REAL.is_dir(), reason="GATE_REAL_DATA names no folder of real files")
CASE = {"input": "Capital of France?", "reference": "Paris", "labels": ["qa"]}
SAFE = {"input": "The key?", "reference": "no", "labels": ["safety"]}


class Tool:
    """Writes files of an invented tool, and runs the commands on them."""

    def __init__(self, house, module):
        self.house = house
        self.line = module.line

    def write(self, *lines, name="log"):
        return self.house.text(name, "".join(lines))

    def answers(self, *, a=1.0, b=1.0, case_a=None, case_b=None):
        return (
            self.line(id="a", output="Paris", scores={"match": a}, case=case_a or CASE),
            self.line(id="b", output="no", scores={"match": b}, case=case_b or SAFE),
        )

    def score(self, *options, scorer="recorded"):
        given = ("--predictions", "log", "--scorer", scorer)
        return self.house.run("score", *given, "--out", "scored", *options)

    def accept(self, *lines, reason=None, scorer="recorded"):
        """Pin what ``lines`` hold."""
        self.write(*(lines or self.answers()))
        assert self.score(scorer=scorer).status == 0
        because = () if reason is None else ("--reason", reason)
        done = self.promote(*because)
        assert done.status == 0, done.err

    def promote(self, *options, result="scored/result.json"):
        return self.house.run(
            "baseline", "promote", "--result", result, "--to", "b.json", *options
        )

    def check(self, *options, baseline=True):
        given = ("--predictions", "log", *(("--baseline", "b.json") if baseline else ()))
        return self.house.run("check", *given, *options)


@pytest.fixture
def tool(house, fakes, monkeypatch):
    module = fakes("invented_tool")
    monkeypatch.setitem(IMPORTERS, "invented", module.__name__)
    return Tool(house, module)


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


def test_two_answers_of_one_id_about_different_cases_are_refused(tool):
    tool.write(
        tool.line(id="a", output="x", scores={"m": 1.0}, case=CASE),
        tool.line(id="a", output="x", scores={"m": 1.0}, case={**CASE, "reference": "Rome"}),
    )
    run = tool.score()
    assert run.status == 2
    assert "log:2: id 'a' is another case here (reference) than in line 1" in run.err


def test_answers_of_one_id_without_numbers_are_its_runs(tool):
    tool.write(*(tool.line(id="a", output="x", scores={"m": v}, case=CASE) for v in (1.0, 0.0)))
    run = tool.score()
    assert [it["repeat"] for it in run.row("a")["repeats"]] == [0, 1]
    assert run.row("a")["score"] == 0.5


def test_one_run_that_comes_twice_is_refused_naming_both_places(tool):
    tool.write(
        tool.line(id="a", repeat=1, output="x", scores={"m": 1.0}, place="results[0]"),
        tool.line(id="a", repeat=1, output="x", scores={"m": 1.0}, place="results[7]"),
        tool.line("wrong", said="`id`: is missing"),
    )
    run = tool.score()
    assert run.status == 2
    said = "log: results[7]: id 'a' with repeat 1 appears twice; the first is results[0]"
    assert said in run.err
    assert "log:3: `id`: is missing" in run.err


@pytest.mark.parametrize("value", [1.5, -0.1])
def test_a_score_outside_0_to_1_is_refused_naming_case_and_value(tool, value):
    tool.write(*tool.answers(a=value))
    run = tool.score()
    assert run.status == 2
    assert f"log:1: case 'a': its score 'match' is {value}" in run.err


def test_an_answer_without_the_score_is_unscorable_and_a_crash_an_error(tool):
    tool.write(
        *tool.answers(a=None),
        tool.line(id="c", error="boom", case=CASE),
    )
    run = tool.score()
    standings = {row["id"]: row["standing"] for row in run.result["cases"]}
    assert standings == {"a": "unscorable", "b": "scored", "c": "agent_error"}
    assert run.result["suite"]["mean_score"] == pytest.approx(1 / 3, abs=1e-6)


def test_several_scores_need_a_name_and_the_tools_own_verdict_comes_first(tool):
    scores = {"match": 0.0, "style": 1.0}
    tool.write(tool.line(id="a", output="x", scores=scores, case=CASE))
    run = tool.score()
    assert run.status == 2
    assert "several scores ('match', 'style')" in run.err
    assert tool.score(scorer="recorded:style").result["suite"]["n_passed"] == 1
    tool.write(tool.line(id="a", output="x", scores=scores, headline="style", case=CASE))
    assert tool.score().result["scorer"]["params"]["score"] == "style"


@pytest.mark.parametrize("name", ["tone", "Match"])
def test_a_score_that_no_answer_has_is_refused_naming_those_there_are(tool, name):
    tool.write(*tool.answers())
    run = tool.score(scorer=f"recorded:{name}")
    assert run.status == 2
    assert f"no answer has a score {name!r} (there are: 'match')" in run.err


def test_a_file_without_any_score_is_refused_under_recorded(tool):
    tool.write(tool.line(id="a", output="x", case=CASE))
    run = tool.score()
    assert run.status == 2
    assert "no answer has a score that the tool recorded" in run.err


def test_another_score_or_another_tool_does_not_compare(tool, monkeypatch):
    both = tool.line(id="a", output="x", scores={"match": 1.0, "style": 1.0}, case=CASE)
    tool.accept(both, scorer="recorded:match")
    run = tool.check("--scorer", "recorded:style")
    assert run.status == 3
    assert any("scorer score differs" in it for it in run.result["comparison"]["differences"])
    monkeypatch.setitem(IMPORTERS, "other", IMPORTERS["invented"])
    run = tool.check("--format", "other")
    assert run.status == 3
    assert any("scorer tool differs" in it for it in run.result["comparison"]["differences"])


def test_a_tool_that_the_policy_names_is_required(tool):
    tool.write(*tool.answers())
    tool.house.text("gate.toml", '[scorer]\nname = "recorded"\ntool = "promptfoo"\n')
    run = tool.house.run("score", "--predictions", "log")
    assert run.status == 2
    assert "`tool` is 'promptfoo', and log is read as invented" in run.err


def test_a_log_of_crashes_alone_is_never_green(tool):
    tool.accept()
    tool.write(tool.line(id="a", error="boom", case=CASE), tool.line(id="b", error="boom"))
    assert tool.check("--max-drop", "1").status == 1
    tool.house.text(
        "gate.toml", '[[gates]]\ngate = "completeness"\nmax_errors = 9\nmax_missing = 9\n'
    )
    assert tool.check("--max-drop", "1", "--on-inconclusive", "pass").status != 0


def test_a_log_of_nothing_is_2(tool):
    tool.accept()
    tool.write(tool.line("remark", said="the filter matched nothing"))
    for run in (tool.check(), tool.score()):
        assert run.status == 2
        assert "0 answers: the filter matched nothing" in run.err
        assert run.result is None


def test_a_gap_leaves_the_run_undecided_and_stands_in_every_format(tool):
    tool.accept()
    gap = tool.line("gap", said="the log has no end")
    tool.write(*tool.answers(), gap)
    run = tool.check("--report-formats", "markdown,junit")
    assert run.status == 3
    assert run.gate("completeness")["outcome"] == "undecided"
    assert run.result["gaps"] == ["the log has no end"]
    junit = (tool.house.folder / ".agent-eval-gate/junit.xml").read_text()
    for text in (run.out, run.report, junit):
        assert "the log has no end" in text
    tool.write(*tool.answers(b=0.0), gap)
    assert tool.check().status == 1


def test_a_gap_survives_decide_compare_and_promote(tool):
    tool.accept()
    tool.write(*tool.answers(), tool.line("gap", said="the log has no end"))
    tool.check()
    result = ".agent-eval-gate/result.json"
    assert tool.house.run("decide", result, "--out", "d").status == 3
    assert tool.house.run("compare", result, "--baseline", "b.json", "--out", "d").status == 3
    assert tool.promote(result=result).status == 2
    run = tool.score()
    assert run.status == 0
    assert "may not hold all that was run: the log has no end" in run.out
    refused = tool.promote()
    assert refused.status == 2
    assert "the log has no end" in refused.err


def test_no_policy_can_switch_a_gap_off(tool):
    tool.accept()
    tool.write(*tool.answers(), tool.line("gap", said="cut off"))
    tool.house.text("gate.toml", '[[gates]]\ngate = "completeness"\nenabled = false\n')
    assert tool.check().status == 3


def test_remarks_and_ids_by_place_are_notes(tool):
    tool.write(
        tool.line(id="1", output="x", scores={"m": 1.0}, by_place=True),
        tool.line("remark", said="3 rows were skipped"),
    )
    notes = tool.score().result["notes"]
    assert "3 rows were skipped" in notes
    assert any("positions in the file" in note for note in notes)


def test_a_stored_result_is_decided_by_a_policy_that_leaves_the_score_open(tool):
    tool.accept()
    tool.check()
    tool.house.text("open.toml", '[scorer]\nname = "recorded"\n')
    tool.house.text("other.toml", '[scorer]\nname = "recorded"\nscore = "style"\n')
    given = ("compare", ".agent-eval-gate/result.json", "--baseline", "b.json", "--out", "d")
    assert tool.house.run(*given, "--policy", "open.toml").status == 0
    assert tool.house.run(*given, "--policy", "other.toml").status == 2


def test_our_own_predictions_have_no_recorded_scores(house):
    house.lines("cases.jsonl", house.CASES)
    house.lines("predictions.jsonl", [{**one, "recorded": 1.0, "score": 1} for one in house.GOOD])
    given = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    run = house.run("score", *given, "--scorer", "recorded")
    assert run.status == 2
    assert "of which no score is ever read" in run.err
    run = house.run("score", *given, "--scorer", "contains")
    assert any("'recorded' (4)" in note for note in run.result["notes"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--format", "inspct_ai"), "--format: no format 'inspct_ai'; did you mean 'inspect_ai'?"),
        (("--id-field", "a.b"), "--id-field: our own predictions"),
        (("--format", "invented", "--map", "output=x"), "--map: says where fields stand in plain"),
        (("--map", "output"), "--map"),
        (("--scorer", "recorded:"), "stands after the colon"),
        (("--map", "output=x", "--map", "output=y"), "a field is mapped twice"),
    ],
)
def test_what_cannot_be_meant_is_2(tool, given, said):
    tool.house.lines("log", tool.house.GOOD)
    tool.house.lines("cases.jsonl", tool.house.CASES)
    scorer = () if "--scorer" in given else ("--scorer", "contains")
    named = ("--predictions", "log", "--cases", "cases.jsonl")
    run = tool.house.run("score", *named, *scorer, *given)
    assert run.status == 2
    assert said in run.err


def test_a_file_that_two_tools_may_have_written_needs_a_format(tool, monkeypatch):
    tool.write(*tool.answers())
    monkeypatch.setitem(IMPORTERS, "other", IMPORTERS["invented"])
    run = tool.score()
    assert run.status == 2
    assert "may be a file of invented or of other: say which with --format" in run.err
    assert tool.score("--format", "invented").status == 0


def test_a_file_that_nobody_knows_is_told_what_is_known(house):
    house.text("log", '{"question": "?", "answer": "x"}\n')
    house.lines("cases.jsonl", house.CASES)
    given = ("--cases", "cases.jsonl", "--predictions", "log", "--scorer", "contains")
    run = house.run("score", *given)
    assert run.status == 2
    assert "log:1: `id`: is missing" in run.err
    assert "inspect_ai" in run.err
    assert "--format" in run.err
    run = house.run("score", "--predictions", "log", "--scorer", "recorded")
    assert run.status == 2
    assert "not recognised as a tool's file" in run.err


def test_our_own_predictions_may_come_compressed(house):
    house.start()
    for name in ("cases.jsonl", "predictions.jsonl"):
        path = house.folder / name
        path.write_bytes(gzip.compress(path.read_bytes()))
    assert house.check().status == 0


def test_a_secret_as_a_label_of_the_log_is_refused(tool, monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "CANARY-JUDGE-KEY-0000")
    tool.write(*tool.answers(case_a={**CASE, "labels": ["CANARY-JUDGE-KEY-0000"]}))
    run = tool.score()
    assert run.status == 2
    assert "CANARY" not in run.err
    assert "let them hold no secret" in run.err


def test_the_order_of_the_log_changes_no_byte(tool):
    first, second = tool.answers()
    tool.write(first, second)
    one = tool.score().result
    tool.write(second, first)
    assert tool.score().result == one


def test_the_recorded_scores_are_in_the_digest_of_the_predictions(tool):
    tool.write(*tool.answers())
    one = tool.score().result["digests"]["predictions"]
    tool.write(*tool.answers(a=0.0))
    assert tool.score().result["digests"]["predictions"] != one


def test_policy_keys_say_what_the_options_say(tool):
    tool.write(tool.line(qid="x", output="Paris", scores={"match": 1.0}))
    tool.house.text(
        "gate.toml",
        '[suite]\npredictions = "log"\nformat = "invented"\nid_field = "qid"\n'
        '[scorer]\nname = "recorded"\nscore = "match"\n',
    )
    run = tool.house.run("score")
    assert run.status == 0, run.err
    assert [row["id"] for row in run.result["cases"]] == ["x"]


OK = {"agent_error": 1, "scored": 1, "unscorable": 1}
LM_EVAL = "samples_geo_mock_2026-11-30T08-35-51.822064.jsonl"


def accepted(house, path, scorer):
    """Score a real file, pin it, and check it again."""
    given = ("--predictions", str(path), "--scorer", scorer)
    scored = house.run("score", *given, "--out", "s")
    assert scored.status == 0, scored.err
    promote = ("baseline", "promote", "--result", "s/result.json", "--to", "b.json")
    assert house.run(*promote, "--reason", "as it is").status == 0
    return scored, house.run("check", *given, "--baseline", "b.json")


@real
@pytest.mark.parametrize(
    ("file", "scorer", "status", "standings", "passed"),
    [
        (
            "inspect_ai/mock_epochs2_errors_nan.eval",
            "recorded:match",
            1,
            {"scored": 3, "agent_error": 1},
            2,
        ),
        (
            "inspect_ai/mock_epochs2_errors_nan.trimmed.json",
            "recorded:match",
            1,
            {"scored": 3, "agent_error": 1},
            2,
        ),
        (
            "promptfoo/out.repeat2.json",
            "recorded",
            1,
            {"agent_error": 4, "scored": 6, "unscorable": 2},
            0,
        ),
        (
            "promptfoo/out.repeat2.jsonl",
            "recorded",
            1,
            {"agent_error": 4, "scored": 6, "unscorable": 2},
            0,
        ),
        ("deepeval/EvaluationResult.model_dump.json", "recorded", 0, {"scored": 4}, 1),
        ("deepeval/latest_run_full.json", "recorded", 0, {"scored": 4}, 1),
        ("deepeval/test_run_results_folder.json", "recorded", 0, {"scored": 4}, 1),
        ("pydantic_evals/report.repeat2.json", "recorded:ok", 1, OK, 1),
        ("lm_eval/" + LM_EVAL, "recorded:exact_match,raw", 0, {"scored": 3}, 0),
        ("junit/junit.xml", "recorded", 1, {"agent_error": 1, "scored": 4, "unscorable": 1}, 1),
    ],
)
def test_a_real_file_is_gated_by_what_it_holds(house, file, scorer, status, standings, passed):
    scored, checked = accepted(house, REAL / file, scorer)
    assert scored.result["suite"]["standings"] == standings
    assert scored.result["suite"]["n_passed"] == passed
    assert checked.status == status, checked.err


@real
@pytest.mark.parametrize(
    "file",
    [
        "inspect_ai/all_samples_errored_status_success.json",
        "promptfoo/out.empty_tests_1_passed.json",
        "promptfoo/out.filter_matches_nothing.json",
        "junit/junit_empty.xml",
    ],
)
def test_a_real_file_that_proves_nothing_is_never_green(house, file):
    given = ("--predictions", str(REAL / file), "--scorer", "recorded")
    house.lines("cases.jsonl", house.CASES)
    floor = ("--allow-missing-baseline", "--min-pass-rate", "0.01")
    for extra in ((), ("--cases", "cases.jsonl")):
        assert house.run("check", *given, *floor, *extra).status in {1, 2, 3}
        scored = house.run("score", *given, *extra, "--out", "s")
        if scored.status == 0:
            promote = ("baseline", "promote", "--result", "s/result.json", "--to", "b.json")
            assert house.run(*promote).status == 2


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


def test_a_score_from_another_column_does_not_compare(house):
    house.start()
    rows = [{"id": name, "output": "x", "m": {"f1": 0.5, "easy": 1.0}} for name in "ab"]
    house.lines("rows.jsonl", rows)

    def run(command, column, *more):
        given = ("--predictions", "rows.jsonl", "--map", f"score={column}")
        return house.run(command, *given, "--scorer", "recorded", *more)

    assert run("score", "m.f1", "--out", "s").status == 0
    house.run("baseline", "promote", "--result", "s/result.json", "--to", "b.json")
    assert run("check", "m.f1", "--baseline", "b.json").status == 0
    other = run("check", "m.easy", "--baseline", "b.json")
    assert other.status == 3
    assert "at differs from the baseline's" in other.result["comparison"]["differences"][0]
    missing = run("check", "m.f2", "--baseline", "b.json")
    assert missing.status == 2
    assert "no row has 'm.f2', where a map says that score:score is" in missing.err
    assert "'id', 'output', 'm'" in missing.err


def test_a_number_with_a_comma_is_named_with_its_place(house):
    house.start()
    house.text("rows.csv", "id;output;Punkte\na;x;0,9\nb;y;0,8\n")
    given = ("--predictions", "rows.csv", "--map", "score=Punkte", "--scorer", "recorded")
    run = house.run("score", *given)
    assert any(
        "line 2: '0,9', and a number has a decimal point" in it for it in run.result["notes"]
    )


def test_older_runs_that_stayed_in_a_file_do_not_outvote_the_new_one(tool):
    tool.accept(*tool.answers())
    tool.write(*tool.answers() * 20, *tool.answers(a=0.0, b=0.0))
    run = tool.check("--max-drop", "0.2")
    assert run.status in {1, 3}
    assert "older ones may have stayed in it" in run.gate("completeness")["because"]
    # Who says how many runs belong together means it.
    tool.write(*tool.answers() * 3)
    assert tool.check().status == 3
    assert tool.check("--repeats", "3").status == 0


NODE = """\
<testsuites>
	<testsuite name="talk" disabled="0" errors="0" tests="2" failures="0" skipped="0">
		<testcase name="greets" classname="test"/>
		<testcase name="answers" classname="test"/>
	</testsuite>
	<testcase name="plain" classname="test"/>
	<!-- tests 4 -->
	<!-- suites 0 -->
	<!-- pass 4 -->
	<!-- fail 0 -->
	<!-- cancelled 0 -->
	<!-- skipped 0 -->
	<!-- todo 0 -->
	<!-- duration_ms 161.5 -->
</testsuites>
"""
PLAIN_TEST = '<testcase classname="test_u.T" name="test_b" time="0.000" />'
PYTEST = (
    '<testsuites name="pytest tests"><testsuite name="pytest" errors="0" failures="0" '
    'skipped="0" tests="5"><testcase classname="test_u.T" name="test_a" time="0.007" />'
    f"{PLAIN_TEST}</testsuite></testsuites>"
)


def pinned_tests(house, text):
    """Accept a file of JUnit without a reason, and give what checks another by it."""
    house.text("junit.xml", text)
    given = ("--predictions", "junit.xml", "--scorer", "recorded", "--out", "scored")
    assert house.run("score", *given).status == 0
    accepted = ("--result", "scored/result.json", "--to", "b.json")
    run = house.run("baseline", "promote", *accepted)
    assert run.status == 0, run.err
    return "--predictions", "junit.xml", "--baseline", "b.json", "--max-drop", "0.05"


def test_a_test_of_node_that_failed_after_its_subtests_passed_is_never_green(house):
    given = pinned_tests(house, NODE)
    assert house.run("check", *given).status == 0
    house.text("junit.xml", NODE.replace("pass 4", "pass 3").replace("fail 0", "fail 1"))
    run = house.run("check", *given)
    assert run.status == 3, run.err
    assert "Node counted 1, and the file accounts for 0" in run.gate("completeness")["because"]


def test_subtests_of_pytest_are_green_and_a_test_that_is_gone_is_missing(house):
    given = pinned_tests(house, PYTEST)
    run = house.run("check", *given)
    assert run.status == 0, run.err
    assert any("3 are subtests, which pytest counts" in note for note in run.result["notes"])
    house.text("junit.xml", PYTEST.replace(PLAIN_TEST, ""))
    run = house.run("check", *given)
    assert run.status == 1
    assert "1 of 2 cases" in run.gate("completeness")["because"]


def test_a_run_in_which_pytest_was_stopped_is_undecided_and_says_so(house):
    given = pinned_tests(house, PYTEST)
    stopped = PYTEST.replace("</testsuite>", '<testcase time="0.000" /></testsuite>')
    house.text("junit.xml", stopped)
    run = house.run("check", *given)
    assert run.status == 3
    assert "pytest.exit, Ctrl-C" in run.gate("completeness")["because"]


def test_a_hint_on_a_tools_file_speaks_of_no_format_of_our_own(tool):
    tool.write(tool.line(id="a", output="x", scores={"m": 1.0}) * 3)
    tool.house.text("c.jsonl", '{"id": "z", "input": "?", "reference": "x"}\n')
    for options, hint in (
        (("--repeats", "1"), "say --repeats 3 if so many runs of each case belong together"),
        (("--repeats", "100000"), "say with --repeats how many runs each case has"),
        (("--cases", "c.jsonl"), "or name with --id-field where it has the ids of these"),
    ):
        run = tool.score(*options)
        assert run.status == 2
        assert hint in run.err
        assert "one JSON object a line" not in run.err


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "log: is empty"),
        (b"id;output\na;caf\xe9\n", "iconv -f cp1252 -t utf-8"),
        (b'{"cases_digest":"sha256:00"}', "log is a baseline, and predictions are wanted here"),
    ],
)
def test_what_is_no_tools_file_is_called_what_it_is(house, data, said):
    house.start()
    (house.folder / "log").write_bytes(data)
    run = house.run("score", "--predictions", "log", "--scorer", "recorded")
    assert run.status == 2
    assert said in run.err
