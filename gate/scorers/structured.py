"""Scorer ``structured``: a bracketed JSON list, compared element by element."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.metrics.structured import score_structured_answer

if TYPE_CHECKING:
    from gate.records.case import Scorer
    from gate.records.scoring import StructuredOptions

VERSION: Final = 1
GRADED: Final = True
NEEDS_REFERENCE: Final = True


def bind(options: StructuredOptions) -> Scorer:
    """Tie the relative tolerance, exactly as it was written."""
    tolerance_ratio = options.tolerance_ratio

    def score(output: str, reference: str) -> float:
        return score_structured_answer(output, reference, tolerance_ratio=tolerance_ratio)

    return score


def objection(options: StructuredOptions, reference: str) -> str | None:
    """Every reference is a list or one element."""
    del options, reference
    return None
