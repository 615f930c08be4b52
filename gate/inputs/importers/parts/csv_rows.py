"""CSV with a header, as spreadsheets and programs write it, row by row."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any, Final

from gate.errors import PredictionsInvalid
from gate.inputs.fields import shown
from gate.inputs.importers.source import value
from gate.inputs.lines import BOM, MAX_BLANK_LINES, MAX_LINE_BYTES, TOO_BLANK, Unreadable, decode
from gate.records.byte_order import other_encoding
from gate.records.json_text import JsonRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.source import Source

MAX_COLUMNS: Final = 1_000
"""Columns of one file, at most."""
_BETWEEN: Final = (",", ";", "\t", "|")

_LATIN: Final = "a table of Excel? save it as CSV UTF-8, or `iconv -f cp1252 -t utf-8`"


def header_of(line: str, *, wanted: tuple[str, ...]) -> list[str]:
    """Give the names of a header, split where that finds most of those that are ``wanted``.

    >>> header_of('id;"the, answer"', wanted=("id",))
    ['id', 'the, answer']
    """
    return _split(line, wanted)[1]


def csv_rows(
    source: Source, *, paths: tuple[str, ...], wanted: tuple[str, ...]
) -> Iterator[tuple[str, Any]]:
    """Give each row as an object of its columns, with its place; a bad one as an ``Unreadable``.

    ``paths`` must each name a column, or be inside of one: those that are read so come with
    their JSON built. ``wanted`` are names by which the header is known.
    Raises ``PredictionsInvalid`` for a file without a header that can be read.
    """
    lines = _Lines(source)
    iterator = iter(lines)
    first = next(iterator, None)
    if first is None:
        said = lines.wrong or "0 rows, and no header"
        raise PredictionsInvalid(f"{source.name}: {said}")
    between, header = _split(first.rstrip("\r\n"), (*wanted, *paths))
    inside = _columns(source, header, paths)
    csv.field_size_limit(MAX_LINE_BYTES)
    rows = csv.reader(iterator, delimiter=between, strict=True)
    blank = 0
    while True:
        start = rows.line_num + 2
        try:
            row = next(rows)
        except StopIteration:
            break
        except csv.Error as error:
            yield f"line {start}", Unreadable(f"not CSV: {error}")
            break  # nobody knows where the next row begins
        if not row:
            blank += 1
            if blank > MAX_BLANK_LINES:
                yield f"line {start}", TOO_BLANK
                return
            continue
        if len(row) != len(header):
            said = f"{len(row)} fields, and the header has {len(header)}"
            yield f"line {start}", Unreadable(said)
            continue
        record = dict(zip(header, row, strict=True))
        yield f"line {start}", _built(record, inside) if inside else record
    if lines.wrong is not None:
        yield f"line {lines.number}", lines.wrong


class _Lines:
    """The lines of a file as text; ends at one that is none, and ``wrong`` says why."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.wrong: Unreadable | None = None
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        offset = 0
        with self._source.open() as file:
            while line := file.readline(MAX_LINE_BYTES + 1):
                self.number += 1
                text: str | Unreadable
                if len(line) > MAX_LINE_BYTES:
                    limit = MAX_LINE_BYTES // (1024 * 1024)
                    text = Unreadable(f"longer than {limit} MiB, the limit of one line")
                else:
                    mark = BOM if self.number == 1 and line.startswith(BOM) else b""
                    other = other_encoding(line) if self.number == 1 else None
                    bare, at = line.removeprefix(mark), offset + len(mark)
                    text = Unreadable(other) if other else decode(bare, offset=at)
                if isinstance(text, Unreadable):
                    latin = text.startswith("not UTF-8: byte")
                    self.wrong = Unreadable(f"{text}; {_LATIN}") if latin else text
                    return
                offset += len(line)
                yield text


def _split(line: str, wanted: tuple[str, ...]) -> tuple[str, list[str]]:
    # What is known of a header are names of its columns; else most columns.
    best: tuple[tuple[int, int], str, list[str]] = ((-1, 0), ",", [])
    for between in _BETWEEN:
        try:
            read = next(csv.reader([line], delimiter=between, strict=True), [])
        except csv.Error:
            continue
        names = [name.strip() for name in read]
        rank = sum(name in wanted for name in names), len(names)
        if rank > best[0]:
            best = rank, between, names
    return best[1], best[2]


def _columns(source: Source, header: list[str], paths: tuple[str, ...]) -> frozenset[str]:
    """Check a header, and give the columns into which a path goes."""
    place = f"{source.name}:1"
    if len(header) > MAX_COLUMNS:
        raise PredictionsInvalid(f"{place}: more than {MAX_COLUMNS} columns")
    if not any(header):
        raise PredictionsInvalid(f"{place}: no header that can be read as CSV")
    known = set(header)
    if len(known) < len(header):
        twice = next(name for at, name in enumerate(header) if name in header[:at])
        raise PredictionsInvalid(f"{place}: the column {shown(twice)} stands there twice")
    inside: set[str] = set()
    for path in paths:
        if path in known:
            continue
        parts = path.split(".")
        prefixes = (".".join(parts[:count]) for count in range(len(parts) - 1, 0, -1))
        column = next((one for one in prefixes if one in known), None)
        if column is None:
            from gate.records.problems import nearest

            raise PredictionsInvalid(
                f"{place}: no column {shown(path)}{nearest(path[:80], header)}",
                hint=f"the columns are {', '.join(map(shown, header[:20]))}",
            )
        inside.add(column)
    return frozenset(inside)


def _built(record: dict[str, str], inside: frozenset[str]) -> dict[str, Any] | Unreadable:
    built: dict[str, Any] = dict(record)
    for column in inside:
        if record[column].strip():
            try:
                built[column] = value(record[column])
            except JsonRefused as error:
                return Unreadable(f"`{column}`: {error}")
    return built
