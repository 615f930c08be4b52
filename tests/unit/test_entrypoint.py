"""The action's inputs become a command line."""

import pytest

from action_run import golden, inputs
from gate.errors import UsageInvalid


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
