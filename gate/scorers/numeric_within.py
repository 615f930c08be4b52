"""Scorer ``numeric_within``: the first numbers of both differ by at most the tolerance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.metrics.numbers import first_number, numeric_within

if TYPE_CHECKING:
    from gate.records.case import Scorer
    from gate.records.scoring import NumericWithinOptions

VERSION: Final = 1
GRADED: Final = False
NEEDS_REFERENCE: Final = True


def bind(options: NumericWithinOptions) -> Scorer:
    """Tie the tolerance, exactly as it was written."""
    tolerance = options.tolerance

    def score(output: str, reference: str) -> float:
        return numeric_within(output, reference, tolerance)

    return score


def objection(options: NumericWithinOptions, reference: str) -> str | None:
    """Refuse a reference without a number: no output could ever be near it."""
    del options
    if first_number(reference) is None:
        return "has a reference without a number, which numeric_within compares"
    return None
