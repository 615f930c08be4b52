"""The action, the command and the README agree about every input and output."""

import re
from pathlib import Path
from typing import get_args

import click
import pytest
import yaml

from gate.adapters.environ import names_a_secret
from gate.cli.main import COMMANDS
from gate.publish.outputs import NAMES
from gate.records.host import CommentMode

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())
README = (ROOT / "README.md").read_text()
MARKS = ("commit-status", "check-run", "annotations")
OWN = ("command", "working-directory", "comment", "comment-id", "github-token", *MARKS)
"""The action's own; every other input is an option."""


def marked(name):
    """Give the first cells of the README's table between two markers."""
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", README, re.DOTALL)
    assert found is not None, name
    return re.findall(r"^\| `([a-z-]+)` \|", found[1], re.MULTILINE)


def test_the_inputs_are_the_options_of_the_commands(entrypoint):
    assert list(ACTION["inputs"]) == [*OWN, *entrypoint.declared()]


def test_the_inputs_of_the_action_alone_are_no_options(entrypoint):
    assert entrypoint.OWN == OWN
    assert not set(OWN) & set(entrypoint.declared())


def test_the_token_and_no_other_input_is_a_secret():
    names = {name for name in ACTION["inputs"] if names_a_secret(f"INPUT_{name.upper()}")}
    assert names == {"github-token"}


def test_what_the_comment_takes_is_said_where_it_is_set():
    said = " ".join(ACTION["inputs"]["github-token"]["description"].split())
    assert "pull-requests: write" in said
    assert "github-token" in ACTION["inputs"]["comment"]["description"]
    for mode in get_args(CommentMode):
        assert mode in ACTION["inputs"]["comment"]["description"]


def test_what_a_mark_takes_is_said_where_it_is_asked_for():
    said = {name: " ".join(ACTION["inputs"][name]["description"].split()) for name in MARKS}
    assert "statuses: write" in said["commit-status"]
    assert "checks: write" in said["check-run"]
    assert all(text.endswith("(check, compare, decide)") for text in said.values())


def test_the_outputs_are_those_that_a_run_writes():
    assert tuple(ACTION["outputs"]) == NAMES


def test_every_input_and_output_is_described():
    parts = {**ACTION["inputs"], **ACTION["outputs"]}
    assert all(part["description"].strip() for part in parts.values())


def test_no_input_is_required_and_every_default_is_a_text_that_decides_nothing():
    for name, given in ACTION["inputs"].items():
        assert set(given) == {"description", "default"}
        usual = {"command": "check", "github-token": "${{ github.token }}"}
        assert given["default"] == usual.get(name, "")


def test_the_description_of_an_input_names_the_commands_that_take_it(entrypoint):
    for name, given in ACTION["inputs"].items():
        if name not in OWN:
            said = re.findall(r"\(([a-z, ]+)\)$", given["description"].strip())[-1].split(", ")
            takes = [one for one in entrypoint.COMMANDS if name in entrypoint.parameters(one)]
            assert said == takes, name


def test_the_readme_lists_the_inputs():
    assert marked("inputs") == list(ACTION["inputs"])


def test_the_readme_lists_the_outputs():
    assert marked("outputs") == list(ACTION["outputs"])


def test_the_readme_lists_the_commands():
    said = re.findall(r"^\| `([a-z ]+)", README.split("commands -->")[1], re.MULTILINE)
    assert {line.split()[0] for line in said} == set(COMMANDS)


def test_the_action_runs_a_file_that_exists():
    assert ACTION["runs"] == {"using": "docker", "image": "Dockerfile"}
    text = (ROOT / "Dockerfile").read_text()
    assert re.search(
        r'^ENTRYPOINT \["/\S+/python", "-I", "/\S+/entrypoint\.py"\]$', text, re.MULTILINE
    )
    assert not re.search(r"^USER\b", text, re.MULTILINE)


@pytest.mark.parametrize("command", ["check", "score", "compare", "decide", "baseline promote"])
def test_every_switch_can_be_said_both_ways(entrypoint, command):
    switches = [
        parameter
        for parameter in entrypoint.parameters(command).values()
        if isinstance(parameter, click.Option) and parameter.is_flag
    ]
    assert all(switch.secondary_opts for switch in switches)
