"""A fork's run is judged without a token; a trusted one comments what it found. All is real."""

import json
import os
import re
import shutil
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

TOKEN = "ghs_CANARY0123456789abcdefghijklmnopqrst"  # noqa: S105 - opens nothing
REPOSITORY = "octo/agent"
FORK = "mallory/agent"
HOSTILE = Path(os.environ.get("GATE_HOSTILE_DATA") or "absent") / "artifacts"


@pytest.fixture
def github(github):
    """The host, whose pull request 7 is a fork's."""
    github.world.pulls[7].head_repository = FORK
    return github


@pytest.fixture
def trusted(house, github, fake, monkeypatch):
    """A house that holds the result of a fork's run as `artifact.zip`, for the end of that run."""
    house.start()
    house.check(predictions=house.ONE_WRONG, cases=True)
    run = {
        "id": 41,
        "event": "pull_request",
        "run_number": 3,
        "run_attempt": 1,
        "head_sha": fake.HEAD,
        "head_repository": {"full_name": FORK},
        "head_branch": "topic",
        "pull_requests": [],
    }
    event = {"action": "completed", "workflow_run": run, "repository": {"full_name": REPOSITORY}}

    def tell(**edits):
        run.update(edits)
        house.text("event.json", json.dumps(event))

    def packs(name="artifact.zip", folder=".agent-eval-gate"):
        with ZipFile(house.folder / name, "w", ZIP_DEFLATED) as archive:
            for path in sorted((house.folder / folder).iterdir()):
                archive.write(path, path.name)

    tell()
    packs()
    for name, value in {
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": "workflow_run",
        "GITHUB_EVENT_PATH": str(house.folder / "event.json"),
        "GITHUB_REPOSITORY": REPOSITORY,
        "GITHUB_RUN_NUMBER": "9000",
        "GITHUB_SHA": "9" * 40,
        "GITHUB_API_URL": github.url,
        "GITHUB_OUTPUT": str(house.folder / "outputs"),
        "INPUT_GITHUB-TOKEN": TOKEN,
    }.items():
        monkeypatch.setenv(name, value)
    house.tell, house.packs = tell, packs
    house.publish = lambda *options: house.run("publish", "--artifact", "artifact.zip", *options)
    return house


def edited(house, **fields):
    """Change what the artifact's result says, as a stranger may."""
    path = house.folder / ".agent-eval-gate" / "result.json"
    found = json.loads(path.read_text())
    path.write_text(json.dumps({**found, **fields}))
    house.packs()


def told(house):
    text = (house.folder / "outputs").read_text()
    return dict(re.findall(r"^([a-z-]+)<<(?:\w+)\n(.*)\n\w+$", text, re.MULTILINE))


def writes(github):
    return [line for line in github.lines if not line.startswith("GET")]


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


LISTED = f"GET /repos/{REPOSITORY}/pulls"
OF_COMMIT = f"GET /repos/{REPOSITORY}/commits/{'1' * 40}/pulls"


def test_a_forks_commit_of_which_the_host_tells_nothing_is_found_by_its_branch(trusted, github):
    assert trusted.publish().status == 0
    assert len(github.world.bodies()) == 1
    assert github.lines[:2] == [OF_COMMIT, LISTED]
    assert github.asked[1].query == {"state": "open", "head": "mallory:topic", "per_page": "100"}


def test_where_the_commit_tells_it_the_branch_is_not_asked_for(trusted, github):
    github.world.knows_forks = True
    trusted.tell(head_branch="of no matter")
    assert trusted.publish().status == 0
    assert len(github.world.bodies()) == 1
    assert LISTED not in github.lines


@pytest.mark.parametrize(
    "edits",
    [
        {"head": "5" * 40},
        {"head_repository": "mallory/another"},
        {"head_repository": "eve/agent"},
        {"branch": "another"},
        {"state": "closed"},
    ],
    ids=lambda edits: next(iter(edits.items()))[1][:15],
)
def test_what_the_branch_leads_to_is_held_to_the_event(trusted, github, edits):
    for name, value in edits.items():
        setattr(github.world.pulls[7], name, value)
    run = trusted.publish()
    assert run.status == 0
    assert (
        "no open pull request (asked for by commit 111111111111; by branch 'mallory:topic')"
    ) in run.out
    assert writes(github) == []
    assert told(trusted)["comment-url"] == ""


@pytest.mark.parametrize("edits", [{"head_branch": None}, {"head_repository": None}])
def test_where_the_event_names_no_branch_and_owner_none_is_asked_for(trusted, github, edits):
    trusted.tell(**edits)
    run = trusted.publish()
    assert run.status == 0
    assert "by commit 111111111111; by no branch" in run.out
    assert github.lines == [OF_COMMIT]


def test_an_odd_branch_leads_nowhere_else_and_is_no_command_in_the_log(trusted, github):
    branch = "::error::x]&state=all&head=octo:topic#\N{RIGHT-TO-LEFT OVERRIDE}/../.."
    github.world.pulls[7].branch = branch
    trusted.tell(head_branch=branch)
    assert trusted.publish().status == 0
    assert len(github.world.bodies()) == 1
    github.world.pulls[7].state = "closed"
    run = trusted.publish()
    assert "no open pull request" in run.out
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in run.out
    assert not any(line.lstrip().startswith("::") for line in run.out.splitlines())


@pytest.mark.parametrize("branch", ["", "a\nb", 7])
def test_a_branch_that_is_none_is_2(trusted, github, branch):
    trusted.tell(head_branch=branch)
    run = trusted.publish()
    assert run.status == 2
    assert "workflow_run.head_branch" in run.err
    assert github.lines == []


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
    trusted.text("event.json", (Path(__file__).parents[1] / "data/events/push.json").read_text())
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
