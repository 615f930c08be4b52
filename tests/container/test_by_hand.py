"""The image without any runner: `docker run` on a laptop."""

import json
import re
import signal
import time

import pytest

CHECK = (
    "check",
    "--cases=examples/golden/cases.jsonl",
    "--baseline=baselines/golden.json",
    "--max-drop=0.05",
)
STATUSES = {"good": 0, "wrong_order": 0, "regressed": 1, "cases": 2, "nowhere": 2}


def test_alone_it_shows_the_demo(engine, image):
    done = engine.run(image)
    assert done.returncode == 0, done.stderr
    assert "The agent as accepted" in done.stdout
    assert "would end with status 1" in done.stdout


@pytest.mark.parametrize("word", ["--help", "-h"])
def test_help_is_shown(engine, image, word):
    done = engine.run(image, word)
    assert done.returncode == 0
    assert "Exit status" in done.stdout


def test_the_version_is_that_of_this_tree(engine, image):
    import gate

    assert gate.__version__ in engine.run(image, "--version").stdout


@pytest.mark.parametrize("name", STATUSES)
def test_a_mounted_folder_gives_the_statuses_of_the_command(runner, name):
    done = runner.locally(*CHECK, f"--predictions=examples/golden/{name}.jsonl")
    assert done.returncode == STATUSES[name], done.stderr


def test_the_files_belong_to_the_owner_of_the_folder(runner, owner):
    assert runner.locally(*CHECK, "--predictions=examples/golden/good.jsonl").returncode == 0
    made = runner.made()
    assert len(made) == 3
    assert set(made.values()) == {owner}


def test_it_runs_as_any_user(runner, owner):
    user = ("--user", "{}:{}".format(*owner))
    done = runner.locally(*CHECK, "--predictions=examples/golden/good.jsonl", options=user)
    assert done.returncode == 0, done.stderr
    assert set(runner.made().values()) == {owner}


def test_it_runs_from_any_folder_that_is_mounted(runner):
    elsewhere = ("-v", f"{runner.workspace}:/some/where", "--workdir", "/some/where")
    done = runner.locally(
        *CHECK, "--predictions=examples/golden/regressed.jsonl", options=elsewhere
    )
    assert done.returncode == 1, done.stderr


def test_a_wrong_option_ends_in_2_and_never_in_1(engine, image):
    done = engine.run(image, "check", "--max-drp", "0")
    assert done.returncode == 2
    assert "--max-drop" in done.stderr


def listens(status):
    """Say whether a process has a handler of SIGTERM, by what the kernel says of it."""
    caught = re.search(r"^SigCgt:\s*([0-9a-f]+)$", status, re.MULTILINE)
    return bool(int(caught[1], 16) >> (signal.SIGTERM - 1) & 1)


def test_standard_input_is_read_and_whoever_stops_the_container_need_not_kill_it(runner, engine):
    mounted = ("-v", f"{runner.workspace}:/github/workspace")
    words = ("run", "-d", "-i", "--network", "none", *mounted, runner.image)
    started = engine.ask(*words, *CHECK, "--predictions=/dev/stdin").strip()
    try:
        while not listens(engine.ask("exec", started, "cat", "/proc/1/status")):
            time.sleep(0.1)
        engine.ask("stop", "-t", "60", started)
        state = json.loads(engine.ask("inspect", started))[0]["State"]
        said = engine.ask("logs", started)
    finally:
        engine.ask("rm", "-f", started)
    assert (state["ExitCode"], said) == (143, "")


def test_the_written_result_can_be_decided_again(runner):
    runner.locally(*CHECK, "--predictions=examples/golden/regressed.jsonl")
    done = runner.locally("decide", ".agent-eval-gate/result.json")
    assert done.returncode == 1, done.stderr
    text = (runner.workspace / ".agent-eval-gate" / "result.json").read_text("utf-8")
    assert json.loads(text)["exit_status"] == 1
