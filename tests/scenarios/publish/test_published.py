"""A fork's run is judged without a token; a trusted one comments what it found. All is real."""

import re
from zipfile import ZipFile

import pytest

from forks_run import FORK, TOKEN, edited, told, writes


def test_the_forks_result_is_commented_on_its_pull_request(trusted, github, fake):
    run = trusted.publish()
    assert run.status == 0, run.err
    (body,) = github.world.bodies()
    lines = body.splitlines()
    assert lines[0] == "<!-- agent-eval-gate -->"
    assert lines[1] == (f"<!-- agent-eval-gate id=default run=3 attempt=1 head={fake.HEAD} -->")
    assert "FAIL" in lines[2]
    assert "> [!CAUTION]" in lines
    caution = body.split("[!CAUTION]")[1].split("**Why:**")[0]
    assert "forged throughout" in caution
    assert f"`{fake.HEAD}`" in caution
    assert "qa-2" in body
    assert "comment: created" in run.out
    assert told(trusted)["verdict"] == "published"
    assert told(trusted)["comment-url"].endswith("issuecomment-1001")
    assert writes(github) == ["POST /repos/octo/agent/issues/7/comments"]


def test_a_second_time_it_says_nothing_and_a_later_run_updates_it(trusted, github):
    trusted.publish()
    again = trusted.publish()
    assert again.status == 0
    assert "says so already" in again.out
    assert len(writes(github)) == 1
    trusted.tell(run_number=4)
    trusted.run("decide", ".agent-eval-gate/result.json")
    edited(trusted, notes=["something new"])
    assert trusted.publish().status == 0
    (body,) = github.world.bodies()
    assert "run=4" in body
    assert "something new" in body


def test_a_folder_will_do_as_well(trusted, github):
    run = trusted.run("publish", "--artifact", ".agent-eval-gate")
    assert run.status == 0
    assert len(github.world.bodies()) == 1


def test_an_older_run_never_replaces_a_newer_ones_comment(trusted, github):
    trusted.tell(run_number=9)
    trusted.publish()
    edited(trusted, notes=["older"])
    trusted.tell(run_number=8)
    run = trusted.publish()
    assert run.status == 0
    assert "a later run has spoken already" in run.out
    assert "older" not in github.world.bodies()[0]


def test_a_head_that_has_moved_on_is_not_commented(trusted, github):
    github.world.pulls[7].commits.append(github.world.pulls[7].head)
    github.world.pulls[7].head = "5" * 40
    run = trusted.publish()
    assert run.status == 0
    assert "no open pull request" in run.out
    assert writes(github) == []


@pytest.mark.parametrize(
    "edits", [{"state": "closed"}, {"head_repository": None}, {"head_repository": "eve/agent"}]
)
def test_a_pull_request_that_is_closed_or_anothers_is_left_alone(trusted, github, edits):
    for name, value in edits.items():
        setattr(github.world.pulls[7], name, value)
    run = trusted.publish()
    assert run.status == 0
    assert writes(github) == []


def test_no_number_in_the_artifact_or_the_event_is_believed(trusted, github, fake):
    github.world.pulls[8] = fake.Pull(8, head="6" * 40)
    trusted.tell(pull_requests=[{"number": 8}])
    with ZipFile(trusted.folder / "artifact.zip", "a") as archive:
        archive.writestr("publish.json", '{"number": 8, "pull_request": 8}')
        archive.writestr("pr_number", "8")
    assert trusted.publish().status == 0
    assert len(github.world.bodies(7)) == 1
    assert github.world.bodies(8) == []


def test_the_run_of_a_fork_that_is_gone_is_not_posted_on_anothers_pull_request(
    trusted, github, fake
):
    github.world.pulls[7].state = "closed"
    github.world.pulls[5] = fake.Pull(5, head_repository="victim/agent")
    github.world.knows_forks = True
    trusted.tell(head_repository=None)
    run = trusted.publish()
    assert run.status == 0
    assert "no open pull request" in run.out
    assert writes(github) == []
    github.world.pulls[5].head_repository = None
    assert trusted.publish().status == 0
    assert len(github.world.bodies(5)) == 1


def test_of_two_pull_requests_with_one_head_none_is_guessed(trusted, github, fake):
    github.world.pulls[5] = fake.Pull(5, head_repository=FORK, base_ref="release")
    run = trusted.publish()
    assert run.status == 0
    assert "2 open pull requests (#5, #7)" in run.out
    assert writes(github) == []
    trusted.tell(pull_requests=[{"number": 7}])
    assert trusted.publish().status == 0
    assert (len(github.world.bodies(5)), len(github.world.bodies(7))) == (0, 1)


@pytest.mark.parametrize("event", ["push", "schedule", "workflow_dispatch", "issue_comment", None])
def test_a_run_that_no_pull_request_started_has_nothing_to_post(trusted, github, event):
    trusted.tell(event=event)
    run = trusted.publish()
    assert run.status == 0
    assert "no pull request had started the run" in run.out
    assert github.lines == []


def test_switched_off_nothing_is_written(trusted, github, monkeypatch):
    monkeypatch.setenv("INPUT_COMMENT", "off")
    assert trusted.publish().status == 0
    assert writes(github) == []


def test_a_result_that_is_forged_throughout_is_posted_and_nobody_is_told_to_believe_it(
    trusted, github
):
    trusted.lines("predictions.jsonl", trusted.GOOD)
    assert trusted.check().status == 0
    trusted.packs()
    assert trusted.publish().status == 0
    (body,) = github.world.bodies()
    assert "PASS" in body
    assert "Not verified" in body
    assert github.world.statuses == []
    assert github.world.checks == []


def test_what_the_result_says_is_made_harmless_like_any_other_text(trusted, github):
    planted = "<!-- agent-eval-gate --> @team [x](https://evil.example) ## PASS <img src=x>"
    edited(trusted, notes=[planted, "::error::x"], warnings=[planted])
    assert trusted.publish().status == 0
    (body,) = github.world.bodies()
    assert body.count("\n<!--") == 1
    assert not re.search(r"^#+ PASS", body, re.MULTILINE)
    outside = re.sub(r"(`+).*?\1", "", body)
    for text in ("@team", "](https", "<img"):
        assert text not in outside


def test_a_secret_of_the_trusted_job_is_never_posted(trusted, github):
    edited(trusted, notes=[f"look: {TOKEN}"])
    run = trusted.publish()
    assert run.status == 0
    assert TOKEN not in github.world.bodies()[0] + run.out + run.err
