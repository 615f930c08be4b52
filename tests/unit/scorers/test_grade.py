"""One case and its answer become one scored run."""

from decimal import Decimal

import pytest

from gate.metrics.subsequence import MAX_TOKENS
from gate.records.case import Prediction
from gate.records.judge_run import Graded, Judgement
from gate.records.scoring import ContainsOptions, ExactMatchOptions, RougeLOptions, RubricOptions
from gate.scorers.grade import grade, judged_grader, path_score


def graded(case, *, scorer=None, threshold=1.0, mode="exact", **fields):
    return grade(
        case,
        Prediction(id=case.id, **fields),
        scorer=scorer or ContainsOptions(),
        pass_threshold=threshold,
        trajectory_mode=mode,
    )


def test_an_output_is_scored_and_passes_at_the_threshold(make):
    run = graded(make.case(), output="yes!", repeat=3)
    assert (run.repeat, run.standing, run.score, run.passed) == (3, "scored", 1.0, True)
    assert graded(make.case(), output="no").passed is False


@pytest.mark.parametrize(("threshold", "passed"), [(0.75, True), (0.76, False), (0.0, True)])
def test_the_threshold_is_inclusive(make, threshold, passed):
    checks = [
        {"kind": "contains", "value": "a", "weight": Decimal("0.75")},
        {"kind": "contains", "value": "b", "weight": Decimal("0.25")},
    ]
    run = graded(
        make.case(), scorer=RubricOptions(checks=tuple(checks)), threshold=threshold, output="a"
    )
    assert (run.score, run.passed) == (0.75, passed)


def test_the_cases_own_scorer_is_used(make):
    case = make.case(scorer=ExactMatchOptions())
    assert graded(case, output="yes!").score == 0.0


def test_an_error_has_no_score_and_no_path(make):
    run = graded(make.case(expected_tools=("t",)), error="boom", tools=("t",))
    assert (run.standing, run.score, run.passed, run.trajectory) == (
        "agent_error",
        None,
        False,
        0.0,
    )


def test_an_error_does_not_pass_even_at_threshold_zero(make):
    assert graded(make.case(), error="boom", threshold=0.0).passed is False


def test_an_output_beyond_a_limit_of_its_scorer_is_unscorable_and_keeps_its_path(make):
    case = make.case(reference="w", expected_tools=("t",))
    output = "w " * (MAX_TOKENS + 1)
    run = graded(case, scorer=RougeLOptions(), output=output, tools=("t",))
    assert (run.standing, run.score, run.passed, run.trajectory) == (
        "unscorable",
        None,
        False,
        1.0,
    )


def test_the_path_never_touches_the_score(make):
    run = graded(make.case(expected_tools=("a", "b")), output="yes", tools=("b", "a"))
    assert (run.score, run.passed, run.trajectory) == (1.0, True, 0.0)


@pytest.mark.parametrize(("mode", "expected"), [("exact", 0.0), ("set", 1.0), ("order", 0.5)])
def test_the_mode_decides_the_path(make, mode, expected):
    assert path_score(make.case(expected_tools=("a", "b")), ("b", "a"), mode) == expected


def test_no_declared_path_is_vacuously_perfect_and_untold_tools_are_none_at_all(make):
    assert path_score(make.case(), ("anything",), "exact") == 1.0
    assert path_score(make.case(expected_tools=("a",)), None, "set") == 0.0


OK = Judgement(status="ok", votes=(0.5,), keys=("0" * 16,))
LATE = Judgement(status="timeout", votes=(None,), keys=("0" * 16,))


def by_judge(case, found, *, threshold=1.0, **fields):
    verdicts = {} if found is None else {(case.id, fields.get("repeat", 0)): found}
    graded = judged_grader(verdicts, pass_threshold=threshold, trajectory_mode="exact")
    return graded(case, Prediction(id=case.id, **fields))


@pytest.mark.parametrize(("threshold", "passed"), [(0.5, True), (0.51, False)])
def test_what_a_judge_said_is_the_score(make, threshold, passed):
    run = by_judge(make.case(), Graded(0.5, OK), threshold=threshold, output="x", repeat=2)
    assert (run.repeat, run.standing, run.score, run.passed) == (2, "scored", 0.5, passed)
    assert run.judgement == OK


def test_without_a_verdict_there_is_no_score_and_the_path_stays(make):
    case = make.case(expected_tools=("t",))
    run = by_judge(case, Graded(None, LATE), threshold=0.0, output="x", tools=("t",))
    assert (run.standing, run.score, run.passed, run.trajectory) == ("unscored", None, False, 1.0)
    assert run.judgement == LATE


def test_a_case_with_a_scorer_of_its_own_is_none_of_a_judges_business(make):
    run = by_judge(make.case(scorer=ContainsOptions()), None, output="yes")
    assert (run.score, run.judgement) == (1.0, None)


def test_an_agents_error_is_none_either(make):
    run = by_judge(make.case(), None, error="boom")
    assert (run.standing, run.score, run.judgement) == ("agent_error", None, None)


def test_an_answer_that_nobody_planned_to_ask_about_is_a_defect(make):
    with pytest.raises(KeyError):
        by_judge(make.case(), None, output="yes")
