"""Scorer ``numeric_within``: the numbers of both differ by at most the tolerance."""

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
    """Tie the tolerance, exactly as it was written, and the way in which numbers are read."""
    tolerance, numbers = options.tolerance, options.numbers
    percent, parentheses = options.percent, options.parentheses

    if numbers == "first":

        def score(output: str, reference: str) -> float:
            return numeric_within(output, reference, tolerance)

    else:
        from gate.metrics.strict_number import strictly_within

        def score(output: str, reference: str) -> float:
            return strictly_within(
                output,
                reference,
                tolerance,
                numbers=numbers,
                percent=percent,
                parentheses=parentheses,
            )

    return score


def objection(options: NumericWithinOptions, reference: str) -> str | None:
    """Refuse a reference without a number: no output could ever be near it."""
    if options.numbers == "first":
        if first_number(reference) is None:
            return "has a reference without a number, which numeric_within compares"
        return None
    from gate.metrics.strict_number import strict_number

    if strict_number(reference, numbers=options.numbers) is None:
        which = "is not wholly a number" if options.numbers == "whole" else "holds no number"
        return f"has a reference that {which} by the rules that numeric_within was given"
    return None
