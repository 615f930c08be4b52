"""Whether a tool's file holds all that was run, each case in the runs that belong to it."""

from invented_tool import CASE


def test_two_answers_of_one_id_about_different_cases_are_refused(tool):
    tool.write(
        tool.line(id="a", output="x", scores={"m": 1.0}, case=CASE),
        tool.line(id="a", output="x", scores={"m": 1.0}, case={**CASE, "reference": "Rome"}),
    )
    run = tool.score()
    assert run.status == 2
    assert "log:2: id 'a' is another case here (reference) than in line 1" in run.err


def test_answers_of_one_id_without_numbers_are_its_runs(tool):
    tool.write(*(tool.line(id="a", output="x", scores={"m": v}, case=CASE) for v in (1.0, 0.0)))
    run = tool.score()
    assert [it["repeat"] for it in run.row("a")["repeats"]] == [0, 1]
    assert run.row("a")["score"] == 0.5


def test_one_run_that_comes_twice_is_refused_naming_both_places(tool):
    tool.write(
        tool.line(id="a", repeat=1, output="x", scores={"m": 1.0}, place="results[0]"),
        tool.line(id="a", repeat=1, output="x", scores={"m": 1.0}, place="results[7]"),
        tool.line("wrong", said="`id`: is missing"),
    )
    run = tool.score()
    assert run.status == 2
    said = "log: results[7]: id 'a' with repeat 1 appears twice; the first is results[0]"
    assert said in run.err
    assert "log:3: `id`: is missing" in run.err


def test_a_log_of_crashes_alone_is_never_green(tool):
    tool.accept()
    tool.write(tool.line(id="a", error="boom", case=CASE), tool.line(id="b", error="boom"))
    assert tool.check("--max-drop", "1").status == 1
    tool.house.text(
        "gate.toml", '[[gates]]\ngate = "completeness"\nmax_errors = 9\nmax_missing = 9\n'
    )
    assert tool.check("--max-drop", "1", "--on-inconclusive", "pass").status != 0


def test_a_log_of_nothing_is_2(tool):
    tool.accept()
    tool.write(tool.line("remark", said="the filter matched nothing"))
    for run in (tool.check(), tool.score()):
        assert run.status == 2
        assert "0 answers: the filter matched nothing" in run.err
        assert run.result is None


def test_a_gap_leaves_the_run_undecided_and_stands_in_every_format(tool):
    tool.accept()
    gap = tool.line("gap", said="the log has no end")
    tool.write(*tool.answers(), gap)
    run = tool.check("--report-formats", "markdown,junit")
    assert run.status == 3
    assert run.gate("completeness")["outcome"] == "undecided"
    assert run.result["gaps"] == ["the log has no end"]
    junit = (tool.house.folder / ".agent-eval-gate/junit.xml").read_text()
    for text in (run.out, run.report, junit):
        assert "the log has no end" in text
    tool.write(*tool.answers(b=0.0), gap)
    assert tool.check().status == 1


def test_a_gap_survives_decide_compare_and_promote(tool):
    tool.accept()
    tool.write(*tool.answers(), tool.line("gap", said="the log has no end"))
    tool.check()
    result = ".agent-eval-gate/result.json"
    assert tool.house.run("decide", result, "--out", "d").status == 3
    assert tool.house.run("compare", result, "--baseline", "b.json", "--out", "d").status == 3
    assert tool.promote(result=result).status == 2
    run = tool.score()
    assert run.status == 0
    assert "may not hold all that was run: the log has no end" in run.out
    refused = tool.promote()
    assert refused.status == 2
    assert "the log has no end" in refused.err


def test_no_policy_can_switch_a_gap_off(tool):
    tool.accept()
    tool.write(*tool.answers(), tool.line("gap", said="cut off"))
    tool.house.text("gate.toml", '[[gates]]\ngate = "completeness"\nenabled = false\n')
    assert tool.check().status == 3


def test_older_runs_that_stayed_in_a_file_do_not_outvote_the_new_one(tool):
    tool.accept(*tool.answers())
    tool.write(*tool.answers() * 20, *tool.answers(a=0.0, b=0.0))
    run = tool.check("--max-drop", "0.2")
    assert run.status in {1, 3}
    assert "older ones may have stayed in it" in run.gate("completeness")["because"]
    # Who says how many runs belong together means it.
    tool.write(*tool.answers() * 3)
    assert tool.check().status == 3
    assert tool.check("--repeats", "3").status == 0


NODE = """\
<testsuites>
	<testsuite name="talk" disabled="0" errors="0" tests="2" failures="0" skipped="0">
		<testcase name="greets" classname="test"/>
		<testcase name="answers" classname="test"/>
	</testsuite>
	<testcase name="plain" classname="test"/>
	<!-- tests 4 -->
	<!-- suites 0 -->
	<!-- pass 4 -->
	<!-- fail 0 -->
	<!-- cancelled 0 -->
	<!-- skipped 0 -->
	<!-- todo 0 -->
	<!-- duration_ms 161.5 -->
</testsuites>
"""
PLAIN_TEST = '<testcase classname="test_u.T" name="test_b" time="0.000" />'
PYTEST = (
    '<testsuites name="pytest tests"><testsuite name="pytest" errors="0" failures="0" '
    'skipped="0" tests="5"><testcase classname="test_u.T" name="test_a" time="0.007" />'
    f"{PLAIN_TEST}</testsuite></testsuites>"
)


def pinned_tests(house, text):
    """Accept a file of JUnit without a reason, and give what checks another by it."""
    house.text("junit.xml", text)
    given = ("--predictions", "junit.xml", "--scorer", "recorded", "--out", "scored")
    assert house.run("score", *given).status == 0
    accepted = ("--result", "scored/result.json", "--to", "b.json")
    run = house.run("baseline", "promote", *accepted)
    assert run.status == 0, run.err
    return "--predictions", "junit.xml", "--baseline", "b.json", "--max-drop", "0.05"


def test_a_test_of_node_that_failed_after_its_subtests_passed_is_never_green(house):
    given = pinned_tests(house, NODE)
    assert house.run("check", *given).status == 0
    house.text("junit.xml", NODE.replace("pass 4", "pass 3").replace("fail 0", "fail 1"))
    run = house.run("check", *given)
    assert run.status == 3, run.err
    assert "Node counted 1, and the file accounts for 0" in run.gate("completeness")["because"]


def test_subtests_of_pytest_are_green_and_a_test_that_is_gone_is_missing(house):
    given = pinned_tests(house, PYTEST)
    run = house.run("check", *given)
    assert run.status == 0, run.err
    assert any("3 are subtests, which pytest counts" in note for note in run.result["notes"])
    house.text("junit.xml", PYTEST.replace(PLAIN_TEST, ""))
    run = house.run("check", *given)
    assert run.status == 1
    assert "1 of 2 cases" in run.gate("completeness")["because"]


def test_a_run_in_which_pytest_was_stopped_is_undecided_and_says_so(house):
    given = pinned_tests(house, PYTEST)
    stopped = PYTEST.replace("</testsuite>", '<testcase time="0.000" /></testsuite>')
    house.text("junit.xml", stopped)
    run = house.run("check", *given)
    assert run.status == 3
    assert "pytest.exit, Ctrl-C" in run.gate("completeness")["because"]
