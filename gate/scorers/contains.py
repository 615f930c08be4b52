"""Scorer ``contains``: the normalised reference stands in the normalised output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.metrics.text import contains, normalize

if TYPE_CHECKING:
    from gate.records.case import Scorer
    from gate.records.scoring import ContainsOptions

VERSION: Final = 1
GRADED: Final = False
NEEDS_REFERENCE: Final = True


def bind(options: ContainsOptions) -> Scorer:
    """Give the match itself: it has no options."""
    del options
    return contains


def objection(options: ContainsOptions, reference: str) -> str | None:
    """Refuse an empty reference: every output would contain it."""
    del options
    return None if normalize(reference) else "has an empty reference, which any output contains"
