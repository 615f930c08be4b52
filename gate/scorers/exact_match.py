"""Scorer ``exact_match``: output and reference are equal after normalisation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.metrics.text import exact_match

if TYPE_CHECKING:
    from gate.records.case import Scorer
    from gate.records.scoring import ExactMatchOptions

VERSION: Final = 1
GRADED: Final = False
NEEDS_REFERENCE: Final = True


def bind(options: ExactMatchOptions) -> Scorer:
    """Give the match itself: it has no options."""
    del options
    return exact_match


def objection(options: ExactMatchOptions, reference: str) -> str | None:
    """Every reference can be matched."""
    del options, reference
    return None
