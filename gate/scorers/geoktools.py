"""Scorer ``geoktools``: a golden list, element by element, by a judge who knows geography."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gate.records.judge_words import PromptName
    from gate.records.scoring import GeoktoolsOptions

VERSION: Final = 1
GRADED: Final = True
NEEDS_REFERENCE: Final = True
RUNS: Final = 1
"""Looks at a response, where nobody says how many."""


def prompt(options: GeoktoolsOptions) -> tuple[PromptName, str | None]:
    """Give the prompt's name, and a text that stands in the scorer's options."""
    del options
    return "geoktools", None


def objection(options: GeoktoolsOptions, reference: str) -> str | None:
    """Every reference is a list or one element."""
    del options, reference
    return None
