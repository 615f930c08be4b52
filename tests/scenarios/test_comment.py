"""The comment on the pull request: the real command and client, on a host of ours."""

from pathlib import Path

import pytest

TOKEN = "ghs_CANARY0123456789abcdefghijklmnopqrst"  # noqa: S105 - opens nothing
EVENTS = Path(__file__).resolve().parents[1] / "data" / "events"


def test_a_run_posts_one_comment_and_says_where(on_pull, github, fake):
    run = on_pull.check(predictions=on_pull.ONE_WRONG)
    assert run.status == 1
    assert len(github.world.bodies()) == 1
    body = github.world.bodies()[0]
    assert body.startswith("<!-- agent-eval-gate -->\n<!-- agent-eval-gate id=")
    assert fake.HEAD in body.splitlines()[1]
    assert "FAIL" in body.splitlines()[2]
    outputs = (on_pull.folder / "outputs").read_text()
    assert "comment-url" in outputs
    assert "issuecomment" in outputs
    assert "comment: created" in run.err


def test_a_later_run_updates_it_and_the_same_again_sends_nothing(on_pull, github, monkeypatch):
    on_pull.check(predictions=on_pull.ONE_WRONG)
    monkeypatch.setenv("GITHUB_RUN_ID", "42")
    monkeypatch.setenv("GITHUB_RUN_NUMBER", "4")
    assert on_pull.check(predictions=on_pull.GOOD).status == 0
    (body,) = github.world.bodies()
    assert "PASS" in body
    before = len([line for line in github.lines if not line.startswith("GET")])
    on_pull.check(predictions=on_pull.GOOD)
    assert len([line for line in github.lines if not line.startswith("GET")]) == before


def test_a_comment_of_somebody_elses_is_left_alone(on_pull, github):
    planted = github.world.comment(7, "<!-- agent-eval-gate -->\n## PASS")
    on_pull.check(predictions=on_pull.ONE_WRONG)
    assert github.world.comments[planted.id].body == "<!-- agent-eval-gate -->\n## PASS"
    assert len(github.world.bodies()) == 2


def test_a_host_that_refuses_changes_neither_status_nor_result(on_pull, github):
    whole = on_pull.check(predictions=on_pull.ONE_WRONG)
    for made in list(github.world.comments):
        del github.world.comments[made]
    github.world.may = {"metadata": "read"}
    run = on_pull.check(predictions=on_pull.ONE_WRONG)
    assert (run.status, run.result) == (whole.status, whole.result)
    assert "comment: not posted" in run.err
    assert TOKEN not in run.err + run.out


def test_a_fork_is_judged_and_not_commented_on(on_pull, github, fake):
    on_pull.tell(head={"ref": "x", "sha": fake.HEAD, "repo": {"full_name": "evil/agent"}})
    run = on_pull.check(predictions=on_pull.ONE_WRONG)
    assert run.status == 1
    assert github.lines == []
    assert "may not write comments" in run.err


@pytest.mark.parametrize("mode", ["off", "nonsense"])
def test_switched_off_nobody_is_asked(on_pull, github, monkeypatch, mode):
    monkeypatch.setenv("INPUT_COMMENT", mode)
    on_pull.check(predictions=on_pull.GOOD)
    assert github.lines == []


def test_without_a_token_nobody_is_asked(on_pull, github, monkeypatch):
    monkeypatch.delenv("INPUT_GITHUB-TOKEN")
    assert on_pull.check(predictions=on_pull.GOOD).status == 0
    assert github.lines == []


def test_a_merge_queue_is_gated_without_a_comment(on_pull, github, monkeypatch):
    monkeypatch.setenv("GITHUB_EVENT_NAME", "merge_group")
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(EVENTS / "merge_group.json"))
    run = on_pull.check(predictions=on_pull.ONE_WRONG)
    assert run.status == 1
    assert github.lines == []


def test_a_payload_that_is_none_changes_no_verdict(on_pull, github):
    on_pull.text("event.json", "[[[")
    run = on_pull.check(predictions=on_pull.GOOD)
    assert run.status == 0
    assert "comment: not posted" in run.err
    assert github.lines == []


def test_what_only_scores_posts_nothing(on_pull, github):
    given = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    assert on_pull.run("score", *given, "--scorer", "contains").status == 0
    assert github.lines == []


def test_an_address_that_no_host_has_changes_no_verdict(on_pull, monkeypatch):
    for host in ("a..b.example", "a" * 70 + ".example"):
        monkeypatch.setenv("GITHUB_API_URL", f"https://{host}")
        run = on_pull.check(predictions=on_pull.GOOD)
        assert run.status == 0
        assert "comment: not posted" in run.err


def test_a_comment_does_not_say_which_commit_was_judged(on_pull, github, monkeypatch):
    monkeypatch.setenv("GITHUB_EVENT_NAME", "issue_comment")
    monkeypatch.setenv("GITHUB_EVENT_PATH", str(EVENTS / "issue_comment.json"))
    run = on_pull.check(predictions=on_pull.GOOD)
    assert run.status == 0
    assert github.lines == []
