"""Rows of any program: CSV with a header, JSONL, or one JSON array; fields by name or by a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.errors import PredictionsInvalid
from gate.inputs.fields import expected, read_amount, read_name, read_texts, shown
from gate.inputs.importers.found import Found, FoundCase, RecordedScore, Remark, Wrong
from gate.inputs.importers.parts.csv_rows import csv_rows, header_of
from gate.inputs.importers.parts.documents import documents
from gate.inputs.importers.parts.dotted import dotted
from gate.inputs.importers.parts.texts import names_in, score_in
from gate.inputs.importers.source import number
from gate.inputs.lines import BOM, WHITE_SPACE, Unreadable
from gate.inputs.seen import MAX_REPEAT
from gate.records.json_text import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

NAME: Final = "plain"
TITLE: Final = "CSV, and JSON of any shape (`.csv`, `.jsonl`, `.json`)"
DOC: Final = """\
CSV with a header, JSONL, or one JSON array of objects: a row is an answer. A field is where `--map` says,
`--map output=response.text --map id=meta.case` (a dotted path into the object; a column, or a path into a column that
holds JSON), else where its name is. A CSV with the columns `id` and `output` is recognised; anything else
needs `--map` or `--format plain`.

| here | from |
|---|---|
| `id` | `id` (`--id-field` is the same as `--map id=`): a text or a whole number |
| `repeat` | `repeat`: a whole number; else rows of one id are numbered in their order |
| `input` | `input`, `query` |
| `output` | `output`; where it is null, or not there, the row needs an `error`, or is one |
| `reference` | `reference`, `expected` |
| `tools`, `expected_tools` | a list of names, or of objects with `name`; in CSV a JSON list, or names with `,`, `;` or `\\|` between |
| `labels` | a list of texts, or one; in CSV as the tools |
| `error` | `error`: the agent crashed, so the row has no output |
| `cost_usd`, `latency_ms` | numbers |
| scores | only where `--map` says: `--map score=metrics.f1`, and several as `--map score:f1=metrics.f1` |

Of CSV are read: a comma, semicolon, tab or bar between fields (as the header has it), quoted fields with
line breaks, CRLF, a byte order mark. UTF-8 only. A row with more or fewer fields than the header is an error. An empty
field is no value, except as an output: CSV cannot tell an empty answer from none, so it is read as an empty one,
and counted. A score that is no number is no score, and counted; in CSV `true` and `false` are 1 and 0.
"""  # noqa: E501 - rows of a table
FIELDS: Final = {
    "id": ("id",),
    "repeat": ("repeat",),
    "input": ("input", "query"),
    "output": ("output",),
    "error": ("error",),
    "reference": ("reference", "expected"),
    "tools": ("tools",),
    "expected_tools": ("expected_tools",),
    "labels": ("labels",),
    "cost_usd": ("cost_usd",),
    "latency_ms": ("latency_ms",),
}
"""What a map may fill, and the names by which each is found without one."""
_SCORE: Final = "score"


class _Plan(NamedTuple):
    """Where each field is: ``mapped`` by somebody's word, ``usual`` by its name."""

    mapped: dict[str, str]
    scores: tuple[tuple[str, str], ...]


def recognises(opening: bytes) -> bool:
    r"""Say whether a file is CSV with the columns ``id`` and ``output`` (or ``error``).

    >>> recognises(b"id;output\n1;Paris\n"), recognises(b'{"id": "a", "output": "x"}')
    (True, False)
    """
    bare = opening.removeprefix(BOM)
    if bare.lstrip(WHITE_SPACE)[:1] in {b"", b"{", b"[", b"<"}:
        return False
    names = header_of(bare.partition(b"\n")[0].decode("utf-8", "replace"), wanted=("id",))
    return "id" in names and ("output" in names or "error" in names)


def found(source: Source, options: ImportOptions) -> Iterator[Finding]:
    """Give each row of a file; see :data:`DOC`. Raises ``PredictionsInvalid`` for a bad map."""
    plan = _plan(options)
    starts = source.opening().removeprefix(BOM).lstrip(WHITE_SPACE)[:1]
    is_csv = starts not in {b"{", b"["}
    rows: Iterator[tuple[str, Any]]
    if is_csv:
        needed = (plan.mapped.get(field, field) for field in ("id", "output"))
        paths = (*needed, *plan.mapped.values(), *(path for _, path in plan.scores))
        rows = csv_rows(source, paths=paths, wanted=tuple(FIELDS))
    else:
        rows = documents(source)
    counts = {"text": 0, "empty": 0}
    kinds: dict[str, bool] = {}
    for place, record in rows:
        if isinstance(record, Unreadable):
            yield Wrong(place, str(record))
        elif not isinstance(record, dict):
            yield Wrong(place, expected("the row", "an object", record))
        else:
            yield _Row(record, plan, counts, is_csv=is_csv).read(place, kinds)
    if counts["empty"]:
        yield Remark(
            "empty outputs, which are read as empty answers, since CSV cannot tell them from "
            f"none: {counts['empty']}"
        )
    if counts["text"]:
        yield Remark(f"scores that are no numbers, and so no scores: {counts['text']}")


def _plan(options: ImportOptions) -> _Plan:
    from gate.records.problems import nearest

    mapped: dict[str, str] = {}
    scores: dict[str, str] = {}
    pairs = list(options.map)
    if options.id_field is not None:
        pairs.append(("id", options.id_field))
    for field, path in pairs:
        name, colon, score = field.partition(":")
        if name == _SCORE and (score or not colon):
            before = scores.setdefault(score or _SCORE, path)
        elif field in FIELDS:
            before = mapped.setdefault(field, path)
        else:
            known = (*FIELDS, _SCORE)
            raise PredictionsInvalid(
                f"--map {field[:80]}=…: there is no such field{nearest(field[:80], known)}",
                hint=f"a map fills {', '.join(known)} or score:NAME",
            )
        if not path:
            raise PredictionsInvalid(f"--map {field[:80]}=: names no place")
        if before != path:
            raise PredictionsInvalid(
                f"`{field[:80]}` is mapped twice: to {shown(before)} and to {shown(path)}"
            )
    return _Plan(mapped, tuple(scores.items()))


class _Row:
    """One row that is read: what it says, and what is wrong with it."""

    def __init__(
        self, record: dict[str, Any], plan: _Plan, counts: dict[str, int], *, is_csv: bool
    ) -> None:
        self._record = record
        self._plan = plan
        self._counts = counts
        self._is_csv = is_csv
        self._problems: list[str] = []

    def read(self, place: str, kinds: dict[str, bool]) -> Found | Wrong:
        """Give the answer of this row; ``kinds`` knows which ids were numbers."""
        name = self._id(kinds)
        output, error = self._answer()
        finding = Found(
            id=name or "",
            place=place,
            repeat=self._repeat(),
            output=output,
            error=error,
            tools=self._names("tools"),
            scores=() if error is not None else self._scores(),
            case=self._case(),
            cost_usd=self._amount("cost_usd"),
            latency_ms=self._amount("latency_ms"),
        )
        return Wrong(place, "; ".join(self._problems)) if self._problems else finding

    def _value(self, field: str) -> Any:  # noqa: ANN401 - any of six types
        """Give what the row holds for ``field``: ``None`` where nothing, or null, is there."""
        path = self._plan.mapped.get(field)
        if path is not None:
            return self._at(path)
        usual = (self._record[name] for name in FIELDS[field] if name in self._record)
        empty = ("", None) if self._is_csv else (None,)
        found = next((one for one in usual if one not in empty), None)
        if found is None and field == "output" and self._is_csv:
            return self._record.get("output")
        return found

    def _at(self, path: str) -> Any:  # noqa: ANN401 - any of six types
        try:
            return dotted(self._record, path)
        except KeyError:
            return None

    def _id(self, kinds: dict[str, bool]) -> str | None:
        path = self._plan.mapped.get("id", "id")
        given = self._value("id")
        if given is None:
            self._problems.append(f"`{path}`: is missing, and the id is there")
            return None
        name = read_name(path, given, self._problems)
        numeric = type(given) is int
        if name is not None and kinds.setdefault(name, numeric) != numeric:
            self._problems.append(f"id {shown(name)} stands there as a number and as a text")
        return name

    def _answer(self) -> tuple[str | None, str | None]:
        output, error = self._value("output"), self._value("error")
        if error is not None and (not isinstance(error, str) or error.strip()):
            said = as_text(error)
            if output is not None and output != "":
                self._problems.append("expected either `output` or `error`, got both")
            return None, said
        if output is None:
            path = self._plan.mapped.get("output", "output")
            return None, f"the row holds no output: `{path}` is null, or is not there"
        if self._is_csv and output == "":
            self._counts["empty"] += 1
        return as_text(output), None

    def _text(self, field: str) -> str | None:
        value = self._value(field)
        return None if value is None or (self._is_csv and value == "") else as_text(value)

    def _case(self) -> FoundCase | None:
        asked, reference = self._text("input"), self._text("reference")
        tools, labels = self._names("expected_tools") or (), self._labels()
        if asked is None and reference is None and not tools and not labels:
            return None
        return FoundCase(asked or "", reference, tools, labels)

    def _repeat(self) -> int | None:
        value = self._value("repeat")
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:  # noqa: PLR2004
            value = int(value)
        if value is None or value == "":
            return None
        if type(value) is not int or not 0 <= value <= MAX_REPEAT:
            self._problems.append(f"`repeat`: expected a whole number from 0 to {MAX_REPEAT}")
            return None
        return value

    def _names(self, field: str) -> tuple[str, ...] | None:
        value = self._value(field)
        if value is None:
            return None
        if isinstance(value, str) and self._is_csv:
            return names_in(value)
        if isinstance(value, list):
            value = [
                one["name"] if isinstance(one, dict) and isinstance(one.get("name"), str) else one
                for one in value
            ]
        return read_texts(field, value, self._problems)

    def _labels(self) -> tuple[str, ...]:
        value = self._value("labels")
        if value is None:
            return ()
        if isinstance(value, str):
            found = names_in(value) if self._is_csv else (value,)
        else:
            found = read_texts("labels", value, self._problems) or ()
        return tuple(sorted({one for one in found if one}))

    def _amount(self, field: str) -> float | None:
        value = self._value(field)
        if isinstance(value, str) and self._is_csv:
            value = score_in(value) if value.strip() else None
            if value is None:
                return None
        return None if value is None else read_amount(field, value, self._problems)

    def _scores(self) -> tuple[RecordedScore, ...]:
        found: list[RecordedScore] = []
        for name, path in self._plan.scores:
            given = self._at(path)
            value = score_in(given) if isinstance(given, str) and self._is_csv else number(given)
            if value is None and given is not None and given != "":
                self._counts["text"] += 1
            found.append(RecordedScore(name, value))
        return tuple(found)
