"""The members of a large JSON object, found without building what nobody asked for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from gate.inputs.fields import shown
from gate.inputs.lines import BOM, Unreadable, decode
from gate.records.json_text import JsonRefused, loads

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PART: Final = 32 * 1024 * 1024
"""Bytes of one member that is built, at most."""
MAX_VALUES: Final = 500_000
"""JSON values of one member that is built, at most."""
MAX_NESTED: Final = 4_000_000
"""Brackets within one object, at most, whether its members are built or not."""
MAX_MARKS: Final = 2_000_000
"""Commas and opening brackets of all members that are built together, at most."""
MAX_DEPTH: Final = 1_000
"""Arrays and objects inside each other, at most, in what is not built."""
MAX_NAMES: Final = 10_000
"""Members of one object, at most."""
_TEXT: Final = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_SPACE: Final = re.compile(rb"[ \t\r\n]*+")
_NAME: Final = re.compile(_TEXT, re.DOTALL)
_FLAT: Final = re.compile(rb'[^"{}\[\]]*+(?:' + _TEXT + rb'[^"{}\[\]]*+)*+', re.DOTALL)
"""Everything up to the next bracket that stands in no text."""
_SCALAR: Final = re.compile(rb"[^,{}\[\] \t\r\n\"]++")


class Members:
    r"""One JSON object in ``data[start:end]``, whose members are built when they are asked for.

    What nobody asks for costs no memory and is held to nothing but its brackets. Raises
    ``JsonRefused`` for what is no object, is cut, or has a name twice.

    >>> object = Members(b'{"id": 1, "events": [{"a": NaN}], "scores": {}}')
    >>> "events" in object, object.get("id"), object.get("target", 0)
    (True, 1, 0)
    """

    def __init__(self, data: bytes | bytearray, start: int = 0, end: int | None = None) -> None:
        """Find the members; see the class."""
        self._data = data
        self._spans: dict[str, tuple[int, int]] = {}
        self._nested = MAX_NESTED
        limit = len(data) if end is None else end
        if not start and data.startswith(BOM):
            start = len(BOM)
        at = _beyond_space(data, start)
        if data[at : at + 1] != b"{":
            raise JsonRefused("expected a JSON object" if data[at:limit].strip() else "empty")
        at = self._walk(_beyond_space(data, at + 1))
        if data[at:limit].strip(b" \t\r\n"):
            raise JsonRefused("not JSON: something follows the object")

    def __contains__(self, name: str) -> bool:
        """Say whether there is a member of this name."""
        return name in self._spans

    def get(self, name: str, absent: Any = None) -> Any:  # noqa: ANN401 - any of six types
        """Build a member: strictly, but for NaN and infinities, which are ``None``.

        Raises ``JsonRefused``, naming the member; also beyond :data:`MAX_PART` and
        :data:`MAX_VALUES`.
        """
        span = self._spans.get(name)
        return absent if span is None else _built(self._data, *span, name)

    def built(self, *, besides: frozenset[str] = frozenset()) -> dict[str, Any]:
        """Build all members but those named.

        Raises ``JsonRefused``, also beyond :data:`MAX_MARKS`.
        """
        names = [name for name in self._spans if name not in besides]
        marks = sum(
            self._data.count(mark, *self._spans[name]) for name in names for mark in b",[{"
        )
        if marks > MAX_MARKS:
            raise JsonRefused(f"more than {MAX_MARKS} values")
        return {name: self.get(name) for name in names}

    def object(self, name: str) -> Members:
        """Give a member that is an object; an empty one where it is absent or null."""
        start, end = self._spans.get(name, (0, 0))
        if self._data[start:end] in (b"", b"null"):
            return Members(b"{}")
        try:
            return Members(self._data, start, end)
        except JsonRefused as error:
            raise JsonRefused(f"`{name}`: {error}") from None

    def items(self, name: str) -> Iterator[Members | JsonRefused]:
        """Give the objects of a member that is an array; what is none comes as its refusal.

        Nothing where the member is absent or null. Raises ``JsonRefused`` where it is no array.
        """
        start, end = self._spans.get(name, (0, 0))
        data = self._data
        if data[start:end] in (b"", b"null"):
            return
        if data[start : start + 1] != b"[":
            raise JsonRefused(f"`{name}`: expected a list")
        at = _beyond_space(data, start + 1)
        while at < end - 1:
            stop, _ = _end(data, at, MAX_NESTED)
            try:
                yield Members(data, at, stop)
            except JsonRefused as error:
                yield error
            at = _beyond_space(data, stop)
            if at < end - 1:
                if data[at : at + 1] != b",":
                    raise JsonRefused(f"`{name}`: not JSON: a comma is missing")
                at = _beyond_space(data, at + 1)

    def _walk(self, at: int) -> int:
        data = self._data
        if data[at : at + 1] == b"}":
            return at + 1
        while True:
            found = _NAME.match(data, at)
            if found is None:
                raise _cut(data, at)
            name = _built(data, at, found.end(), "a name")
            if name in self._spans:
                raise JsonRefused(f"key {shown(name)} appears twice in one object")
            if len(self._spans) == MAX_NAMES:
                raise JsonRefused(f"more than {MAX_NAMES} members")
            at = _beyond_space(data, found.end())
            if data[at : at + 1] != b":":
                raise _cut(data, at)
            at = _beyond_space(data, at + 1)
            end, used = _end(data, at, self._nested)
            self._nested -= used
            self._spans[name] = at, end
            at = _beyond_space(data, end)
            mark = data[at : at + 1]
            if mark == b"}":
                return at + 1
            if mark != b",":
                raise _cut(data, at)
            at = _beyond_space(data, at + 1)


def _beyond_space(data: bytes | bytearray, at: int) -> int:
    found = _SPACE.match(data, at)
    return at if found is None else found.end()


def _end(data: bytes | bytearray, at: int, most: int) -> tuple[int, int]:
    """Give the end of the value that begins at ``at``, and how many brackets it took of ``most``.

    Raises ``JsonRefused``.
    """
    mark = data[at : at + 1]
    if mark not in (b"{", b"["):
        found = (_NAME if mark == b'"' else _SCALAR).match(data, at)
        if found is None:
            raise _cut(data, at)
        return found.end(), 0
    depth = 0
    for used in range(1, most + 1):
        at = _FLAT.match(data, at).end()  # type: ignore[union-attr]  # it matches the empty text
        mark = data[at : at + 1]
        if mark in (b"{", b"["):
            depth += 1
            if depth > MAX_DEPTH:
                raise JsonRefused(f"nested deeper than {MAX_DEPTH} levels")
        elif mark in (b"}", b"]"):
            depth -= 1
            if not depth:
                return at + 1, used
        else:
            raise _cut(data, at)
        at += 1
    raise JsonRefused(f"more than {MAX_NESTED} brackets in one object")


def _cut(data: bytes | bytearray, at: int) -> JsonRefused:
    if at >= len(data) or data[at : at + 1] == b'"':
        return JsonRefused("not JSON: the text ends in the middle: truncated?")
    return JsonRefused(f"not JSON: unexpected byte 0x{data[at]:02x} at offset {at}")


def _built(data: bytes | bytearray, start: int, end: int, name: str) -> Any:  # noqa: ANN401 - any of six types
    if end - start > MAX_PART:
        raise JsonRefused(f"`{name}`: larger than {MAX_PART // 1024**2} MiB, the limit of a part")
    text = decode(bytes(data[start:end]), offset=start)
    if isinstance(text, Unreadable):
        raise JsonRefused(f"`{name}`: {text}")
    most = 1 + text.count(",") + text.count("[") + text.count("{")
    try:
        return loads(text, max_values=MAX_VALUES if most > MAX_VALUES else None, lenient=True)
    except JsonRefused as error:
        raise JsonRefused(f"`{name}`: {error}") from None
