"""A rating of 0, 1 or 2: its reply, read strictly, and what it is worth."""

from __future__ import annotations

from typing import Final

from gate.judges.shape import WrongShape, exactly, text_at, whole_at
from gate.records.json_text import canonical

RATING_MAP: Final = {0: 0.0, 1: 0.5, 2: 1.0}
"""The protocol's map: 0 to 0.0, 1 to 0.5, 2 to 1.0."""
RATING_SCHEMA: Final = canonical(
    {
        "type": "object",
        # Models write keys in the order of the schema, which is alphabetical: the assessment
        # stands first, so that the rating follows from it.
        "properties": {
            "assessment": {"type": "string"},
            "rating": {"type": "integer", "enum": [0, 1, 2]},
        },
        "required": ["assessment", "rating"],
        "additionalProperties": False,
    }
)
"""Exactly two keys; the rating is a whole number."""


def read_rating(reply: object) -> tuple[float, str]:
    """Read a reply of :data:`RATING_SCHEMA`; give what the rating is worth, and why.

    Raises ``WrongShape`` for anything else: nothing is rounded, clamped or guessed.

    >>> read_rating({"assessment": "partly right", "rating": 1})
    (0.5, 'partly right')
    >>> read_rating({"assessment": "fine", "rating": True})
    Traceback (most recent call last):
        ...
    gate.judges.shape.WrongShape: `rating` is no whole number
    """
    found = exactly(reply, ("assessment", "rating"), place="the reply")
    rating = whole_at(found, "rating")
    if rating not in RATING_MAP:
        raise WrongShape("`rating` is none of 0, 1 and 2")
    return RATING_MAP[rating], text_at(found, "assessment")
