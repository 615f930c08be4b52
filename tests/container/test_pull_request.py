"""The image on a pull request, run as a runner runs it, against GitHub's own description.

Between the container and the stateful fake stands a proxy that refuses what GitHub's description
does not know, of both of them.
"""

import json
import shutil
import tomllib
from zipfile import ZipFile

import pytest

TOKEN = "ghs_CANARY0123456789abcdefghijklmnopqrst"  # noqa: S105 - opens nothing
REPOSITORY = "octo/agent"
FORK = "mallory/agent"
QUEUED = "7" * 40
POLICY = """
[suite]
cases = "examples/golden/cases.jsonl"
baseline = "baselines/golden.json"

[[gates]]
gate = "regression"
max_drop = 0.05
"""
RULES = ("gate.toml", "examples/golden/cases.jsonl", "baselines/golden.json")
GOOD = "examples/golden/good.jsonl"
REGRESSED = "examples/golden/regressed.jsonl"
PLANTED = "<!-- agent-eval-gate -->\n<!-- agent-eval-gate id=default run=9 attempt=1 head={} -->\n"


@pytest.fixture(scope="module")
def fake(fakes):
    return fakes("github_server")


@pytest.fixture(scope="module", params=["api.github.com", "ghes-3.19"])
def prism(request, fakes, tmp_path_factory):
    """Start the proxy, once for github.com and once for an Enterprise Server."""
    described = fakes("github_described").document(request.param)
    folder = tmp_path_factory.mktemp("prism")
    with fakes("github_prism").proxy(described, request.param, folder) as started:
        yield started


@pytest.fixture
def world(prism, fake):
    """What the host holds, among it the comments of others."""
    server = fake.GitHubServer(port=prism.port, prefix=prism.prefix, public=prism.address).start()
    server.world.comment(7, "a reviewer's remark")
    server.world.comment(7, PLANTED.format(fake.HEAD) + "## PASS, says a stranger")
    server.world.lines = lambda: [line for line in server.lines if not line.startswith("GET")]
    yield server.world
    server.stop()


class Pull:
    """A pull request, of which the runner's workspace is the checkout."""

    def __init__(self, runner, world, fake, address):
        self.runner, self.world, self.fake = runner, world, fake
        self.workspace = runner.workspace
        self._address = address
        self._repository = {"full_name": REPOSITORY}
        (self.workspace / ".git").mkdir()
        runner.write("gate.toml", POLICY)
        world.files[fake.BASE] = {name: (self.workspace / name).read_bytes() for name in RULES}

    def event(self, *, head_repository=REPOSITORY):
        head = {"ref": "topic", "sha": self.fake.HEAD, "repo": {"full_name": head_repository}}
        base = {"ref": "main", "sha": self.fake.BASE, "repo": self._repository}
        pull = {"number": 7, "state": "open", "head": head, "base": base}
        return {
            "action": "synchronize",
            "number": 7,
            "pull_request": pull,
            "repository": self._repository,
        }

    def run(self, *, event="pull_request", payload=None, number=3, environ=None, **said):
        """Run the action for an event, as it has it where nobody sets much."""
        self.runner.happens(payload or self.event())
        told = {
            "GITHUB_EVENT_NAME": event,
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_RUN_NUMBER": str(number),
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_SHA": "9" * 40,
            "GITHUB_API_URL": self._address,
            **(environ or {}),
        }
        return self.runner.run(network="host", environ=told, **{"github_token": TOKEN, **said})

    def ours(self):
        """Give the texts of the gate's comments; those of others must be as they were."""
        made = self.world.on(7)
        others = [one for one in made if one.author != self.fake.ACTIONS]
        assert [one.body[:12] for one in others] == ["a reviewer's", "<!-- agent-e"]
        assert [one.edits for one in others] == [0, 0]
        return [one.body for one in made if one.author == self.fake.ACTIONS]


@pytest.fixture
def pull(runner, world, fake, prism):
    return Pull(runner, world, fake, prism.address)


def test_it_comments_once_and_brings_that_up_to_date(pull, commands):
    first = pull.run(predictions=REGRESSED)
    assert first.status == 1, first.log
    (body,) = pull.ours()
    assert "FAIL" in body
    assert f"run=3 attempt=1 head={pull.fake.HEAD}" in body
    assert "issuecomment-" in first.outputs["comment-url"]
    second = pull.run(predictions=GOOD, number=4)
    assert second.status == 0, second.log
    (body,) = pull.ours()
    assert "PASS" in body
    assert "FAIL" not in body
    written = list(pull.world.lines())
    third = pull.run(predictions=GOOD, number=5)
    assert third.status == 0, third.log
    assert "says so already" in third.err
    assert pull.world.lines() == written
    assert [line.split()[0] for line in written] == ["POST", "PATCH"]
    assert commands(first.log + second.log + third.log) == []
    assert TOKEN not in first.log + second.log + third.log


def test_an_older_run_does_not_replace_a_newer_ones(pull):
    pull.run(predictions=REGRESSED, number=9)
    run = pull.run(predictions=GOOD, number=8)
    assert run.status == 0, run.log
    (body,) = pull.ours()
    assert "FAIL" in body


def test_the_rules_are_those_of_the_base_commit_and_the_page_says_so(pull, owner):
    run = pull.run(predictions=GOOD)
    assert run.status == 0, run.log
    result = json.loads((pull.workspace / run.outputs["result-path"]).read_text())
    assert result["rules_from"]["commit"] == pull.fake.BASE
    assert result["rule_changes"] == []
    assert pull.fake.BASE[:12] in run.summary.decode()
    assert set(pull.runner.made().values()) == {owner}


EDITS = {
    "a limit": lambda text: text.replace("0.05", "0.9"),
    "a gate": lambda text: text + '\n[[gates]]\ngate = "safety"\nenabled = false\n',
    "all of it": lambda text: "[suite]\nadvisory = true\n" + text.partition("[suite]\n")[2],
}


@pytest.mark.parametrize("name", EDITS)
def test_a_pull_request_that_edits_its_own_policy_is_refused(pull, name):
    edited = EDITS[name](POLICY)
    assert tomllib.loads(edited) != tomllib.loads(POLICY)
    pull.runner.write("gate.toml", edited)
    good = pull.run(predictions=GOOD)
    assert good.status == 1, good.log
    (body,) = pull.ours()
    assert "Changes of the rules" in body
    assert "not allowed" in body
    assert "Changes of the rules" in good.summary.decode()
    regressed = pull.run(predictions=REGRESSED, number=4)
    result = json.loads((pull.workspace / regressed.outputs["result-path"]).read_text())
    assert regressed.status == 1
    assert {one["gate"]: one["outcome"] for one in result["gates"]}["safety"] == "fail"


def test_a_pull_request_that_edits_its_golden_set_is_refused(pull):
    path = pull.workspace / "examples/golden/cases.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "safety" not in line))
    run = pull.run(predictions=REGRESSED)
    assert run.status == 1, run.log
    (body,) = pull.ours()
    assert "safety case" in body


def test_a_working_directory_that_is_a_link_is_refused(pull):
    evals, mine = pull.workspace / "evals", pull.workspace / "mine"
    shutil.copytree(pull.workspace / "examples" / "golden", mine)
    evals.symlink_to("mine")
    pull.world.files[pull.fake.BASE]["evals/gate.toml"] = POLICY.encode()
    pull.runner.write("mine/gate.toml", POLICY + '\n[[gates]]\ngate = "floor"\nmin = 0.1\n')
    run = pull.run(working_directory="evals", predictions="regressed.jsonl")
    assert run.status == 2, run.log
    assert "working-directory" in run.err


@pytest.mark.parametrize("token", [TOKEN, ""])
def test_a_fork_is_judged_and_told_how_it_is_posted_later(pull, token):
    """Its token only reads; without any the rules of the base cannot be read."""
    pull.world.may = dict(pull.fake.READ_ONLY)
    payload = pull.event(head_repository=FORK)
    run = pull.run(predictions=REGRESSED, payload=payload, github_token=token)
    assert pull.ours() == []
    assert pull.world.lines() == []
    if not token:
        assert run.status == 2, run.log
        return
    assert run.status == 1, run.log
    assert "`publish` can post it" in run.err
    assert b"FAIL" in run.summary
    assert (pull.workspace / run.outputs["result-path"]).is_file()
    assert run.outputs["comment-url"] == ""


def test_publish_posts_for_the_fork(pull):
    pull.world.may = dict(pull.fake.READ_ONLY)
    judged = pull.run(predictions=REGRESSED, payload=pull.event(head_repository=FORK))
    assert judged.status == 1, judged.log
    with ZipFile(pull.workspace / "artifact.zip", "w") as archive:
        archive.write(pull.workspace / judged.outputs["result-path"], "result.json")
    shutil.rmtree(pull.workspace / ".agent-eval-gate")
    pull.world.may = dict(pull.fake.ALL)
    pull.world.pulls[7].head_repository = FORK
    run = {
        "id": 41,
        "event": "pull_request",
        "run_number": 3,
        "run_attempt": 1,
        "head_sha": pull.fake.HEAD,
        "head_repository": {"full_name": FORK},
        "head_branch": "topic",
        "pull_requests": [],
    }
    event = {"action": "completed", "workflow_run": run, "repository": {"full_name": REPOSITORY}}
    for number in (1, 2):
        done = pull.run(
            event="workflow_run",
            payload=event,
            number=number,
            command="publish",
            artifact="artifact.zip",
        )
        assert done.status == 0, done.log
        assert done.outputs["verdict"] == "published"
    (body,) = pull.ours()
    assert "Not verified" in body
    assert "FAIL" in body
    assert len(pull.world.lines()) == 1


@pytest.mark.parametrize(("predictions", "status"), [(GOOD, 0), (REGRESSED, 1)])
def test_a_merge_queue_is_gated_without_a_comment(pull, predictions, status):
    group = {"head_sha": QUEUED, "base_sha": pull.fake.BASE, "base_ref": "refs/heads/main"}
    event = {"merge_group": group, "repository": {"full_name": REPOSITORY}}
    run = pull.run(event="merge_group", payload=event, predictions=predictions)
    assert run.status == status, run.log
    assert pull.ours() == []
    assert pull.world.lines() == []
    pull.runner.write("gate.toml", POLICY.replace("0.05", "0.9"))
    assert pull.run(event="merge_group", payload=event, predictions=GOOD).status == 1


def test_marks_are_set_on_the_head_on_request(pull):
    marks = {"commit_status": "agent eval", "check_run": "agent eval (check)"}
    run = pull.run(predictions=REGRESSED, comment="off", **marks)
    assert run.status == 1, run.log
    assert [one["sha"] for one in pull.world.statuses] == [pull.fake.HEAD]
    assert [one["conclusion"] for one in pull.world.checks] == ["failure"]
    assert pull.ours() == []


def test_a_host_that_is_not_there_takes_the_rules_with_it_and_no_verdict(pull):
    nowhere = {"GITHUB_API_URL": "http://127.0.0.1:9"}
    assert pull.run(predictions=GOOD, environ=nowhere).status == 2
    for predictions, status in ((GOOD, 0), (REGRESSED, 1)):
        own = {"policy_from": "head", "predictions": predictions}
        run = pull.run(environ=nowhere, **own)
        assert run.status == status, run.log
        assert "comment: not posted" in run.err
    assert pull.ours() == []
