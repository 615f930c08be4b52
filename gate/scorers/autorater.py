"""Scorer ``autorater``: ratings of 0, 1 or 2 by a judge who reads the trajectory, averaged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from gate.records.judge_words import PromptName
    from gate.records.scoring import AutoraterOptions

VERSION: Final = 1
GRADED: Final = True
NEEDS_REFERENCE: Final = True
RUNS: Final = 3
"""Looks at a response, where nobody says how many: the protocol's three independent runs."""


def prompt(options: AutoraterOptions) -> tuple[PromptName, str | None]:
    """Give the prompt's name, and a text that stands in the scorer's options."""
    return options.prompt, None


def objection(options: AutoraterOptions, reference: str) -> str | None:
    """Refuse an expert answer that says nothing: whatever is rated against it means nothing."""
    del options
    return None if reference.strip() else "has a blank reference, and is rated against it"
