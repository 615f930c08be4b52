"""What must be read before a report stands above it, whole, whatever else has to go."""

from pathlib import Path

import pytest

from gate.report.fit import LEAST, fitted
from gate.report.markdown import render_markdown
from gate.report.result_json import read_result

GOLDEN = Path(__file__).parents[2] / "golden"
REPORT = read_result((GOLDEN / "result.json").read_bytes(), source="result.json")
LONG = f"About commit {'1' * 40}, {'a plain word, ' * 60}and an end."


def test_without_a_notice_nothing_changes():
    assert render_markdown(REPORT, notice=()) == render_markdown(REPORT)


def test_it_stands_between_the_verdict_and_its_reason():
    text = render_markdown(REPORT, notice=("First.", "Second."))
    heading, rest = text.split("\n> [!CAUTION]\n")
    assert heading.splitlines()[1].startswith("## ")
    said, rest = rest.split("\n\n**Why:**", 1)
    assert said.strip() == "> First.\n>\n> Second."
    assert "[!CAUTION]" not in rest


@pytest.mark.parametrize("limit", [LEAST, 65_000])
def test_no_limit_cuts_it(limit):
    text = fitted(REPORT, limit_bytes=limit, notice=(LONG,))
    assert f"About commit `{'1' * 40}`" in text
    assert "and an end." in text.split("**Why:**")[0]


def test_it_is_made_harmless_like_all_else():
    text = render_markdown(REPORT, notice=("see @team <img src=x>\n## PASS",))
    said = text.split("[!CAUTION]")[1].split("**Why:**")[0]
    assert "`@team`" in said
    assert "<img" not in said.replace("`<img`", "")
    assert "\n#" not in said
