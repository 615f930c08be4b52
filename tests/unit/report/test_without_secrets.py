"""Ids, labels and what quotes them are shown without secrets; the report itself keeps them."""

import pytest

from gate.report.markdown import render_markdown
from gate.report.redact import redactor
from gate.report.terminal import render_terminal
from gate.report.without_secrets import without_secrets

KEY = "CANARY-0123456789-" + "k" * 30
HIDE = redactor([KEY])


@pytest.mark.parametrize("redact", [HIDE, str])
def test_a_report_without_a_secret_is_the_same_value(build, redact):
    report = build.report()
    assert without_secrets(report, redact) is report


@pytest.mark.parametrize("before", [0, 20, 45, 55, 60, 200])
def test_nothing_of_a_secret_is_left_where_a_page_cuts_or_wraps(build, before):
    report = build.saying("x" * before + KEY)
    shown = without_secrets(report, HIDE)
    pages = (
        render_markdown(shown),
        render_terminal(shown, colour=False, width=60),
        render_terminal(shown, colour=False, width=100),
    )
    for page in map(HIDE, pages):
        assert "CANARY" not in page
        assert "kkkkk" not in page


def test_what_is_no_text_of_others_stays(build):
    report = build.saying(KEY)
    shown = without_secrets(report, redactor([KEY, "fail-fail", report.digests.cases, "contains"]))
    assert shown.digests == report.digests
    assert (shown.verdict, shown.gates[0].outcome) == (report.verdict, report.gates[0].outcome)
    assert shown.cases[0].digest == report.cases[0].digest
    assert report.cases[0].id == KEY
