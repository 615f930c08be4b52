"""What another tool recorded is taken as it is, and what it lacks does not pass."""

import pytest

from gate.records.case import Prediction
from gate.records.scoring import ContainsOptions, RecordedOptions
from gate.scorers.grade import grade
from gate.scorers.recorded import recorded_score
from gate.scorers.table import identity

RECORDED = RecordedOptions(score="match", tool="inspect_ai")


def graded(case, *, threshold=1.0, mode="exact", **fields):
    answer = Prediction(**({"id": "a", "output": "x"} | fields))
    return grade(case, answer, scorer=RECORDED, pass_threshold=threshold, trajectory_mode=mode)


def test_the_score_is_that_of_the_prediction():
    assert recorded_score(Prediction(id="a", output="x", recorded=0.5)) == 0.5
    assert recorded_score(Prediction(id="a", output="x")) is None


@pytest.mark.parametrize(("score", "threshold", "passed"), [(1.0, 1.0, True), (0.5, 0.5, True)])
def test_a_run_passes_at_the_threshold(make, score, threshold, passed):
    run = graded(make.case(), recorded=score, threshold=threshold)
    assert (run.standing, run.score, run.passed) == ("scored", score, passed)


def test_an_answer_without_a_score_is_unscorable_and_does_not_pass(make):
    run = graded(make.case())
    assert (run.standing, run.score, run.passed) == ("unscorable", None, False)


def test_a_crash_is_an_error_whatever_was_recorded(make):
    run = graded(make.case(), output=None, error="boom", recorded=1.0)
    assert (run.standing, run.passed) == ("agent_error", False)


def test_a_case_that_brings_its_own_scorer_is_graded_by_that(make):
    case = make.case(reference="Paris", scorer=ContainsOptions())
    assert graded(case, output="Paris!", recorded=0.0).passed
    assert not graded(case, output="Rome", recorded=1.0).passed


def test_the_path_is_graded_as_ever(make):
    case = make.case(expected_tools=("search",))
    assert graded(case, recorded=1.0, tools=("search",)).trajectory == 1.0
    assert graded(case, recorded=1.0).trajectory == 0.0
    assert graded(case, tools=("search",)).trajectory == 1.0


def test_tool_and_score_are_the_identity():
    found = {
        identity(RecordedOptions(score=score, tool=tool)).params
        for score in ("match", "style")
        for tool in ("inspect_ai", "promptfoo")
    }
    assert len(found) == 4
