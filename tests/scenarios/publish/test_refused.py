"""What is never published: a result that contradicts itself, a hostile archive, another event."""

import os
import shutil
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from forks_run import TOKEN, edited, told

HOSTILE = Path(os.environ.get("GATE_HOSTILE_DATA") or "absent") / "artifacts"


@pytest.mark.parametrize(
    "fields",
    [
        {"verdict": "pass", "exit_status": 0},
        {"exit_status": 0},
        {"verdict": None},
        {"gates": []},
        {"suite": {}},
        {"cases": []},
        {"schema_version": 2},
        {"policy": {}},
        {"number": 8},
    ],
    ids=lambda fields: next(iter(fields)),
)
def test_a_result_that_contradicts_itself_is_refused(trusted, github, fields):
    edited(trusted, **fields)
    run = trusted.publish()
    assert run.status == 2
    assert "artifact.zip/result.json" in run.err
    assert github.lines == []
    assert told(trusted)["verdict"] == "invalid"


def loosened(subject):
    """Say what a result says of a rule that its pull request loosened."""
    return {
        "rules_from": {"source": "base", "commit": "2" * 40, "file": None, "first": False},
        "rule_changes": [{"kind": "reference-changed", "subject": subject, "loosens": True}],
    }


def test_a_name_that_no_record_holds_is_refused_and_no_defect(trusted, github):
    edited(trusted, **loosened("x" * 1001))
    run = trusted.publish()
    assert run.status == 2
    assert "rule_changes.0.subject" in run.err
    stored = ("--result", ".agent-eval-gate/result.json")
    assert trusted.run("baseline", "promote", *stored, "--to", "b.json").status == 2
    assert github.lines == []


def test_whatever_else_makes_no_verdict_is_refused_and_no_defect(trusted, github, monkeypatch):
    from gate.records.host import Pull

    monkeypatch.setattr("gate.pipeline.replay.judged", lambda *_, **__: Pull(number=-1))
    run = trusted.publish()
    assert run.status == 2
    assert "artifact.zip/result.json: what it holds makes no verdict: `number`" in run.err
    stored = ("--result", ".agent-eval-gate/result.json")
    assert trusted.run("baseline", "promote", *stored, "--to", "b.json").status == 2
    assert github.lines == []
    assert trusted.run("decide", stored[1], "--baseline", "baseline.json").status == 2


@pytest.mark.parametrize("name", ["INPUT_COMMIT-STATUS", "INPUT_CHECK-RUN"])
def test_it_sets_no_status_though_somebody_asks(trusted, github, monkeypatch, name):
    monkeypatch.setenv(name, "agent eval")
    run = trusted.publish()
    assert run.status == 2
    assert "could satisfy a required check" in run.err
    assert github.lines == []


def test_without_a_token_it_is_refused(trusted, github, monkeypatch):
    monkeypatch.delenv("INPUT_GITHUB-TOKEN")
    run = trusted.publish()
    assert run.status == 2
    assert "pull-requests: write" in run.err
    assert github.lines == []


@pytest.mark.parametrize("event", ["pull_request_target", "pull_request", "push", ""])
def test_anywhere_else_it_is_refused(trusted, github, monkeypatch, event):
    monkeypatch.setenv("GITHUB_EVENT_NAME", event)
    trusted.text("event.json", (Path(__file__).parents[2] / "data/events/push.json").read_text())
    assert trusted.publish().status == 2
    assert github.lines == []


def test_a_host_that_does_not_do_it_is_3(trusted, github, fake):
    github.world.may = dict(fake.READ_ONLY)
    run = trusted.publish()
    assert run.status == 3
    assert "pull-requests: write" in run.err
    assert TOKEN not in run.err
    assert told(trusted)["exit-status"] == "3"


@pytest.mark.parametrize("payload", ["[[[", "[]", "{}", '{"repository": {"full_name": "a/b"}}'])
def test_a_payload_that_is_none_is_2(trusted, github, payload):
    trusted.text("event.json", payload)
    assert trusted.publish().status == 2
    assert github.lines == []


@pytest.mark.skipif(not HOSTILE.is_dir(), reason="no hostile data: set GATE_HOSTILE_DATA")
@pytest.mark.parametrize(
    "name", sorted(path.name for path in HOSTILE.iterdir()) if HOSTILE.is_dir() else []
)
def test_a_hostile_archive_is_refused_and_nothing_is_written(trusted, github, name):
    shutil.copyfile(HOSTILE / name, trusted.folder / "artifact.zip")
    before = {path: path.read_bytes() for path in trusted.folder.rglob("*") if path.is_file()}
    run = trusted.publish()
    assert run.status == 2
    after = {path for path in trusted.folder.rglob("*") if path.is_file()}
    assert after - before.keys() == {trusted.folder / "outputs"}
    assert not (trusted.folder.parent / "baselines").exists()
    assert github.lines == []


@pytest.mark.parametrize("name", ["z01_zip_slip", "z03_zip_bomb"])
def test_a_hostile_archive_with_an_honest_result_in_it_is_refused_whole(trusted, github, name):
    member, data = {
        "z01_zip_slip": ("../../baselines/main.json", b"{}"),
        "z03_zip_bomb": ("predictions.jsonl", bytes(20_000_000)),
    }[name]
    with ZipFile(trusted.folder / "artifact.zip", "a", ZIP_DEFLATED) as archive:
        archive.writestr(member, data)
    assert trusted.publish().status == 2
    assert github.lines == []


def test_a_result_that_would_fill_the_memory_is_refused(trusted, monkeypatch):
    monkeypatch.setattr("gate.shell.publish.MAX_VALUES", 1_000)
    path = trusted.folder / ".agent-eval-gate" / "result.json"
    path.write_text('{"cases": [' + ",".join(["{}"] * 2_000) + "]}")
    trusted.packs()
    run = trusted.publish()
    assert run.status == 2
    assert "more than 1000 values" in run.err
