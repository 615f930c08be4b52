"""An element of an answer, spelt as the JSON that it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.metrics.answer_reader import Numeral

if TYPE_CHECKING:
    from gate.metrics.answer_reader import Value


def value_text(value: Value) -> str:
    """Spell a value as JSON, its numbers as they were written.

    >>> value_text([Numeral("1.50"), {"name": "é"}, None])
    '[1.50, {"name": "é"}, null]'
    """
    from json import dumps

    if isinstance(value, Numeral):
        return str(value)
    if isinstance(value, list):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, dict):
        pairs = (
            f"{dumps(key, ensure_ascii=False)}: {value_text(item)}" for key, item in value.items()
        )
        return f"{{{', '.join(pairs)}}}"
    return dumps(value, ensure_ascii=False)
