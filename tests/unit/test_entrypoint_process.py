"""The entrypoint as a process: where it runs, how it ends, and what it leaves."""

import sys

import pytest

from action_run import ROOT, golden, inputs, run


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


def test_a_defect_of_the_mapping_is_4_and_never_1(entrypoint, monkeypatch, tmp_path, capsys):
    def broken(*_args):
        raise RuntimeError

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(entrypoint, "parameters", broken)
    monkeypatch.setattr(sys, "argv", ["entrypoint.py"])
    monkeypatch.setenv("INPUT_COMMAND", "check")
    with pytest.raises(SystemExit) as left:
        entrypoint.main()
    assert left.value.code == 4
    assert "a defect of agent-eval-gate: RuntimeError" in capsys.readouterr().err


REFUSED = {
    "a switch with a typo": inputs(advisory="yes"),
    "a misspelt command": inputs(command="chekc"),
    "an input of another command": inputs(reason="x"),
    "a folder that is not there": inputs(working_directory="nope"),
    "a misspelt input": {"INPUT_MIN_PASS_RATE": "1"},
}


@pytest.mark.parametrize("out", ["", "results/geo"])
@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_leaves_no_older_result(tmp_path, name, out):
    given = golden() | inputs(out=out)
    assert run(given, folder=tmp_path).returncode == 0
    folder = tmp_path / (out or ".agent-eval-gate")
    assert len(list(folder.iterdir())) == 2
    summary = {"GITHUB_STEP_SUMMARY": str(tmp_path / "page")}
    done = run(given | REFUSED[name] | summary, folder=tmp_path)
    assert done.returncode == 2, done.stderr
    assert list(folder.iterdir()) == []
    heading = (tmp_path / "page").read_text().splitlines()[0]
    assert heading.endswith("invalid · `results/geo`" if out else "invalid")


@pytest.mark.parametrize(
    "said",
    [
        inputs(command="decide", result=".agent-eval-gate/result.json", advisory="true"),
        inputs(command="baseline promote", result=".agent-eval-gate/result.json"),
        inputs(command="comprae", result=".agent-eval-gate/result.json"),
        inputs(baseline=".agent-eval-gate/result.json", advisory="yes"),
    ],
)
def test_a_refusal_leaves_what_it_was_to_read(tmp_path, said):
    assert run(golden(), folder=tmp_path).returncode == 0
    assert run(said, folder=tmp_path).returncode == 2
    assert len(list((tmp_path / ".agent-eval-gate").iterdir())) == 2


def test_warnings_are_said_on_standard_error_and_change_nothing(tmp_path):
    done = run(golden() | {"INPUT_COLOUR": "::error::x"}, folder=tmp_path)
    assert done.returncode == 0
    assert done.stderr.startswith("warning: input 'colour' is not known, and not read\n")
    done = run(golden(), "--version", folder=tmp_path)
    assert (done.returncode, done.stderr.count("warning: arguments are given")) == (0, 1)


def test_the_demo_and_a_promotion_tell_their_outputs(tmp_path):
    told = {"GITHUB_OUTPUT": str(tmp_path / "out")}
    assert run(inputs(command="demo") | told, folder=tmp_path).returncode == 0
    assert run(golden(), folder=tmp_path).returncode == 0
    promote = inputs(command="baseline promote", result=".agent-eval-gate/result.json", to="b")
    assert run(promote | told, folder=tmp_path).returncode == 0
    lines = (tmp_path / "out").read_text().splitlines()
    assert [lines[1], lines[34]] == ["shown", "promoted"]
    assert [lines[4], lines[37]] == ["0", "0"]


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
