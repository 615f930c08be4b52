"""The runs of one case become its row."""

from __future__ import annotations

from functools import cache
from math import fsum
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.base import reader
from gate.records.result import CaseResult, RepeatResult
from gate.records.values import run_without_score

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.records.base import Standing
    from gate.records.case import EvalCase
    from gate.records.result import Accepted, CaseDigest, Evidence

WORST_FIRST: Final[tuple[Standing, ...]] = (
    "missing",
    "agent_error",
    "unscored",
    "unscorable",
    "scored",
)


def case_row(
    case: EvalCase,
    runs: list[RepeatResult],
    *,
    digest: CaseDigest,
    repeats: int,
    accepted: Accepted | None = None,
    evidence: tuple[Evidence, ...] = (),
) -> CaseResult:
    """Make the row of ``case`` from its runs; runs short of ``repeats`` count as missing.

    With several runs the score is their mean, a run without one counting 0; it is ``None``
    where none has one. ``passed`` needs every run to pass.
    """
    whole = tuple(filled(case, runs, repeats))
    found = whole[0] if len(whole) == 1 else compose(whole)
    return _row_reader()(
        {
            "id": case.id,
            "labels": case.labels,
            "digest": digest,
            "standing": found.standing,
            "score": found.score,
            "passed": found.passed,
            "trajectory": found.trajectory,
            "declares_path": bool(case.expected_tools),
            "accepted": accepted,
            "cluster": case.cluster,
            "repeats": whole if len(whole) > 1 else (),
            "evidence": evidence,
            "judgement": whole[0].judgement if len(whole) == 1 else None,
        }
    )


@cache
def _row_reader() -> Callable[[object], CaseResult]:
    return reader(CaseResult)


class Composed(NamedTuple):
    """What several runs of one case come to."""

    standing: Standing
    score: float | None
    passed: bool
    trajectory: float


def compose(runs: tuple[RepeatResult, ...]) -> Composed:
    """Take the worst standing, the mean score, the mean path; passed needs every run."""
    if len(runs) == 1:
        only = runs[0]
        return Composed(only.standing, only.score, only.passed, only.trajectory)
    scores = [run.score for run in runs]
    return Composed(
        standing=min((run.standing for run in runs), key=WORST_FIRST.index),
        score=None if all(score is None for score in scores) else _mean(scores),
        passed=all(run.passed for run in runs),
        trajectory=_mean([run.trajectory for run in runs]),
    )


def filled(case: EvalCase, runs: list[RepeatResult], repeats: int) -> list[RepeatResult]:
    """Order the runs by their number and add a missing one for each that did not come."""
    if len(runs) == repeats == 1:  # nearly every case of nearly every suite
        return runs
    found = sorted(runs, key=lambda run: run.repeat)
    taken = {run.repeat for run in found}
    numbers = iter(range(len(taken) + repeats))
    while len(found) < repeats:
        number = next(number for number in numbers if number not in taken)
        found.append(run_without_score(case, number, "missing"))
    return sorted(found, key=lambda run: run.repeat)


def runs_of(row: CaseResult) -> tuple[RepeatResult, ...]:
    """Give the runs of a row: its repeats, or the one run that the row itself is."""
    return row.repeats or (
        RepeatResult(
            repeat=0,
            standing=row.standing,
            score=row.score,
            passed=row.passed,
            trajectory=row.trajectory,
            judgement=row.judgement,
        ),
    )


def _mean(values: list[float | None]) -> float:
    return fsum(value for value in values if value is not None) / len(values)
