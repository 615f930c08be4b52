"""Real files of other tools, gated as they are: by what they hold, and never green by nothing."""

import os
from pathlib import Path

import pytest

REAL = Path(os.environ.get("GATE_REAL_DATA") or "absent")
real = pytest.mark.skipif(not REAL.is_dir(), reason="GATE_REAL_DATA names no folder of real files")
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
