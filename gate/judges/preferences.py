"""Which of two responses is better: the reply, read strictly."""

from __future__ import annotations

from typing import Final

from gate.judges.shape import WrongShape, exactly, text_at, whole_at
from gate.records.json_text import canonical

_WORTH: Final = {0: 0.5, 1: 1.0, 2: 0.0}
PREFERENCE_SCHEMA: Final = canonical(
    {
        "type": "object",
        "properties": {
            "assessment": {"type": "string"},
            "better": {"type": "integer", "enum": [0, 1, 2]},
        },
        "required": ["assessment", "better"],
        "additionalProperties": False,
    }
)
"""Exactly two keys; 0 says that neither is better."""


def read_preference(reply: object) -> tuple[float, str]:
    """Read a reply of :data:`PREFERENCE_SCHEMA`; give what the first response wins, and why.

    1.0 if it is the better one, 0.0 if the second is, 0.5 if neither. Raises ``WrongShape`` for
    anything else.

    >>> read_preference({"assessment": "the first names the year", "better": 1})
    (1.0, 'the first names the year')
    """
    found = exactly(reply, ("assessment", "better"), place="the reply")
    better = whole_at(found, "better")
    if better not in _WORTH:
        raise WrongShape("`better` is none of 0, 1 and 2")
    return _WORTH[better], text_at(found, "assessment")
