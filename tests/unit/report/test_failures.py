"""The cases a reader wants to see."""

from gate.records.result import Accepted, RepeatResult
from gate.records.verdict import GateVerdict
from gate.report.failures import groups


def run(at, **fields):
    given = {"standing": "scored", "score": 1.0, "passed": True, "trajectory": 1.0}
    return RepeatResult(repeat=at, **(given | fields))


def shown(report, title, **options):
    given = {"most": 9, "show_expected": True} | options
    return dict(groups(report, **given))[title].shown


def test_a_case_that_failed_already_and_got_worse_shows_both_scores(build):
    before = Accepted(scores=(0.75,), passes=(False,), trajectory=1.0)
    rows = (build.failing("a", "no", score=0.25, accepted=before),)
    report = build.report(
        cases=rows, comparison=build.report().comparison.model_copy(update={"newly_failing": ()})
    )
    (case,) = shown(report, "Failing cases")
    assert case.became == "score 0.750 → 0.250"


def test_runs_that_did_not_come_are_counted_and_a_wrong_answer_is_shown(build):
    gone = {"standing": "missing", "score": None, "passed": False}
    runs = (run(0, **gone), run(1, score=0.0, passed=False), run(2))
    excerpts = (build.evidence(repeat=0, output=None), build.evidence(repeat=1, output="Rome"))
    rows = (build.case("a", **gone | {"score": 1 / 3}, repeats=runs, evidence=excerpts),)
    (case,) = shown(build.report(cases=rows, comparison=None), "Failing cases")
    assert case.became == "no prediction in 1 of 3 runs, 2 of 3 runs failed, run 1 shown"
    assert ("got", "Rome") in case.details


def test_an_error_is_shown_where_the_case_ended_in_one(build):
    broke = {"standing": "agent_error", "score": None, "passed": False}
    runs = (run(0, score=0.0, passed=False), run(1, **broke))
    excerpts = (build.evidence(), build.evidence(repeat=1, output=None, error="503"))
    rows = (build.case("a", **broke | {"score": 0.0}, repeats=runs, evidence=excerpts),)
    (case,) = shown(build.report(cases=rows, comparison=None), "Failing cases")
    assert case.became.startswith("the agent reported an error in 1 of 2 runs")
    assert ("error", "503") in case.details


def paths(build, outcome, *cases):
    gate = GateVerdict(gate="trajectory", outcome=outcome, because="x")
    return build.report(cases=cases, gates=(gate,), comparison=None)


def wrong(build, **fields):
    shown = (build.evidence(expected_tools=("a", "b"), tools=("b", "a")),)
    given = {"declares_path": True, "trajectory": 0.5, "evidence": shown}
    return build.case("p", **(given | fields))


def test_a_wrong_path_is_shown_while_the_gate_judges(build):
    (case,) = shown(paths(build, "fail", wrong(build), build.case("x")), "Wrong paths")
    assert case.became == "path score 0.500"
    assert case.details == (("expected tools", "a → b"), ("called tools", "b → a"))
    assert shown(paths(build, "off", wrong(build)), "Wrong paths") == ()


def test_a_wrong_path_does_not_show_what_is_to_be_hidden(build):
    report = paths(build, "fail", wrong(build))
    (case,) = shown(report, "Wrong paths", show_expected=False)
    assert case.details == (("called tools", "b → a"),)


def test_a_wrong_path_shows_the_run_that_went_wrong(build):
    right = build.evidence(expected_tools=("a", "b"), tools=("a", "b"))
    astray = build.evidence(repeat=1, expected_tools=("a", "b"), tools=("a",))
    runs = (run(0), run(1, trajectory=0.0), run(2))
    case = wrong(build, repeats=runs, evidence=(right, astray))
    (case,) = shown(paths(build, "fail", case), "Wrong paths")
    assert case.became == "path score 0.500, wrong in 1 of 3 runs, run 1 shown"
    assert case.details[1] == ("called tools", "a")


def test_a_path_that_ended_in_an_error_says_so(build):
    broke = (build.evidence(output=None, error="503", expected_tools=("a",)),)
    case = wrong(build, standing="agent_error", score=None, passed=False, evidence=broke)
    (case,) = shown(paths(build, "fail", case), "Wrong paths")
    assert case.became == "path score 0.500: the agent reported an error"
    assert case.details == ()
