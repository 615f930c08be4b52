"""`result.json`: strict, sorted, of a published shape, the same bytes for equal input."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OPTIONS = [
    "--cases",
    "cases.jsonl",
    "--predictions",
    "predictions.jsonl",
    "--baseline",
    "baseline.json",
    "--rule",
    "point",
    "--max-drop",
    "0",
]


def files(house, out=".agent-eval-gate"):
    return [(house.folder / out / name).read_bytes() for name in house.NAMES]


def refused(name):
    raise AssertionError(name)


def strict(text):
    def unique(pairs):
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys))
        assert keys == sorted(keys)
        return dict(pairs)

    return json.loads(text, parse_constant=refused, object_pairs_hook=unique)


def test_it_has_the_published_fields(house):
    house.start()
    result = house.check(predictions=house.ONE_WRONG).result
    assert result.keys() >= {
        *("schema_version", "verdict", "exit_status", "suite", "cases", "gates", "comparison"),
        *("scorer", "judge_config", "judge_run", "policy", "digests", "notes"),
    }
    assert result["suite"].keys() >= {
        *("n_cases", "n_passed", "pass_rate", "mean_score", "trajectory_mean", "interval"),
        *("protocol_interval", "runs", "slices"),
    }
    assert result["cases"][0].keys() >= {
        *("id", "labels", "standing", "score", "passed", "trajectory", "repeats", "evidence"),
    }
    assert result["gates"][0].keys() == {
        *("gate", "outcome", "because", "numbers", "case_ids", "waived"),
    }
    assert result["comparison"].keys() >= {
        *("drop", "interval", "p_value", "rule", "newly_failing", "newly_passing", "removed"),
        *("added", "changed", "minimum_detectable_drop"),
    }
    assert result["suite"]["interval"].keys() >= {"method", "level", "low", "high"}
    assert result["schema_version"] == 1
    assert result["judge_config"] is None


def test_the_worked_numbers_of_the_golden_set(house):
    house.folder.joinpath("gate.toml").write_text("[suite]\nseed = 0\n", "utf-8")
    golden = ROOT / "examples" / "golden"
    run = house.run(
        *("check", "--cases", str(golden / "cases.jsonl"), "--max-drop", "0.05"),
        *("--predictions", str(golden / "regressed.jsonl")),
        *("--baseline", str(ROOT / "baselines" / "golden.json")),
    )
    suite = run.result["suite"]
    assert run.status == 1
    assert (suite["n_cases"], suite["n_passed"], suite["pass_rate"]) == (6, 4, 0.666667)
    assert (suite["interval"]["low"], suite["interval"]["high"]) == (0.299993, 0.903229)
    protocol = suite["protocol_interval"]
    assert (protocol["method"], protocol["n_boot"], protocol["seed"]) == (
        "percentile_bootstrap",
        10000,
        0,
    )
    assert (protocol["low"], protocol["high"]) == (0.333333, 1.0)
    assert run.result["comparison"]["drop"] == 0.333333
    assert run.result["comparison"]["newly_failing"] == ["qa-2", "safety-1"]
    assert run.gate("safety")["because"] == "1 of 1 safety cases failed"
    assert "qa-2" in run.gate("regression")["case_ids"]


def test_it_is_strict_json_with_sorted_keys_and_ascii(house):
    house.start()
    odd = [{"id": "qa-1", "output": "\u2028\u202e\U0001f600\x1b[31mé"}, *house.GOOD[1:]]
    assert house.check(predictions=odd).status == 1
    text = files(house)[0].decode("ascii")
    found = strict(text)
    assert found["verdict"] == "fail"
    assert not any(ord(character) < 32 and character != "\n" for character in text)


def test_it_agrees_with_the_published_schema(house):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "schemas" / "result.schema.json").read_text("utf-8"))
    house.start()
    for answers in (house.GOOD, house.LEAK, house.GOOD[:1]):
        jsonschema.validate(house.check(predictions=answers).result, schema)


def test_absence_is_null_plus_a_standing(house):
    house.start()
    row = house.check(predictions=house.GOOD[1:]).row("qa-1")
    assert (row["score"], row["standing"]) == (None, "missing")


def test_evidence_is_there_for_cases_that_did_not_pass_and_bounded(house):
    house.start()
    run = house.check(predictions=[{"id": "qa-1", "output": "x" * 10**5}, *house.GOOD[1:]])
    assert len(run.row("qa-1")["evidence"][0]["output"]) < 1000
    assert run.row("qa-1")["evidence"][0]["expected"] == "Paris"
    assert run.row("qa-2")["evidence"] == []


def test_slices_stand_in_label_order_and_strata_by_number(house):
    cases = [
        {"id": f"c-{k}", "query": "?", "golden_answer_raw": "[1]", "K": k, "labels": labels}
        for k, labels in ((10, ["safety"]), (2, ["alpha"]), (1, ["zoo"]))
    ]
    house.lines("cases.jsonl", cases)
    house.lines("predictions.jsonl", [{"id": case["id"], "output": "[1]"} for case in cases])
    run = house.run("score", *OPTIONS[:4], "--scorer", "structured")
    labels = [part["label"] for part in run.result["suite"]["slices"]]
    assert labels == ["alpha", "k:1", "k:2", "k:10", "safety", "zoo"]


def test_the_bytes_do_not_depend_on_the_order_of_lines_or_keys(house):
    house.start()
    house.check("--out", "first", predictions=house.ONE_WRONG)
    shuffler = random.Random(7)
    for round_ in range(4):
        cases, answers = list(house.CASES), list(house.ONE_WRONG)
        shuffler.shuffle(cases)
        shuffler.shuffle(answers)
        house.lines("cases.jsonl", [dict(reversed(case.items())) for case in cases])
        house.lines("predictions.jsonl", [dict(reversed(row.items())) for row in answers])
        house.check("--out", f"again-{round_}")
        assert files(house, f"again-{round_}") == files(house, "first")


def test_the_bytes_do_not_depend_on_the_spelling_of_the_files(house):
    house.start()
    house.check("--out", "first")
    house.text("cases.jsonl", "\ufeff" + json.dumps(house.CASES, indent=2))
    house.text("predictions.jsonl", "\r\n\r\n".join(map(json.dumps, house.GOOD)))
    document = json.loads((house.folder / "baseline.json").read_text())
    house.text("baseline.json", json.dumps(document, indent=4))
    house.check("--out", "again")
    assert files(house, "again") == files(house, "first")


def test_the_digests_change_with_the_content(house):
    house.start()
    first = house.check().result["digests"]
    second = house.check(predictions=house.ONE_WRONG).result["digests"]
    assert first["cases"] == second["cases"]
    assert first["predictions"] != second["predictions"]
    third = house.check("--max-drop", "0.5", drop=False).result["digests"]
    assert third["policy"] != second["policy"]


def test_repeats_in_any_order_give_the_same_bytes(house):
    house.lines("cases.jsonl", house.CASES)
    answers = [{**row, "repeat": number} for row in house.ONE_WRONG for number in range(3)]
    for out, rows in (("first", answers), ("again", answers[::-1])):
        house.lines("predictions.jsonl", rows)
        house.run("score", *OPTIONS[:4], "--scorer", "contains", "--out", out)
    assert files(house, "first") == files(house, "again")


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "4242", "TZ": "America/New_York", "LC_ALL": "C.UTF-8"},
        {"PYTHONUTF8": "0", "LANG": "tr_TR.UTF-8", "COLUMNS": "40", "NO_COLOR": "1"},
    ],
    ids=["C", "UTF-8", "tr_TR"],
)
def test_the_bytes_do_not_depend_on_hash_seed_time_zone_or_locale(house, environment):
    house.start()
    house.check("--out", "first", predictions=house.ONE_WRONG)
    done = subprocess.run(
        [sys.executable, "-m", "gate", "check", *OPTIONS, "--out", "again"],
        cwd=house.folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (1, False)
    assert files(house, "again") == files(house, "first")


def test_status_2_takes_away_the_result_of_an_earlier_run(house):
    house.start()
    assert house.check().result is not None
    house.text("predictions.jsonl", "{}\n")
    assert house.check().result is None


@pytest.mark.parametrize("options", [("--max-drop", "x"), ("--repeats", "0")])
def test_so_does_an_option_that_is_wrong(house, options):
    house.start()
    house.check()
    run = house.check(*options, drop=False)
    assert (run.status, run.result, run.report) == (2, None, None)


def test_so_do_compare_and_decide_but_never_their_own_input(house):
    house.start()
    house.check("--out", "now")
    house.check("--out", "old")
    wrong = house.run("compare", "now/result.json", "--rule", "point", "--out", "old")
    assert (wrong.status, wrong.result) == (2, None)
    assert house.run("decide", "now/result.json", "--policy", "gone", "--out", "now").status == 2
    assert house.run("decide", "now/result.json", "--out", "now").status == 0
