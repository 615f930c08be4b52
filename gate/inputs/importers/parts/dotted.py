"""A value within a JSON value, named by a dotted path."""

from __future__ import annotations

from typing import Any, Final

_DIGITS: Final = 9
"""Digits of an index, at most."""


def dotted(value: object, path: str) -> Any:  # noqa: ANN401 - a JSON value has any type
    """Give the value at ``path``: names, and indices into arrays from 0, with dots between them.

    A name may hold dots itself, as attributes of traces do: the longest that is there is taken.

    >>> dotted({"response": {"choices": [{"text": "yes"}]}}, "response.choices.0.text")
    'yes'
    >>> dotted({"gen_ai.id": 7}, "gen_ai.id")
    7

    Raises ``KeyError`` where there is nothing.
    """
    if isinstance(value, dict):
        if path in value:
            return value[path]
        return _within(value, path)
    if isinstance(value, list):
        part, _, rest = path.partition(".")
        item = _item(value, part, path)
        return dotted(item, rest) if rest else item
    raise KeyError(path)


def _within(value: dict[str, Any], path: str) -> Any:  # noqa: ANN401 - a JSON value has any type
    parts = path.split(".")
    for count in range(len(parts) - 1, 0, -1):
        name = ".".join(parts[:count])
        if name in value:
            return dotted(value[name], ".".join(parts[count:]))
    raise KeyError(path)


def _item(value: list[Any], part: str, path: str) -> Any:  # noqa: ANN401 - a JSON value has any type
    if not (part.isascii() and part.isdecimal()) or len(part) > _DIGITS:
        raise KeyError(path)
    try:
        return value[int(part)]
    except IndexError:
        raise KeyError(path) from None
