"""Totals of JUnit files beside what is in them: of pytest, of Node's own runner, of others."""

from io import BytesIO
from pathlib import Path

import pytest

from gate.inputs.importers.found import Found, Gap, Remark, Wrong
from gate.inputs.importers.junit import found
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.parts import junit_counts
from gate.inputs.importers.source import Source

DATA = Path(__file__).resolve().parents[4] / "data" / "importers" / "junit"
BROKEN_OFF = "was broken off in the middle of a test (pytest.exit, Ctrl-C)"
TOTALS = {"tests": 1, "suites": 0, "pass": 1, "fail": 0, "cancelled": 0, "skipped": 0, "todo": 0}
FAILED = '<testcase name="f"><failure message="no"/></testcase>'


def data(name):
    return (DATA / name).read_text(encoding="utf-8")


def read(text):
    source = Source("junit.xml", lambda: BytesIO(text.encode()))
    return list(found(source, ImportOptions()))


def told(text, kind):
    return [one.message for one in read(text) if isinstance(one, kind)]


def verdicts(text):
    return {one.id: one.scores[0].value for one in read(text) if isinstance(one, Found)}


def totals(**said):
    return "".join(f"<!-- {name} {number} -->\n" for name, number in {**TOTALS, **said}.items())


def node(inside, **said):
    return f"<testsuites>\n{inside}\n{totals(**said)}<!-- duration_ms 1.5 -->\n</testsuites>"


def suite(inside, name="s"):
    return f'<testsuite name="{name}" disabled="0" errors="0">{inside}</testsuite>'


def pytest_suite(inside, *, name="pytest", root="", **declared):
    said = "".join(f' {what}="{number}"' for what, number in declared.items())
    return f'<testsuites{root}><testsuite name="{name}"{said}>{inside}</testsuite></testsuites>'


def bad(declared, explained):
    counted = f"Node counted {declared}, and the file accounts for {explained}"
    of_itself = "of a test with subtests it does not say that it failed by itself"
    return [f"tests that failed or were cancelled: {counted}; {of_itself}"]


def test_a_healthy_run_of_node_with_suites_subtests_skips_and_todos_has_no_gap():
    assert told(data("node.xml"), Gap) == []
    assert "<!-- skipped 2 -->" in data("node.xml")
    assert verdicts(data("node.xml"))["test::Paris"] == 1.0


def test_a_test_of_node_that_failed_by_itself_after_its_subtests_passed_is_a_gap():
    assert "<!-- fail 1 -->" in data("node_parent.xml")
    assert told(data("node_parent.xml"), Gap) == bad(1, 0)


def test_tests_of_node_around_a_failed_subtest_failed_with_it():
    text = data("node_talks.xml")
    assert "<!-- fail 3 -->" in text
    assert verdicts(text)["test::answers"] == 0.0
    assert told(text, Gap) == []
    assert told(text.replace("<!-- fail 3 -->", "<!-- fail 4 -->"), Gap) == bad(4, 3)


def test_a_describe_around_a_failed_test_explains_no_failure_of_another():
    whole = node(suite(FAILED), tests=1, suites=1, **{"pass": 0}, fail=1)
    assert told(whole, Gap) == []
    other = suite('<testcase name="a"/>', name="talk")
    lost = node(suite(FAILED) + other, tests=3, suites=1, **{"pass": 1}, fail=2)
    assert told(lost, Gap) == bad(2, 1)


def test_a_todo_test_that_failed_is_not_among_the_failed_and_explains_none():
    todo = '<testcase name="t"><skipped type="todo"/><failure message="no"/></testcase>'
    assert told(node(todo, **{"pass": 0}, todo=1), Gap) == []
    assert told(node(todo, **{"pass": 0}, todo=1, fail=1), Gap) == bad(1, 0)


def test_a_todo_around_a_failed_subtest_explains_no_failure_of_another():
    inside = suite(FAILED, "todo") + suite('<testcase name="a"/>', "talk")
    assert told(node(inside, tests=4, fail=2, todo=1), Gap) == bad(2, 1)


def test_cancelled_tests_are_counted_with_the_failed():
    cancelled = '<testcase name="c"><failure type="cancelledByParent"/></testcase>'
    assert told(node(cancelled, **{"pass": 0}, cancelled=1), Gap) == []
    assert told(node(suite('<testcase name="c"/>'), tests=2, cancelled=1), Gap) == bad(1, 0)


def test_tests_and_suites_that_node_counted_and_are_not_in_the_file_are_a_gap():
    inside = suite('<testcase name="a"/><testcase name="b"/>')
    assert told(node(inside, tests=2, suites=1), Gap) == []
    assert told(node(inside, tests=3, suites=1), Gap) == [
        "Node counted 3 tests and 1 suites, and 3 of both are in the file"
    ]


@pytest.mark.parametrize(
    "comments",
    [
        "<!-- fail 1 -->",
        totals(fail=1).replace("<!-- cancelled 0 -->\n", ""),
        totals(fail=1).replace(" -->", " of 3 -->"),
        totals(fail=1).replace("<!-- ", "<!--"),
        totals(fail=1).replace(" 1 -->", " １ -->"),
        totals(fail=1).replace("fail 1", f"fail {'1' * 10}"),
        totals(fail=1).replace("<!-- cancelled", "<testcase name='b'/><!-- cancelled"),
    ],
)
def test_what_is_not_a_whole_summary_in_its_form_says_nothing(comments):
    assert told(f'<testsuites><testcase name="a"/>{comments}</testsuites>', Gap) == []


def test_a_summary_inside_of_a_suite_or_a_test_is_somebody_elses():
    for inside in (
        suite(f'<testcase name="a"/>{totals(fail=9)}'),
        f'<testcase name="a">{totals(fail=9)}</testcase>',
    ):
        assert told(f"<testsuites>{inside}</testsuites>", Gap) == []


def test_what_a_test_says_in_words_of_the_summary_is_overruled_by_it():
    # A diagnostic of a test at the top is a comment of the root, too.
    said = '<testcase name="a"/>\n<!-- fail 7 -->'
    assert told(node(said), Gap) == []
    assert told(node(f'{said}<testcase name="b"/>', tests=2), Gap) == []


def test_the_summaries_of_files_that_were_joined_are_added():
    parts = '<testcase name="a"/>' + totals(fail=1) + '<testcase name="b"/>' + totals()
    assert told(f"<testsuites>{parts}</testsuites>", Gap) == bad(1, 0)


def test_the_summary_is_found_where_node_wraps_it_after_a_failed_hook():
    wrapped = f'<undefined name="root">{FAILED}{totals(fail=2)}</undefined>'
    assert told(f"<testsuites>{wrapped}</testsuites>", Gap) == bad(2, 1)


def test_node_counts_a_suite_with_a_failure_as_skipped_and_that_is_no_gap():
    outer = suite(suite(FAILED), "o").replace('errors="0"', 'errors="0" skipped="1"', 1)
    assert told(node(outer, tests=1, suites=2, fail=1), Gap) == []
    assert told(f"<testsuites>{outer}</testsuites>", Gap) == [
        "suite 'o' declares 1 skipped, and 0 are in the file"
    ]


def test_gaps_that_wait_for_the_end_are_bounded(monkeypatch):
    monkeypatch.setattr(junit_counts, "_HELD", 2)
    many = "".join(f'<testsuite name="{name}" skipped="1"/>' for name in range(9))
    text = f'<testsuites><testcase name="a"/>{many}</testsuites>'
    assert len(told(text, Gap)) == 2


def test_subtests_that_pytest_counts_and_does_not_list_are_a_remark():
    text = data("pytest_subtests.xml")
    assert 'tests="12"' in text
    assert told(text, Gap) == []
    assert (
        "suite 'pytest' counts 12 tests and lists 4: 8 are subtests, which pytest counts and does "
        "not list, or were cut from the file"
    ) in told(text, Remark)


def test_a_failed_subtest_fails_its_test_and_a_skipped_one_is_no_pass():
    assert verdicts(data("pytest_subtests.xml")) == {
        "test_sub.TestCapitals::test_all": 1.0,
        "test_sub::test_some_fail": 0.0,
        "test_sub::test_some_are_skipped": None,
        "test_sub::test_plain": 1.0,
    }


@pytest.mark.parametrize(("what", "number"), [("failures", 3), ("skipped", 2), ("errors", 0)])
def test_outcomes_that_pytest_counts_beyond_those_in_the_file_stay_a_gap(what, number):
    more = data("pytest_subtests.xml").replace(f'{what}="{number}"', f'{what}="{number + 1}"')
    assert told(more, Gap) == [
        f"suite 'pytest' declares {number + 1} {what}, and {number} are in the file"
    ]


def test_only_a_suite_of_pytest_counts_subtests():
    one = '<testcase name="a"/>'
    gap = ["suite 's' declares 3 tests, and 1 are in the file"]
    assert told(pytest_suite(one, tests=3), Gap) == []
    assert told(pytest_suite(one, name="s", root=' name="pytest tests"', tests=3), Gap) == []
    assert told(pytest_suite(one, name="s", tests=3), Gap) == gap
    assert told(pytest_suite(one, name="s", root=' name="pytest"', tests=3), Gap) == gap


def test_files_that_were_joined_count_the_subtests_of_pytest_and_no_more():
    inner = f'<testsuite name="pytest" tests="3">{FAILED}</testsuite>'
    assert told(f'<testsuites tests="6">{inner}{inner}</testsuites>', Gap) == []
    assert told(f'<testsuites tests="7">{inner}{inner}</testsuites>', Gap) == [
        "the file declares 7 tests, and 6 are in the file"
    ]


def test_elsewhere_two_failures_of_one_test_are_one_failed_test():
    twice = '<testcase name="a"><failure/><failure/></testcase>'
    assert told(pytest_suite(twice, failures=2), Gap) == []
    assert told(pytest_suite(twice, name="s", failures=2), Gap) == [
        "suite 's' declares 2 failures, and 1 are in the file"
    ]


def test_a_test_in_which_pytest_was_stopped_is_a_gap():
    text = data("pytest_exit.xml")
    assert '<testcase time="0.000" /></testsuite>' in text
    assert verdicts(text) == {"test_exit::test_first": 1.0}
    (said,) = told(text, Gap)
    assert said.startswith(f"suite 'pytest' {BROKEN_OFF}")
    assert told(text, Wrong) == []


def test_a_run_that_was_stopped_in_its_first_test_holds_no_test():
    said = told(pytest_suite('<testcase time="0.000"/>', tests=0), Gap)
    assert BROKEN_OFF in said[0]
    assert said[1:] == ["the file holds no test"]


@pytest.mark.parametrize(
    "nameless",
    [
        '<testcase classname="m" time="0"/>',
        '<testcase name="" time="0"/>',
        "<testcase/>",
        '<testcase time="0"><failure message="no"/></testcase>',
        '<testcase time="0"><properties><property name="o"/></properties></testcase>',
    ],
)
def test_any_other_test_without_a_name_is_wrong(nameless):
    assert told(pytest_suite(nameless), Wrong) == ["`name`: is missing"]


def test_a_test_without_a_name_in_another_tools_suite_is_wrong():
    assert told(pytest_suite('<testcase time="0"/>', name="s"), Wrong) == ["`name`: is missing"]
