"""The image without any runner: `docker run` on a laptop."""

import json

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


def test_the_written_result_can_be_decided_again(runner):
    runner.locally(*CHECK, "--predictions=examples/golden/regressed.jsonl")
    done = runner.locally("decide", ".agent-eval-gate/result.json")
    assert done.returncode == 1, done.stderr
    text = (runner.workspace / ".agent-eval-gate" / "result.json").read_text("utf-8")
    assert json.loads(text)["exit_status"] == 1
