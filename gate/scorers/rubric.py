"""Scorer ``rubric``: a weighted vote over checks; the reference plays no part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.metrics.rubric import check_rubric, rubric_score

if TYPE_CHECKING:
    from gate.records.case import Scorer
    from gate.records.scoring import RubricOptions

VERSION: Final = 1
GRADED: Final = True
NEEDS_REFERENCE: Final = False


def bind(options: RubricOptions) -> Scorer:
    """Tie the checks."""
    checks = options.checks

    def score(output: str, reference: str) -> float:
        del reference
        return rubric_score(output, checks)

    return score


def objection(options: RubricOptions, reference: str | None) -> str | None:
    """Refuse a rubric that grades everything perfect, or that could not be evaluated."""
    del reference
    try:
        check_rubric(options.checks)
    except ValueError as error:
        return f"has a rubric that cannot be used: {error}"
    return None
