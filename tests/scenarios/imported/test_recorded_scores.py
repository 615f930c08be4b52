"""The scores that a tool recorded: which of them counts, and what they are compared with."""

import pytest

from gate.inputs.importers.table import IMPORTERS
from invented_tool import CASE


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


def test_the_recorded_scores_are_in_the_digest_of_the_predictions(tool):
    tool.write(*tool.answers())
    one = tool.score().result["digests"]["predictions"]
    tool.write(*tool.answers(a=0.0))
    assert tool.score().result["digests"]["predictions"] != one


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
