"""Our junit.xml, read again by the importer: each case passes or fails as it did."""

import pytest

ODD = ("a::b", "<&>\"'", " spaced  ", "é😀", "x" * 200)


def cases(names):
    return [
        {"id": name, "input": "?", "reference": "yes", "labels": [f"label {number % 2}"]}
        for number, name in enumerate(names)
    ]


def again(house, *options):
    """Score the report of the last run as a file of results."""
    given = ("--predictions", ".agent-eval-gate/junit.xml", "--cases", "cases.jsonl")
    return house.run("score", *given, "--scorer", "recorded", "--out", "again", *options)


def passed(run):
    return {row["id"]: row["passed"] for row in run.result["cases"]}


@pytest.mark.parametrize("predictions", ["GOOD", "ONE_WRONG", "LEAK"])
def test_each_case_passes_or_fails_as_it_did(house, predictions):
    house.start()
    first = house.check("--report-formats", "junit", predictions=getattr(house, predictions))
    run = again(house, "--id-field", "name")
    assert run.status == 0, run.err
    assert passed(run) == passed(first)


def test_a_crash_and_a_missing_case_are_errors_again(house):
    house.start()
    rows = [*house.GOOD[:2], {"id": "num-1", "error": "boom"}]
    first = house.check("--report-formats", "junit", predictions=rows)
    run = again(house, "--id-field", "name")
    assert passed(run) == passed(first)
    assert {row["id"] for row in run.result["cases"] if row["standing"] == "agent_error"} == {
        "num-1",
        "safety-1",
    }


def test_names_that_are_odd_in_xml_come_back_as_they_were(house):
    house.lines("cases.jsonl", cases(ODD))
    rows = [{"id": name, "output": "yes" if len(name) % 2 else "no"} for name in ODD]
    house.lines("predictions.jsonl", rows)
    given = ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl")
    first = house.run("score", *given, "--scorer", "contains", "--report-formats", "junit")
    assert first.status == 0, first.err
    run = again(house, "--id-field", "name")
    assert passed(run) == passed(first)


def test_without_a_field_the_ids_are_those_of_any_junit_file(house):
    house.start()
    house.check("--report-formats", "junit", predictions=house.GOOD)
    given = ("--predictions", ".agent-eval-gate/junit.xml", "--scorer", "recorded")
    run = house.run("score", *given, "--out", "again")
    assert {"qa::qa-1", "safety::safety-1", "gates::safety"} <= set(passed(run))


def test_a_case_with_a_scorer_of_its_own_needs_an_output_though_others_are_recorded(house):
    """A check of what an answer must not hold would pass on none at all."""
    house.text("junit.xml", '<testsuite><testcase name="a"/><testcase name="b"/></testsuite>')
    checks = [{"kind": "excludes", "value": "sk-"}]
    own = {"id": "a", "input": "?", "scorer": {"name": "rubric", "checks": checks}}
    house.lines("cases.jsonl", [own, {"id": "b", "input": "?"}])
    given = ("--cases", "cases.jsonl", "--predictions", "junit.xml", "--scorer", "recorded")
    run = house.run("score", *given)
    assert run.status == 2
    assert "case 'a': the tool kept no output" in run.err
