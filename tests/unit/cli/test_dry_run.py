"""A dry run counts, asks nobody, writes nothing and decides nothing."""

import re

import pytest

CASES = [{"id": name, "input": "?", "reference": f'["{name}", 1]'} for name in "ab"]
ANSWERS = [{"id": "a", "output": '["a", 1]'}, {"id": "b", "output": "something else"}]
GIVEN = (
    *("--cases", "cases.jsonl", "--predictions", "predictions.jsonl"),
    *("--scorer", "geoktools", "--judge", "gemini", "--dry-run"),
)


@pytest.fixture
def ready(house, monkeypatch):
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    house.lines("cases.jsonl", CASES)
    house.lines("predictions.jsonl", ANSWERS)
    return house


def test_it_prints_calls_tokens_and_a_price_and_needs_no_key(ready):
    run = ready.run("score", *GIVEN)
    assert run.status == 0, run.err
    said = dict(re.findall(r"^ +(.+?)  +(.+)$", run.out, re.MULTILINE))
    assert said["responses"] == "2"
    assert said["equal to the reference: no call"] == "1"
    assert said["calls"] == "4 (3 of them known-bad answers)"
    assert said["answered by the ledger already"] == "0"
    assert re.match(r"[\d,]+ and [\d,]+$", said["tokens in and out, estimated"])
    assert said["cost, estimated"].startswith("$0.")


def test_a_check_that_decides_nothing_is_never_green(ready):
    run = ready.run("check", *GIVEN, "--allow-missing-baseline", "--min-pass-rate", "0.1")
    assert run.status == 3
    assert "nothing is decided" in run.err
    assert "calls" in run.out


def test_nothing_is_written(ready):
    before = {path.name for path in ready.folder.iterdir()}
    ready.run("score", *GIVEN)
    assert {path.name for path in ready.folder.iterdir()} == before


def test_an_older_result_goes(ready):
    ready.text(".agent-eval-gate/result.json", '{"kind": "agent-eval-gate/result"}')
    ready.run("score", *GIVEN)
    assert not (ready.folder / ".agent-eval-gate" / "result.json").exists()


def test_a_model_without_a_price_says_what_to_set(ready):
    run = ready.run("score", *GIVEN, "--judge-model", "m")
    assert "no price is known: set `price` under [judge]" in run.out


def test_a_scorer_that_asks_nobody_has_nothing_to_foresee(ready):
    run = ready.run("score", *GIVEN[:4], "--scorer", "contains", "--dry-run")
    assert run.status == 2
    assert "asks no judge" in run.err
