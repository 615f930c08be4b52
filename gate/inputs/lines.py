r"""Raw lines to numbered text lines: what is wrong with the bytes is said here, by line.

A line ends at ``\n`` and nowhere else: U+2028, U+0085, vertical tabs and form feeds are
characters that answers hold. A byte order mark, ``\r\n`` and a missing final newline are
accepted; blank lines count and are skipped.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeVar

from gate.records.byte_order import other_encoding
from gate.records.json_lines import plain_objects

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_T = TypeVar("_T")

MAX_LINE_BYTES: Final = 16 * 1024 * 1024
"""Bytes of one line, at most."""
MAX_BLANK_LINES: Final = 1_000_000
"""Blank lines of one file, at most: compressed they take no room, and are read all the same."""
BOM: Final = b"\xef\xbb\xbf"
WHITE_SPACE: Final = b" \t\r\n"
"""What JSON calls white space."""
_SEPARATORS: Final = (b",", b";", b"\t")
_STRETCH: Final = 256
"""Lines that are read at once, at most."""
_STRETCH_BYTES: Final = 1024 * 1024

_MAGIC: Final = (
    (b"\x1f\x8b", "this looks like gzip; decompress first (`gunzip`)"),
    (b"PK\x03\x04", "this looks like a zip archive; unpack first (`unzip`)"),
    (b"PK\x05\x06", "this looks like an empty zip archive"),
    (b"PAR1", "this looks like Parquet; convert to JSONL first"),
    (b"\x28\xb5\x2f\xfd", "this looks like Zstandard; decompress first (`zstd -d`)"),
    (b"\xfd7zXZ\x00", "this looks like xz; decompress first (`unxz`)"),
    (b"BZh", "this looks like bzip2; decompress first (`bunzip2`)"),
)
_WORDS: Final = rb"[\w.\-/()\x80-\xff]+(?: [\w.\-/()\x80-\xff]+){0,3}"
_NAME: Final = rb'(?:%b|"%b")' % (_WORDS, _WORDS)
_CSV: Final = re.compile(rb"%b(?:(?:,%b)+|(?:;%b)+|(?:\t%b)+)\r?$" % ((_NAME,) * 4))
"""Names of a few words, with nothing but a comma, a semicolon or a tab between: no JSON."""
_TABLE: Final = (
    "this looks like CSV; one JSON object a line is needed. Predictions are read from CSV as "
    "well, where --map says which columns to take: --map id=COLUMN --map output=COLUMN"
)


class Unreadable(str):
    """Why a line, or a whole file, is not text; it stands where the text would."""

    __slots__ = ()


TOO_BLANK: Final = Unreadable(f"more than {MAX_BLANK_LINES:,} blank lines, the limit of one file")


def records(
    lines: Iterable[bytes], usual: Callable[[Sequence[bytes]], Sequence[_T] | None] | None = None
) -> Iterator[tuple[int, _T | dict[str, Any] | str | Unreadable]]:
    r"""Give the number of each line that is not blank, and its object, where it is plain.

    ``usual`` may read a stretch of lines into what they are about, at once, or give ``None``:
    from that stretch on there are objects. From the first stretch on that holds anything
    unusual, each line's text is given as :func:`numbered` gives it. So a file is read in a
    fraction of the time, or as it would be.

    >>> list(records([b'{"a": 1}\n', b'{"a": 2}\n']))
    [(1, {'a': 1}), (2, {'a': 2})]
    >>> list(records([b'{"a": 1}\n', b"\n", b"2"]))
    [(1, '{"a": 1}\n'), (3, '2')]
    """
    rest = iter(lines)
    number, offset = 1, 0
    for stretch in _stretches(rest):
        found: Sequence[_T | dict[str, Any]] | None = usual(stretch) if usual else None
        if found is None:
            usual = None
            found = plain_objects(stretch)
        if found is None:
            yield from numbered(chain(stretch, rest), first=number, offset=offset)
            return
        yield from enumerate(found, number)
        number += len(stretch)
        offset += sum(map(len, stretch))


def _stretches(lines: Iterator[bytes]) -> Iterator[list[bytes]]:
    stretch: list[bytes] = []
    size = 0
    for line in lines:
        stretch.append(line)
        size += len(line)
        if len(stretch) == _STRETCH or size > _STRETCH_BYTES:
            yield stretch
            stretch, size = [], 0
    if stretch:
        yield stretch


def numbered(
    lines: Iterable[bytes], *, first: int = 1, offset: int | None = 0
) -> Iterator[tuple[int, str | Unreadable]]:
    r"""Give each line that is not blank with its number, from 1: its text or why it has none.

    ``first`` is the number of the first line and ``offset`` its place in the file, in bytes.

    ``lines`` are split at ``\n`` and keep it; one longer than :data:`MAX_LINE_BYTES` may
    come cut. A file that is not text at all ends after its first line, and one that is all but
    blank after :data:`MAX_BLANK_LINES` blank ones.

    >>> list(numbered([b'{"a": 1}\r\n', b"\n", b"2"]))
    [(1, '{"a": 1}\r\n'), (3, '2')]
    """
    blank = 0
    for number, whole in enumerate(lines, start=first):
        line = whole
        at = offset
        if at is not None:
            offset = at + len(whole)
        if number == 1:
            strange = _other_format(line)
            if strange is not None:
                yield 1, strange
                return
            if line.startswith(BOM):
                line = line[len(BOM) :]
                at = len(BOM)
        if (line.isspace() or not line) and not line.strip(WHITE_SPACE):
            blank += 1
            if blank > MAX_BLANK_LINES:
                yield number, TOO_BLANK
                return
            continue
        if len(line) > MAX_LINE_BYTES and len(line.rstrip(b"\n")) > MAX_LINE_BYTES:
            if not line.endswith(b"\n"):
                offset = None  # it was cut: nobody knows how much is missing
            limit = MAX_LINE_BYTES // (1024 * 1024)
            yield number, Unreadable(f"longer than {limit} MiB, the limit of one line")
            continue
        yield number, decode(line, offset=at)


def decode(raw: bytes, *, offset: int | None) -> str | Unreadable:
    r"""Decode UTF-8 without NUL, or say at which byte it is not.

    ``offset`` is where ``raw`` starts in its file; ``None`` counts within the line.

    >>> decode(b"caf\xe9", offset=10)
    'not UTF-8: byte 0xe9 at offset 13'
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return _undecoded(raw, offset)
    if b"\x00" in raw or text.startswith("\ufeff"):
        return _undecoded(raw, offset)
    return text


def _undecoded(raw: bytes, offset: int | None) -> Unreadable:
    wrong = []
    text = ""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        wrong.append(f"not UTF-8: byte 0x{raw[error.start]:02x} at {_place(error.start, offset)}")
    if b"\x00" in raw:
        wrong.append(f"a NUL byte at {_place(raw.index(0), offset)}")
    elif text.startswith("\ufeff"):
        wrong.append(f"a byte order mark inside the file at {_place(0, offset)}")
    return Unreadable("; ".join(wrong))


def _place(start: int, offset: int | None) -> str:
    return f"byte {start} of the line" if offset is None else f"offset {offset + start}"


def _other_format(line: bytes) -> Unreadable | None:
    for magic, message in _MAGIC:
        if line.startswith(magic):
            return Unreadable(message)
    encoding = other_encoding(line)
    if encoding is not None:
        return Unreadable(encoding)
    bare = line.removeprefix(BOM).rstrip(b"\n")
    if any(mark in bare for mark in _SEPARATORS) and _CSV.match(bare):
        return Unreadable(_TABLE)
    return None
