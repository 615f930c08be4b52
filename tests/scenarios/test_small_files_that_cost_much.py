"""Small hostile files: refused by a named limit, before they cost time or memory."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("a." * 10_000 + "a = 1", "gate.toml:1: more than 200 dots in one line"),
        ("[suite]\n" + "".join(f"sed{at} = 1\n" for at in range(20_000)), "more problems"),
        ("[[gates]]\ngate = 'floor'\nmin = 0\n" * 101, "101 gates; at most 100 make sense"),
        ("[suite]\nseed = " + "9" * 4_000, "seed"),
    ],
    ids=["dotted key", "unknown keys", "gates", "huge integer"],
)
def test_a_hostile_policy_is_refused_in_words(house, policy, said):
    house.start()
    house.text("gate.toml", policy)
    run = house.check(predictions=house.GOOD)
    assert run.status == 2
    assert said in run.err


def test_a_huge_seed_is_a_usage_error(house):
    house.start()
    run = house.check("--seed", "9" * 4_000)
    assert run.status == 2


def test_many_labels_are_refused(house):
    house.start()
    labels = [f"l{at}" for at in range(51)]
    house.lines("cases.jsonl", [{"id": "a", "input": "?", "reference": "x", "labels": labels}])
    assert "51 labels, more than 50" in house.check().err
    rows = [
        {
            "id": f"{at}",
            "input": "?",
            "reference": "x",
            "labels": [f"l{at}-{n}" for n in range(50)],
        }
        for at in range(21)
    ]
    house.lines("cases.jsonl", rows)
    assert "1,050 different labels, more than 1,000" in house.check().err


def test_a_stored_result_cannot_ask_for_more_resamples_than_a_policy(house):
    house.start()
    house.check("--out", "o", predictions=house.GOOD)
    text = (house.folder / "o" / "result.json").read_text()
    house.text("edited.json", text.replace('"n_boot": 10000', '"n_boot": 1000000000'))
    run = house.run("decide", "edited.json")
    assert run.status == 2
    assert "n_boot" in run.err


def test_out_never_takes_an_input_away(house):
    house.start()
    house.lines("d/report.md", house.CASES)
    run = house.run(
        "check",
        "--cases",
        "d/report.md",
        "--predictions",
        "predictions.jsonl",
        "--baseline",
        "baseline.json",
        "--max-drop",
        "0",
        "--out",
        "d",
    )
    assert run.status == 2
    assert "would overwrite the input" in run.err
    assert (house.folder / "d" / "report.md").exists()


def test_a_promoted_name_is_no_workflow_command_and_no_secret(house, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "CANARY-SECRET-0123456789")
    house.start()
    house.run(
        "score",
        "--cases",
        "cases.jsonl",
        "--predictions",
        "predictions.jsonl",
        "--scorer",
        "contains",
        "--out",
        "s",
    )
    text = (house.folder / "s" / "result.json").read_text()
    evil = "x\\n::error title=pwned::hello\\n##[error]x \\u001b[31m CANARY-SECRET-0123456789"
    house.text("h.json", text.replace('"name": "contains"', f'"name": "{evil}"'))
    run = house.run("baseline", "promote", "--result", "h.json", "--to", "b.json")
    said = run.out + run.err
    assert "\n::" not in said
    assert "##[" not in said
    assert "\x1b" not in said
    assert "CANARY" not in said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_refused_input_of_the_action_is_2_also_where_nothing_can_be_said(tmp_path):
    command = 'exec "$0" "$1" 2>/dev/full'
    environ = {"INPUT_COMMAND": "check", "INPUT_ADVISORY": "maybe", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        ["bash", "-c", command, sys.executable, str(ROOT / "entrypoint.py")],
        env=environ,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 2
