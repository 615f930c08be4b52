"""What labels of people say of the judged figure: the same figure, corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.figures import count, level, percent, score
from gate.records.json_text import digest, loads
from gate.statistics.corrected import corrected_rate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.report import Report
    from gate.records.result import CaseResult, RepeatResult
    from gate.records.trust import TrustRecord

LEVEL: Final = 0.95
_TOP: Final = 2.0
"""The best rating; as a score it is 1."""


def corrected(report: Report) -> tuple[tuple[str, str], ...]:
    """Give the judged figure as labels of people correct it; empty without a record of them.

    Ratings correct the mean score, two classes the share that passes; both of the responses
    that the judge scored, and as far as the labelled ones are such as these. A record of
    another judge says nothing.
    """
    trust, config = report.judge_trust, report.judge_config
    if trust is None or config is None or not trust.n_items:
        return ()
    if trust.judge != digest(loads(config)):
        return ()
    rated = trust.threshold is None
    judged = [_value(run, rated=rated) for row in report.cases for run in _judged_runs(row)]
    if not judged:
        return ()
    machine, people = _labelled(trust, top=_TOP if rated else 1.0)
    found = corrected_rate(judged, machine, people, level=LEVEL)
    spell = score if rated else percent
    name = "mean score" if rated else "pass rate"
    said = f"{name} {spell(found.rate)}, {level(LEVEL)} {spell(found.low)} to {spell(found.high)}"
    by = f"{count(trust.n_items, 'label')} of people; the judge alone says {spell(_mean(judged))}"
    return (("corrected by labels", f"{said} ({by})"),)


def _judged_runs(row: CaseResult) -> Iterator[RepeatResult | CaseResult]:
    for run in row.repeats or (row,):
        if run.judgement is not None and run.judgement.votes and run.score is not None:
            yield run


def _value(run: RepeatResult | CaseResult, *, rated: bool) -> float:
    return (run.score or 0.0) if rated else float(run.passed)


def _labelled(trust: TrustRecord, *, top: float) -> tuple[list[float], list[float]]:
    """Give the labelled responses back, the judge's value of each and the person's."""
    machine: list[float] = []
    people: list[float] = []
    for human, row in zip(trust.categories, trust.confusion, strict=True):
        for judge, number in zip(trust.categories, row, strict=True):
            machine += [judge / top] * number
            people += [human / top] * number
    return machine, people


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
