"""Two responses to one query, shown side by side: only an audit of the judge asks this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.judges.condense import shortened
from gate.judges.fence import fences_for
from gate.judges.prompts import MAX_PART, NOT_STATED, Rendered, text_of

if TYPE_CHECKING:
    from gate.records.case import EvalCase

_CLOSING: Final = "Compare the two responses above, and reply with the JSON object alone."


def render_pair(case: EvalCase, *, first: str, second: str, date: str | None = None) -> Rendered:
    """Ask which of two responses to ``case`` is better, ``first`` being shown first.

    Each part stands in its fence and is as long at most, as in every question.
    """
    held = (
        ("query", case.input),
        ("reference", NOT_STATED if case.reference is None else case.reference),
        ("response_1", first),
        ("response_2", second),
    )
    shown = [(name, shortened(text, limit=MAX_PART)) for name, text in held]
    fences = fences_for((case.id, *(text for _, text in shown)))
    message = "\n\n".join((*(fences.around(name, text) for name, text in shown), _CLOSING))
    header = () if date is None else (f"Today is {date}.",)
    system = (*header, text_of("pairwise"), text_of("parts"), text_of("preference"))
    return Rendered("\n\n".join(system), message)
