"""A value within a JSON value, named by a dotted path."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    try:
        return next(_readings(value, path))
    except StopIteration:
        raise KeyError(path) from None


def twofold(value: object, path: str) -> bool:
    """Say whether a path leads to several values: by a name that holds dots, and through names.

    >>> twofold({"m.f1": 1, "m": {"f1": 0}}, "m.f1"), twofold({"m": {"f1": 0}}, "m.f1")
    (True, False)
    """
    return len(list(islice(_readings(value, path), 2))) > 1


def _readings(value: object, path: str) -> Iterator[Any]:
    if isinstance(value, dict):
        if path in value:
            yield value[path]
        parts = path.split(".")
        for count in range(len(parts) - 1, 0, -1):
            name = ".".join(parts[:count])
            if name in value:
                yield from _readings(value[name], ".".join(parts[count:]))
    elif isinstance(value, list):
        part, _, rest = path.partition(".")
        if part.isascii() and part.isdecimal() and len(part) <= _DIGITS and int(part) < len(value):
            item = value[int(part)]
            if rest:
                yield from _readings(item, rest)
            else:
                yield item
