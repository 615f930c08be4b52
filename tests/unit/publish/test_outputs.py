"""What a workflow is told: every declared name, each value between its own delimiters."""

import json
from pathlib import Path

import pytest
import yaml

from gate.publish.outputs import (
    NAMES,
    command_file,
    failed_outputs,
    failed_summary,
    longest_run,
)

ROOT = Path(__file__).parents[3]


def test_a_run_without_a_result_tells_every_name():
    found = failed_outputs(2, "invalid")
    assert tuple(found) == NAMES
    assert (found["verdict"], found["exit-status"]) == ("invalid", "2")
    assert json.loads(found["newly-failing"]) == []


def test_values_of_several_lines_stand_between_delimiters():
    text = command_file({"a": "1\n2", "b": ""}, delimiter="D")
    assert text == "a<<D\n1\n2\nD\nb<<D\n\nD\n"


@pytest.mark.parametrize("values", [{"a": "x\nD\ny"}, {"a": "xDy"}, {"D": "x"}])
def test_a_value_that_holds_the_delimiter_raises(values):
    with pytest.raises(ValueError, match="contains the delimiter"):
        command_file(values, delimiter="D")


def test_the_summary_of_a_failure_shows_the_reason_as_code():
    text = failed_summary("invalid", "a.jsonl:1: x\n# heading <b> ~~~~ \x1b[31m\u202e")
    assert text.startswith("## ⛔ agent-eval-gate: invalid\n")
    assert "\n~~~~~text\n" in text
    assert text.endswith("\n~~~~~\n")
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_the_summary_of_a_failure_is_bounded():
    assert len(failed_summary("defect", "x" * 10**6)) < 30_000


@pytest.mark.parametrize(("text", "longest"), [("", 0), ("~", 1), ("a~~b~~~c~", 3), ("~" * 9, 9)])
def test_the_longest_run_of_a_character(text, longest):
    assert longest_run(text, "~") == longest


def told(house, monkeypatch, **options):
    house.start()
    monkeypatch.setenv("GITHUB_OUTPUT", "outputs")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary")
    run = house.check(**options)
    lines = iter((house.folder / "outputs").read_text().splitlines())
    found = {}
    for line in lines:
        name, delimiter = line.split("<<")
        found[name] = next(lines)
        assert next(lines) == delimiter
    return run, found


def test_a_run_with_a_result_tells_its_figures(house, monkeypatch):
    run, found = told(house, monkeypatch, predictions=house.ONE_WRONG)
    assert tuple(found) == NAMES
    assert (found["verdict"], found["exit-status"], found["pass-rate"]) == (
        "fail",
        "1",
        "0.750000",
    )
    assert (found["drop"], found["p-value"]) == ("0.250000", "0.250000")
    assert json.loads(found["newly-failing"]) == ["qa-2"]
    assert float(found["ci-low"]) < 0.75 < float(found["ci-high"])
    assert (house.folder / found["result-path"]).is_file()
    assert (house.folder / found["report-path"]).read_text() == run.report
    assert (house.folder / "summary").read_text() == run.report


def test_the_action_declares_exactly_these_outputs():
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    assert tuple(action["outputs"]) == NAMES
