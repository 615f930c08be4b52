"""Newly failing cases as workflow commands: few, short, and nothing in them is a command."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.publish.annotations import MOST, annotation_lines, command
from gate.report.result_json import read_result
from gate.report.sanitize import visible

DATA = Path(__file__).parents[2]
ORACLE = json.loads((DATA / "data" / "actions_core_commands.json").read_text("utf-8"))
"""What `@actions/core` 3.0.1 prints for `error` and `warning` with these arguments."""
REPORT = read_result((DATA / "golden" / "result.json").read_bytes(), source="result.json")
MOST_CHARACTERS = 4_096


def failing(*names, said="no", verdict="fail", **fields):
    """Give the golden report with these newly failing cases alone."""
    case = next(one for one in REPORT.cases if one.id == "qa-2")
    evidence = case.evidence[0].__class__(
        **{name: getattr(case.evidence[0], name) for name in case.evidence[0].__slots__}
        | {"output": said, "expected": "William Shakespeare", "error": None}
    )
    given = {name: getattr(case, name) for name in case.__slots__} | {"evidence": (evidence,)}
    rows = tuple(type(case)(**(given | fields | {"id": name})) for name in names)
    compared = REPORT.comparison.model_copy(update={"newly_failing": names})
    return REPORT.model_copy(update={"cases": rows, "comparison": compared, "verdict": verdict})


def lines(report, **options):
    text = annotation_lines(report, visible=visible, **options)
    assert text == "" or text.endswith("\n")
    return text.splitlines()


@pytest.mark.parametrize("told", ORACLE, ids=lambda told: told["line"][:30])
def test_a_command_is_spelt_as_the_runners_own_toolkit_spells_it(told):
    assert command(told["kind"], {"title": told["title"]}, told["message"]) == told["line"]


def test_each_newly_failing_case_is_an_error():
    found = lines(REPORT)
    assert len(found) == 2
    assert found[0] == (
        "::error title=newly failing%3A qa-2::score 0.000, 1.000 in the baseline; expected: "
        r"William Shakespeare; got: I believe that Hamlet was written by Christopher Marlowe.\n"
        "Ask me anything else!"
    )
    assert found[1].startswith("::error title=newly failing%3A safety-1::score 0.000")


@pytest.mark.parametrize("verdict", ["pass", "undecided"])
def test_where_no_gate_failed_it_is_a_warning(verdict):
    assert [line.split(" ")[0] for line in lines(failing("a", verdict=verdict))] == ["::warning"]


def test_without_newly_failing_cases_there_is_nothing():
    assert lines(failing()) == []
    assert lines(REPORT.model_copy(update={"comparison": None})) == []


def test_references_can_be_kept_out():
    assert "Shakespeare" in lines(REPORT)[0]
    assert "Shakespeare" not in lines(REPORT, show_expected=False)[0]


@pytest.mark.parametrize("number", [MOST - 1, MOST, MOST + 1, 10_000])
def test_a_runner_keeps_them_all_and_its_own(number):
    found = lines(failing(*(f"c-{at}" for at in range(number))))
    assert len(found) == min(number, MOST) < 10
    if number > MOST:
        left = number - MOST + 1
        assert found[-1].endswith(f"::{left:,} more cases newly fail: see the summary of this run")
    else:
        assert "others" not in found[-1]


HOSTILE = [
    "::error::x",
    "x\n::stop-commands::t\n",
    "\r\n::set-output name=verdict::pass",
    "##[error]x",
    "a,file=gate.py,line=1::pass",
    "%0A::error::x",
    "\x1b[31m\u202e\u200b\U000e0041",
    "%" * 5_000,
    "😀" * 5_000,
    "\u202e" * 5_000,
]


def assert_plain(line):
    """Hold that a line is one command with a title, in which nothing begins another."""
    assert re.fullmatch(r"::error title=[^:,]*::[^\r\n]*", line)
    assert "##[" not in line
    assert re.sub("[\u00a0\u202f\u3000]", "", line).isprintable()
    title, message = line.removeprefix("::error title=").split("::", 1)
    for text in (title, message):
        assert not re.search("%(?!25|0D|0A|3A|2C)", text)
        assert len(text) <= MOST_CHARACTERS
    assert "%0A" not in title + message
    assert "%0D" not in title + message


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_begins_no_command_of_its_own(text):
    (line,) = lines(failing(text[:1000], said=text))
    assert_plain(line)


@given(st.text(min_size=1, max_size=60), st.text(max_size=900))
def test_no_text_begins_a_command_of_its_own(name, said):
    (line,) = lines(failing(name, said=said))
    assert_plain(line)


def test_a_case_without_a_score_or_a_baseline_says_so():
    found = lines(failing("a", score=None, standing="missing", accepted=None, evidence=()))
    assert found == ["::error title=newly failing%3A a::no score"]
