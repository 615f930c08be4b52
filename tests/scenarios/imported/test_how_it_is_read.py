"""How a tool's file is recognised and read, and what is said of one that is not."""

import gzip

import pytest

from gate.inputs.importers.table import IMPORTERS
from invented_tool import CASE


def test_remarks_and_ids_by_place_are_notes(tool):
    tool.write(
        tool.line(id="1", output="x", scores={"m": 1.0}, by_place=True),
        tool.line("remark", said="3 rows were skipped"),
    )
    notes = tool.score().result["notes"]
    assert "3 rows were skipped" in notes
    assert any("positions in the file" in note for note in notes)


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
