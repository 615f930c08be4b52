"""Scorer ``jaccard``: shared tokens over all tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.metrics.overlap import deterministic_judge

if TYPE_CHECKING:
    from gate.records.case import Scorer
    from gate.records.scoring import JaccardOptions

VERSION: Final = 1
GRADED: Final = True
NEEDS_REFERENCE: Final = True


def bind(options: JaccardOptions) -> Scorer:
    """Give the overlap itself: it has no options."""
    del options
    return deterministic_judge


def objection(options: JaccardOptions, reference: str) -> str | None:
    """Every reference can be compared."""
    del options, reference
    return None
