"""A stored summary is never trusted: its rows are, and they must agree with it."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from gate.errors import ResultInvalid
from gate.records.result import SuiteResult
from gate.suite.rows import compose
from gate.suite.summary import Measurement, summarise

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gate.records.report import Report
    from gate.records.result import CaseResult, Interval, RepeatResult

_CLOSE: Final = Decimal("0.000001")


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
    made = summarise(rows, measurement_of(suite))
    names = [name for name in SuiteResult.model_fields if name not in _COMPOSED]
    found.extend(
        f"suite.{name} disagrees with the rows"
        for name in names
        if not _same(getattr(suite, name), getattr(made, name))
    )
    found.extend(
        f"suite.{name} disagrees with the rows"
        for name in ("interval", "protocol_interval")
        if not _same_interval(getattr(suite, name), getattr(made, name))
    )
    stored = [(part.label, part.n_cases, part.n_passed) for part in suite.slices]
    if stored != [(part.label, part.n_cases, part.n_passed) for part in made.slices]:
        found.append("suite.slices disagree with the rows")
    return found


_COMPOSED: Final = frozenset(("interval", "protocol_interval", "runs", "slices"))


def _of_rows(rows: Sequence[CaseResult], suite: SuiteResult) -> Iterator[str]:
    threshold = float(suite.pass_threshold)
    before = ""
    if not rows:
        yield "there are no cases"
    for row in rows:
        if row.id <= before:
            yield f"case {row.id[:80]!r} is out of order or appears twice"
        before = row.id
        runs = row.repeats or (row,)
        if len(runs) != suite.repeats:
            yield f"case {row.id[:80]!r} has {len(runs)} run(s), and the suite {suite.repeats}"
        if not all(_holds(run, threshold) for run in runs):
            yield f"case {row.id[:80]!r}: `passed` contradicts its score and standing"
        if row.repeats and not _composed(row):
            yield f"case {row.id[:80]!r} contradicts its repeats"


def _composed(row: CaseResult) -> bool:
    made = compose(row.repeats)
    return (row.standing, row.score, row.passed, row.trajectory) == made


def _holds(run: RepeatResult | CaseResult, threshold: float) -> bool:
    if (run.standing == "scored") != (run.score is not None):
        return False
    return run.passed == (run.score is not None and run.score >= threshold)


def _same(stored: object, made: object) -> bool:
    if isinstance(stored, float) and isinstance(made, float):
        return abs(Decimal(repr(stored)) - Decimal(repr(made))) <= _CLOSE
    return stored == made


def _same_interval(stored: Interval, made: Interval) -> bool:
    return (
        stored.method == made.method
        and _same(stored.low, made.low)
        and _same(stored.high, made.high)
    )
