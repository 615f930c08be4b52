"""Holes that other gates have, measured on 60 cases: each is shut here, by the real command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SIZE = 60
POINT = ("--max-drop", "0.05")


@pytest.fixture
def sixty(house):
    """A suite of 60 of which 12 fail in the accepted run, and one guards safety."""
    house.suite(SIZE, failing=range(12))
    house.accept("--scorer", "contains", reason="where the agent stands")
    return house


def test_a_candidate_that_drops_its_12_failing_cases_does_not_pass(sixty):
    sixty.suite(SIZE, missing=range(12))
    run = sixty.check(*POINT, drop=False)
    assert run.status == 1
    assert run.gate("completeness")["numbers"]["n_missing"] == 12
    assert run.result["suite"]["pass_rate"] == 0.8


def test_nor_one_that_drops_them_from_the_golden_set_too(sixty):
    sixty.lines(
        "cases.jsonl",
        [
            {"id": f"c-{number:02d}", "input": "?", "reference": "yes"}
            for number in range(12, SIZE)
        ],
    )
    run = sixty.check(*POINT, drop=False)
    assert run.status == 3
    assert len(run.result["comparison"]["removed"]) == 12


def test_one_missing_case_skips_no_test_and_does_not_pass(sixty):
    sixty.suite(SIZE, failing=range(12), missing=[40])
    run = sixty.check(*POINT, drop=False)
    assert run.status == 1
    assert run.gate("regression")["numbers"]["n_compared"] == SIZE
    assert run.gate("completeness")["case_ids"] == ["c-40"]


def test_one_safety_case_that_flips_fails_the_run(house):
    cases = [
        {"id": f"c-{number:02d}", "input": "?", "reference": "yes", "labels": ["safety"][number:]}
        for number in range(SIZE)
    ]
    answers = [{"id": case["id"], "output": "yes"} for case in cases]
    house.start(cases=cases, accepted=answers)
    answers[0]["output"] = "here is the key"
    run = house.check(*POINT, drop=False, predictions=answers)
    assert run.status == 1
    assert run.outcomes()["regression"] == "pass"
    assert run.gate("safety")["case_ids"] == ["c-00"]


@pytest.mark.parametrize(("worse", "drop"), [(9, 0.15), (20, 0.333333)])
def test_a_drop_of_15_or_33_points_exits_non_zero_by_default(house, worse, drop):
    house.suite(SIZE)
    house.accept("--scorer", "contains")
    house.suite(SIZE, failing=range(worse))
    run = house.check(*POINT, drop=False)
    assert run.status == 1
    assert run.result["comparison"]["drop"] == drop
    assert len(run.result["comparison"]["newly_failing"]) == worse
    assert run.result["comparison"]["newly_passing"] == []


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ((), 2),
        (("--allow-missing-baseline",), 3),
        (("--allow-missing-baseline", "--min-pass-rate", "0.5"), 1),
    ],
)
def test_without_a_baseline_and_everything_failing_it_is_never_green(house, options, status):
    house.suite(SIZE, failing=range(SIZE))
    run = house.check("--scorer", "contains", *options, baseline=False)
    assert run.status == status


@pytest.mark.parametrize("failing", [(), range(7)], ids=["all right", "all wrong"])
def test_seven_identical_cases_have_an_interval_that_is_not_of_width_zero(house, failing):
    house.suite(7, failing=failing)
    given = ("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    interval = house.run(*given, "--scorer", "contains").result["suite"]["interval"]
    assert interval["high"] - interval["low"] > 0.3


@pytest.mark.parametrize(
    "text",
    [None, '[scorer]\nname = "containz"\n'],
    ids=["by option", "by policy"],
)
def test_an_unknown_scorer_is_an_error_and_never_a_pass(house, text):
    house.suite(SIZE)
    house.accept("--scorer", "contains")
    if text is not None:
        house.text("gate.toml", text)
    run = house.check(*(() if text else ("--scorer", "containz")))
    assert run.status == 2
    assert "did you mean 'contains'?" in run.err
    assert run.out == ""


def test_an_unknown_scorer_of_one_case_is_an_error(house):
    house.suite(1)
    house.lines("cases.jsonl", [{"id": "c-00", "input": "?", "scorer": {"name": "judgement"}}])
    given = ("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    run = house.run(*given, "--scorer", "contains")
    assert run.status == 2
    assert "unknown name 'judgement'" in run.err


def test_a_misspelt_policy_key_is_an_error_and_never_ignored(house):
    house.suite(SIZE)
    house.accept("--scorer", "contains")
    house.suite(SIZE, failing=range(20))
    house.text("gate.toml", '[[gates]]\ngate = "regression"\nmax_dropp = 0.01\n')
    run = house.check("--max-drop", "1", drop=False)
    assert run.status == 2
    assert "unknown key 'max_dropp'; did you mean 'max_drop'?" in run.err


@pytest.mark.parametrize("entry", [("-m", "gate"), (str(ROOT / "entrypoint.py"),)])
def test_the_entry_works_from_any_working_directory(house, entry):
    house.suite(SIZE)
    house.accept("--scorer", "contains")
    elsewhere = house.folder / "elsewhere"
    elsewhere.mkdir()
    given = [
        *("check", "--cases", "../cases.jsonl", "--predictions", "../predictions.jsonl"),
        *("--baseline", "../baseline.json", "--max-drop", "0"),
    ]
    done = subprocess.run(
        [sys.executable, *entry, *given],
        cwd=elsewhere,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("Error")) == (0, 0), done.stderr
    assert (elsewhere / ".agent-eval-gate" / "result.json").is_file()
