"""The action's own inputs are refused where what they ask for could not be done."""

import pytest

from gate.cli.own_inputs import problems

TOKEN = {"INPUT_GITHUB-TOKEN": "tok-0123456789"}


def found(command="check", **said):
    given = {f"INPUT_{name.replace('_', '-').upper()}": value for name, value in said.items()}
    return list(problems(given | TOKEN, command))


@pytest.mark.parametrize("name", ["commit_status", "check_run"])
@pytest.mark.parametrize(
    "said", ["", "agent-eval", "Agent eval (geo)", "evals/geo_1.2", "x" * 100]
)
def test_a_plain_name_will_do(name, said):
    assert found(**{name: said}) == []


@pytest.mark.parametrize("name", ["commit_status", "check_run"])
@pytest.mark.parametrize("said", ["a\nb", "::error::x", "-x", "x" * 101, "é", "true\x1b"])
def test_another_is_refused(name, said):
    (problem,) = found(**{name: said})
    assert "at most 100 letters" in problem
    assert said not in problem


@pytest.mark.parametrize("name", ["commit-status", "check-run"])
def test_without_a_token_a_mark_is_refused(name):
    (problem,) = problems({f"INPUT_{name.upper()}": "x"}, "check")
    assert problem == f"input {name!r}: needs a token: github-token: ${{{{ github.token }}}}"


@pytest.mark.parametrize("said", ["true", "False", ""])
def test_annotations_are_a_switch(said):
    assert found(annotations=said) == []


@pytest.mark.parametrize("said", ["yes", "1", "on"])
def test_another_word_about_annotations_is_refused(said):
    assert found(annotations=said) == ["input 'annotations': expected true or false"]


@pytest.mark.parametrize("command", ["score", "baseline promote", "publish", "demo"])
def test_a_command_without_a_verdict_marks_nothing(command):
    problem = f"`{command}` ends in no verdict; leave it empty"
    assert found(command, commit_status="x") == [f"input 'commit-status': {problem}"]
    assert found(command, check_run="x") == [f"input 'check-run': {problem}"]
    assert found(command, annotations="true") == [f"input 'annotations': {problem}"]
    assert found(command, annotations="false") == []


@pytest.mark.parametrize("command", ["check", "compare", "decide"])
def test_a_command_with_a_verdict_may(command):
    assert found(command, commit_status="a", check_run="b", annotations="true") == []
