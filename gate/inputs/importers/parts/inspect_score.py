"""One score of Inspect: its number, and whether it is the scorer's word on the answer."""

from __future__ import annotations

from typing import Any, Final

from gate.inputs.importers.source import number

_WORDS: Final = {
    "C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0,
    "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0,
}  # fmt: skip
"""What Inspect's own metrics make of a word."""
_OF_THE_GRADER: Final = ("grader_failed", "scoring_failed")
"""Reasons that Inspect gives for a score which says nothing of the answer."""


def is_by_hand(score: dict[str, Any]) -> bool:
    """Say whether somebody set the score: the first of its history is what the scorer gave.

    Of one that no scorer gave, the history is the edit alone.
    """
    history = score.get("history")
    if not isinstance(history, list) or not history:
        return False
    first = history[0]
    if len(history) == 1 or not isinstance(first, dict):
        return True
    return first.get("value") != score["value"] or has_failed(first) is not has_failed(score)


def has_failed(score: dict[str, Any]) -> bool:
    """Say whether the score speaks of its grader, and not of the answer."""
    metadata = score.get("metadata")
    older = metadata.get("unscored_reason") if isinstance(metadata, dict) else None
    return score.get("reason") in _OF_THE_GRADER or older in _OF_THE_GRADER


def value_of(found: object) -> float | None:
    """Give a value as Inspect's own metrics read it; ``None`` for what is no number.

    >>> value_of("C"), value_of("yes"), value_of(" 0.5"), value_of("c")
    (1.0, 1.0, 0.5, None)
    """
    if not isinstance(found, str):
        return number(found)
    known = _WORDS.get(found, _WORDS.get(found.lower()) if len(found) > 1 else None)
    if known is not None or not found.isascii():
        return known
    bare = found.strip()
    if not bare[-1:].isdecimal() or "_" in bare:
        return None
    try:
        return number(float(bare))
    except ValueError:
        return None
