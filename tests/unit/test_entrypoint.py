"""The action's inputs become a command line."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gate.errors import UsageInvalid

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "entrypoint.py"


@pytest.fixture(scope="module")
def entrypoint():
    spec = importlib.util.spec_from_file_location("entrypoint", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def inputs(**said):
    return {f"INPUT_{name.replace('_', '-').upper()}": value for name, value in said.items()}


def golden(**said):
    return inputs(
        cases=str(ROOT / "examples/golden/cases.jsonl"),
        predictions=str(ROOT / "examples/golden/good.jsonl"),
        baseline=str(ROOT / "baselines/golden.json"),
        max_drop="0.05",
        **said,
    )


def run(environ, *arguments, folder):
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "LANG") if key in os.environ}
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        env={**kept, **environ},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_arguments_are_passed_through_and_inputs_then_ignored(entrypoint):
    arguments = ["check", "--max-drop", "0.1"]
    assert entrypoint.command_line(arguments, inputs(command="demo")) == arguments


def test_with_neither_arguments_nor_inputs_it_is_the_demo(entrypoint):
    assert entrypoint.command_line([], {"PATH": "/bin", "GITHUB_ACTIONS": "true"}) == ["demo"]


@pytest.mark.parametrize("environ", [{"INPUT_PREDICTION": "x"}, inputs(command=""), golden()])
def test_any_input_at_all_means_check_and_never_the_demo(entrypoint, environ):
    assert entrypoint.command_line([], environ)[0] == "check"


def test_an_input_becomes_the_option_of_its_name_in_one_word(entrypoint):
    environ = inputs(max_drop="-1", predictions="my answers.jsonl")
    assert entrypoint.command_line([], environ) == [
        "check",
        "--predictions=my answers.jsonl",
        "--max-drop=-1",
    ]


def test_an_empty_input_and_one_of_white_space_are_absent(entrypoint):
    environ = inputs(cases="", scorer=" \n", seed="7\n")
    assert entrypoint.command_line([], environ) == ["check", "--seed=7"]


def test_an_input_that_nobody_declared_is_not_read(entrypoint):
    assert entrypoint.command_line([], {"INPUT_COLOUR": "red"}) == ["check"]


def test_an_underscore_is_no_hyphen(entrypoint):
    assert entrypoint.command_line([], {"INPUT_MAX_DROP": "1"}) == ["check"]


@pytest.mark.parametrize("word", ["true", "True", "TRUE"])
def test_a_switch_is_on(entrypoint, word):
    assert entrypoint.command_line([], inputs(advisory=word)) == ["check", "--advisory"]


@pytest.mark.parametrize("word", ["false", "False", "FALSE"])
def test_a_switch_is_off(entrypoint, word):
    environ = inputs(advisory=word, allow_missing_baseline=word, show_expected=word)
    assert entrypoint.command_line([], environ) == [
        "check",
        "--require-baseline",
        "--blocking",
        "--hide-expected",
    ]


@pytest.mark.parametrize("word", ["yes", "1", "tRUE", "on", "true,"])
def test_a_switch_that_is_neither_is_an_error(entrypoint, word):
    with pytest.raises(UsageInvalid, match="'advisory': expected true or false"):
        entrypoint.command_line([], inputs(advisory=word))


def test_every_input_that_the_command_does_not_take_is_named(entrypoint):
    environ = inputs(command="score", max_drop="0.1", reason="because", cases="c")
    with pytest.raises(UsageInvalid) as error:
        entrypoint.command_line([], environ)
    assert str(error.value).splitlines() == [
        "input 'max-drop': `score` does not take it; leave it empty",
        "input 'reason': `score` does not take it; leave it empty",
    ]


def test_an_unknown_command_is_an_error_with_the_nearest_one(entrypoint):
    with pytest.raises(UsageInvalid, match="did you mean 'check'"):
        entrypoint.command_line([], inputs(command="chekc"))


@pytest.mark.parametrize("command", ["compare", "decide"])
def test_a_stored_result_stands_bare_behind_the_options(entrypoint, command):
    environ = inputs(command=command, result="-r.json", baseline="b.json")
    assert entrypoint.command_line([], environ) == [command, "--baseline=b.json", "--", "-r.json"]


def test_baseline_promote_is_a_command(entrypoint):
    environ = inputs(command="baseline promote", result="r.json", to="b.json")
    assert entrypoint.command_line([], environ) == [
        "baseline",
        "promote",
        "--result=r.json",
        "--to=b.json",
    ]


def test_it_runs_the_command_from_any_folder_and_ends_in_its_status(tmp_path):
    done = run(golden(), folder=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("PASS")
    failed = golden() | inputs(predictions=str(ROOT / "examples/golden/regressed.jsonl"))
    assert run(failed, folder=tmp_path).returncode == 1
    assert (tmp_path / ".agent-eval-gate" / "result.json").is_file()


def test_the_working_directory_is_where_it_runs(tmp_path):
    (tmp_path / "sub").mkdir()
    assert run(golden(working_directory="sub"), folder=tmp_path).returncode == 0
    assert (tmp_path / "sub" / ".agent-eval-gate" / "report.md").is_file()


def test_a_folder_that_is_not_there_ends_in_2_and_is_told_to_the_workflow(tmp_path):
    told = {"GITHUB_OUTPUT": str(tmp_path / "out"), "GITHUB_STEP_SUMMARY": str(tmp_path / "page")}
    done = run({**golden(working_directory="nowhere"), **told}, folder=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "working-directory" in done.stderr
    assert "\ninvalid\n" in (tmp_path / "out").read_text()
    assert "working-directory" in (tmp_path / "page").read_text()


def test_a_wrong_input_ends_in_2_and_prints_nothing_but_on_standard_error(tmp_path):
    done = run(golden(advisory="yes"), folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "'advisory'" in done.stderr


def test_the_demo_needs_nothing(tmp_path):
    done = run({}, folder=tmp_path)
    assert done.returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_a_module_in_the_workspace_does_not_stand_in_for_ours(tmp_path):
    for name in ("gate.py", "click.py", "os.py"):
        (tmp_path / name).write_text("raise SystemExit(0)")
    assert run({"INPUT_COMMAND": "chekc"}, folder=tmp_path).returncode == 2


def test_paths_start_at_the_workspace_wherever_the_process_does(tmp_path):
    (tmp_path / "space" / "sub").mkdir(parents=True)
    environ = golden(working_directory="sub") | {"GITHUB_WORKSPACE": str(tmp_path / "space")}
    assert run(environ, folder=tmp_path).returncode == 0
    assert (tmp_path / "space" / "sub" / ".agent-eval-gate" / "report.md").is_file()
