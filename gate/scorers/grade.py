"""One case and its answer become one scored run of that case."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from gate.metrics.subsequence import TooLong
from gate.metrics.trajectory import trajectory_score
from gate.records.values import run_result, run_without_score
from gate.scorers.recorded import recorded_score
from gate.scorers.table import bind, is_recorded

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gate.records.base import TrajectoryMode
    from gate.records.case import EvalCase, Prediction
    from gate.records.judge_run import Graded
    from gate.records.result import RepeatResult
    from gate.records.scoring import ScorerOptions


def grade(
    case: EvalCase,
    prediction: Prediction,
    *,
    scorer: ScorerOptions,
    pass_threshold: float,
    trajectory_mode: TrajectoryMode,
) -> RepeatResult:
    """Score one prediction; ``scorer`` serves where the case brings none of its own.

    An agent's error is not scored and does not pass, and earns no trajectory where a path is
    declared. An output beyond a scorer's named limit is ``unscorable``, likewise not passed.
    """
    return grader(scorer, pass_threshold=pass_threshold, trajectory_mode=trajectory_mode)(
        case, prediction
    )


def grader(
    scorer: ScorerOptions, *, pass_threshold: float, trajectory_mode: TrajectoryMode
) -> Callable[[EvalCase, Prediction], RepeatResult]:
    """Tie :func:`grade` to what is the same for a whole suite, its scorer looked up once."""
    if is_recorded(scorer):
        return _recorded_grader(pass_threshold=pass_threshold, trajectory_mode=trajectory_mode)
    usual = bind(scorer).score

    def graded(case: EvalCase, prediction: Prediction) -> RepeatResult:
        if prediction.output is None:
            return run_without_score(case, prediction.repeat, "agent_error")
        path = 0.0 if case.expected_tools else 1.0
        match = usual if case.scorer is None else bind(case.scorer).score
        try:
            path = path_score(case, prediction.tools, trajectory_mode)
            score = match(prediction.output, case.reference or "")
        except TooLong:
            return run_without_score(case, prediction.repeat, "unscorable", trajectory=path)
        return run_result(
            repeat=prediction.repeat,
            standing="scored",
            score=score,
            passed=score >= pass_threshold,
            trajectory=path,
        )

    return graded


def _recorded_grader(
    *, pass_threshold: float, trajectory_mode: TrajectoryMode
) -> Callable[[EvalCase, Prediction], RepeatResult]:
    """Take the scores that a tool recorded; a case that brings its own scorer is graded by that.

    An answer for which the tool has no score is ``unscorable``: not passed, and 0 in a mean.
    """

    def graded(case: EvalCase, prediction: Prediction) -> RepeatResult:
        if case.scorer is not None:
            return grade(
                case,
                prediction,
                scorer=case.scorer,
                pass_threshold=pass_threshold,
                trajectory_mode=trajectory_mode,
            )
        if prediction.output is None:
            return run_without_score(case, prediction.repeat, "agent_error")
        try:
            path = path_score(case, prediction.tools, trajectory_mode)
        except TooLong:
            return run_without_score(case, prediction.repeat, "unscorable", trajectory=0.0)
        score = recorded_score(prediction)
        if score is None:
            return run_without_score(case, prediction.repeat, "unscorable", trajectory=path)
        return run_result(
            repeat=prediction.repeat,
            standing="scored",
            score=score,
            passed=score >= pass_threshold,
            trajectory=path,
        )

    return graded


def judged_grader(
    verdicts: Mapping[tuple[str, int], Graded],
    *,
    pass_threshold: float,
    trajectory_mode: TrajectoryMode,
) -> Callable[[EvalCase, Prediction], RepeatResult]:
    """Tie :func:`grade` to what a judge said of each ``(case id, repeat)``.

    A case that brings a scorer of its own is graded by that. A response without a verdict is
    ``unscored``: neither 0 nor left out.
    """

    def graded(case: EvalCase, prediction: Prediction) -> RepeatResult:
        if case.scorer is not None:
            return grade(
                case,
                prediction,
                scorer=case.scorer,
                pass_threshold=pass_threshold,
                trajectory_mode=trajectory_mode,
            )
        if prediction.output is None:
            return run_without_score(case, prediction.repeat, "agent_error")
        found = verdicts[case.id, prediction.repeat]
        path = path_score(case, prediction.tools, trajectory_mode)
        if found.score is None:
            return run_without_score(
                case, prediction.repeat, "unscored", trajectory=path, judgement=found.judgement
            )
        return run_result(
            repeat=prediction.repeat,
            standing="scored",
            score=found.score,
            passed=found.score >= pass_threshold,
            trajectory=path,
            judgement=found.judgement,
        )

    return graded


def path_score(case: EvalCase, tools: tuple[str, ...] | None, mode: TrajectoryMode) -> float:
    """Grade the path where the case declares one, else 1.0: nobody is penalised for nothing."""
    if not case.expected_tools:
        return 1.0
    return _path_score(tools or (), case.expected_tools, mode)


_path_score = lru_cache(maxsize=4096)(trajectory_score)
"""A suite has few different paths."""
