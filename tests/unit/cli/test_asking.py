"""What a run is given to ask a judge, from this process and its environment."""

import re
import sys

import pytest

from gate.cli.asking import LEDGER, asking


@pytest.fixture(autouse=True)
def nowhere(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("CI", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("named", [True, False])
def test_the_usual_ledger_lies_with_the_users_state(monkeypatch, tmp_path, named):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state") if named else "")
    state = tmp_path / ("state" if named else ".local/state") / "agent-eval-gate"
    found = asking("some/out")
    assert found.ledger.startswith(f"{state}/")
    assert found.ledger.endswith(f"/{LEDGER}")
    assert asking("other/out").ledger != found.ledger


def test_where_that_is_within_what_is_under_test_it_is_not_read(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    found = asking("out")
    assert (found.ledger, found.reuse) == (f"out/{LEDGER}", False)


def test_without_a_home_it_lies_in_the_folder_of_the_results_and_is_not_read(monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", "")
    monkeypatch.delenv("HOME")
    found = asking("out")
    assert (found.ledger, found.reuse) == (f"out/{LEDGER}", False)


@pytest.mark.parametrize(
    ("environ", "reuse"),
    [
        ({}, True),
        ({"CI": "true"}, False),
        ({"CI": "1"}, False),
        ({"GITHUB_ACTIONS": "true"}, False),
        ({"CI": "false"}, True),
        ({"CI": "0"}, True),
        ({"CI": ""}, True),
    ],
)
def test_on_a_runner_the_usual_ledger_is_not_read(monkeypatch, environ, reuse):
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    assert asking("out").reuse is reuse


def test_the_day_is_written_as_a_judge_is_told_it():
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", asking("out").day())


def test_what_is_told_holds_no_secret_and_no_command_of_a_runner(monkeypatch, capsys):
    monkeypatch.setenv("GEMINI_API_KEY", "sk-a-long-secret")
    asking("out").tell("::error::sk-a-long-secret\x1b[2J")
    said = capsys.readouterr().err
    assert "sk-a-long-secret" not in said
    assert not said.startswith("::")
    assert "\x1b" not in said


def test_where_the_stream_is_closed_nobody_is_told(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    asking("out").progress(None)


def test_a_command_is_known_by_a_digest_of_its_own():
    one, other = (asking("out").command_digest((sys.executable, name)) for name in "ab")
    assert one != other
    assert one.startswith("sha256:")
