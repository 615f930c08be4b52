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
    assert entrypoint.command_line([], {"PATH": "/bin"}) == ["demo"]


def test_a_workflow_that_sets_no_input_gets_no_green_demo(entrypoint):
    with pytest.raises(UsageInvalid, match="no input at all"):
        entrypoint.command_line([], {"PATH": "/bin", "GITHUB_ACTIONS": "true"})


@pytest.mark.parametrize("environ", [{"INPUT_COLOUR": "x"}, inputs(command=""), golden()])
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


def test_an_input_that_nobody_declared_is_not_read_and_that_is_said(entrypoint):
    environ = {"INPUT_COLOUR": "red", "INPUT_ARGS": "", "INPUT_ENTRYPOINT": ""} | golden()
    assert entrypoint.command_line([], environ)[0] == "check"
    assert entrypoint.unread([], environ) == ["input 'colour' is not known, and not read"]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("INPUT_MIN_PASS_RATE", "min-pass-rate"),
        ("INPUT_MIN-PAS-RATE", "min-pass-rate"),
        ("INPUT_max-drop", "max-drop"),
        ("INPUT_PREDICTION", "predictions"),
        ("INPUT_MAX_DORP", "max-drop"),
        ("INPUT_COMAND", "command"),
        ("INPUT_WORKING_DIRECTORY", "working-directory"),
    ],
)
@pytest.mark.parametrize("value", ["1", ""])
def test_a_misspelt_input_is_refused_with_the_name_that_was_meant(entrypoint, name, meant, value):
    with pytest.raises(UsageInvalid, match=f"did you mean '{meant}'"):
        entrypoint.command_line([], golden() | {name: value})


def test_every_misspelt_input_is_named_beside_what_else_is_wrong(entrypoint):
    environ = {"INPUT_MIN_PASS_RATE": "1", "INPUT_MAX_DROP": "1"} | inputs(advisory="yes")
    with pytest.raises(UsageInvalid) as error:
        entrypoint.command_line([], environ)
    assert len(str(error.value).splitlines()) == 3


def test_arguments_beside_inputs_are_said_to_silence_them(entrypoint):
    declared = inputs(command="check", cases="", advisory="")
    assert entrypoint.unread(["--version"], declared) == []
    (line,) = entrypoint.unread(["--version"], declared | inputs(max_drop="0", policy="p"))
    assert "max-drop, policy" in line
    assert "command" in entrypoint.unread(["--version"], inputs(command="score"))[0]


@pytest.mark.parametrize(
    ("command", "lacks"),
    [
        ("decide", ["result"]),
        ("compare", ["result"]),
        ("baseline promote", ["result", "to"]),
    ],
)
def test_an_input_that_a_command_lacks_is_named_as_an_input(entrypoint, command, lacks):
    with pytest.raises(UsageInvalid) as error:
        entrypoint.command_line([], inputs(command=command))
    said = [f"input '{name}': `{command}` needs it" for name in lacks]
    assert str(error.value).splitlines() == said


@pytest.mark.parametrize(
    ("path", "lost"),
    [
        ("results/geo", False),
        ("..dots", False),
        (".", False),
        ("/tmp/zz", True),  # noqa: S108 - nothing is written there
        ("../x", True),
        ("link/x", True),
    ],
)
def test_what_would_go_with_the_container_is_refused(
    entrypoint, path, lost, tmp_path, monkeypatch
):
    (tmp_path / "space").mkdir()
    (tmp_path / "space" / "link").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path / "space")
    said = {
        "out": inputs(out=path),
        "to": inputs(command="baseline promote", result="r.json", to=path),
    }
    for name, environ in said.items():
        assert entrypoint.command_line([], environ)
        within = environ | {"GITHUB_WORKSPACE": str(tmp_path / "space")}
        if lost:
            with pytest.raises(UsageInvalid, match=f"input '{name}': '{path}' lies outside"):
                entrypoint.command_line([], within)
        else:
            assert entrypoint.command_line([], within)


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
    with pytest.raises(UsageInvalid, match=f"'advisory': expected true or false, got '{word}'"):
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


def test_the_usual_folder_is_refused_where_a_link_leads_out_of_the_workspace(
    entrypoint, tmp_path, monkeypatch
):
    (tmp_path / "space").mkdir()
    (tmp_path / "space" / ".agent-eval-gate").symlink_to(tmp_path)
    monkeypatch.chdir(tmp_path / "space")
    with pytest.raises(UsageInvalid, match=r"'\.agent-eval-gate' lies outside"):
        entrypoint.command_line(
            [],
            inputs() | {"GITHUB_WORKSPACE": str(tmp_path / "space")} | {"INPUT_COMMAND": "check"},
        )


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


@pytest.mark.parametrize("word", ["", "off", " off\n"])
def test_no_comment_needs_no_token(entrypoint, word):
    assert entrypoint.command_line([], inputs(comment=word)) == ["check"]


@pytest.mark.parametrize("word", ["", "update", "recreate", "off"])
def test_with_a_token_every_mode_is_taken(entrypoint, word):
    given = inputs(comment=word, github_token="tok-0123456789")  # noqa: S106 - a canary
    assert entrypoint.command_line([], given) == ["check"]


@pytest.mark.parametrize("command", ["check", "demo"])
@pytest.mark.parametrize("word", ["update", "recreate"])
def test_a_comment_without_a_token_is_refused(entrypoint, word, command):
    with pytest.raises(UsageInvalid, match=f"{word} needs a token: github-token"):
        entrypoint.command_line([], inputs(comment=word, command=command))


@pytest.mark.parametrize(
    ("word", "near"), [("updaet", "update"), ("OFF", "off"), ("Recreate", "recreate")]
)
def test_another_word_about_the_comment_is_refused_with_the_nearest(entrypoint, word, near):
    with pytest.raises(UsageInvalid, match=f"'comment': .*did you mean '{near}'"):
        entrypoint.command_line([], inputs(comment=word))


@pytest.mark.parametrize("word", ["true", "false", "x" * 10_000])
def test_a_word_that_is_like_none_is_refused_too(entrypoint, word):
    with pytest.raises(UsageInvalid, match=r"update, recreate, off are known$"):
        entrypoint.command_line([], inputs(comment=word))


@pytest.mark.parametrize("name", ["geo", "a.b_c-9", "x" * 100])
def test_a_comment_id_is_a_short_name(entrypoint, name):
    assert entrypoint.command_line([], inputs(comment_id=name)) == ["check"]


@pytest.mark.parametrize("name", ["a b", "x" * 101, "é", "a/b", "<!--", "a\nb", "\u0661"])
def test_another_comment_id_is_refused(entrypoint, name):
    with pytest.raises(UsageInvalid, match="'comment-id': at most 100 letters"):
        entrypoint.command_line([], inputs(comment_id=name))


def heading(path):
    lines = path.read_text().splitlines()
    return next(line for line in lines if line.startswith("## "))


def test_a_comment_id_heads_the_section_and_wins_over_the_folder(tmp_path):
    page = tmp_path / "page"
    told = {"GITHUB_STEP_SUMMARY": str(page)}
    name = "geo-" + "9" * 96
    for out in ("", "results/geo"):
        page.unlink(missing_ok=True)
        done = run(golden(comment_id=name, out=out) | told, folder=tmp_path)
        assert done.returncode == 0
        assert heading(page).endswith(f"PASS · `{name}`")
    for wrong in ({"advisory": "yes"}, {"predictions": "nowhere"}):
        page.unlink()
        done = run(golden(comment_id=name) | inputs(**wrong) | told, folder=tmp_path)
        assert done.returncode == 2
        assert heading(page).endswith(f"invalid · `{name}`")


def test_where_arguments_are_given_no_comment_id_is_read(tmp_path):
    page = tmp_path / "page"
    environ = inputs(comment_id="geo", github_token="tok-0123456789")  # noqa: S106 - a canary
    done = run(environ | {"GITHUB_STEP_SUMMARY": str(page)}, "check", "--x", folder=tmp_path)
    assert done.returncode == 2
    assert "no input is read: comment-id\n" in done.stderr
    assert heading(page).endswith("invalid")


@pytest.mark.parametrize("arguments", [False, True])
def test_the_value_of_the_token_is_taken_out_of_all_that_is_written_or_printed(
    tmp_path, arguments
):
    token = "ghs_<CANARY>&0123456789"  # noqa: S105 - a canary
    (tmp_path / "cases.jsonl").write_text(
        f'{{"id": "a", "input": "?", "reference": "yes", "labels": ["{token}"]}}\n'
    )
    (tmp_path / "p.jsonl").write_text(f'{{"id": "a", "output": "no: {token}"}}\n')
    said = {
        "cases": "cases.jsonl",
        "predictions": "p.jsonl",
        "scorer": "contains",
        "report_formats": "markdown,junit",
        "allow_missing_baseline": "true",
        "min_pass_rate": "0.5",
    }
    told = {"GITHUB_OUTPUT": str(tmp_path / "out"), "GITHUB_STEP_SUMMARY": str(tmp_path / "page")}
    words = ()
    if arguments:
        words = ("check", "--cases", "cases.jsonl", "--predictions", "p.jsonl", "--scorer")
        words += ("contains", "--allow-missing-baseline", "--min-pass-rate", "0.5")
        words += ("--report-formats", "markdown,junit")
        said = {}
    environ = inputs(**said, github_token=f" {token}\n") | told
    done = run(environ, *words, folder=tmp_path)
    assert done.returncode == 1, done.stderr
    folder = tmp_path / ".agent-eval-gate"
    result = (folder / "result.json").read_text()
    told = "".join(path.read_text() for path in (tmp_path / "out", tmp_path / "page"))
    written = "".join((folder / name).read_text() for name in ("report.md", "junit.xml"))
    for text in (done.stdout, done.stderr, told, written, result.replace(f'["{token}"]', "")):
        assert "no: ghs" not in text
    for text in (done.stdout, done.stderr, told, written):
        assert "CANARY" not in text
    assert "no: ***" in result
    assert (done.stdout + written).count("***") > 2


def test_a_token_in_the_wrong_input_is_printed_nowhere(tmp_path):
    token = "ghs_CANARY0123456789"  # noqa: S105 - a canary
    wrong = inputs(comment=token, comment_id=f"{token}/x")
    done = run(wrong | {"GITHUB_STEP_SUMMARY": str(tmp_path / "page")}, folder=tmp_path)
    assert done.returncode == 2
    assert "CANARY" not in done.stderr + (tmp_path / "page").read_text()
