"""Every real file, from its first score to a check against itself: counts, statuses, paths."""

import json
import os
from pathlib import Path

import pytest

REAL = Path(os.environ.get("GATE_REAL_DATA") or "absent")
pytestmark = pytest.mark.skipif(
    not REAL.is_dir(), reason="GATE_REAL_DATA names no folder of real files"
)
INSPECT = "inspect_ai/mock_epochs2_errors_nan.eval"
ALL_ERRORS = "inspect_ai/all_samples_errored_status_success.json"
NO_TESTS = "promptfoo/out.empty_tests_1_passed.json"
NOTHING_MATCHED = "promptfoo/out.filter_matches_nothing.json"
NO_JUNIT = "junit/junit_empty.xml"
LENIENT = """
[scorer]
name = "rubric"
checks = [{ kind = "excludes", value = "what no answer holds" }]
[[gates]]
gate = "completeness"
max_errors = 1000
"""
"""Rules by which any answer passes, and no answer is missed."""


def rounds(house, name, *options):
    """Score a file, accept whatever it holds, check it against itself: the three statuses."""
    given = ("--predictions", str(REAL / name), *options)
    scored = house.run("score", *given, "--out", "s")
    promote = ("baseline", "promote", "--result", "s/result.json", "--to", "b.json")
    promoted = house.run(*promote, "--reason", "as it is")
    return scored, promoted, house.run("check", *given, "--baseline", "b.json")


@pytest.mark.parametrize(
    ("score", "standings", "mean"),
    [
        ("match", {"scored": 3, "agent_error": 1}, 0.5),
        ("num_score", {"scored": 3, "agent_error": 1}, 0.5625),
        ("dict_score.acc", {"scored": 3, "agent_error": 1}, 0.75),
        ("dict_score.style", {"unscorable": 3, "agent_error": 1}, 0.0),
    ],
)
def test_each_score_of_an_inspect_log_counts_the_crashed_sample(house, score, standings, mean):
    scored, promoted, checked = rounds(house, INSPECT, "--scorer", f"recorded:{score}")
    assert (scored.status, promoted.status, checked.status) == (0, 0, 1)
    assert scored.result["suite"]["standings"] == standings
    assert scored.result["suite"]["mean_score"] == mean
    (crashed,) = [row for row in scored.result["cases"] if row["standing"] == "agent_error"]
    assert crashed["passed"] is False


def test_a_log_in_which_every_sample_crashed_has_no_score_and_fails_by_any_scorer(house):
    assert [run.status for run in rounds(house, ALL_ERRORS, "--scorer", "recorded")][::2] == [2, 2]
    house.text("lenient.toml", LENIENT)
    scored, _, checked = rounds(house, ALL_ERRORS, "--policy", "lenient.toml")
    assert scored.result["suite"]["standings"] == {"agent_error": 1}
    assert scored.result["suite"]["n_passed"] == 0
    assert checked.result["suite"]["pass_rate"] == 0.0


def test_without_any_allowance_it_fails(house):
    house.text("usual.toml", LENIENT.split("[[gates]]", maxsplit=1)[0])
    *_, checked = rounds(house, ALL_ERRORS, "--policy", "usual.toml")
    assert checked.status == 1
    assert checked.gate("completeness")["outcome"] == "fail"


@pytest.mark.parametrize(
    ("name", "statuses"),
    [(NO_TESTS, (0, 0, 3)), (NOTHING_MATCHED, (2, 2, 2)), (NO_JUNIT, (2, 2, 2))],
)
def test_a_run_of_nothing_is_never_green_by_the_most_lenient_rules(house, name, statuses):
    house.text("lenient.toml", LENIENT)
    found = rounds(house, name, "--policy", "lenient.toml")
    assert tuple(run.status for run in found) == statuses
    given = ("--predictions", str(REAL / name), "--policy", "lenient.toml")
    floor = ("--allow-missing-baseline", "--min-pass-rate", "0.01")
    assert house.run("check", *given, *floor).status in {2, 3}


@pytest.mark.parametrize("name", [NO_TESTS, NOTHING_MATCHED, NO_JUNIT])
def test_and_has_no_score_of_the_tool(house, name):
    scored, _, checked = rounds(house, name, "--scorer", "recorded")
    assert (scored.status, checked.status) == (2, 2)


def test_a_junit_file_with_an_error_and_a_skipped_test_fails_against_itself(house):
    scored, _, checked = rounds(house, "junit/junit.xml", "--scorer", "recorded")
    assert scored.result["suite"]["standings"] == {
        "agent_error": 1,
        "scored": 4,
        "unscorable": 1,
    }
    assert checked.status == 1
    assert checked.gate("completeness")["outcome"] == "fail"
    assert "in 2 of 6 cases" in checked.gate("completeness")["because"]


def test_a_trajectory_of_agentevals_is_gated_in_the_order_of_its_calls(house):
    house.text("lenient.toml", LENIENT)
    given = ("--predictions", str(REAL / "agentevals" / "traj.json"), "--policy", "lenient.toml")
    (found,) = house.run("score", *given, "--out", "s").result["cases"]
    for expected, status in ((["get_weather"], 0), (["get_weather", "get_weather"], 1)):
        case = {"id": found["id"], "input": "?", "expected_tools": expected}
        house.lines("cases.jsonl", [case])
        floor = ("--allow-missing-baseline", "--min-pass-rate", "0.5", "--trajectory", "exact")
        run = house.run("check", *given, "--cases", "cases.jsonl", *floor)
        assert run.status == status, run.out


@pytest.mark.parametrize(
    "name", ["otlp_json_hexids.json", "otlp_protobuf_json_base64ids.json", "spans.json"]
)
def test_spans_give_the_tools_in_call_order_and_the_error_that_ended_the_run(house, name):
    run = house.run("import", str(REAL / "otel_genai" / name), "--predictions-to", "-")
    (found,) = [json.loads(line) for line in run.out.splitlines()]
    assert found["tools"] == ["search", "calc"]
    assert found["error"] == "ValueError: bad expr"
