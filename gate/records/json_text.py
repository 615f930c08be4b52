"""JSON as this product reads and writes it: strict in, canonical out.

Every common parser keeps the last of two equal keys, accepts ``NaN`` and turns ``1e400``
into infinity; each of the three has made a gate pass. :func:`loads` refuses them, and
refuses nesting that would exhaust the stack, integers too long to be numbers and lone
surrogates, which no file could hold again.
"""

from __future__ import annotations

import json
from hashlib import sha256
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_DEPTH: Final = 100
"""Arrays and objects inside each other, at most."""
MAX_INTEGER_DIGITS: Final = 1000
"""Digits of an integer, at most: longer ones cost quadratic time and mean nothing."""


class JsonRefused(ValueError):
    """The text is not JSON as this product reads it; the message says why, without a place."""


def canonical(value: object) -> str:
    """Spell ``value`` in the one way that equal values share: sorted keys, no white space.

    Raises ``ValueError`` for NaN and infinity.

    >>> canonical({"b": [1, 2.50], "a": "é"})
    '{"a":"é","b":[1,2.5]}'
    """
    return _CANONICAL.encode(value)


def spelled(value: object) -> str:
    r"""Spell ``value`` canonically in ASCII, as files are written.

    So no file holds a raw control, bidirectional or invisible character, whatever a model said.

    >>> spelled({"a": "é"})
    '{"a":"\\u00e9"}'
    """
    return _ASCII.encode(value)


def digest(value: object) -> str:
    """Digest the canonical spelling of ``value``: ``sha256:`` and 64 hexadecimal digits.

    >>> digest({"a": 1}) == digest(loads('{ "a" : 1 }'))
    True
    """
    return _digest_of_text(_ASCII.encode(value))


def digest_of_parts(parts: Iterable[str]) -> str:
    """Digest a list of which each part is :func:`spelled` already: for lists of very many.

    >>> digest_of_parts(["1", '["x"]']) == digest([1, ["x"]])
    True
    """
    return _digest_of_text(f"[{','.join(parts)}]")


def _digest_of_text(text: str) -> str:
    return "sha256:" + sha256(text.encode("ascii")).hexdigest()


def short_digest(text: str) -> str:
    """Digest a text in 12 hexadecimal digits: enough to name what moved, not to prove it.

    >>> short_digest("")
    'e3b0c44298fc'
    """
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_SHORT]


def loads(text: str, *, max_values: int | None = None, lenient: bool = False) -> Any:  # noqa: ANN401 - any of six types
    """Parse one JSON text strictly.

    ``max_values`` limits how many values the text may hold before any is built: sixteen
    megabytes of ``{},`` would take thirty times that. ``lenient`` reads what other tools write
    where they have no number (``NaN``, ``Infinity``, one beyond binary64) as ``None``.

    Raises :class:`JsonRefused` for whatever :mod:`json` would refuse, and for duplicate
    keys, ``NaN``, ``Infinity``, numbers beyond binary64, integers of more than
    :data:`MAX_INTEGER_DIGITS` digits, more than :data:`MAX_DEPTH` levels and escaped lone
    surrogates.

    >>> loads('{"a": [1, 2.5]}')
    {'a': [1, 2.5]}
    >>> loads('{"a": 1, "a": 2}')
    Traceback (most recent call last):
        ...
    gate.records.json_text.JsonRefused: key 'a' appears twice in one object
    """
    if max_values is not None and len(text) > max_values and _has_more(text, max_values):
        raise JsonRefused(f"more than {max_values} values")
    try:
        value = _parse(text, _LENIENT if lenient else _STRICT)
    except json.JSONDecodeError as error:
        raise JsonRefused(_explain(error)) from None
    except RecursionError:
        raise JsonRefused(_TOO_DEEP) from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth_exceeds(value, MAX_DEPTH):
        raise JsonRefused(_TOO_DEEP)
    if "\\u" in text and ("\\ud" in text or "\\uD" in text):  # how a surrogate starts
        try:
            _ = _CANONICAL.encode(value).encode()
        except UnicodeEncodeError:
            message = "a lone surrogate (\\ud800 to \\udfff) is not a character"
            raise JsonRefused(message) from None
    return value


def elements(text: str) -> Iterator[str]:
    """Split the text of one JSON array into the texts of its elements, one at a time.

    Each is well formed but not yet held to the rules of :func:`loads`, so that one bad
    element does not hide the next. Raises :class:`JsonRefused` where the array itself breaks.

    >>> list(elements('[1, {"a": NaN}, "x"]'))
    ['1', '{"a": NaN}', '"x"']
    """
    try:
        yield from _split(text)
    except json.JSONDecodeError as error:
        raise JsonRefused(_explain(error)) from None
    except RecursionError:
        raise JsonRefused(_TOO_DEEP) from None


def as_object_text(value: object) -> str:
    """Bring a JSON object, or its text, into canonical text.

    >>> as_object_text({"b": 1, "a": 2})
    '{"a":2,"b":1}'
    >>> as_object_text('{"b": 1}')
    '{"b":1}'
    """
    if value == _EMPTY:  # what nearly every record holds
        return _EMPTY
    found = loads(value) if isinstance(value, str) else value
    if not isinstance(found, dict):
        raise JsonRefused("a JSON object is wanted here")
    return canonical(found)


def as_text(value: object) -> str:
    """Give a string as it is and any other JSON value as canonical text.

    >>> as_text("Paris"), as_text(["Paris", 3]), as_text(True)
    ('Paris', '["Paris",3]', 'true')
    """
    return value if isinstance(value, str) else canonical(value)


_EMPTY: Final = "{}"
_SHORT: Final = 12
_SPACE: Final = " \t\r\n"
_TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels"


def _parse(text: str, decoder: json.JSONDecoder) -> Any:  # noqa: ANN401 - any of six types
    # A line that starts with its object and ends with it needs no search for white space.
    if text.startswith("{"):
        value, end = decoder.raw_decode(text)
        if not text[end:].strip(_SPACE):
            return value
    return decoder.decode(text)


def _explain(error: json.JSONDecodeError) -> str:
    if not error.doc.strip():
        return "empty"
    unfinished = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated")
    cut = " (the text ends in the middle: truncated?)" if unfinished else ""
    line = f"line {error.lineno}, " if "\n" in error.doc.strip() else ""
    what = error.msg.rstrip(": ").removesuffix(" at")
    return f"not JSON: {what} at {line}column {error.colno}{cut}"


def _split(text: str) -> Iterator[str]:
    at = _beyond_space(text, 0)
    if not text.startswith("[", at):
        raise json.JSONDecodeError("Expecting '['", text, at)
    at = _beyond_space(text, at + 1)
    while not text.startswith("]", at):
        _, end = _TOLERANT.raw_decode(text, at)
        yield text[at:end]
        at = _beyond_space(text, end)
        if text.startswith(",", at):
            at = _beyond_space(text, at + 1)
            if text.startswith("]", at):
                raise json.JSONDecodeError("Expecting value", text, at)
        elif not text.startswith("]", at):
            raise json.JSONDecodeError("Expecting ',' or ']'", text, at)
    at = _beyond_space(text, at + 1)
    if at < len(text):
        raise json.JSONDecodeError("Extra data", text, at)


def _beyond_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _has_more(text: str, max_values: int) -> bool:
    """Say whether ``text`` would hold more values; in linear time whatever it is."""
    import re

    bare = re.sub(r'"[^"\\]*+(?:\\.[^"\\]*+)*+\\?"?', "", text, flags=re.DOTALL)
    commas = bare.count(",")
    if commas >= max_values:
        return True
    values = 1 + commas + bare.count("[") + bare.count("{")
    if values <= max_values:
        return False
    empty = sum(1 for _ in re.finditer(r"[\[{][ \t\r\n]*+[\]}]", bare))
    return values - empty > max_values


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise JsonRefused(f"key {key[:1000]!r} appears twice in one object")
            seen.add(key)
    return found


def _integer(text: str) -> int:
    if len(text) > MAX_INTEGER_DIGITS:
        raise JsonRefused(f"an integer of more than {MAX_INTEGER_DIGITS} digits")
    return int(text)


def _real(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise JsonRefused(f"the number {text[:40]} is beyond the range of a 64-bit float")
    return value


def _constant(name: str) -> object:
    raise JsonRefused(f"{name} is not JSON")


def _depth_exceeds(value: Any, limit: int) -> bool:  # noqa: ANN401 - any of six types
    level = [value] if type(value) in _NESTED else []
    for _ in range(limit):
        level = [
            item
            for outer in level
            for item in (outer.values() if isinstance(outer, dict) else outer)
            if type(item) in _NESTED
        ]
        if not level:
            return False
    return bool(level)


_NESTED: Final = frozenset((dict, list))
_STRICT = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_float=_real,
    parse_int=_integer,
    parse_constant=_constant,
)
_LENIENT = json.JSONDecoder(
    object_pairs_hook=_unique,
    parse_float=lambda text: value if isfinite(value := float(text)) else None,
    parse_int=_integer,
    parse_constant=lambda _: None,
)
"""For other tools' files."""
_TOLERANT = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
"""Finds where a value ends, and builds no number."""
_CANONICAL = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
)
_ASCII = json.JSONEncoder(
    ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False
)
