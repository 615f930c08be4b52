import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.report.terminal import columns, render_terminal

ANY = st.characters(exclude_categories=["Cs"])
COMMANDS = "::error::x ##[error]y \x1b[31m\n::stop-commands::z\u202e \r\u200b##[ :: ::a"


def assert_harmless(page):
    for line in page.split("\n"):
        assert not line.lstrip().startswith("::")
        assert "##[" not in line
        assert all(char.isprintable() or char in "\u00a0\u202f\u3000" for char in line)


def test_the_verdict_and_its_reason_come_first(build):
    page = render_terminal(build.report(), colour=False)
    assert page.startswith("FAIL  safety: 1 of 1 safety cases failed (also failed: regression")


def test_colour_adds_nothing_but_colour(build):
    plain = render_terminal(build.report(), colour=False)
    colour = render_terminal(build.report(), colour=True)
    assert "\x1b" not in plain
    assert colour.startswith("\x1b[1;31mFAIL\x1b[0m  ")
    assert re.sub(r"\x1b\[[0-9;]*m", "", colour) == plain


@pytest.mark.parametrize("width", [1, 40, 60, 80, 120])
def test_the_page_keeps_its_width(build, width):
    page = render_terminal(build.report(), colour=False, width=width)
    prose = [line for line in page.splitlines() if not re.search(r" % |mean|  \d\.\d{3}", line)]
    assert max(map(len, prose)) <= max(width, 50)


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("text", [COMMANDS, "x" * 200 + "::error::" * 80, "# " * 90 + "##[a"])
def test_no_text_becomes_a_workflow_command_or_an_escape(build, text, width):
    assert_harmless(render_terminal(build.saying(text), colour=False, width=width))


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.text(
        alphabet=st.characters(exclude_categories=["Cs"]) | st.sampled_from("::##[ \n\x1b"),
        max_size=120,
    )
)
def test_any_text_is_harmless(build, text):
    assert_harmless(render_terminal(build.saying(text), colour=False, width=40))


def test_a_newly_failing_case_shows_what_was_expected_and_what_came(build):
    page = render_terminal(build.report(), colour=False)
    assert "    expected        William Shakespeare\n" in page
    assert "    got             I believe that Hamlet was written by Christopher\n" in page
    assert "    called tools    search\n" in page


def test_references_can_be_kept_out(build):
    page = render_terminal(build.report(), colour=False, show_expected=False)
    assert "Shakespeare" not in page
    assert "calculator" not in page
    assert "Marlowe" in page


def test_invisible_characters_are_spelt_out_and_flagged(build):
    page = render_terminal(build.saying("a\u200bb"), colour=False)
    assert r"a\u{200b}b (contains invisible characters)" in page


def test_an_advisory_run_without_baseline_is_loud(build):
    report = build.report(advisory=True, exit_status=0, comparison=None)
    page = render_terminal(report, colour=False)
    assert "\n!  Advisory run: the verdict is FAIL" in page
    assert "\n!  No baseline" in page
    assert "baseline  " not in page


def test_many_cases_are_cut_and_counted(build):
    rows = tuple(build.failing(f"c{at}", "no") for at in range(123))
    page = render_terminal(build.report(cases=rows, comparison=None), colour=False)
    assert "Failing cases (123)" in page
    assert "… and 108 more in the result file" in page
    assert page.count("\n  - c") == 15


def test_columns_are_aligned_for_wide_characters(build):
    rows = (build.case("a"),)
    slices = (build.slice_of("日本", 1, 1), build.slice_of("abcd", 1, 1))
    report = build.report(cases=rows, suite=build.suite(rows, slices=slices))
    page = render_terminal(report, colour=False).splitlines()
    wide, narrow = (next(line for line in page if label in line) for label in ("日本", "abcd"))
    assert columns(wide) == columns(narrow)
