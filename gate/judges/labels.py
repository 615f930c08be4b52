r"""What people said of answers: one JSON object a line, read strictly.

``{"id": "qa-1", "label": 2}`` says what a person makes of the answer to the case ``qa-1``;
``repeat`` says of which run, 0 where it is not there. The number is on the scale of the judge
that it is held against: 0, 1 or 2 where that rates, from 0 to 1 where it scores.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic import ValidationError

from gate.errors import LabelsInvalid, Problem
from gate.judges.ratings import RATING_MAP
from gate.records.base import reader
from gate.records.byte_order import undecoded
from gate.records.json_text import JsonRefused, digest, loads
from gate.records.problems import explain
from gate.records.trust import Label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from gate.judges.prompts import Reply

MAX_BYTES: Final = 16 * 1024 * 1024
"""Bytes of a file of labels, at most."""
MAX_LABELS: Final = 100_000
"""Labels of a file, at most."""
_FIELDS: Final = ("id", "repeat", "label")
_LINE: Final = re.compile(r"[^\n]+")
_SHOWN: Final = 80
_MAX_VALUES: Final = 100
"""JSON values of a line, at most."""


class Labels(NamedTuple):
    """The labels by case and repeat, and the name of their file.

    ``digest`` is the same whatever the order of the lines and of their keys.
    """

    values: Mapping[tuple[str, int], float]
    source: str

    @property
    def digest(self) -> str:
        """Digest all of them, in order."""
        return digest(sorted([*place, value] for place, value in self.values.items()))


def read_labels(data: bytes, *, source: str, reply: Reply | None) -> Labels:
    r"""Read a file of labels for a judge that replies by ``reply``; ``source`` names it in errors.

    With ``None`` nobody knows the scale yet, and any number will do.

    Blank lines are skipped, a byte order mark and ``\r\n`` accepted; an ``id`` that is a whole
    number is its text. Raises ``LabelsInvalid`` listing every problem by its line: no strict
    JSON, an unknown or absent field, a number off the scale, two labels for one response; and
    for a file without a label, or with more than ``MAX_BYTES`` or ``MAX_LABELS``.

    >>> read_labels(b'{"id": 7, "label": 2}\n', source="h.jsonl", reply="rating").values
    {('7', 0): 2.0}
    >>> read_labels(b'{"id": "a", "label": 3}\n', source="h.jsonl", reply="rating")
    Traceback (most recent call last):
        ...
    gate.errors.LabelsInvalid: h.jsonl:1: `label` 3 is none of 0, 1 and 2, the judge's ratings
    """
    if len(data) > MAX_BYTES:
        raise LabelsInvalid(f"{source}: larger than the limit of {MAX_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LabelsInvalid(f"{source}: {undecoded(data, error)}") from None
    found_lines = list(islice(_lines(text), MAX_LABELS + 1))
    if len(found_lines) > MAX_LABELS:
        raise LabelsInvalid(f"{source}: more than the limit of {MAX_LABELS:,} labels")
    read = reader(Label)
    problems: list[Problem] = []
    values: dict[tuple[str, int], float] = {}
    lines: dict[tuple[str, int], int] = {}
    for number, line in found_lines:
        found = _read(line, read, reply)
        if isinstance(found, Label):
            place = (found.id, found.repeat)
            if place in values:
                found = [f"{_named(found)} is labelled on line {lines[place]} already"]
            else:
                values[place] = found.label + 0.0  # -0.0 becomes 0.0
                lines[place] = number
        if isinstance(found, list):
            problems += (Problem(source, number, said) for said in found)
    if problems:
        raise LabelsInvalid.of(problems)
    if not values:
        raise LabelsInvalid(f"{source}: holds no label")
    return Labels(values, source)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    number, counted = 1, 0
    for found in _LINE.finditer(text):  # no list: one of a file of line ends alone would be long
        number += text.count("\n", counted, found.start())
        counted = found.start()
        if found[0].strip(" \t\r"):
            yield number, found[0]


def _read(line: str, read: Callable[[object], Label], reply: Reply | None) -> Label | list[str]:
    try:
        record = loads(line, max_values=_MAX_VALUES)
    except JsonRefused as error:
        return [str(error)]
    if not isinstance(record, dict):
        return ["expected a JSON object"]
    try:
        label = read(_plain(record))
    except ValidationError as error:
        return [text for _, text in explain(error, known=lambda _: _FIELDS)]
    said = _off_scale(label.label, reply)
    return label if said is None else [said]


def _plain(record: dict[str, Any]) -> dict[str, Any]:
    """Take cases and repeats as predictions are: a number names, and null is absent."""
    found = {key: value for key, value in record.items() if key != "repeat" or value is not None}
    if type(found.get("id")) is int:
        found["id"] = str(found["id"])
    return found


def _off_scale(label: float, reply: Reply | None) -> str | None:
    if reply is None:
        return None
    said = repr(label).removesuffix(".0")
    if reply == "rating":
        known = label in RATING_MAP
        return None if known else f"`label` {said} is none of 0, 1 and 2, the judge's ratings"
    within = 0 <= label <= 1
    return None if within else f"`label` {said} does not lie between 0 and 1, as scores do"


def _named(label: Label) -> str:
    run = f", repeat {label.repeat}," if label.repeat else ""
    return f"{label.id[:_SHOWN]!r}{run}"
