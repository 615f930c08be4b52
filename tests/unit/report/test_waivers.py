"""Every waiver stands on every page, and its texts are inert there."""

import pytest
from markdown_it import MarkdownIt

from gate.records.verdict import Comparison, GateVerdict
from gate.records.waiver import WaiverUse
from gate.report.bounds import USUAL
from gate.report.fit import LEAST, fitted
from gate.report.junit import write as junit
from gate.report.markdown import render_markdown
from gate.report.outcome import headline, warnings
from gate.report.tables import waiver_table
from gate.report.terminal import render_terminal
from gate.report.waivers import until, waiver_warnings
from gate.report.without_secrets import without_secrets


def use(**fields):
    given = {
        "case": "qa-2",
        "gate": "regression",
        "owner": "ana",
        "reason": "ticket 12",
        "expires": "2026-12-31",
        "days_left": 31,
        "used": True,
        "said": "in use: the case went wrong and was left out",
    }
    return WaiverUse(**(given | fields))


IDLE = use(case="qa-1", owner="bo", used=False, said="unused: the case passed", days_left=1)


def test_all_stand_on_both_pages_in_use_first(build):
    report = build.report(waivers=(IDLE, use()), waived_on="2026-11-30")
    page = render_markdown(report)
    table = page.split("### Waivers")[1].split("<details>")[0]
    assert table.index("qa-2") < table.index("qa-1")
    shown = " ".join(render_terminal(report, colour=False).split())
    for text in (" ".join(table.replace("`", "").split()), shown):
        for said in ("31 days left", "1 day left", "ana", "bo", "unused: the case passed"):
            assert said in text


def test_without_waivers_no_page_speaks_of_them(build):
    passed = build.report().gates[-1].model_copy(update={"outcome": "pass"})
    report = build.report(verdict="pass", exit_status=0, gates=(passed,))
    for page in (render_markdown(report), render_terminal(report, colour=False)):
        assert "aiver" not in page


def test_the_last_day_is_called_so():
    assert until(use(days_left=0)) == "2026-12-31 (the last day)"


def test_one_in_use_is_a_warning_that_comes_first(build):
    report = build.report(waivers=(use(),), waived_on="2026-11-30", warnings=("Another.",))
    assert warnings(report)[:2] == (
        "1 waiver is in use: what went wrong and was not counted is 'qa-2' (regression).",
        "Another.",
    )
    assert "1 waiver is in use" in junit(report, show_expected=True, redact=str)


def test_one_that_is_not_needed_is_no_warning(build):
    assert list(waiver_warnings(build.report(waivers=(IDLE,), waived_on="2026-11-30"))) == []


def test_many_are_counted(build):
    many = tuple(use(case=f"c{number}") for number in range(30))
    report = build.report(waivers=many, waived_on="2026-11-30")
    (said,) = waiver_warnings(report)
    assert said.startswith("30 waivers are in use")
    assert said.endswith("'c4' (regression) and 25 more.")
    assert len(waiver_table(report, USUAL).rows) == USUAL.waivers
    assert "… and 10 more waivers, in the result file." in render_markdown(report)


def test_a_green_headline_says_that_a_case_was_waived(build):
    gates = (
        GateVerdict(gate="regression", outcome="pass", because="x", waived=("qa-2",)),
        GateVerdict(gate="safety", outcome="pass", because="x", waived=("qa-2",)),
    )
    report = build.report(verdict="pass", exit_status=0, gates=gates)
    assert headline(report).startswith("all 2 gates passed, 1 case waived: ")


def test_a_baseline_that_was_accepted_with_waivers_is_a_warning(build):
    compared = Comparison(
        **{**dict(build.report().comparison), "baseline_waived": tuple("abcdefg")}
    )
    (said,) = waiver_warnings(build.report(comparison=compared))
    assert said == (
        "The baseline was accepted with waivers of 'a', 'b', 'c', 'd', 'e' and 2 more, "
        "which went wrong there."
    )


@pytest.mark.parametrize("text", ["@team [x](http://x) <b>|`", "::error::x", "\u202e\x1b[31m"])
def test_what_a_waiver_says_is_inert(build, text):
    report = build.report(
        waivers=(use(case=text, owner=text, reason=text),), waived_on="2026-11-30"
    )
    page, shown = render_markdown(report), render_terminal(report, colour=False)
    assert not {"\u202e", "\x1b"} & {*page, *shown}
    found = [
        inner
        for token in MarkdownIt("commonmark").enable("table").parse(page)
        for inner in token.children or ()
    ]
    assert not [one for one in found if one.type in {"link_open", "html_inline", "image"}]
    assert not any(line.lstrip().startswith("::") for line in shown.splitlines())
    rows = [line for line in page.splitlines() if "2026-12-31" in line]
    assert [line.count("|") for line in rows] == [7]


@pytest.mark.parametrize("text", ["x", "日", "|", "\u202e", "@"])
def test_the_narrowest_report_holds_with_many_long_waivers(build, text):
    long = use(case=text * 1000, owner="o" + text * 199, reason="r" + text * 999)
    report = build.report(waivers=(long,) * 100, waived_on="2026-11-30")
    assert len(fitted(report, limit_bytes=LEAST).encode()) <= LEAST
    assert len(render_markdown(report).encode()) < 200_000


def test_secrets_are_taken_out_of_what_it_says(build):
    report = build.report(
        waivers=(use(owner="hush", reason="hush"),),
        waived_on="2026-11-30",
        gates=(GateVerdict(gate="safety", outcome="pass", because="x", waived=("hush",)),),
    )
    shown = without_secrets(report, lambda text: text.replace("hush", "***"))
    assert (shown.waivers[0].owner, shown.waivers[0].reason) == ("***", "***")
    assert shown.gates[0].waived == ("***",)
