"""Accept a result: reduce it to what later runs are compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.errors import PromotionRefused
from gate.records.baseline import AcceptedSummary, Baseline, BaselineRow

if TYPE_CHECKING:
    from gate.records.report import Report
    from gate.records.result import CaseResult, SuiteResult

HISTORY: Final = 20
"""How many earlier summaries a baseline keeps."""


def promote(
    report: Report, suite: SuiteResult, *, previous: Baseline | None, reason: str | None
) -> Baseline:
    """Make the baseline of ``report``; ``previous`` is the one it replaces.

    ``suite`` is the summary computed from the report's rows, unrounded.

    A gated result must have passed, and a result that was only scored must be whole (every
    case scored); otherwise ``PromotionRefused``, unless ``reason`` says why it is accepted. A
    blank reason says nothing and is refused. Accepting the same answers again leaves the history
    as it is.
    """
    if reason is not None and not any(character.isalnum() for character in reason):
        raise PromotionRefused("--reason is blank: it says nothing to whoever reads the report")
    objection = _objection(report)
    if objection is not None and not reason:
        raise PromotionRefused(objection)
    summary = AcceptedSummary(
        n_cases=suite.n_cases,
        pass_rate=suite.pass_rate,
        mean_score=suite.mean_score,
        trajectory_mean=suite.trajectory_mean,
        predictions=report.digests.predictions,
    )
    return Baseline(
        scorer=report.scorer,
        judge_config=report.judge_config,
        metric=suite.metric,
        pass_threshold=suite.pass_threshold,
        trajectory_mode=suite.trajectory_mode,
        repeats=suite.repeats,
        summary=summary,
        cases_digest=report.digests.cases,
        reason=reason,
        history=_history(previous, summary),
        rows=tuple(_row(case) for case in report.cases),
    )


def _history(previous: Baseline | None, summary: AcceptedSummary) -> tuple[AcceptedSummary, ...]:
    """Add what stood there before, unless the same answers are accepted once more."""
    if previous is None:
        return ()
    if previous.summary == summary:
        return previous.history
    return (*previous.history, previous.summary)[-HISTORY:]


def _objection(report: Report) -> str | None:
    if report.verdict is not None and report.verdict != "pass":
        return f"this result did not pass: its verdict is {report.verdict!r}"
    unscored = [case.id for case in report.cases if case.standing != "scored"]
    if unscored:
        were = "was" if len(unscored) == 1 else "were"
        return (
            f"{len(unscored)} of {len(report.cases)} cases {were} not scored "
            f"(first: {unscored[0]!r}): a baseline with holes hides later ones"
        )
    return None


def _row(case: CaseResult) -> BaselineRow:
    runs = case.repeats
    return BaselineRow(
        id=case.id,
        labels=case.labels,
        digest=case.digest,
        scores=tuple(run.score for run in runs) if runs else (case.score,),
        passes=tuple(run.passed for run in runs) if runs else (case.passed,),
        trajectory=case.trajectory,
        declares_path=case.declares_path,
    )
