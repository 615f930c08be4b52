"""The command starts in a blink: what is not needed is not loaded."""

import subprocess
import sys

import pytest

HEAVY = ("numpy", "google", "rouge_score", "nltk", "re2", "pydantic", "jinja2", "difflib")
PROBE = """
import sys
from gate.cli.main import main
status = main(sys.argv[1:], {})
print("loaded:", *[name for name in %r if name in sys.modules], file=sys.stderr)
sys.exit(status)
"""


def run(*args):
    return subprocess.run(
        [sys.executable, *args], capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["check", "--help"],
        ["score", "--help"],
        ["compare", "--help"],
        ["decide", "--help"],
        ["baseline", "--help"],
        ["baseline", "promote", "--help"],
        ["import", "--help"],
        ["init", "--help"],
        ["demo", "--help"],
    ],
    ids=" ".join,
)
def test_help_loads_nothing_heavy(arguments):
    done = run("-c", PROBE % (HEAVY,), *arguments)
    assert done.returncode == 0
    assert done.stdout
    assert done.stderr.strip() == "loaded:"


def test_importing_the_package_loads_nothing_but_itself():
    done = run("-c", "import sys, gate; print([n for n in sys.modules if n.startswith('gate.')])")
    assert done.stdout.strip() == "[]"


def test_a_check_of_plain_scorers_loads_no_language_tools():
    done = run("-c", PROBE % (("google", "rouge_score", "nltk", "re2"),), "demo")
    assert done.returncode == 0
    assert done.stderr.strip() == "loaded:"


def test_the_package_runs_as_a_module():
    done = run("-m", "gate", "--help")
    assert done.returncode == 0
    assert "Exit status" in done.stdout
