"""Rows of any program: CSV with a header, JSONL, or one JSON array; fields by name or by a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gate.errors import PredictionsInvalid
from gate.inputs.fields import expected, shown
from gate.inputs.importers.found import Remark, Wrong
from gate.inputs.importers.parts.csv_rows import csv_rows, header_of
from gate.inputs.importers.parts.documents import documents
from gate.inputs.importers.parts.plain_row import FIELDS, Plan, Row, Told, nowhere
from gate.inputs.lines import BOM, WHITE_SPACE, Unreadable

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
needs `--map` or `--format plain`. An object with both a name
`response.text` and a `text` in its `response` is an error; in CSV a column of the whole name is taken.

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
_SCORE: Final = "score"


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
    told = Told()
    kinds: dict[str, bool] = {}
    for place, record in rows:
        if isinstance(record, Unreadable):
            yield Wrong(place, str(record))
        elif not isinstance(record, dict):
            yield Wrong(place, expected("the row", "an object", record))
        else:
            told.rows += 1
            told.keys = told.keys or tuple(record)
            yield Row(record, plan, told, place, is_csv=is_csv).read(kinds)
    yield from nowhere(plan, told)
    if told.empty:
        yield Remark(
            "empty outputs, which are read as empty answers, since CSV cannot tell them from "
            f"none: {told.empty}"
        )
    if told.odd:
        yield Remark(
            f"scores that are no numbers, and so no scores: {told.odd} (the first at {told.first})"
        )


def _plan(options: ImportOptions) -> Plan:
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
    return Plan(mapped, tuple(scores.items()))
