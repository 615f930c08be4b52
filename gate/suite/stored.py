"""A stored summary is never trusted: its rows are, and they must agree with it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, cast

from gate.errors import ResultInvalid
from gate.metrics.mean import mean
from gate.records.figures import rounded
from gate.records.result import SuiteResult
from gate.suite.rows import compose
from gate.suite.summary import Measurement, summarise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gate.records.base import Record
    from gate.records.report import Report
    from gate.records.result import CaseResult, RepeatResult


def measurement_of(suite: SuiteResult) -> Measurement:
    """Read off a summary how it was made, so that it can be made again."""
    protocol = suite.protocol_interval
    return Measurement(
        metric=suite.metric,
        pass_threshold=suite.pass_threshold,
        trajectory_mode=suite.trajectory_mode,
        repeats=suite.repeats,
        seed=protocol.seed or 0,
        n_boot=protocol.n_boot or 1,
    )


def require_consistent(report: Report) -> SuiteResult:
    """Give the summary computed anew from a stored result's rows.

    Raises ``ResultInvalid`` naming every field in which the stored one disagrees.
    """
    problems = contradictions(report.cases, report.suite)
    if problems:
        raise ResultInvalid("\n".join(problems))
    return summarise(report.cases, measurement_of(report.suite))


def contradictions(rows: Sequence[CaseResult], suite: SuiteResult) -> list[str]:
    """Say where a stored result contradicts itself; empty where it does not.

    Rows come first: only rows that hold together are summarised and compared, each
    aggregate to six places.
    """
    found = list(_of_rows(rows, suite))
    if found:
        return found
    made = figures_of(summarise(rows, measurement_of(suite)))
    stored = figures_of(suite)
    return [
        f"suite.{name} disagrees with the rows"
        for name in SuiteResult.model_fields
        if stored[name] != made[name]
    ]


def figures_of(record: Record) -> dict[str, object]:
    """Give a record as its file holds it: every aggregate to six places."""
    found = rounded(record.model_dump(mode="json"))
    return cast("dict[str, object]", found)


def _of_rows(rows: Sequence[CaseResult], suite: SuiteResult) -> Iterator[str]:
    threshold = float(suite.pass_threshold)
    before = ""
    if not rows:
        yield "there are no cases"
    for row in rows:
        if row.id <= before:
            yield f"case {row.id!r} is out of order or appears twice"
        before = row.id
        runs = row.repeats or (row,)
        if len(runs) != suite.repeats:
            yield f"case {row.id!r} has {len(runs)} run(s), and the suite {suite.repeats}"
        if not all(map(_votes_hold, runs)):
            yield f"case {row.id!r}: its score is not what the votes of the judge give"
        if not all(_holds(run, threshold) for run in runs):
            yield f"case {row.id!r}: `passed` contradicts its score and standing"
        if row.repeats and not _composed(row):
            yield f"case {row.id!r} contradicts its repeats"


def _composed(row: CaseResult) -> bool:
    made = compose(row.repeats)
    return (row.standing, row.score, row.passed, row.trajectory) == made


def _votes_hold(run: RepeatResult | CaseResult) -> bool:
    """Say whether the score of a judged run is the mean of its votes, or none where one lacks."""
    found = run.judgement
    if found is None:
        return run.standing != "unscored"
    known = [vote for vote in found.votes if vote is not None]
    if len(found.keys) != len(found.votes):
        return False
    if (found.status == "ok") != (len(known) == len(found.votes)):
        return False
    if found.status != "ok":
        return run.score is None
    if not known:  # it was known without a call
        return run.score in {0.0, 1.0}
    return run.score == mean(map(Fraction, known), of=len(known))


def _holds(run: RepeatResult | CaseResult, threshold: float) -> bool:
    if (run.standing == "scored") != (run.score is not None):
        return False
    return run.passed == (run.score is not None and run.score >= threshold)
