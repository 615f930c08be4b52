"""Statuses, check runs and annotations: only on request, on the head, and without a say."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOKEN = "ghs_CANARY0123456789abcdefghijklmnopqrst"  # noqa: S105 - opens nothing
REPOSITORY = "octo/agent"
MERGE = "9" * 40


@pytest.fixture
def on_pull(on_pull, monkeypatch):
    """The same runner, where no comment is asked for."""
    monkeypatch.setenv("INPUT_COMMENT", "off")
    return on_pull


@pytest.fixture
def asked(on_pull, monkeypatch):
    """Ask for both marks, on that runner."""
    assert on_pull
    monkeypatch.setenv("INPUT_COMMIT-STATUS", "agent eval")
    monkeypatch.setenv("INPUT_CHECK-RUN", "agent eval (check)")


def writes(github):
    return [line for line in github.lines if not line.startswith("GET")]


def test_nothing_is_set_where_nobody_asks(on_pull, github):
    run = on_pull.check(predictions=on_pull.ONE_WRONG)
    assert run.status == 1
    assert github.lines == []
    assert "::error" not in run.out + run.err


@pytest.mark.usefixtures("asked")
def test_the_head_is_marked_and_not_the_merge_commit(on_pull, github, fake):
    run = on_pull.check(predictions=on_pull.ONE_WRONG)
    assert run.status == 1
    (status,) = github.world.statuses
    assert status["sha"] == fake.HEAD
    assert (status["state"], status["context"]) == ("failure", "agent eval")
    assert status["description"].startswith("fail: regression: pass rate fell")
    (check,) = github.world.checks
    assert (check["head_sha"], check["conclusion"]) == (fake.HEAD, "failure")
    assert check["name"] == "agent eval (check)"
    assert "## ❌ agent-eval-gate: FAIL" in check["output"]["summary"]
    assert MERGE not in "".join(github.lines)
    assert "commit-status: failure" in run.err


@pytest.mark.usefixtures("asked")
def test_a_pass_is_a_success(on_pull, github):
    assert on_pull.check(predictions=on_pull.GOOD).status == 0
    assert github.world.statuses[0]["state"] == "success"
    assert github.world.checks[0]["conclusion"] == "success"


@pytest.mark.usefixtures("asked")
def test_what_is_undecided_is_neither_a_success_nor_neutral(on_pull, github):
    run = on_pull.check("--rule", "significant", predictions=on_pull.ONE_WRONG)
    assert run.status == 3
    assert github.world.statuses[0]["state"] == "error"
    assert github.world.checks[0]["conclusion"] == "failure"


@pytest.mark.parametrize("options", [("--bogus",), ("--policy", "nowhere.toml")])
@pytest.mark.usefixtures("asked")
def test_a_run_that_decides_nothing_takes_an_earlier_success_back(on_pull, github, options):
    on_pull.check(predictions=on_pull.GOOD)
    assert on_pull.check(*options).status == 2
    assert [one["state"] for one in github.world.statuses] == ["success", "error"]
    assert github.world.statuses[1]["description"].startswith("invalid: ")
    assert github.world.checks[1]["conclusion"] == "failure"


@pytest.mark.usefixtures("asked")
def test_a_defect_marks_it_too(on_pull, github, monkeypatch):
    monkeypatch.setattr("gate.shell.score.measure", lambda *_, **__: 1 / 0)
    assert on_pull.check(predictions=on_pull.GOOD).status == 4
    assert github.world.statuses[0]["state"] == "error"


@pytest.mark.usefixtures("asked")
def test_a_host_that_refuses_changes_neither_status_nor_result(on_pull, github, fake):
    whole = on_pull.check(predictions=on_pull.ONE_WRONG)
    github.world.may = dict(fake.READ_ONLY)
    run = on_pull.check(predictions=on_pull.ONE_WRONG)
    assert (run.status, run.result) == (whole.status, whole.result)
    assert "commit-status: not set: " in run.err
    assert "`statuses: write`" in run.err
    assert "check-run: not set: " in run.err
    assert TOKEN not in run.err + run.out


@pytest.mark.usefixtures("asked")
@pytest.mark.parametrize("ours", ["publish.statuses.mark", "shell.statuses.set_status"])
def test_a_defect_after_the_verdict_changes_no_verdict(on_pull, monkeypatch, ours):
    with monkeypatch.context() as broken:
        on_pull.check(predictions=on_pull.ONE_WRONG)
        broken.setattr(f"gate.{ours}", lambda *_, **__: 1 / 0)
        run = on_pull.run("decide", ".agent-eval-gate/result.json", "--policy-from", "head")
    assert run.status == 1
    assert "a defect of ours: ZeroDivisionError" in run.err


@pytest.mark.usefixtures("asked")
def test_on_a_fork_nothing_is_set_and_the_log_says_so(on_pull, github):
    on_pull.fork()
    run = on_pull.check(predictions=on_pull.GOOD)
    assert run.status == 0
    assert github.lines == []
    assert "commit-status: nothing (the token of a run for a fork" in run.err


@pytest.mark.usefixtures("asked")
def test_without_a_token_it_is_said(on_pull, github, monkeypatch):
    monkeypatch.delenv("INPUT_GITHUB-TOKEN")
    run = on_pull.check(predictions=on_pull.GOOD)
    assert run.status == 0
    assert github.lines == []
    assert "not set (this step has no github-token)" in run.err


@pytest.mark.usefixtures("asked")
def test_a_run_that_only_scores_marks_nothing(on_pull, github):
    given = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    assert on_pull.run("score", *given, "--scorer", "contains").status == 0
    assert on_pull.run("score", "--bogus").status == 2
    assert github.lines == []


@pytest.mark.usefixtures("asked")
def test_a_merge_queue_marks_the_commit_of_the_queue(on_pull, github, monkeypatch):
    sha = "7" * 40
    repo = {"full_name": REPOSITORY}
    group = {"head_sha": sha, "base_sha": "8" * 40, "base_ref": "refs/heads/main"}
    on_pull.text("event.json", json.dumps({"merge_group": group, "repository": repo}))
    monkeypatch.setenv("GITHUB_EVENT_NAME", "merge_group")
    github.world.files[sha] = {}
    assert on_pull.check(predictions=on_pull.GOOD).status == 0
    assert github.world.statuses[0]["sha"] == sha


def test_newly_failing_cases_are_annotated_on_request(on_pull, github, monkeypatch):
    monkeypatch.setenv("INPUT_ANNOTATIONS", "true")
    run = on_pull.check(predictions=on_pull.ONE_WRONG)
    assert run.status == 1
    lines = [line for line in run.err.splitlines() if line.startswith("::")]
    assert len(lines) == 1
    assert lines[0].startswith("::error title=newly failing%3A qa-2::score 0.000")
    assert github.lines == []


def test_an_answer_makes_no_command_and_shows_no_secret(on_pull, monkeypatch):
    monkeypatch.setenv("INPUT_ANNOTATIONS", "true")
    said = f"no\n::set-output name=x::y\r##[error]z {TOKEN}"
    wrong = [{"id": "qa-2", "output": said}, *(on_pull.GOOD[at] for at in (0, 2, 3))]
    run = on_pull.check(predictions=wrong)
    lines = [line for line in run.err.splitlines() if line.lstrip().startswith("::")]
    assert len(lines) == 1
    assert "##[" not in run.err
    assert TOKEN not in run.err


def test_off_a_runner_no_command_is_printed(on_pull, monkeypatch):
    monkeypatch.setenv("INPUT_ANNOTATIONS", "true")
    monkeypatch.delenv("GITHUB_ACTIONS")
    run = on_pull.check(predictions=on_pull.ONE_WRONG)
    assert not [line for line in run.err.splitlines() if line.startswith("::")]


@pytest.fixture
def commenting(on_pull, monkeypatch):
    monkeypatch.delenv("INPUT_COMMENT")
    return on_pull


@pytest.mark.parametrize("token", [TOKEN, None])
def test_a_fork_is_told_what_it_takes_to_post_it_later(commenting, github, monkeypatch, token):
    if token is None:
        monkeypatch.delenv("INPUT_GITHUB-TOKEN")
    commenting.fork()
    run = commenting.check(predictions=commenting.ONE_WRONG)
    assert run.status == 1
    assert run.result is not None
    assert github.lines == []
    assert "comment: nothing (" in run.err
    assert "`publish` can post it" in run.err
    assert ".agent-eval-gate/result.json" in run.err


def test_a_token_that_may_not_comment_leads_there_too(commenting, github, fake):
    github.world.may = dict(fake.READ_ONLY)
    run = commenting.check(predictions=commenting.ONE_WRONG)
    assert run.status == 1
    assert "comment: not posted" in run.err
    assert "`publish` can post it" in run.err


@pytest.mark.usefixtures("asked")
def test_comment_and_marks_share_one_line_to_the_host(commenting, github):
    run = commenting.check(predictions=commenting.ONE_WRONG)
    assert run.status == 1
    assert writes(github) == [
        "POST /repos/octo/agent/issues/7/comments",
        f"POST /repos/octo/agent/statuses/{'1' * 40}",
        "POST /repos/octo/agent/check-runs",
    ]


def test_an_input_that_is_refused_marks_the_commit_as_well(on_pull, github):
    script = Path(__file__).resolve().parents[2] / "entrypoint.py"
    given = {"INPUT_COMMIT-STATUS": "agent eval", "INPUT_MAX_DROP": "0.1"}
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, **given},
        cwd=on_pull.folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 2, done.stderr
    assert github.world.statuses[0]["state"] == "error"


def test_a_page_beyond_what_a_runner_takes_is_cut_to_fit(on_pull, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    monkeypatch.setattr("gate.cli.deliver.SUMMARY", 20_000)
    named = [f"{at:03}-{'é' * 50}" for at in range(90)]
    cases = [
        {"id": name, "input": "?", "reference": "yes", "labels": [name, f"x{name}"]}
        for name in named
    ]
    on_pull.lines("cases.jsonl", cases)
    on_pull.lines("predictions.jsonl", [{"id": one["id"], "output": "yes"} for one in cases])
    on_pull.accept("--scorer", "contains", reason="another suite")
    (on_pull.folder / "summary.md").unlink()
    wrong = [{"id": one["id"], "output": "é" * 900} for one in cases]
    run = on_pull.check(predictions=wrong)
    text = (on_pull.folder / "summary.md").read_text()
    assert len(run.report.encode()) > 20_000 >= len(text.encode())
    assert "Left out, to fit here" in text
    assert "`report.md` and the result file" in text
