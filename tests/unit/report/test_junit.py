"""The report as JUnit XML, read by a parser that is not ours."""

import sys
from xml.etree import ElementTree as ET

import pytest

from gate.records.result import RepeatResult
from gate.records.verdict import GateVerdict
from gate.report.junit import write
from gate.report.redact import redactor
from gate.report.sanitize import visible
from gate.report.without_secrets import without_secrets

HOSTILE = [
    "]]></failure></testcase></testsuite><testsuite name='x'/>",
    "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
    "&amp;&#0;&#xD800;&lt;",
    '" onload="x" \'',
    "\x00\x01\x0b\x1b[31m\x7f\x85\ufffe\uffff",
    "a\nb\tc\r\nd",
    "\u202eabc\u200b\U000e0041",
    "::error::x ##[error]x",
    "<!-- -- --><?xml version='1.1'?>",
    "x" * 1000,
]
FORBIDDEN = [*range(9), 11, 12, *range(14, 32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF]


def spelt(report, **options):
    return write(report, **({"show_expected": True, "redact": str} | options))


def parsed(report, **options):
    """Give the root; what a parser reads of the bytes that a file holds."""
    return ET.fromstring(spelt(report, **options).encode("utf-8"))  # noqa: S314 - ours


def suites(root):
    return {suite.get("name"): suite for suite in root}


def named(root, suite):
    return {test.get("name"): test for test in suites(root)[suite].iter("testcase")}


def kind(test):
    return next((child.tag for child in test), "passed")


def test_every_case_and_every_gate_is_one_test(build):
    report = build.report()
    root = parsed(report)
    assert root.tag == "testsuites"
    assert list(suites(root)) == ["cases", "gates"]
    assert list(named(root, "cases")) == [case.id for case in report.cases]
    assert list(named(root, "gates")) == [gate.gate for gate in report.gates]


def test_what_became_of_a_case_is_what_became_of_its_test(build):
    found = named(parsed(build.report()), "cases")
    assert {name: kind(test) for name, test in found.items()} == {
        "calc-1": "passed",
        "format-1": "passed",
        "qa-1": "passed",
        "qa-2": "failure",
        "qa-3": "passed",
        "safety-1": "failure",
        "sum-1": "error",
    }
    (failure,) = found["qa-2"]
    assert (failure.get("type"), failure.get("message")) == ("fail", "score 1.000 → 0.000")
    assert failure.text.splitlines()[0] == "expected: William Shakespeare"
    assert "called tools: search" in failure.text.splitlines()
    (error,) = found["sum-1"]
    assert (error.get("type"), error.get("message")) == ("missing", "no prediction")


@pytest.mark.parametrize("standing", ["missing", "agent_error", "unscored", "unscorable"])
def test_a_case_without_a_score_is_an_error(build, standing):
    row = build.case("a", standing=standing, score=None, passed=False)
    (error,) = named(parsed(build.report(cases=(row,), comparison=None)), "cases")["a"]
    assert (error.tag, error.get("type")) == ("error", standing)


def test_runs_that_failed_are_counted(build):
    runs = tuple(
        RepeatResult(repeat=at, standing="scored", score=float(at), passed=at == 1, trajectory=1.0)
        for at in (0, 1)
    )
    row = build.failing("a", "no", score=0.5, repeats=runs)
    (failure,) = named(parsed(build.report(cases=(row,), comparison=None)), "cases")["a"]
    assert "1 of 2 runs failed" in failure.get("message")


def test_the_class_of_a_case_is_its_first_label(build):
    rows = (build.case("a", labels=("k:1", "qa")), build.case("b"))
    found = named(parsed(build.report(cases=rows, comparison=None)), "cases")
    assert [test.get("classname") for test in found.values()] == ["k:1", "cases"]


def test_what_a_gate_says_is_what_its_test_says(build):
    gates = (
        *build.report().gates,
        GateVerdict(gate="creep", outcome="undecided", because="may be chance"),
    )
    found = named(parsed(build.report(gates=gates)), "gates")
    assert {name: kind(test) for name, test in found.items()} == {
        "regression": "failure",
        "safety": "failure",
        "completeness": "failure",
        "comparable": "passed",
        "floor": "skipped",
        "creep": "error",
    }
    assert found["regression"][0].get("message").startswith("pass rate fell 0.333")
    assert found["regression"][0].text == "cases: qa-2, safety-1"
    assert found["floor"][0].get("message") == "switched off in gate.toml"
    assert found["creep"][0].get("message") == "may be chance"


def test_the_counts_are_those_of_the_tests(build):
    root = parsed(build.report())
    for part in (*root, root):
        found = list(part.iter("testcase"))
        for attribute, tag in (("failures", "failure"), ("errors", "error")):
            assert int(part.get(attribute)) == sum(kind(test) == tag for test in found)
        assert int(part.get("skipped")) == sum(kind(test) == "skipped" for test in found)
        assert int(part.get("tests")) == len(found)
    counts = [root.get(name) for name in ("tests", "failures", "errors", "skipped")]
    assert counts == ["12", "5", "1", "1"]


def test_a_verdict_that_no_gate_explains_is_no_green_page(build):
    off = (GateVerdict(gate="safety", outcome="off", because="no case is labelled safety"),)
    root = parsed(build.report(verdict="undecided", exit_status=3, gates=off))
    (error,) = named(root, "gates")["verdict"]
    assert (error.tag, error.get("type")) == ("error", "undecided")
    assert "no gate judged this run" in error.get("message")
    assert suites(root)["gates"].get("errors") == "1"


def test_without_gates_there_is_no_test_of_one(build):
    root = parsed(build.report(verdict=None, exit_status=0, gates=(), comparison=None))
    assert named(root, "gates") == {}
    assert suites(root)["gates"].find("system-out").text.startswith("SCORE ONLY")


def test_the_warnings_stand_beside_the_verdict(build):
    root = parsed(build.report(advisory=True, exit_status=0, comparison=None))
    said = suites(root)["gates"].find("system-out").text.splitlines()
    assert said[0] == "FAIL"
    assert any(line.startswith("Advisory run: the verdict is FAIL") for line in said)
    assert any(line.startswith("No baseline") for line in said)


def test_golden_answers_are_left_out_where_they_are_to_be(build):
    report = build.report()
    assert "William Shakespeare" in spelt(report)
    hidden = spelt(report, show_expected=False)
    assert "Shakespeare" not in hidden
    assert "expected" not in hidden
    assert "Christopher Marlowe" in hidden


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:20]))
def test_hostile_text_stays_text(build, text):
    root = parsed(build.saying(text))
    assert list(suites(root)) == ["cases", "gates"]
    assert len(named(root, "cases")) == 2
    assert {element.tag for element in root.iter()} == {
        *("testsuites", "testsuite", "testcase", "failure", "system-out"),
    }
    assert {name for element in root.iter() for name in element.keys()} == {  # noqa: SIM118
        *("name", "classname", "tests", "failures", "errors", "skipped", "message", "type"),
    }
    for text_of_ours in (*root.itertext(), *(v for e in root.iter() for v in e.attrib.values())):
        assert "\x1b" not in text_of_ours
        assert not any(line.startswith("::") for line in text_of_ours.splitlines())


def test_every_character_that_xml_forbids_is_made_visible(build):
    for code in FORBIDDEN:
        row = build.failing("a", f"a{chr(code)}b")
        found = spelt(build.report(cases=(row,), comparison=None))
        assert rf"got: a\u{{{code:x}}}b<" in found


@pytest.mark.parametrize("plane", range(17))
def test_a_parser_reads_any_character(build, plane):
    text = "".join(map(chr, range(plane << 16, min((plane + 1) << 16, sys.maxunicode + 1))))
    step = 200  # what is shown of an answer
    parts = [text[at : at + step] for at in range(0, len(text), step)]
    rows = tuple(build.failing(f"c{at:05d}", part) for at, part in enumerate(parts))
    root = parsed(build.report(cases=rows, comparison=None))
    assert len(named(root, "cases")) == len(rows)


@pytest.mark.parametrize(
    "secret", ["testcase", "ab&<c>'d\"-0123456789", "k" * 400, "sk-é\n\tx-0123456789"]
)
def test_no_secret_is_left_and_none_tears_the_markup(build, secret):
    hide = redactor([secret])
    for before in ("", "x" * 50, "x" * 230):
        report = build.saying(before + secret)
        root = parsed(without_secrets(report, hide), redact=hide)
        texts = [value for element in root.iter() for value in element.attrib.values()]
        said = "\n".join((*texts, *root.itertext()))
        assert said.count("***") > 5
        assert secret[:8] not in said
        assert visible(secret)[:8] not in said


def test_a_secret_in_what_a_gate_looks_at_is_taken_out(build):
    numbers = '{"label":"canary-0123456789"}'
    gate = GateVerdict(gate="safety", outcome="pass", because="", numbers=numbers)
    text = spelt(build.report(gates=(gate,)), redact=redactor(["canary-0123456789"]))
    assert 'name="safety (***)"' in text


def test_excerpts_are_bounded_and_names_are_whole(build):
    report = build.saying("y" * 1000)
    row = build.failing("n" * 1000, "y" * 100_000)
    text = spelt(build.report(cases=(row,), comparison=None))
    assert "n" * 1000 in text
    assert "y" * 241 not in text
    assert len(spelt(report).encode()) < 20_000


def test_equal_reports_give_equal_bytes_and_no_time(build):
    text = spelt(build.report())
    assert text == spelt(build.report())
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ')
    assert text.endswith("</testsuites>\n")
    assert "time" not in {name for e in parsed(build.report()).iter() for name in e.attrib}
