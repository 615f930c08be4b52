"""What the documents show is what happens."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from gate.policy.toml import read_policy
from gate.records.policy import SuiteOptions
from gate.records.waiver import Waiver

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCE = r"```\w*\n(.*?)```"
SHOWN = [
    (block, output)
    for block, output in re.findall(
        rf"<!-- run -->\n{FENCE}(?:\n+<!-- output -->\n{FENCE})?", README, re.DOTALL
    )
]


def commands(block):
    """Give the commands of a block with the status each is said to end in."""
    for line in block.replace("\\\n", " ").splitlines():
        command, _, comment = line.partition("   # ends in ")
        yield command, int(comment or 0)


def shell(command, folder):
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("GITHUB")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**inherited, "PATH": path, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def copy(tmp_path):
    for name in ("examples", "baselines"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


def test_the_readme_shows_commands_and_one_of_their_pages():
    assert len(SHOWN) == README.count("<!-- run -->") > 1
    assert [output for _, output in SHOWN if output]


@pytest.mark.parametrize("number", range(len(SHOWN)))
def test_the_commands_of_the_readme_end_as_it_says(copy, number):
    block, output = SHOWN[number]
    for command, status in commands(block):
        done = shell(command, copy)
        assert done.returncode == status, (command, done.stderr)
        assert done.stdout.startswith(output)


def test_the_python_of_the_readme_runs():
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "1.0 pass\n"


def first(part):
    return re.search(rf"<!-- first {part} -->\n{FENCE}", README, re.DOTALL)[1]


AGENT = """
ANSWERS = {"Capital": "Paris", "What is 12": "144",
           "Refuse": "Sorry, I can't.", "What is the": "No."}
def answer(question):
    found = next(said for start, said in ANSWERS.items() if question.startswith(start))
    if found == BROKEN:
        raise RuntimeError
    return found, ["calculator"] if found == "144" else []
BROKEN = None
"""


def test_the_first_suite_of_the_readme_runs_and_counts_a_crash(tmp_path):
    (tmp_path / "evals").mkdir()
    for name, part in (("cases.jsonl", "cases"), ("gate.toml", "policy"), ("ask.py", "ask")):
        (tmp_path / "evals" / name).write_text(first(part))
    (tmp_path / "my_agent.py").write_text(AGENT)
    steps = first("steps").splitlines()
    for step in steps:
        done = shell(step, tmp_path)
        assert done.returncode == 0, (step, done.stderr)
    (tmp_path / "my_agent.py").write_text(AGENT + 'BROKEN = "No."\n')
    assert shell(steps[0], tmp_path).returncode == 0
    done = shell(steps[-1], tmp_path)
    assert done.returncode == 1
    assert "RuntimeError" in done.stdout
    assert re.search(r"fail +safety", done.stdout)


def policy_in_readme():
    return re.search(r"<!-- policy -->\n```toml\n(.*?)```", README, re.DOTALL)[1]


def test_the_policy_of_the_readme_is_accepted_and_names_every_key():
    found = read_policy(policy_in_readme(), source="README.md")
    assert found.suite.model_fields_set == set(SuiteOptions.model_fields)
    assert found.scorer is not None
    for gate in found.gates:
        assert gate.model_fields_set >= set(type(gate).model_fields) - {"enabled"}
    assert [waiver.model_fields_set for waiver in found.waivers] == [set(Waiver.model_fields)]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_policy_in_a_document_is_accepted(path):
    for text in re.findall(r"```toml\n(.*?)```", path.read_text(), re.DOTALL):
        read_policy(text, source=path.name)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_of_a_document_leads_somewhere(path):
    for target in re.findall(r"\]\(([^)#\s]+)", path.read_text()):
        if "://" not in target and target not in {"x", "b"}:
            assert (path.parent / target).exists(), target


def test_the_readme_names_every_option(entrypoint):
    from gate.cli.main import cli

    named = {*entrypoint.declared(), *(option.opts[-1].strip("-") for option in cli.params)}
    switches = {
        parameter.secondary_opts[0].strip("-")
        for command in entrypoint.COMMANDS
        for parameter in entrypoint.parameters(command).values()
        if isinstance(parameter, click.Option) and parameter.secondary_opts
    }
    for name in (named | switches) - {"version"}:
        assert re.search(rf"[`/-]{re.escape(name)}[`/ ]", README), name


def test_the_readme_gives_every_exit_status_in_its_order_of_precedence():
    table = README.split("## Exit status")[1].split("\n## ")[0]
    assert re.findall(r"^\| (\d) \|", table, re.MULTILINE) == list("01234")
    assert "4 wins, then 2, 1, 3 and 0" in table


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_target_of_make_that_a_document_names_exists(path):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = re.findall(r"(?:^|`)make ([a-z-]+)", path.read_text(), re.MULTILINE)
    assert set(named) <= set(targets)


def test_what_a_clean_clone_must_pass_is_one_command():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    for target in ("test", "lint", "run"):
        assert f"step make {target}\n" in script.read_text()
