"""The golden set: JSONL, or one JSON array, to cases in canonical order."""

from __future__ import annotations

from functools import cache, lru_cache, partial
from io import BytesIO
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.errors import CasesInvalid, Problem
from gate.inputs.fields import (
    expected,
    is_usual_id,
    read_id,
    read_object,
    read_texts,
    shown,
)
from gate.inputs.lines import BOM, WHITE_SPACE, Unreadable, decode, records
from gate.inputs.mistaken import mistaken_object, mistaken_text
from gate.inputs.seen import Seen
from gate.records.case import EvalCase
from gate.records.json_text import JsonRefused, as_text, canonical, elements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pydantic import TypeAdapter

    from gate.records.scoring import ScorerOptions

    _Found = tuple[int | None, int, dict[str, Any] | str | Unreadable]

SPELLINGS: Final = {"input": "query", "reference": "golden_answer_raw"}
"""Fields that published sets spell otherwise."""
MAX_LABELS: Final = 50
"""Labels of a case, at most: each is a slice with two intervals."""
MAX_SLICES: Final = 1_000
"""Different labels of a golden set, at most."""
MAX_LABEL_CHARACTERS: Final = 200
"""Characters of a label, at most."""
_FIELDS: Final = frozenset(
    ("id", "input", "reference", "expected_tools", "labels", "scorer", "K", *SPELLINGS.values())
)
_USUAL: Final = frozenset(("id", "input", "reference", "expected_tools", "labels"))
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
        record = read_object(text, said)
        name = None
        if opening:
            opening = False
            _refuse_another_file(record, data, source)
        if record is not None:
            case = usual_case(record) or read_case(record, said)
            name = case.id if case else read_id(record, [])
            if case is not None:
                cases.append(case)
            if name is not None:
                numeric = type(record["id"]) is int
                again = seen.add(name, place=number, numeric=numeric)
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


def read_case(record: dict[str, Any], problems: list[str]) -> EvalCase | None:
    """Read the fields of one case; ``None`` if anything was added to ``problems``.

    >>> read_case({"id": "a", "input": "?", "reference": [1, "x"]}, []).reference
    '[1,"x"]'
    """
    before = len(problems)
    case_id = read_id(record, problems)
    asked = _spelt("input", record, problems)
    if asked is None:
        problems.append("`input`: is missing")
    elif type(asked) is not str:
        problems.append(expected("input", "a text", asked))
    reference = _spelt("reference", record, problems)
    tools = record.get("expected_tools")
    if tools is not None:
        tools = read_texts("expected_tools", tools, problems)
    labels = _labels(record, problems)
    scorer = _scorer(record.get("scorer"), problems)
    if len(problems) > before or case_id is None:
        return None
    return EvalCase(
        id=case_id,
        input=asked,
        reference=None if reference is None else as_text(reference),
        expected_tools=tools or (),
        labels=labels,
        scorer=scorer,
        metadata=_metadata(record),
    )


def usual_case(record: dict[str, Any]) -> EvalCase | None:
    """Give the case of a record in which nothing needs care; ``None`` for any other record.

    It only saves time: whatever it gives, :func:`read_case` would give as well.

    >>> usual_case({"id": "qa-1", "input": "?", "labels": ["qa"]}).labels
    ('qa',)
    >>> usual_case({"id": "qa-1", "query": "?"})
    """
    reference = record.get("reference")
    if not (
        record.keys() <= _USUAL
        and is_usual_id(record.get("id"))
        and (reference is None or type(reference) is str)
    ):
        return None
    try:
        case = _case_reader()(record)
    except ValueError:
        return None
    return case if not case.labels or _are_labels(case.labels) else None


@cache
def _case_reader() -> Callable[[object], EvalCase]:
    from pydantic import TypeAdapter

    return TypeAdapter(EvalCase).validate_python


@lru_cache(maxsize=1024)
def _are_labels(texts: tuple[str, ...]) -> bool:
    fit = all(0 < len(label) <= MAX_LABEL_CHARACTERS for label in texts)
    return fit and len(texts) <= MAX_LABELS and texts == tuple(sorted(set(texts)))


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
    for number, text in records(BytesIO(data)):
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


def _spelt(name: str, record: dict[str, Any], problems: list[str]) -> Any:  # noqa: ANN401 - JSON
    """Give a field under either of its names; both at once would be a guess."""
    value, other = record.get(name), record.get(SPELLINGS[name])
    if value is not None and other is not None:
        problems.append(f"`{name}` and `{SPELLINGS[name]}` are two spellings of one field")
    return other if value is None else value


def _labels(record: dict[str, Any], problems: list[str]) -> tuple[str, ...]:
    value, k = record.get("labels"), record.get("K")
    labels = () if value is None else read_texts("labels", value, problems) or ()
    if k is not None:
        if type(k) is not int and (type(k) is not str or not k):
            problems.append(expected("K", "a whole number or a text", k))
        else:
            label = f"k:{k}"
            rival = next((one for one in labels if one.startswith("k:") and one != label), None)
            if rival is not None:
                problems.append(f"`K`: is {shown(str(k))}, but `labels` holds {shown(rival)}")
            labels = (*labels, label)
    if len(labels) > MAX_LABELS:
        problems.append(f"`labels`: {len(labels)} labels, more than {MAX_LABELS}")
    for label in labels[:MAX_LABELS]:
        if not label or len(label) > MAX_LABEL_CHARACTERS:
            limit = f"has 1 to {MAX_LABEL_CHARACTERS} characters"
            problems.append(f"`labels`: a label {limit}, {shown(label)} has {len(label)}")
    return tuple(sorted(set(labels)))


def _metadata(record: dict[str, Any]) -> str:
    kept = {key: value for key, value in record.items() if key not in _FIELDS}
    return canonical(kept) if kept else "{}"


def _scorer(value: object, problems: list[str]) -> ScorerOptions | None:
    if value is None:
        return None
    if type(value) is not dict:
        problems.append(expected("scorer", "an object", value))
        return None
    from pydantic import ValidationError

    from gate.records.problems import explain, members
    from gate.records.scoring import ScorerOptions

    try:
        return _options().validate_python(value)
    except ValidationError as error:
        found = explain(error, known=partial(members, ScorerOptions))
        problems.extend(f"`scorer`: {finding.text}" for finding in found)
        return None


@cache
def _options() -> TypeAdapter[ScorerOptions]:
    from pydantic import TypeAdapter

    from gate.records.scoring import ScorerOptions

    return TypeAdapter(ScorerOptions)
