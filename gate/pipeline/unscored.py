"""What a judge left open is decided both ways: once at 0, once at 1."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import fsum, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.figures import count
from gate.records.judge_run import Bound, Judgement, JudgeRun
from gate.records.verdict import GateVerdict
from gate.suite.rows import compose
from gate.suite.stored import measurement_of
from gate.suite.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gate.records.alignment import Alignment
    from gate.records.report import Report
    from gate.records.result import CaseResult, RepeatResult, SuiteResult


_UNSCORED: Final = '"unscored"'
"""How a suite's standings name what a judge left open."""


class AtBest(NamedTuple):
    """The run as it would be had the judge given everything that it left open full marks."""

    rows: tuple[CaseResult, ...]
    suite: SuiteResult
    alignment: Alignment | None


def may_be_open(suite: SuiteResult) -> bool:
    """Say whether a judge may have left something open: no, in most suites, at one look.

    The standing of a case is the worst of its runs', so several must be asked.
    """
    return suite.repeats > 1 or _UNSCORED in suite.standings


def open_runs(rows: Iterable[CaseResult]) -> int:
    """Count the runs that a judge left without a verdict."""
    return sum(run.standing == "unscored" for row in rows for run in (row.repeats or (row,)))


def asked_runs(rows: Iterable[CaseResult]) -> int:
    """Count the runs about which a judge was, or was to be, asked."""
    found = (run.judgement for row in rows for run in (row.repeats or (row,)))
    return sum(one is not None and bool(one.votes) for one in found)


def at_best(
    rows: tuple[CaseResult, ...], suite: SuiteResult, alignment: Alignment | None
) -> AtBest | None:
    """Give the run with every unscored response at 1; ``None`` where there is none.

    At 0 it is as it stands: what has no score counts 0 and has not passed.
    """
    if not may_be_open(suite) or not open_runs(rows):
        return None
    best = tuple(map(_at_best, rows))
    if alignment is not None:
        found = {row.id: row for row in best}
        alignment = alignment._replace(pairs=tuple(found[row.id] for row in alignment.pairs))
    return AtBest(best, summarise(best, measurement_of(suite)), alignment)


def _at_best(row: CaseResult) -> CaseResult:
    if not row.repeats:
        return replace(row, standing="scored", score=1.0, passed=True) if _is_open(row) else row
    if not any(map(_is_open, row.repeats)):
        return row
    runs = tuple(
        replace(run, standing="scored", score=1.0, passed=True) if _is_open(run) else run
        for run in row.repeats
    )
    found = compose(runs)
    return replace(
        row, repeats=runs, standing=found.standing, score=found.score, passed=found.passed
    )


def _is_open(run: RepeatResult | CaseResult) -> bool:
    return run.standing == "unscored"


def either(
    low: Sequence[GateVerdict], high: Sequence[GateVerdict], *, n_open: int, n_asked: int
) -> tuple[GateVerdict, ...]:
    """Let each gate say what it says at 0 and at 1; where the two differ it is undecided."""
    return tuple(
        _either(one, other, n_open=n_open, n_asked=n_asked)
        for one, other in zip(low, high, strict=True)
    )


def _either(low: GateVerdict, high: GateVerdict, *, n_open: int, n_asked: int) -> GateVerdict:
    if low.outcome == high.outcome:
        return low
    return GateVerdict(
        gate=low.gate,
        outcome="undecided",
        because=(
            f"{n_asked - n_open:,} of {count(n_asked, 'response')} judged; with the others at 0 "
            f"it is {low.outcome} ({low.because}), at 1 {high.outcome} ({high.because})"
        ),
        numbers=low.numbers,
        case_ids=low.case_ids,
        waived=low.waived,
    )


def judgements(report: Report) -> Iterator[tuple[str, Judgement]]:
    """Give everything a judge said that a result holds, each with a name: rows, then canaries."""
    for row in report.cases:
        if row.judgement is not None:
            yield f"case {row.id!r}", row.judgement
        for run in row.repeats:
            if run.judgement is not None:
                yield f"case {row.id!r}, run {run.repeat}", run.judgement
    for one in report.judge_run.canaries if report.judge_run is not None else ():
        said = Judgement(
            status=one.status, votes=(one.score,), keys=(one.key,), elements=one.elements
        )
        yield f"the known-bad answer {one.kind!r}", said


def with_rows(
    run: JudgeRun,
    rows: tuple[CaseResult, ...],
    suite: SuiteResult,
) -> JudgeRun:
    """Add to what happened what the rows say: both bounds, and how far the votes scatter."""
    best = at_best(rows, suite, None)
    bounds = None
    if best is not None:
        bounds = Bound(
            pass_rate=(suite.pass_rate, best.suite.pass_rate),
            mean_score=(suite.mean_score, best.suite.mean_score),
        )
    scatter = _scatter(found for row in rows for found in _judgements(row))
    return JudgeRun(
        **{
            **dict(run),
            "bounds": bounds,
            "flip_rate": scatter and scatter.flips,
            "within_sd": scatter and scatter.sd,
        }
    )


def miscounted(run: JudgeRun, rows: Iterable[CaseResult]) -> list[str]:
    """Name the counts of a judged run that its rows do not give."""
    came = [one for row in rows for one in (row.repeats or (row,)) if one.standing != "missing"]
    judged = [one.judgement for one in came if one.judgement is not None]
    whys = Counter(one.status for one in judged if one.status != "ok")
    counts = run.counts
    stored = {
        "counts.responses": counts.responses,
        "counts.judged": counts.judged,
        "counts.unscored": counts.unscored,
        "counts.exact, empty and no_elements": counts.exact + counts.empty + counts.no_elements,
        "counts.errors and own": counts.errors + counts.own,
        "counts.calls": counts.calls,
        "counts.canaries": counts.canaries,
        "unscored": {one.why: one.count for one in run.unscored},
    }
    made = {
        "counts.responses": len(came),
        "counts.judged": sum(one.status == "ok" and bool(one.votes) for one in judged),
        "counts.unscored": whys.total(),
        "counts.exact, empty and no_elements": sum(
            one.status == "ok" and not one.votes for one in judged
        ),
        "counts.errors and own": len(came) - len(judged),
        "counts.calls": len({key for one in judged for key in one.keys}),
        "counts.canaries": len(run.canaries),
        "unscored": dict(whys),
    }
    return [name for name, figure in stored.items() if figure != made[name]]


class _Scatter(NamedTuple):
    flips: float
    sd: float


def _judgements(row: CaseResult) -> Iterable[Judgement | None]:
    return (one.judgement for one in row.repeats) if row.repeats else (row.judgement,)


def _scatter(judgements: Iterable[Judgement | None]) -> _Scatter | None:
    """Say how often the looks at one response differ, and how far (root mean variance, n - 1)."""
    votes = [
        [vote for vote in one.votes if vote is not None] for one in judgements if one is not None
    ]
    several = [one for one in votes if len(one) > 1]
    if not several:
        return None
    flips = sum(len(set(one)) > 1 for one in several) / len(several)
    return _Scatter(flips, sqrt(fsum(map(_variance, several)) / len(several)))


def _variance(votes: list[float]) -> float:
    mean = fsum(votes) / len(votes)
    return fsum((vote - mean) ** 2 for vote in votes) / (len(votes) - 1)
