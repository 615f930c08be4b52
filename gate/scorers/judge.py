"""Scorer ``judge``: a rating of 0, 1 or 2 by a judge, by a rubric of the user's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gate.records.judge_words import PromptName
    from gate.records.scoring import JudgeScorerOptions

VERSION: Final = 1
GRADED: Final = True
NEEDS_REFERENCE: Final = False
RUNS: Final = 1
"""Looks at a response, where nobody says how many."""


def prompt(options: JudgeScorerOptions) -> tuple[PromptName, str | None]:
    """Give the prompt's name, and a text that stands in the scorer's options."""
    return "rubric", options.rubric


def objection(options: JudgeScorerOptions, reference: str | None) -> str | None:
    """Say nothing: a case may do without a reference, since the rubric says what counts."""
    del options, reference
    return None
