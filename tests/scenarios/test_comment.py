"""The comment on the pull request: the real command and client, on a host of ours."""

import re
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


@pytest.mark.parametrize(
    ("text", "found"), [("[]", "is a list"), ('"x"', "is a text"), ("7", "is a number")]
)
def test_an_event_that_is_no_object_is_called_what_it_is(on_pull, github, text, found):
    on_pull.text("event.json", text)
    run = on_pull.check(predictions=on_pull.GOOD)
    assert run.status == 0
    assert f"the event's payload (GITHUB_EVENT_PATH): {found}" in run.err
    assert github.lines == []


def test_where_another_token_would_be_refused_as_well_nobody_is_sent_to_publish(on_pull, github):
    github.world.locked.add(7)
    run = on_pull.check(predictions=on_pull.GOOD)
    assert run.status == 0
    assert "issue is locked" in run.err
    assert "hint: unlock the conversation" in run.err
    assert "publish" not in run.err
    github.world.locked.clear()
    github.world.may = {"contents": "read", "metadata": "read", "issues": "read"}
    assert "`publish` can post it" in on_pull.check(predictions=on_pull.GOOD).err


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


LATER = "3" * 40


@pytest.fixture
def moved_on(change, github, monkeypatch):
    """A pull request whose first commit passed and was commented, and that has a newer one."""
    monkeypatch.setenv("INPUT_COMMENT", "update")

    def move(head=LATER, number="4"):
        github.world.files.setdefault(head, {})
        github.world.pulls[7].head = head
        change.edit_pull(head={"ref": "topic", "sha": head, "repo": {"full_name": "octo/agent"}})
        monkeypatch.setenv("GITHUB_RUN_NUMBER", number)

    assert change.check().status == 0
    assert "PASS" in github.world.bodies()[0]
    move()
    change.move = move
    return change


def broken(change, text="{<!-- @team `x` ## PASS\n"):
    (change.folder / "predictions.jsonl").write_text(text)
    return change.check()


def test_a_comment_says_which_commit_it_is_about(on_pull, github, fake, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    run = on_pull.check(predictions=on_pull.GOOD)
    lines = github.world.bodies()[0].splitlines()
    assert "PASS" in lines[2]
    assert lines[3:5] == ["", f"Commit `{fake.HEAD[:12]}`"]
    for text in (run.report, (on_pull.folder / "summary.md").read_text(), str(run.result)):
        assert fake.HEAD[:12] not in text


def test_a_verdict_of_an_older_commit_does_not_outlive_a_run_without_one(moved_on, github):
    run = broken(moved_on)
    assert run.status == 2
    (body,) = github.world.bodies()
    assert "PASS" not in re.sub(r"(`+).*?\1", "", body)
    lines = body.splitlines()
    assert f"run=4 attempt=1 head={LATER}" in lines[1]
    assert lines[2] == "## ⛔ agent-eval-gate: no verdict"
    assert lines[4] == f"Commit `{LATER[:12]}`"
    assert lines[6].startswith("**This commit has no verdict (invalid):** `predictions.jsonl:1`")
    assert "comment: updated" in run.err
    assert "issuecomment" in (moved_on.folder / "outputs").read_text()


def test_the_next_verdict_takes_its_place_again(moved_on, github, monkeypatch):
    broken(moved_on)
    monkeypatch.setenv("GITHUB_RUN_NUMBER", "5")
    assert moved_on.check(predictions=moved_on.house.ONE_WRONG).status == 1
    (body,) = github.world.bodies()
    assert "FAIL" in body.splitlines()[2]


def test_a_defect_of_ours_has_no_verdict_either(moved_on, github, monkeypatch):
    monkeypatch.setattr("gate.pipeline.conclude.judged", None)
    run = moved_on.check()
    assert run.status == 4
    assert "**This commit has no verdict (defect):**" in github.world.bodies()[0]


def test_nothing_is_posted_where_no_comment_stands(moved_on, github):
    github.world.comments.clear()
    before = len(github.asked)
    run = broken(moved_on)
    assert run.status == 2
    assert github.world.bodies() == []
    assert {line.split()[0] for line in github.lines[before:]} == {"GET"}
    assert "comment:" not in run.err


def test_the_commits_own_verdict_stands_though_a_later_run_of_it_has_none(
    moved_on, github, monkeypatch
):
    assert moved_on.check().status == 0
    monkeypatch.setenv("GITHUB_RUN_NUMBER", "5")
    assert broken(moved_on).status == 2
    assert "PASS" in github.world.bodies()[0]


def test_a_run_of_an_older_commit_takes_nothing_back(moved_on, github, fake):
    moved_on.check()
    moved_on.edit_pull(
        head={"ref": "topic", "sha": fake.HEAD, "repo": {"full_name": "octo/agent"}}
    )
    assert broken(moved_on).status == 2
    assert LATER in github.world.bodies()[0].splitlines()[1]
    assert "PASS" in github.world.bodies()[0]


@pytest.mark.parametrize("mode", ["off", "recreate"])
def test_the_mode_of_the_comment_counts_there_too(moved_on, github, monkeypatch, mode):
    monkeypatch.setenv("INPUT_COMMENT", mode)
    before = github.world.bodies()
    broken(moved_on)
    (body,) = github.world.bodies()
    assert (body == before[0]) == (mode == "off")
    assert ("no verdict" in body) == (mode == "recreate")


def test_a_fork_and_a_run_without_a_token_ask_nobody(moved_on, github, monkeypatch):
    before = len(github.asked)
    monkeypatch.setenv("INPUT_POLICY-FROM", "head")
    moved_on.edit_pull(head={"ref": "x", "sha": LATER, "repo": {"full_name": "evil/agent"}})
    moved_on.house.run("check", "--bogus")
    monkeypatch.delenv("INPUT_GITHUB-TOKEN")
    moved_on.edit_pull(head={"ref": "x", "sha": LATER, "repo": {"full_name": "octo/agent"}})
    moved_on.house.run("check", "--bogus")
    assert len(github.asked) == before


def test_what_the_reason_quotes_is_harmless_and_holds_no_secret(moved_on, github):
    name = f"no|<img src=x>[a](b)@team`{TOKEN}#7.jsonl"
    run = moved_on.check("--cases", name)
    assert run.status == 2
    (body,) = github.world.bodies()
    assert TOKEN not in body
    assert len(body) < 2_000
    outside = re.sub(r"(`+).*?\1", "", body.split("\n", 2)[2])
    for text in ("<", "@", "](", "#7"):
        assert text not in outside.removeprefix("## ")


def test_a_host_that_refuses_changes_nothing_of_a_run_without_a_verdict(moved_on, github):
    github.world.may = {"contents": "read", "metadata": "read"}
    run = broken(moved_on)
    assert run.status == 2
    assert "comment: an older one is not brought up to date" in run.err
    assert "PASS" in github.world.bodies()[0]
