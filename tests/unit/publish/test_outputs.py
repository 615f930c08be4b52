"""What a workflow is told: every declared name, each value between its own delimiters."""

import json
from pathlib import Path

import pytest
import yaml

from gate.publish.outputs import (
    MOST_BYTES,
    MOST_IDS,
    NAMES,
    command_file,
    failed_outputs,
    failed_summary,
    id_list,
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


def test_a_summary_of_a_failure_may_name_its_suite():
    heading = failed_summary("invalid", "x", suite="`geo`").splitlines()[0]
    assert heading == "## ⛔ agent-eval-gate: invalid · `geo`"


@pytest.mark.parametrize(
    ("ids", "shown"),
    [
        ([], 0),
        (["a"] * MOST_IDS, MOST_IDS),
        (["a"] * (MOST_IDS + 1), MOST_IDS),
        (["x" * 1000] * 200, 65),
        (["\N{GRINNING FACE}" * 1000] * 20, 5),
        (["x" * MOST_BYTES], 0),
    ],
)
def test_a_list_of_ids_is_bounded_and_ends_in_the_number_of_those_left_out(ids, shown):
    text = id_list(ids)
    assert len(text) <= MOST_BYTES + 20
    found = json.loads(text)
    assert found == [*ids[:shown], *([len(ids) - shown] if len(ids) > shown else [])]


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


def test_a_secret_in_an_id_stands_in_no_output_and_on_no_page_and_the_ids_still_match(
    house, monkeypatch
):
    key = "CANARY-" + "k" * 33
    monkeypatch.setenv("SOME_KEY", key)
    names = [f"{'x' * size}{key}" for size in (0, 30, 40, 45, 90)]
    cases = [{"id": name, "input": "?", "reference": "y", "labels": [name]} for name in names]
    good = [{"id": name, "output": "y"} for name in names]
    house.start(cases=cases, accepted=good)
    monkeypatch.setenv("GITHUB_OUTPUT", "outputs")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary")
    run = house.check(predictions=[{**line, "output": "n"} for line in good], drop=True)
    assert run.status == 1
    assert run.result["comparison"]["newly_failing"] == sorted(names)
    told = "".join((house.folder / name).read_text() for name in ("outputs", "summary"))
    assert "CANARY" not in run.out + run.err + run.report + told
    assert "kkkk" not in run.out + run.err + run.report + told


def test_several_suites_are_told_apart_on_one_page_and_not_in_their_files(house, monkeypatch):
    house.start()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary")
    reports = [
        run.report for run in (house.check("--out", out) for out in ("results/a|b", "results/c/"))
    ]
    assert house.check("--out", "results/c", predictions=[]).status == 2
    lines = (house.folder / "summary").read_text().splitlines()
    assert [line for line in lines if line.startswith("## ")] == [
        "## ✅ agent-eval-gate: PASS · `results/a\\u{7c}b`",
        "## ✅ agent-eval-gate: PASS · `results/c`",
        "## ⛔ agent-eval-gate: invalid · `results/c`",
    ]
    assert reports[0] == reports[1]
    assert "results/" not in reports[0]


def test_the_action_declares_exactly_these_outputs():
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    assert tuple(action["outputs"]) == NAMES
