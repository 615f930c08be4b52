"""A tool's file that is one JSON object, with what to do where it is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gate.errors import PredictionsInvalid
from gate.inputs.fields import expected

if TYPE_CHECKING:
    from gate.inputs.importers.source import Source


def json_object(source: Source, *, title: str, hint: str) -> dict[str, Any]:
    """Give the JSON object that a file is.

    ``title`` is what it is of; ``hint`` says how the tool writes such a file, for nobody who named
    a tool's format is helped by a description of our own. Raises ``PredictionsInvalid``.
    """
    try:
        found = source.json()
    except PredictionsInvalid as error:
        if error.remedy != PredictionsInvalid.hint:
            raise
        raise PredictionsInvalid(str(error), hint=hint) from None
    if not isinstance(found, dict):
        raise PredictionsInvalid(
            f"{source.name}: {expected(title, 'an object', found)}", hint=hint
        )
    return found
