"""Accept a result: reduce it to what later runs are compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.baseline.store import baseline_digest
from gate.errors import PromotionRefused
from gate.records.baseline import AcceptedSummary, Baseline, BaselineRow
from gate.statistics.exact import exact_mean

if TYPE_CHECKING:
    from gate.records.base import Metric
    from gate.records.report import Report
    from gate.records.result import CaseResult, SuiteResult

HISTORY: Final = 20
"""How many earlier summaries a baseline keeps."""


def promote(
    report: Report, suite: SuiteResult, *, previous: Baseline | None, reason: str | None
) -> Baseline:
    """Make the baseline of ``report``; ``previous`` is the one it replaces.

    ``suite`` is the summary computed from the report's rows, unrounded.

    A gated result must have passed, a result that was only scored must be whole (every case
    scored), and what replaces a baseline must have been held against it; otherwise
    ``PromotionRefused``, unless ``reason`` says why it is accepted. A blank reason says nothing
    and is refused. Accepting the same answers again leaves history and reason as they are.
    """
    if reason is not None and not any(character.isalnum() for character in reason):
        raise PromotionRefused("--reason is blank: it says nothing to whoever reads the report")
    same = previous if previous is not None and _is_same(previous, report) else None
    objection = _objection(report) or (None if same else _unseen(report, previous))
    if objection is not None and not reason:
        raise PromotionRefused(objection)
    summary = AcceptedSummary(
        n_cases=suite.n_cases,
        pass_rate=suite.pass_rate,
        mean_score=suite.mean_score,
        trajectory_mean=suite.trajectory_mean,
        predictions=report.digests.predictions,
        metric=suite.metric,
        repeats=suite.repeats,
    )
    remembered = _Remembered.of(previous, summary, report)
    return Baseline(
        scorer=report.scorer,
        judge_config=report.judge_config,
        metric=suite.metric,
        pass_threshold=suite.pass_threshold,
        trajectory_mode=suite.trajectory_mode,
        repeats=suite.repeats,
        summary=summary,
        cases_digest=report.digests.cases,
        reason=reason or (same.reason if same else None),
        knowingly=objection is not None or (same is not None and same.knowingly),
        waived=tuple(sorted({name for gate in report.gates for name in gate.waived})),
        history=remembered.history,
        rows=tuple(_row(case, remembered) for case in report.cases),
    )


class _Remembered(NamedTuple):
    """What a new baseline keeps of the one it replaces: summaries, and a value a case of each.

    The values of runs that were measured otherwise (judge, threshold, metric) are not kept: they
    could not be compared. Another scorer or another case shows in the digest of the case.
    """

    history: tuple[AcceptedSummary, ...]
    rows: dict[str, BaselineRow]
    metric: Metric
    again: bool

    @classmethod
    def of(
        cls, previous: Baseline | None, summary: AcceptedSummary, report: Report
    ) -> _Remembered:
        """Add what stood there before, unless the same answers are accepted once more."""
        if previous is None:
            return cls((), {}, summary.metric, again=False)
        again = previous.summary == summary
        kept = {"reason": previous.reason, "knowingly": previous.knowingly}
        replaced = AcceptedSummary(**{**dict(previous.summary), **kept})
        history = previous.history if again else (*previous.history, replaced)
        alike = (previous.judge_config, previous.pass_threshold, previous.metric) == (
            report.judge_config,
            report.suite.pass_threshold,
            summary.metric,
        )
        rows = {row.id: row for row in previous.rows} if alike else {}
        return cls(history[-HISTORY:], rows, summary.metric, again)

    def earlier(self, case: CaseResult) -> tuple[float | None, ...]:
        """Give the value of a case in every run of the history; empty if none knew it."""
        before = self.rows.get(case.id)
        if before is None or before.digest.whole != case.digest.whole or not self.history:
            return ()
        known = list(before.earlier)
        if not self.again:
            known.append(_value(before, self.metric))
        size = len(self.history)
        padded = [None] * (size - len(known)) + known
        found = tuple(padded[-size:])
        return () if all(value is None for value in found) else found


def _unseen(report: Report, previous: Baseline | None) -> str | None:
    """Say that a result was never held against the baseline that it would replace."""
    if previous is None or report.digests.baseline == baseline_digest(previous):
        return None
    what = "was only scored" if report.verdict is None else "was compared with another baseline"
    return f"this result {what}, and never held against the one that it would replace: run check"


def _is_same(previous: Baseline, report: Report) -> bool:
    """Say whether the same answers to the same cases are accepted once more."""
    return (previous.summary.predictions, previous.cases_digest) == (
        report.digests.predictions,
        report.digests.cases,
    )


def _value(row: BaselineRow, metric: Metric) -> float:
    """Give the value of a case as a later comparison takes it: the exact mean of its runs."""
    if metric == "pass_rate":
        return float(exact_mean([float(passed) for passed in row.passes]))
    return float(exact_mean([score or 0.0 for score in row.scores]))


def _objection(report: Report) -> str | None:
    if report.verdict is not None and report.verdict != "pass":
        return f"this result did not pass: its verdict is {report.verdict!r}"
    run = report.judge_run
    if run is not None and any(one.score != 0 for one in run.canaries):
        return "the judge gave marks to a known-bad answer, or no verdict on it: see judge_run"
    if report.gaps:
        return f"the predictions may not hold all that was run: {report.gaps[0]}"
    unscored = [case.id for case in report.cases if case.standing != "scored"]
    if unscored:
        were = "was" if len(unscored) == 1 else "were"
        return (
            f"{len(unscored)} of {len(report.cases)} cases {were} not scored "
            f"(first: {unscored[0]!r}): a baseline with holes hides later ones"
        )
    return None


def _row(case: CaseResult, remembered: _Remembered) -> BaselineRow:
    runs = case.repeats
    return BaselineRow(
        id=case.id,
        labels=case.labels,
        digest=case.digest,
        scores=tuple(run.score for run in runs) if runs else (case.score,),
        passes=tuple(run.passed for run in runs) if runs else (case.passed,),
        trajectory=case.trajectory,
        declares_path=case.declares_path,
        cluster=case.cluster,
        earlier=remembered.earlier(case),
    )
