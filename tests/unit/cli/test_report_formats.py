"""Which reports are written, what stands beside them, and what becomes of older ones."""

from xml.etree import ElementTree as ET

import pytest


def files(house, out=".agent-eval-gate"):
    return sorted(path.name for path in (house.folder / out).iterdir())


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ((), ["report.md"]),
        (("--report-formats", "markdown"), ["report.md"]),
        (("--report-formats=junit",), ["junit.xml"]),
        (("--report-formats", " junit , markdown "), ["junit.xml", "report.md"]),
    ],
)
def test_the_formats_that_are_named_stand_beside_the_result(house, said, written):
    house.start()
    run = house.check(*said)
    assert run.status == 0
    assert files(house) == sorted([*written, "result.json"])
    told = run.err.splitlines()[-1].removeprefix("written: ").split(", ")
    assert sorted(path.rpartition("/")[2] for path in told) == files(house)


@pytest.mark.parametrize("command", ["score", "compare", "decide"])
def test_every_command_that_reports_takes_formats(house, command):
    house.start()
    assert house.check("--out", "first").status == 0
    given = {
        "score": ("--cases", "cases.jsonl", "--predictions", "predictions.jsonl"),
        "compare": ("first/result.json", "--baseline", "baseline.json"),
        "decide": ("first/result.json",),
    }[command]
    scorer = ("--scorer", "contains") if command == "score" else ()
    run = house.run(command, *given, *scorer, "--report-formats", "junit", "--out", "x")
    assert run.status == 0, run.err
    assert files(house, "x") == ["junit.xml", "result.json"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("junti", "there is no format 'junti'; did you mean 'junit'? (known: markdown, junit)"),
        ("html", "there is no format 'html' (known: markdown, junit)"),
        ("markdown,", "a name is missing beside a comma"),
        ("markdown,junit,markdown", "'markdown' is named twice"),
    ],
)
def test_a_list_that_is_wrong_is_refused_and_leaves_no_older_result(house, said, told):
    house.start()
    assert house.check("--report-formats", "junit,markdown").status == 0
    run = house.check("--report-formats", said)
    assert run.status == 2
    assert told in run.err
    assert files(house) == []


def test_every_mistake_of_a_list_is_named(house):
    house.start()
    run = house.check("--report-formats", "junti,,html")
    assert run.err.count("error: `--report-formats`: ") == 3


def test_a_report_of_an_older_run_is_gone_whatever_the_next_one_writes(house):
    house.start()
    assert house.check("--report-formats", "junit").status == 0
    assert house.check().status == 0
    assert files(house) == ["report.md", "result.json"]
    assert house.check("--report-formats", "junit").status == 0
    assert files(house) == ["junit.xml", "result.json"]
    path = ".agent-eval-gate/result.json"
    assert house.run("decide", path).status == 0
    assert files(house) == ["report.md", "result.json"]


def test_an_older_report_that_cannot_go_makes_the_run_undecided(house):
    house.start()
    (house.folder / ".agent-eval-gate" / "junit.xml").mkdir(parents=True)
    run = house.check()
    assert (run.status, run.result, run.report) == (3, None, None)
    assert "junit.xml: cannot be written" in run.err


def test_an_input_where_a_report_would_go_is_refused(house):
    house.start()
    (house.folder / "in").mkdir()
    (house.folder / "baseline.json").rename(house.folder / "in" / "junit.xml")
    run = house.check("--baseline", "in/junit.xml", "--out", "in", baseline=False)
    assert run.status == 2
    assert (house.folder / "in" / "junit.xml").is_file()


def test_the_summary_page_is_there_without_the_markdown_report(house, monkeypatch):
    house.start()
    monkeypatch.setenv("GITHUB_OUTPUT", "outputs")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary")
    assert house.check("--report-formats", "junit").status == 0
    assert "agent-eval-gate: PASS" in (house.folder / "summary").read_text()
    lines = (house.folder / "outputs").read_text().splitlines()
    found = {line.split("<<")[0]: lines[at + 1] for at, line in enumerate(lines) if "<<" in line}
    assert (found["report-path"], found["comment-url"]) == ("", "")
    assert found["result-path"] == ".agent-eval-gate/result.json"


def test_a_test_report_says_what_the_result_says(house):
    house.start()
    run = house.check("--report-formats", "junit,markdown", predictions=house.LEAK)
    root = ET.parse(house.folder / ".agent-eval-gate" / "junit.xml").getroot()  # noqa: S314 - ours
    cases, gates = root
    failed = {test.get("name") for test in cases if test.find("failure") is not None}
    assert failed == {row["id"] for row in run.result["cases"] if not row["passed"]}
    outcomes = {test.get("name"): test.find("failure") is not None for test in gates[:-1]}
    assert {name for name, bad in outcomes.items() if bad} == {
        name for name, outcome in run.outcomes().items() if outcome == "fail"
    }


def test_a_secret_that_only_this_job_knows_is_not_in_reports_of_a_stored_answer(
    house, monkeypatch
):
    key = "canary-<0123456789>&x"
    house.start()
    leak = ({"id": "qa-1", "output": f"no: {key}"}, *house.GOOD[1:])
    assert house.check("--out", "first", predictions=leak).status == 1
    monkeypatch.setenv("SOME_KEY", key)
    run = house.run("decide", "first/result.json", "--report-formats", "junit,markdown")
    assert run.status == 1
    text = (house.folder / ".agent-eval-gate" / "junit.xml").read_text("utf-8")
    for page in (text, run.report, run.out):
        assert "canary" not in page
        assert "***" in page
