"""The workflows that people copy: what they may do, what they ask of the action, what they run."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples" / "workflows"
ACTION = "org/agent-eval-gate@v1"
TOKENS = {"${{ github.token }}": "tok-0123456789"}
PROMOTED = "baselines/suite.json"


def read(name):
    # `on` is a truth value to YAML 1.1.
    found = yaml.safe_load((FOLDER / f"{name}.yml").read_text())
    return {("on" if key is True else key): value for key, value in found.items()}


NAMES = sorted(path.stem for path in FOLDER.glob("*.yml"))
JOBS = [(name, key, job) for name in NAMES for key, job in read(name)["jobs"].items()]
NAMED = [f"{name}: {key}" for name, key, _ in JOBS]


def step_of(name, job, words):
    return next(one for one in read(name)["jobs"][job]["steps"] if words in one.get("name", ""))


def asks_of_the_action(job):
    return [step for step in job["steps"] if step.get("uses") == ACTION]


def runs_the_agent(job):
    return any("ask.py" in step.get("run", "") for step in job["steps"])


def test_every_workflow_is_listed():
    listed = re.findall(r"\]\(([a-z-]+)\.yml\)", (FOLDER / "README.md").read_text())
    assert sorted(listed) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_no_right_is_given_to_all_jobs_and_no_run_to_strangers_with_rights(name):
    found = read(name)
    assert found["permissions"] == {}
    assert "pull_request_target" not in found["on"]
    assert all(job["permissions"] for job in found["jobs"].values())
    assert all(job["timeout-minutes"] for job in found["jobs"].values())


@pytest.mark.parametrize(("name", "key", "job"), JOBS, ids=NAMED)
def test_the_action_takes_what_it_is_given(entrypoint, name, key, job):
    for step in asks_of_the_action(job):
        given = {
            f"INPUT_{input_.upper()}": TOKENS.get(value, value)
            for input_, value in step["with"].items()
        }
        words = entrypoint.command_line([], given)
        assert words[0] in {"check", "publish", "baseline"}, (name, key)


@pytest.mark.parametrize(("name", "key", "job"), JOBS, ids=NAMED)
def test_a_checkout_leaves_no_token_behind(name, key, job):
    for step in job["steps"]:
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False, (name, key)


@pytest.mark.parametrize(("name", "key", "job"), JOBS, ids=NAMED)
def test_the_agents_code_may_change_nothing_in_the_repository(name, key, job):
    writes = {right for right, level in job["permissions"].items() if level == "write"}
    allowed = {"pull-requests"} if name == "pull-request" else set()
    if runs_the_agent(job):
        assert writes <= allowed, (name, key)
    if "contents" in writes:
        assert (name, key) == ("promote", "promote")


@pytest.mark.parametrize(("name", "key", "job"), JOBS, ids=NAMED)
def test_a_gate_behind_another_job_is_never_skipped(name, key, job):
    gates = [step for step in asks_of_the_action(job) if "command" not in step["with"]]
    if "needs" in job and gates:
        assert job["if"] == "always()", (name, key)


@pytest.mark.parametrize("name", ["pull-request", "fork-evaluate", "merge-queue"])
def test_a_check_that_is_required_always_reports(name):
    started = read(name)["on"]
    assert not any(
        (filters or {}).keys() & {"paths", "paths-ignore"} for filters in started.values()
    )
    assert ("merge_group" in started) == (name == "merge-queue")


def test_no_two_workflows_have_one_name():
    """What follows a workflow, and a group of runs, goes by its name."""
    assert len({read(name)["name"] for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize("name", ["pull-request", "fork-evaluate", "merge-queue"])
def test_runs_without_a_pull_request_cancel_no_other(name):
    found = read(name)["concurrency"]
    if found["cancel-in-progress"] is True:
        assert re.search(r"number \|\| github\.run_id \}\}$", found["group"])
    else:
        assert found["group"].endswith("${{ github.ref }}")  # each entry of a queue has its own
        assert found["cancel-in-progress"] == "${{ github.event_name == 'pull_request' }}"


@pytest.mark.parametrize("name", ["pull-request", "fork-evaluate", "merge-queue"])
def test_what_judges_keeps_its_result_whatever_came_of_it(name):
    for job in read(name)["jobs"].values():
        if asks_of_the_action(job):
            last = job["steps"][-1]
            assert last["if"] == "always()"
            assert last["uses"].startswith("actions/upload-artifact@")
            assert last["with"]["name"] == "agent-eval-gate"
            assert last["with"]["include-hidden-files"] is True


def test_what_needs_a_right_is_shown_beside_that_right():
    text = (FOLDER / "pull-request.yml").read_text()
    assert re.search(r"# statuses: write .*`commit-status`.*`checks: write` for `check-run`", text)
    assert re.search(r"# commit-status: .*`check-run: NAME`.*`annotations: \"true\"`", text)


def test_a_forks_workflow_has_no_secret_and_no_right_to_write():
    text = (FOLDER / "fork-evaluate.yml").read_text()
    assert "secrets." not in text
    (job,) = read("fork-evaluate")["jobs"].values()
    assert set(job["permissions"].values()) == {"read"}


def test_the_trusted_workflow_follows_the_other_and_runs_nothing_of_it():
    trusted, other = read("fork-publish"), read("fork-evaluate")
    assert trusted["on"]["workflow_run"]["workflows"] == [other["name"]]
    (job,) = trusted["jobs"].values()
    assert [step.get("uses") for step in job["steps"]] == [None, ACTION]
    fetch = job["steps"][0]
    assert "${{" not in fetch["run"]
    (kept,) = (s for s in other["jobs"]["agent-eval"]["steps"] if "upload" in s.get("uses", ""))
    assert f"name={kept['with']['name']}" in fetch["run"]
    assert kept["with"]["path"].endswith("/result.json")


@pytest.mark.parametrize("name", [path.stem for path in FOLDER.glob("*.yml")])
def test_no_expression_stands_in_a_script(name):
    for job in read(name)["jobs"].values():
        assert not [step for step in job["steps"] if "${{" in step.get("run", "")]


GH = """#!/bin/sh
printf '%s\\n' "$@" >> "$ASKED"
case "$*" in
*"/zip"*) printf 'PK' ;;
*"artifacts?name="*) printf '%s' "$NEWEST" ;;
*PUT*) for word in "$@"; do
  case "$word" in content=@*) cp "${word#content=@}" "$SENT" ;; esac
done ;;
esac
"""


@pytest.fixture
def scripted(tmp_path):
    """Run a step's script, with a `gh` that writes down what it is asked."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "gh").write_text(GH)
    (tools / "gh").chmod(0o755)
    work = tmp_path / "work"
    work.mkdir()

    def run(step, **environ):
        done = subprocess.run(
            ["bash", "-e", "-c", step["run"]],
            cwd=work,
            env={
                "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
                "HOME": str(tmp_path),
                "ASKED": str(tmp_path / "asked"),
                "SENT": str(tmp_path / "sent"),
                "RUNNER_TEMP": str(tmp_path),
                "GITHUB_OUTPUT": str(tmp_path / "outputs"),
                "GITHUB_REPOSITORY": "octo/agent",
                **environ,
            },
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        asked = tmp_path / "asked"
        return done, asked.read_text().splitlines() if asked.exists() else []

    run.work, run.folder = work, tmp_path
    return run


def git(folder, *words):
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(
        ["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def branch(scripted):
    path = scripted.work / PROMOTED
    path.parent.mkdir()
    path.write_text("old\n")
    git(scripted.work, "init", "-q", ".")
    git(scripted.work, "add", "-A")
    git(scripted.work, "commit", "-q", "-m", "old")
    return path


def test_a_baseline_takes_the_place_of_the_very_one_that_was_there(scripted, branch):
    step = step_of("promote", "promote", "Put it")
    old = git(scripted.work, "rev-parse", f"HEAD:{PROMOTED}")
    branch.write_text("new\n" * 5_000)
    done, asked = scripted(step, BASELINE=step["env"]["BASELINE"], BRANCH="main")
    assert done.returncode == 0, done.stderr
    assert step["env"]["BASELINE"] == PROMOTED
    assert asked[:4] == ["api", "--method", "PUT", f"repos/octo/agent/contents/{PROMOTED}"]
    assert f"sha={old}" in asked
    assert "branch=main" in asked
    sent = subprocess.run(
        ["base64", "--decode", str(scripted.folder / "sent")], capture_output=True, check=True
    )
    assert sent.stdout.decode() == "new\n" * 5_000


@pytest.mark.parametrize("ignored", [False, True])
def test_the_first_baseline_is_made_where_no_file_is(scripted, branch, ignored):
    git(scripted.work, "rm", "-q", "--cached", PROMOTED)
    git(scripted.work, "commit", "-q", "--allow-empty", "-m", "none")
    if ignored:
        (scripted.work / ".gitignore").write_text("baselines/\n")
    step = step_of("promote", "promote", "Put it")
    branch.write_text("new\n")
    done, asked = scripted(step, BASELINE=PROMOTED, BRANCH="main")
    assert done.returncode == 0, done.stderr
    assert asked[:4] == ["api", "--method", "PUT", f"repos/octo/agent/contents/{PROMOTED}"]
    assert "branch=main" in asked
    assert not [word for word in asked if word.startswith("sha=")]
    assert (scripted.folder / "sent").read_text() == "bmV3Cg=="


def test_a_baseline_that_stays_as_it_is_makes_no_commit(scripted, branch):
    step = step_of("promote", "promote", "Put it")
    done, asked = scripted(step, BASELINE=PROMOTED, BRANCH="main")
    assert done.returncode == 0
    assert asked == []
    assert branch.read_text() == "old\n"


def test_what_the_run_left_is_fetched_and_not_unpacked(scripted):
    step = step_of("fork-publish", "publish", "Fetch")
    done, asked = scripted(step, RUN="41", NEWEST="77")
    assert done.returncode == 0, done.stderr
    assert "repos/octo/agent/actions/runs/41/artifacts?name=agent-eval-gate" in asked
    assert asked[-1] == "repos/octo/agent/actions/artifacts/77/zip"
    assert (scripted.work / "artifact.zip").read_bytes() == b"PK"
    assert (scripted.folder / "outputs").read_text() == "found=true\n"


def test_a_run_that_left_nothing_ends_in_peace(scripted):
    step = step_of("fork-publish", "publish", "Fetch")
    done, _ = scripted(step, RUN="41", NEWEST="")
    assert done.returncode == 0
    assert "left no result" in done.stdout
    assert not (scripted.folder / "outputs").exists()
