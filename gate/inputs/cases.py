"""The golden set: JSONL, or one JSON array, to cases in canonical order."""

from __future__ import annotations

from io import BytesIO
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.errors import CasesInvalid, Problem
from gate.inputs.at_once import usual_cases
from gate.inputs.case_record import read_case, usual_case
from gate.inputs.fields import read_id, read_object, shown
from gate.inputs.lines import BOM, WHITE_SPACE, Unreadable, decode, records
from gate.inputs.mistaken import mistaken_object, mistaken_text
from gate.inputs.seen import Seen
from gate.records.case import EvalCase
from gate.records.json_text import JsonRefused, elements

if TYPE_CHECKING:
    from collections.abc import Iterator

    _Found = tuple[int | None, int, EvalCase | dict[str, Any] | str | Unreadable]

MAX_SLICES: Final = 1_000
"""Different labels of a golden set, at most."""
_MESSAGE: Final = 300
_OPENING: Final = 200
"""Bytes that tell one file of this product from another."""


class _Place(NamedTuple):
    """Where a case stands: its line, or its number in the array; 0 is the whole array."""

    line: int | None
    number: int

    def problem(self, source: str, name: str | None, message: str) -> Problem:
        """Say ``message`` of the case called ``name`` at this place."""
        if self.line is not None:
            called = f"case {shown(name)}: " if name else ""
        elif self.number:
            called = f"case {self.number} ({shown(name)}): " if name else f"case {self.number}: "
        else:
            called = ""
        return Problem(source, self.line, called + message[:_MESSAGE])


def read_cases(data: bytes, *, source: str) -> tuple[EvalCase, ...]:
    """Read a golden set, in the code-point order of its ids.

    ``data`` is one case a line, or one array if its first character is ``[``; ``source``
    names it in messages. Published spellings are accepted (``query``, ``golden_answer_raw``,
    ``K`` as the label ``k:<K>``) and unknown fields are kept in ``metadata``; ``null`` means
    that a field is absent. Raises ``CasesInvalid`` with every problem of the file, or where
    it holds no case.

    >>> read_cases(b'{"id": 2, "query": "Capital of France?", "K": 1}', source="c")[0].labels
    ('k:1',)
    """
    is_array = data.removeprefix(BOM).lstrip(WHITE_SPACE).startswith(b"[")
    problems: list[Problem] = []
    cases: list[EvalCase] = []
    seen = Seen(unit="case" if is_array else "line")
    opening = True
    for line, number, text in _in_array(data) if is_array else _in_lines(data):
        said: list[str] = []
        name, numeric, case = None, False, None
        if isinstance(text, EvalCase):
            name, case = text.id, text
        else:
            record = read_object(text, said)
            if opening:
                _refuse_another_file(record, data, source)
            if record is not None:
                name, numeric, case = _read(record, said)
        opening = False
        if case is not None:
            cases.append(case)
        again = None if name is None else seen.add(name, place=number, numeric=numeric)
        if again is not None:
            said.append(again)
        if said:
            place = _Place(line, number)
            problems.extend(place.problem(source, name, message) for message in said)
    if problems:
        raise CasesInvalid.of(problems)
    if not cases:
        raise CasesInvalid(f"{source}: 0 cases")
    _refuse_many_slices(cases, source)
    return tuple(sorted(cases, key=attrgetter("id")))


def _read(record: dict[str, Any], said: list[str]) -> tuple[str | None, bool, EvalCase | None]:
    """Give a record's id, where it has one, whether that is a number, and its case."""
    case = usual_case(record) or read_case(record, said)
    name = case.id if case else read_id(record, [])
    return name, type(record.get("id")) is int, case


def _refuse_many_slices(cases: list[EvalCase], source: str) -> None:
    slices = len({label for case in cases for label in case.labels})
    if slices > MAX_SLICES:
        raise CasesInvalid(f"{source}: {slices:,} different labels, more than {MAX_SLICES:,}")


def case_lines(data: bytes) -> dict[str, int]:
    r"""Tell in which line each case stands; empty for one array.

    A case does not carry its line: this is asked only to word a refusal.

    >>> case_lines(b'{"id": "a", "input": "?"}\n\n{"id": 7, "input": "?"}')
    {'a': 1, '7': 3}
    """
    if data.removeprefix(BOM).lstrip(WHITE_SPACE).startswith(b"["):
        return {}
    found: dict[str, int] = {}
    for number, text in records(BytesIO(data)):
        record = read_object(text, [])
        name = None if record is None else read_id(record, [])
        if name is not None:
            found[name] = number
    return found


def _refuse_another_file(record: dict[str, Any] | None, data: bytes, source: str) -> None:
    if record is not None:
        said = mistaken_object(record, wanted="cases")
    else:
        text = data.removeprefix(BOM)[:_OPENING].decode("utf-8", "replace")
        first, _, rest = text.partition("\n")
        said = mistaken_text(first, lambda: rest, wanted="cases")
    if said is not None:
        raise CasesInvalid(f"{source} {said}")


def _in_lines(data: bytes) -> Iterator[_Found]:
    opening = True
    for number, text in records(BytesIO(data), usual_cases):
        if opening and isinstance(text, str) and text.strip() == "{":
            said = "one JSON object a line, or one array; this object spans several: use `jq -c .`"
            yield number, number, Unreadable(said)
            return
        opening = False
        yield number, number, text


def _in_array(data: bytes) -> Iterator[_Found]:
    bare = data.removeprefix(BOM)
    text = decode(bare, offset=len(data) - len(bare))
    if isinstance(text, Unreadable):
        yield None, 0, text
        return
    try:
        for number, element in enumerate(elements(text), start=1):
            yield None, number, element
    except JsonRefused as error:
        yield None, 0, Unreadable(error)
