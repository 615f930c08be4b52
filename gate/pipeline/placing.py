"""What each case is, as a digest, and what the baseline holds of it if it is still the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.baseline.comparable import accepted_case
from gate.scorers.table import scorer_text
from gate.suite.digests import case_digest

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.pipeline.prepare import Setup
    from gate.records.baseline import BaselineRow
    from gate.records.case import EvalCase
    from gate.records.result import Accepted, CaseDigest


def placer(setup: Setup) -> Callable[[EvalCase], tuple[CaseDigest, Accepted | None]]:
    """Tie to a run what says of each case its digest, and what the baseline holds of it."""
    usual = scorer_text(setup.scorer)

    def place(case: EvalCase) -> tuple[CaseDigest, Accepted | None]:
        before = setup.accepted.get(case.id)
        if before is None:
            return case_digest(case, scorer=_scorer(case)), None
        if case.id in setup.as_accepted or _only_crashed(setup, case, before):
            found = before.digest
        else:
            found = case_digest(case, scorer=_scorer(case), before=before.digest)
        return found, accepted_case(found, before)

    def _scorer(case: EvalCase) -> str:
        if case.scorer is not None:
            return scorer_text(case.scorer)
        ground = setup.grounds.get(case.id)
        return usual if ground is None else f"{usual}{ground}"

    return place


def _only_crashed(setup: Setup, case: EvalCase, before: BaselineRow) -> bool:
    """Say whether nothing is told of what a verdict would stand on, since there is none.

    Then a case is the one of the baseline if all else of it is.
    """
    if case.id not in setup.grounds or setup.grounds[case.id] is not None:
        return False
    now, was = case_digest(case, scorer=""), before.digest
    same = (now.input, now.reference, now.expected_tools) == (
        was.input,
        was.reference,
        was.expected_tools,
    )
    return same and (case.labels, case.cluster) == (before.labels, before.cluster)
