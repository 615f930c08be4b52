"""Tools of other people's files reach the trajectory gate in the order of their calls."""

import json
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[1] / "data" / "importers"
CASES = [
    {"id": "geo-1", "input": "?", "reference": "392",
     "expected_tools": ["search", "search", "calc"]},
    {"id": "geo-2", "input": "?", "reference": "392", "expected_tools": ["calc"]},
    {"id": "geo-3", "input": "?", "reference": "0"},
]  # fmt: skip


def trajectories(house, text, *options):
    house.text("run.json", text)
    run = house.run("score", "--predictions", "run.json", "--trajectory", "exact",
                    "--scorer", "contains", *options)  # fmt: skip
    assert run.status == 0, run.err
    result = json.loads((house.folder / ".agent-eval-gate" / "result.json").read_text("utf-8"))
    return {case["id"]: case["trajectory"] for case in result["cases"]}


def test_a_trajectory_of_agentevals_takes_its_path_from_the_reference(house):
    text = (DATA / "messages" / "agentevals.json").read_text("utf-8")
    assert trajectories(house, text) == {"sf": 1.0}
    record = json.loads(text)
    record["outputs"][1]["tool_calls"].reverse()
    assert trajectories(house, json.dumps(record)) == {"sf": 0.0}


@pytest.mark.parametrize("name", ["otlp_base64.json", "otlp_hex.jsonl", "spans.json"])
def test_spans_give_the_path_that_was_gone_though_they_stand_by_their_ends(house, name):
    house.lines("cases.jsonl", CASES)
    given = ("--cases", "cases.jsonl", "--id-field", "case.id")
    found = trajectories(house, (DATA / "otel" / name).read_text("utf-8"), *given)
    assert (found["geo-1"], found["geo-2"]) == (1.0, 1.0)
    house.lines("cases.jsonl", [CASES[0] | {"expected_tools": ["search", "calc", "search"]}])
    found = trajectories(house, (DATA / "otel" / name).read_text("utf-8"), *given)
    assert found["geo-1"] == 0.0


def test_openinference_gives_the_same(house):
    house.lines("cases.jsonl", CASES[:1])
    text = (DATA / "openinference" / "spans.jsonl").read_text("utf-8")
    given = ("--cases", "cases.jsonl", "--id-field", "metadata.case")
    assert trajectories(house, text, *given)["geo-1"] == 1.0
