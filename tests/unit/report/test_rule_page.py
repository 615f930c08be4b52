"""Whose rules decided, and what a pull request changes in them, on every page."""

import json
from typing import get_args

import pytest
from markdown_it import MarkdownIt

from gate.records.rule_change import ChangeKind, RuleChange, RulesFrom
from gate.records.verdict import GateVerdict
from gate.report import outcome
from gate.report.bounds import USUAL
from gate.report.fit import LEAST, fitted
from gate.report.markdown import render_markdown
from gate.report.next_step import next_step
from gate.report.result_json import read_result, write_result
from gate.report.rule_page import change_lines, is_refused, rule_step, rule_warnings, total
from gate.report.terminal import render_terminal
from gate.report.without_secrets import without_secrets

GITHUB = MarkdownIt("commonmark").enable("table")
BASE = RulesFrom(source="base", commit="a" * 40, file="gate.toml")
LIMIT = RuleChange(
    kind="limit-loosened",
    subject="[[gates]] regression max_drop",
    before="0.02",
    after="0.5",
    loosens=True,
)
REFERENCE = RuleChange(
    kind="reference-changed", subject="qa-3", before="Rome", after="Paris", loosens=True
)
NEW = RuleChange(kind="case-added", subject="qa-9", loosens=False)


def verdict(*refused, outcome="fail"):
    numbers = json.dumps({"refused": sorted(refused)})
    return GateVerdict(gate="rules", outcome=outcome, because="said", numbers=numbers)


@pytest.fixture
def seen(build):
    def make(*changes, refused=(), found=BASE, **fields):
        gate = verdict(*refused, outcome="fail" if refused else "pass")
        given = {"verdict": "fail", "gates": (gate,), "rule_changes": changes}
        return build.report(**{**given, "rules_from": found, **fields})

    return make


def test_what_is_not_allowed_stands_first_and_what_loosens_nothing_last(seen):
    report = seen(NEW, REFERENCE, LIMIT, refused=["limit-loosened"])
    assert change_lines(report, show_expected=True) == (
        ("not allowed", "[[gates]] regression max_drop: 0.02 → 0.5"),
        ("allowed", "reference of 'qa-3' changed: Rome → Paris"),
        ("loosens nothing", "case 'qa-9' added"),
    )


def test_where_the_gate_is_off_a_change_still_says_that_it_loosens(seen):
    report = seen(LIMIT, gates=(verdict(outcome="off"),))
    assert change_lines(report, show_expected=True)[0][0] == "loosens"
    assert change_lines(seen(LIMIT, gates=()), show_expected=True)[0][0] == "loosens"


def test_the_number_counts_what_stands_together(seen):
    rest = RuleChange(kind="case-removed", subject="", loosens=True, number=40)
    assert total(seen(LIMIT, rest)) == 41


def test_a_refused_change_is_open_and_an_allowed_one_folded(seen):
    page = render_markdown(seen(LIMIT, refused=["limit-loosened"]))
    assert "\n### Changes of the rules (1)\n" in page
    assert "| **not allowed** | " in page
    folded = render_markdown(seen(LIMIT))
    assert "<summary>Changes of the rules (1)</summary>" in folded
    assert "### Changes of the rules" not in folded
    assert "<table>" in GITHUB.render(page.split("### Changes of the rules (1)")[1])


def test_a_page_without_changes_says_nothing_of_them(build):
    assert "Changes of the rules" not in render_markdown(build.report())
    assert "Changes of the rules" not in render_terminal(build.report(), colour=False)


def test_the_terminal_shows_them(seen):
    page = render_terminal(seen(LIMIT, NEW, refused=["limit-loosened"]), colour=False)
    part = page.split("Changes of the rules (2)\n")[1]
    assert part.startswith("  not allowed      [[gates]] regression max_drop: 0.02 → 0.5\n")
    assert "  loosens nothing  case 'qa-9' added\n" in part


def test_what_a_case_expects_is_left_out_where_it_is_not_to_be_shown(seen):
    report = seen(REFERENCE, refused=["reference-changed"])
    for page in (
        render_markdown(report, show_expected=False),
        render_terminal(report, colour=False, show_expected=False),
    ):
        assert "reference of" in page
        assert "Rome" not in page
    assert "Rome" in render_markdown(report)


@pytest.mark.parametrize("render", [render_markdown, fitted])
def test_a_list_is_bounded_and_the_rest_is_counted(seen, render):
    many = tuple(
        RuleChange(kind="input-changed", subject=f"c{at}", before="x", after="y", loosens=True)
        for at in range(70)
    )
    page = render(seen(*many, refused=["input-changed"]))
    assert "… and 50 more rows, in the result file." in page
    assert page.count("| **not allowed** |") == 20


def test_the_narrowest_page_holds_hostile_changes(seen):
    many = tuple(
        RuleChange(
            kind="input-changed",
            subject="`|<" * 300,
            before="@x" * 99,
            after="é" * 99,
            loosens=True,
        )
        for _ in range(500)
    )
    page = fitted(seen(*many, refused=["input-changed"]), limit_bytes=LEAST)
    assert len(page.encode()) <= LEAST


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (RulesFrom(source="head"), "this pull request's own (policy-from: head)"),
        (RulesFrom(source="base", first=True), "First adoption: the base commit has no rules"),
        (
            RulesFrom(source="base", first=True, brought=("new.toml",)),
            "First adoption: the base commit has no 'new.toml', so this pull request is judged by",
        ),
        (
            RulesFrom(source="base", file="g", brought=("a", "b")),
            "The base commit lacks 'a', 'b': this pull request brings",
        ),
        (RulesFrom(source="base"), "The base commit has no policy file"),
    ],
)
def test_whose_rules_decided_is_said_loudly(seen, found, said):
    (warning,) = rule_warnings(seen(found=found))
    assert said in warning
    assert warning in outcome.warnings(seen(found=found))


def test_rules_of_the_base_that_stay_need_no_warning(seen, build):
    assert list(rule_warnings(seen())) == []
    assert list(rule_warnings(build.report())) == []


def test_what_the_policy_lets_pass_is_a_warning(seen):
    (warning,) = rule_warnings(seen(LIMIT, NEW))
    assert warning.startswith("1 change of this pull request loosens the rules that judge it")
    assert list(rule_warnings(seen(LIMIT, refused=["limit-loosened"]))) == []


def test_the_next_step_names_the_kinds_to_allow(seen):
    report = seen(LIMIT, refused=["limit-loosened"])
    assert is_refused(report)
    assert 'allow_policy_changes = ["limit-loosened"]' in rule_step(report)
    assert next_step(report) == rule_step(report)
    other = GateVerdict(gate="safety", outcome="fail", because="said")
    assert rule_step(seen(LIMIT, gates=(verdict("limit-loosened"), other))) is None


def test_a_file_that_cannot_be_read_is_to_be_mended_and_not_allowed(seen):
    unread = RuleChange(kind="unreadable", subject="gate.toml", after="line 3", loosens=True)
    step = rule_step(seen(unread, refused=["unreadable"]))
    assert step == "mend what cannot be read, or would be refused once merged: gate.toml."
    both = rule_step(seen(unread, LIMIT, refused=["limit-loosened", "unreadable"]))
    assert "merged: gate.toml. Take the change of the rules out" in both
    assert 'allow_policy_changes = ["limit-loosened"]' in both


def test_the_kinds_are_one_code_span_and_fit_however_many_they_are(seen):
    kinds = sorted(get_args(ChangeKind))
    page = render_markdown(seen(LIMIT, refused=["limit-loosened", "waiver-added"]))
    assert '`allow_policy_changes = ["limit-loosened", "waiver-added"]` under' in page
    step = rule_step(seen(LIMIT, refused=sorted(kinds, key=len)[-8:]))
    assert "and 4 more kinds under" in step
    assert len(step) <= USUAL.sentence


def test_a_secret_stands_on_no_page(seen):
    secret = RuleChange(
        kind="input-changed", subject="hunter2", before="hunter2", after="x", loosens=True
    )
    place = RulesFrom(source="base", file="hunter2", brought=("hunter2",))
    report = seen(secret, found=place)
    shown = without_secrets(report, lambda text: text.replace("hunter2", "***"))
    assert "hunter2" not in render_markdown(shown)
    assert shown.rule_changes[0].subject == "***"
    assert shown.rules_from.file == "***"


def test_a_result_keeps_them_and_one_without_is_read_as_before(seen):
    report = seen(LIMIT, NEW, refused=["limit-loosened"])
    text = write_result(report)
    again = read_result(text.encode(), source="r")
    assert (again.rule_changes, again.rules_from) == (report.rule_changes, report.rules_from)
    older = json.loads(text)
    del older["rule_changes"], older["rules_from"]
    read = read_result(json.dumps(older).encode(), source="r")
    assert (read.rule_changes, read.rules_from) == ((), None)
