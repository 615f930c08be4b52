"""Two texts that differ, short enough to stand in a sentence, where they differ."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.base import Record
from gate.records.json_text import canonical

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT: Final = 100
"""Characters of an excerpt, its ellipses aside."""
SUBJECT: Final = 1000
"""Characters of what says which thing changed."""
_BEFORE: Final = 30
_MORE: Final = "…"


class Pair(NamedTuple):
    """What was and what is, each ``None`` where nothing is set."""

    before: str | None
    after: str | None


def pair(before: str | None, after: str | None, redact: Callable[[str], str]) -> Pair:
    """Cut two texts around the place where they begin to differ; secrets go before the cut.

    >>> pair("x" * 200 + "a", "x" * 200 + "b", str).after
    '…xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxb'
    """
    old = None if before is None else redact(before)
    new = None if after is None else redact(after)
    if old is None or new is None or max(len(old), len(new)) <= LIMIT:
        start = 0
    else:
        start = max(0, _shared(old, new) - _BEFORE)
    return Pair(_cut(old, start), _cut(new, start))


def named(text: str, redact: Callable[[str], str]) -> str:
    """Cut what names a thing that changed, such as a path, to what a record of it holds.

    >>> len(named("x" * 5000, str)), named("gate.toml", str)
    (1000, 'gate.toml')
    """
    found = redact(text)
    return found if len(found) <= SUBJECT else found[: SUBJECT - 1] + _MORE


def spelt(value: object) -> str | None:
    """Spell a value of a policy as one would write it; ``None`` where it is not set.

    >>> spelt(Decimal("0.020")), spelt(True), spelt(("a",)), spelt(None), spelt("point")
    ('0.02', 'true', '["a"]', None, 'point')
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    if isinstance(value, tuple):
        return canonical([_plain(one) for one in value])
    return canonical(_plain(value))


def _plain(value: object) -> object:
    return value.model_dump(mode="json") if isinstance(value, Record) else value


def _shared(one: str, other: str) -> int:
    """Count the characters that two texts begin with in common, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _cut(text: str | None, start: int) -> str | None:
    if text is None:
        return None
    end = start + LIMIT
    return (_MORE if start else "") + text[start:end] + (_MORE if len(text) > end else "")
