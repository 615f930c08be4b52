r"""Many lines of JSON at once, where they are plain: the very objects that ``loads`` gives.

A file of a hundred thousand records is nearly always a hundred thousand flat objects, one a
line, and a compiled reader that is handed many of them saves most of the time. Its rules are
laxer than those of :mod:`gate.records.json_text`, so whatever it could have let through is
looked for here, and then nothing is given: the lines are read one by one, with care.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any, Final, TypeVar

from pydantic_core import from_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_T = TypeVar("_T")

LONGEST: Final = 100_000
"""Bytes of a line that is read together with others; so it cannot hold too many values."""
_LARGE: Final = 1 << 63
"""Integers from here on are read with care: they could have any number of digits."""


def plain_objects(lines: Sequence[bytes]) -> list[dict[str, Any]] | None:
    r"""Give the object of each line, or ``None`` unless every line is one plain object.

    Plain is an object of scalars and lists of scalars, without any key twice, that starts its
    line and ends it. The raw line breaks between the lines stay, so no text spans two of them;
    nothing is nested, so every brace that starts a line starts an object; hence as many objects
    as lines are one a line. A key that came twice has left only one in its object: then there
    are more quotation marks in the lines than around the texts that came out.

    >>> plain_objects([b'{"id": "a", "tools": ["x"]}\n', b'{"id": "b"}'])
    [{'id': 'a', 'tools': ['x']}, {'id': 'b'}]
    >>> plain_objects([b'{"id": "a", "id": "b"}']), plain_objects([b'{"score": NaN}'])
    (None, None)
    """
    text = _together(lines)
    if text is None:
        return None
    try:
        found: list[Any] = from_json(b"[%b]" % text, allow_inf_nan=False)
    except ValueError:
        return None
    if len(found) != len(lines):
        return None
    texts = 0
    for record in found:
        counted = _texts(record) if type(record) is dict else None
        if counted is None:
            return None
        texts += counted
    return found if 2 * texts == quotation_marks(text) else None


def typed_objects(
    lines: Sequence[bytes],
    read: Callable[[bytes], list[_T]],
    texts: Callable[[_T], int],
) -> list[_T] | None:
    r"""Give the same straight as values of one type, without an object between.

    ``read`` makes a list of them of a JSON array and raises ``ValueError`` for anything that is
    none. ``texts`` counts the keys and texts that a value needs: a key whose value is the
    default, or that came twice, or a nested object leaves more quotation marks than those, and
    then nothing is given.

    >>> lengths = lambda data: list(map(len, from_json(data)))
    >>> typed_objects([b'{"a": 1, "b": 2}\n', b'{"c": 3}'], lengths, lambda length: length)
    [2, 1]
    >>> typed_objects([b'{"a": 1, "a": 2}\n', b'{"c": 3}'], lengths, lambda length: length)
    """
    text = _together(lines)
    if text is None:
        return None
    try:
        found = read(b"[%b]" % text)
    except ValueError:
        return None
    if len(found) != len(lines) or 2 * sum(map(texts, found)) != quotation_marks(text):
        return None
    return found


def _together(lines: Sequence[bytes]) -> bytes | None:
    """Join lines with commas; ``None`` if one is not the start of an object, or is long."""
    for line in lines:
        if not line.startswith(b"{") or len(line) > LONGEST:
            return None
    return b"\n,".join(lines)


def _texts(record: dict[str, Any]) -> int | None:
    """Count the keys and texts of a plain object; ``None`` if it is not plain."""
    count = len(record)
    for value in record.values():
        kind = type(value)
        if kind is str:
            count += 1
        elif kind is list:
            for item in value:
                if type(item) is str:
                    count += 1
                elif not _is_plain(item):
                    return None
        elif not _is_plain(value):
            return None
    return count


def _is_plain(value: object) -> bool:
    """Say whether a value that is no text needs no care."""
    if type(value) is float:
        return isfinite(value)
    if type(value) is int:
        return -_LARGE < value < _LARGE
    return value is None or type(value) is bool


def quotation_marks(text: bytes) -> int:
    r"""Count the quotation marks that delimit texts: escaped ones are content.

    >>> quotation_marks(b'{"a": "\\""}')
    4
    """
    count = text.count(b'"')
    if b"\\" in text:
        # A pair of backslashes is one as content; what is left of a run escapes what follows.
        count -= text.replace(b"\\\\", b"").count(b'\\"')
    return count
