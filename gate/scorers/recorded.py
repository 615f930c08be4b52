"""Scorer ``recorded``: the score that another tool recorded for the answer; none is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gate.records.case import Prediction
    from gate.records.scoring import RecordedOptions

VERSION: Final = 1
GRADED: Final = True
"""A tool's scores may lie between 0 and 1. Where they do not, the mean score is the pass rate: so
the headline is never chosen by what was observed, and two runs have the same one."""
NEEDS_REFERENCE: Final = False


def recorded_score(prediction: Prediction) -> float | None:
    """Give the score, from 0 to 1; ``None`` where the tool has an answer and no score of it."""
    return prediction.recorded


def objection(options: RecordedOptions, reference: str | None) -> str | None:
    """Say nothing: the tool had what it needed."""
    del options, reference
    return None
