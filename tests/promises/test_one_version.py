"""One version, wherever it is said."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import gate

ROOT = Path(__file__).resolve().parents[2]


def test_the_project_takes_its_version_from_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "version" in project["project"]["dynamic"]
    assert project["tool"]["hatch"]["version"]["path"] == "gate/__init__.py"


def test_the_installed_distribution_has_it():
    assert version("agent-eval-gate") == gate.__version__


def test_the_command_says_it():
    done = subprocess.run(
        [sys.executable, "-m", "gate", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"agent-eval-gate, version {gate.__version__}\n"


def test_the_newest_entry_of_the_changelog_is_about_it():
    text = (ROOT / "CHANGELOG.md").read_text()
    newest = re.search(r"^## \[(.+?)\] - (Unreleased|\d{4}-\d{2}-\d{2})$", text, re.MULTILINE)
    first = re.search(r"^## .*$", text, re.MULTILINE)
    assert newest is not None
    assert first is not None
    assert newest[0] == first[0]
    assert newest[1] == gate.__version__
