"""Results of Ragas: a table as JSONL, JSON or CSV, with a column for each metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gate.inputs.fields import expected, read_name
from gate.inputs.importers.found import Found, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.parts.csv_rows import csv_rows, header_of
from gate.inputs.importers.parts.documents import documents
from gate.inputs.importers.parts.dotted import dotted
from gate.inputs.importers.parts.opening import paths
from gate.inputs.importers.parts.ragas_sample import SAMPLE, SampleRefused, read_sample
from gate.inputs.importers.parts.texts import score_in
from gate.inputs.importers.source import number
from gate.inputs.lines import BOM, WHITE_SPACE, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

NAME: Final = "ragas"
TITLE: Final = "Ragas (results as JSONL, JSON or CSV)"
DOC: Final = """\
The table of a result is read, as `result.to_pandas()` writes it with
`.to_json(orient="records", lines=True)` (or without `lines`) or `.to_csv(index=False)`, and a
dataset (`to_jsonl`), which has no scores.

| what | from where |
|---|---|
| id | a digest of the question and the reference: Ragas has no ids. `--id-field` names a column |
| repeat | not in the file: rows of one question are numbered in their order |
| input | `user_input`; of a conversation what the user said |
| output | `response`; of a conversation the last answer |
| reference | `reference` |
| tools | `tool_calls` in the messages of a conversation, expected: `reference_tool_calls` |
| scores | every other column that holds numbers, or nothing |
| error | no `response` |

Ragas has no verdict on a row: with several metrics, name one (`--scorer recorded:faithfulness`). A
metric that raised leaves no more than an empty cell, and Ragas takes its mean over the rest: here
that is no score. A column with a text in it is no metric.

Write JSONL where you can. CSV cannot tell an empty answer from none (it is read as an empty one,
and counted), and holds a conversation as Python wrote it, which is refused.
"""
_BESIDE: Final = ("response", "reference", "retrieved_contexts")
_LISTED: Final = 5


def recognises(opening: bytes) -> bool:
    """Say whether a file that begins so is a table of Ragas."""
    bare = opening.removeprefix(BOM).lstrip(WHITE_SPACE)
    if bare[:1] in {b"{", b"["}:
        keys = paths(bare)
        under = "[]." if bare.startswith(b"[") else ""
        beside = any(f"{under}{one}" in keys for one in (*_BESIDE, "user_input[].type"))
        return f"{under}user_input" in keys and beside
    if bare[:1] in {b"", b"<"} or b"user_input" not in bare:
        return False
    names = header_of(bare.partition(b"\n")[0].decode("utf-8", "replace"), wanted=SAMPLE)
    return "user_input" in names and any(one in names for one in _BESIDE)


def found(source: Source, options: ImportOptions) -> Iterator[Finding]:
    """Give each row of a table; see :data:`DOC`."""
    starts = source.opening().removeprefix(BOM).lstrip(WHITE_SPACE)[:1]
    is_csv = starts not in {b"{", b"["}
    metrics, worded = _columns(_rows(source, options, is_csv=is_csv), options, is_csv=is_csv)
    empty, missing, count = 0, dict.fromkeys(metrics, 0), 0
    for place, record in _rows(source, options, is_csv=is_csv):
        count += 1
        one = _read(record, place, options, is_csv=is_csv)
        if isinstance(one, Wrong):
            yield one
            continue
        empty += is_csv and one.output == ""
        if one.error is None:
            scores = tuple(
                RecordedScore(name, _score(record.get(name), is_csv=is_csv)) for name in metrics
            )
            for score in scores:
                missing[score.name] += score.value is None
            one = one._replace(scores=scores)
        yield one
    if not count:
        yield Gap("the table of Ragas holds no rows: nothing was evaluated")
    if empty:
        yield Remark(f"{empty} answers are empty: CSV cannot tell an empty answer from none")
    for name, times in missing.items():
        if times:
            yield Remark(f"{name[:100]}: no score in {times} of {count} rows; Ragas skips them")
    if worded:
        yield Remark(f"columns with texts are no metrics: {', '.join(worded[:_LISTED])}")


def _rows(source: Source, options: ImportOptions, *, is_csv: bool) -> Iterator[tuple[str, Any]]:
    if is_csv:
        named = () if options.id_field is None else (options.id_field,)
        return csv_rows(source, paths=named, wanted=SAMPLE)
    return documents(source)


def _columns(
    rows: Iterator[tuple[str, Any]], options: ImportOptions, *, is_csv: bool
) -> tuple[list[str], list[str]]:
    """Tell the metrics, in the order of the file, from columns that hold texts."""
    of_numbers: dict[str, bool] = {}
    for _, record in rows:
        if isinstance(record, dict):
            for name, value in record.items():
                of_numbers[name] = of_numbers.get(name, True) and _is_score(value, is_csv=is_csv)
    own = {*SAMPLE, options.id_field, "", "Unnamed: 0"}
    others = [name for name in of_numbers if name not in own]
    return (
        [name for name in others if of_numbers[name]],
        [name[:100] for name in others if not of_numbers[name]],
    )


def _is_score(value: object, *, is_csv: bool) -> bool:
    if is_csv and isinstance(value, str):
        bare = value.strip().lower()
        return bare in {"", "nan", "none"} or score_in(bare) is not None
    return value is None or isinstance(value, bool | int | float)


def _score(value: object, *, is_csv: bool) -> float | None:
    return score_in(value) if is_csv and isinstance(value, str) else number(value)


def _read(
    record: Any,  # noqa: ANN401 - any of six types
    place: str,
    options: ImportOptions,
    *,
    is_csv: bool,
) -> Found | Wrong:
    if isinstance(record, Unreadable):
        return Wrong(place, record)
    if not isinstance(record, dict):
        return Wrong(place, expected("the row", "an object", record))
    try:
        sample = read_sample(record, is_csv=is_csv)
    except SampleRefused as error:
        return Wrong(place, str(error))
    if options.id_field is None:
        return sample.answer(sample.digest, place)
    problems: list[str] = []
    try:
        name = read_name(options.id_field, dotted(record, options.id_field), problems)
    except KeyError:
        return Wrong(place, f"`{options.id_field}`: is missing")
    return Wrong(place, problems[0]) if name is None else sample.answer(name, place)
