import os
from io import BytesIO
from pathlib import Path

import pytest

from gate.errors import PredictionsInvalid
from gate.inputs.importers.found import Found, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.junit import found, recognises
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.parts import junit_xml
from gate.inputs.importers.source import Source

DATA = Path(__file__).resolve().parents[3] / "data" / "importers" / "junit" / "pytest.xml"
REAL = Path(os.environ.get("GATE_REAL_DATA") or "absent") / "junit"
FAILURE = '<failure message="no"/>'


def read(data, **options):
    if isinstance(data, str):
        data = data.encode()
    return list(found(Source("junit.xml", lambda: BytesIO(data)), ImportOptions(**options)))


def case(name, inside="", **more):
    attributes = "".join(f' {key}="{said}"' for key, said in {"name": name, **more}.items())
    return f"<testcase{attributes}>{inside}</testcase>"


def suite(*cases, declared="", name="s"):
    start = f'<testsuites><testsuite name="{name}" {declared}>'
    return f"{start}{''.join(cases)}</testsuite></testsuites>"


def runs(data, **options):
    return [one for one in read(data, **options) if isinstance(one, Found)]


def told(data, kind, **options):
    return [one.message for one in read(data, **options) if isinstance(one, kind)]


def verdict(run):
    return next(score.value for score in run.scores if score.headline)


def properties(**said):
    inside = "".join(f'<property name="{key}" value="{value}"/>' for key, value in said.items())
    return f"<properties>{inside}</properties>"


def test_what_pytest_writes_is_read_test_by_test():
    found_runs = {run.id.rpartition("::")[2]: run for run in runs(DATA.read_bytes())}
    verdicts = {name: verdict(run) for name, run in found_runs.items() if not run.error}
    assert verdicts == {
        "test_city[Paris]": 1.0,
        "test_city[Rome]": 0.0,
        "test_city[\\xc5re & <co>]": 1.0,
        "test_skipped": None,
        "test_known_failure": 0.0,
        "test_unexpected_pass": 1.0,
        "test_flaky": 1.0,
        "test_fails_and_its_teardown_too": 0.0,
        "test_method": 1.0,
    }
    errors = {name: run.error for name, run in found_runs.items() if run.error}
    assert errors["test_passes_but_its_teardown_fails"].startswith("failed on teardown")
    assert errors["test_broken_set_up"].startswith("failed on setup")
    assert errors["test_uncollected"] == "collection failure"
    assert len(errors) == 3
    assert found_runs["test_method"].id == "test_geo.TestInside::test_method"
    rome = found_runs["test_city[Rome]"]
    assert rome.case.labels == ("geo", "safety")
    assert rome.scores == (
        RecordedScore("passed", 0.0, headline=True),
        RecordedScore("score", 0.75),
    )
    assert "Rome is not the answer" in rome.trace
    assert found_runs["test_city[Paris]"].output == "The capital is Paris."


def test_what_pytest_writes_is_told_of_where_it_is_not_the_whole_truth():
    assert told(DATA.read_bytes(), Gap) == [
        "modules that could not be collected, whose tests are not in the file: 1"
    ]
    remarks = told(DATA.read_bytes(), Remark)
    assert [said.split()[0] + said[said.rindex(":") :] for said in remarks] == [
        "tests: 1",
        "tests: 1",
        "elements: 3",
        "tests: 1",
        "tests: 8",
    ]


def test_a_try_that_was_run_again_is_no_pass_beside_the_failure():
    # pytest-rerunfailures writes the failed first try as an element without a failure.
    (run,) = runs(suite(case("a"), case("a", FAILURE)))
    assert verdict(run) == 0.0


def test_a_test_of_several_suites_is_several_runs():
    one = f'<testsuite name="x">{case("a")}</testsuite>'
    assert [run.id for run in runs(f"<testsuites>{one}{one}</testsuites>")] == ["a", "a"]


def test_tests_that_passed_only_when_they_were_run_again_are_counted():
    data = suite(case("a", '<flakyFailure message="x"/>'))
    assert verdict(runs(data)[0]) == 1.0
    assert "tests that passed only when they were run again: 1" in told(data, Remark)
    assert verdict(runs(suite(case("a", FAILURE + '<rerunFailure message="x"/>')))[0]) == 0.0


def test_properties_carry_what_junit_has_no_place_for():
    inside = properties(
        output="Paris", input="?", reference="Paris", tools="['search', 'calc']", tags="a,b",
        labels="[&quot;c&quot;]", **{"score.f1": "0.5", "score": "many"},
    )  # fmt: skip
    data = suite(case("t", inside, classname="m"))
    (run,) = runs(data)
    assert (run.output, run.tools) == ("Paris", ("search", "calc"))
    assert (run.case.input, run.case.reference) == ("?", "Paris")
    assert run.case.labels == ("a", "b", "c")
    assert run.scores[1:] == (RecordedScore("f1", 0.5), RecordedScore("score", None))
    assert told(data, Remark) == ["properties called score that hold no number: 1"]


def test_a_property_may_have_its_value_as_text():
    inside = '<properties><property name="output">Paris</property></properties>'
    assert runs(suite(case("t", inside)))[0].output == "Paris"


def test_the_id_may_be_a_property_or_an_attribute():
    data = suite(case("t", properties(case_id="qa-1"), classname="m", file="t.py"))
    assert runs(data, id_field="properties.case_id")[0].id == "qa-1"
    assert runs(data, id_field="file")[0].id == "t.py"
    assert told(data, Wrong, id_field="properties.x") == [
        "`properties.x`: is missing, and --id-field says that the id is there"
    ]
    assert told(suite(case("")), Wrong) == ["`name`: is missing"]


def test_a_failure_without_a_word_is_a_failure():
    assert verdict(runs(suite(case("t", "<failure/>")))[0]) == 0.0
    assert runs(suite(case("t", "<error/>")))[0].error == (
        "the test's verdict is error, and no word of why"
    )
    assert runs(suite(case("t", "<error>line</error>")))[0].error == "line"


def test_a_suite_that_holds_less_than_it_declares_is_a_gap():
    assert told(suite(case("a"), declared='tests="2" failures="1" errors="0"'), Gap) == [
        "suite 's' declares 2 tests, and 1 are in the file",
        "suite 's' declares 1 failures, and 0 are in the file",
    ]
    assert not told(suite(case("a"), declared='tests="1"'), Gap)


def test_a_suite_around_suites_declares_theirs_too():
    inner = f'<testsuite tests="1">{case("a")}</testsuite>'
    assert not told(f'<testsuite tests="2">{case("b")}{inner}</testsuite>', Gap)


def test_an_error_outside_of_a_test_is_a_gap():
    assert told(suite(case("a"), '<error message="no driver"/>'), Gap) == [
        "suite 's' failed outside of a test: no driver"
    ]


def test_a_file_without_a_test_is_a_gap_and_nothing_else():
    assert read("<testsuites/>") == [Gap("the file holds no test")]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'<!DOCTYPE t [<!ENTITY a "x">]><testsuites/>', "a document type"),
        (b'<!DOCTYPE t SYSTEM "http://example.com/x.dtd"><testsuites/>', "a document type"),
        (suite(case("a"))[:-5].encode(), "not well-formed XML"),
        (b"<testsuites>&unknown;</testsuites>", "not well-formed XML"),
        (b"<testsuites>\xff</testsuites>", "not well-formed XML"),
        (b"<html></html>", "the root element is <html>"),
        (b"", "not well-formed XML"),
        (b'<?xml version="1.0" encoding="x-unheard"?><testsuites/>', "encoding|well-formed"),
        (
            b"<testsuites>" + b"<a>" * 100 + b"</a>" * 100 + b"</testsuites>",
            "deeper than 100 levels",
        ),
    ],
)
def test_what_is_no_plain_xml_is_refused(data, message):
    with pytest.raises(PredictionsInvalid, match=message):
        read(data)


def test_elements_and_bytes_are_bounded(monkeypatch):
    monkeypatch.setattr(junit_xml, "MAX_ELEMENTS", 3)
    with pytest.raises(PredictionsInvalid, match="more than 3 elements"):
        read(suite(case("a"), case("b")))
    monkeypatch.setattr(junit_xml, "MAX_WHOLE", 10)
    with pytest.raises(PredictionsInvalid, match="the limit of an XML file"):
        read(suite(case("a")))


def test_what_a_failure_says_is_cut():
    (run,) = runs(suite(case("a", f"<failure>{'x' * 100_000}</failure>")))
    assert len(run.trace) < 5000


def test_other_encodings_that_xml_knows_are_read():
    data = f'<?xml version="1.0" encoding="utf-16"?>{suite(case("é"))}'.encode("utf-16")
    assert runs(data)[0].id == "é"


@pytest.mark.parametrize(
    ("opening", "whether"),
    [
        (b"<testsuite>", True),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a - b --><testsuites name='x'/>", True),
        (b"<testsuitesque>", False),
        (b"<html>", False),
        (b'{"a": "<testsuites>"}', False),
        (b"", False),
    ],
)
def test_it_is_recognised_by_its_root(opening, whether):
    assert recognises(opening) is whether


def several(*named):
    return "".join(f'<property name="{name}" value="{value}"/>' for name, value in named)


def test_of_a_test_that_was_run_again_the_worst_attempt_gives_output_and_scores():
    bad = case(
        "a", properties(output="London", reference="Paris", **{"score.acc": "0.1"}) + FAILURE
    )
    good = case("a", properties(output="Paris", tags="geo", **{"score.acc": "1.0"}))
    for data in (suite(bad, good), suite(good, bad)):
        (run,) = runs(data)
        assert run.output == "London"
        assert run.case.labels == ("geo",)
        assert run.scores == (
            RecordedScore("passed", 0.0, headline=True),
            RecordedScore("acc", 0.1),
        )
    silent = case("a", FAILURE)
    assert runs(suite(silent, good))[0].output == ""
    assert runs(suite(silent, good))[0].unanswered


def test_no_number_is_worse_than_any():
    again = [case("a", properties(score=said)) for said in ("1", "n/a", "0.5")]
    assert runs(suite(*again))[0].scores[1] == RecordedScore("score", None)


def test_a_score_that_one_test_has_twice_is_the_lowest_and_is_told():
    both = several(("score.acc", "0.1"), ("score.acc", "1.0"), ("score:acc", "0.7"))
    data = suite(case("t", f"<properties>{both}</properties>"))
    assert runs(data)[0].scores[1:] == (RecordedScore("acc", 0.1),)
    said = "tests with a property twice and of several values: a score is the lowest: 1"
    assert said in told(data, Remark)


def test_a_score_of_the_verdicts_name_does_not_better_it():
    better = case("a", properties(**{"score.passed": "1"}) + FAILURE)
    worse = case("b", properties(**{"score.passed": "0"}))
    for run in runs(suite(better, worse)):
        assert run.scores == (RecordedScore("passed", 0.0, headline=True),)


def test_an_output_or_an_id_that_stands_twice_and_differs_is_refused():
    both = f"<properties>{several(('output', 'London'), ('output', 'Paris'))}</properties>"
    assert told(suite(case("t", both)), Wrong) == [
        "the property 'output' stands twice, and differs"
    ]
    both = f"<properties>{several(('qid', '1'), ('qid', '2'), ('tags', 'a'), ('tags', 'b'))}"
    data = suite(case("t", both + "</properties>"))
    assert told(data, Wrong, id_field="properties.qid")
    assert runs(data)[0].case.labels == ("a", "b")


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ({"status": "notrun"}, None),
        ({"status": "notrun", "result": "suppressed"}, None),
        ({"status": "run", "result": "skipped"}, None),
        ({"status": "run", "result": "completed"}, 1.0),
        ({"result": "failed"}, 0.0),
        ({"status": "Failed"}, 0.0),
    ],
)
def test_a_test_says_in_its_attributes_that_it_did_not_run_or_failed(said, score):
    assert verdict(runs(suite(case("t", **said)))[0]) == score


def test_a_failure_counts_whatever_its_case():
    assert verdict(runs(suite(case("t", "<Failure/>")))[0]) == 0.0


@pytest.mark.parametrize("what", ["tests", "failures", "errors", "skipped", "disabled"])
def test_totals_that_the_tests_do_not_bear_out_are_a_gap(what):
    root = f'<testsuites {what}=" +6"><testsuite>{case("a")}</testsuite></testsuites>'
    seen = int(what == "tests")
    assert told(root, Gap) == [f"the file declares 6 {what}, and {seen} are in the file"]
    inner = f'<testsuites><testsuite {what}="6">{case("a")}</testsuite></testsuites>'
    assert told(inner, Gap) == [f"a suite declares 6 {what}, and {seen} are in the file"]


def test_skipped_tests_bear_out_what_is_declared():
    skipped = '<skipped type="pytest.xfail" message=""/>'
    tests = case("a", skipped) + case("b", "<skipped/>") + case("c", status="notrun")
    assert not told(f'<testsuites tests="3" skipped="3" disabled="1">{tests}</testsuites>', Gap)


def test_a_test_inside_of_a_test_is_refused():
    said = "a <testcase> inside of a <testcase>: which of the two failed?"
    assert told(suite(case("t", FAILURE + case("t"))), Wrong) == [said]
    assert told(suite(case("t", f"<testsuite>{case('u')}</testsuite>")), Wrong) == [said]


def test_the_real_files_give_their_counts():
    path = REAL / "junit.xml"
    if not path.is_file():
        pytest.skip(f"not at {path}: set GATE_REAL_DATA")
    found_runs = runs(path.read_bytes())
    assert [None if run.error else verdict(run) for run in found_runs] == [1, 0, 0, None, None, 0]
    assert [bool(run.error) for run in found_runs] == [False] * 3 + [True] + [False] * 2
    assert found_runs[0].id == "test_a::test_case[1]"
    assert found_runs[0].case.labels == ("safety",)
    assert read((REAL / "junit_empty.xml").read_bytes()) == [Gap("the file holds no test")]
    others = [one for one in REAL.parent.rglob("*") if one.is_file() and one.suffix != ".xml"]
    assert not [one for one in others if recognises(one.read_bytes()[: 64 * 1024])]
