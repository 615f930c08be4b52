"""Samples of lm-evaluation-harness: one line for each document and each filter."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from gate.inputs.fields import expected, read_name, shown
from gate.inputs.importers.found import Found, FoundCase, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.parts.dotted import dotted
from gate.inputs.importers.parts.labels import labels_of
from gate.inputs.importers.parts.object_lines import first_has, object_lines
from gate.inputs.importers.source import number
from gate.records.json_text import as_text, canonical

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

NAME: Final = "lm_eval"
TITLE: Final = "lm-evaluation-harness (`samples_*.jsonl`)"
DOC: Final = """\
The samples that `lm_eval --log_samples` writes: one file a task, one line for each document and
each filter. The lines of one document are one answer with the scores of all filters.

| what | from where |
|---|---|
| id | `doc_id`; the task stands in the file's name only, so import one task at a time |
| repeat | none: one answer a document |
| input | `arguments.gen_args_0.arg_0`, the prompt as it was sent; else `doc` as JSON |
| output | the first raw response (`resps`), before any filter, since the filters share it; where \
the model ranked choices, `filtered_resps` as JSON |
| reference | `target` |
| scores | each key that `metrics` names, called `metric,filter` as in the tool's own table: \
`exact_match,strict-match` |
| labels | `labels`, `label` and `tags` of `doc` |

The tool records no tools, no errors and no verdict: with several scores, name one (`--scorer
recorded:exact_match,strict-match`). A value that is no number (what is added up over the corpus,
such as pairs for a perplexity) is no score.

With `repeats` in the task, the output is the first of the responses while the scores are of
whatever the filter made of all of them: gate on the recorded score then.

`doc_id` is the position of the document in the task's data, so it is warned about: where the data
have an id of their own, name it (`--id-field doc.id`), or use `--id-field doc_hash`.

Lines of one document that disagree in `doc`, `arguments`, `target` or `resps` are refused, and so
is an id that is a number in one line and a text in another.

The file has no end of its own: a document that lacks the line of a filter is a sign that it was
cut, and never green. A document that is missing altogether is seen against a baseline only.
"""
_OPENING: Final = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{\s*"doc_id"\s*:\s*(?:\d+|"[^"\\]*")\s*,\s*"doc"\s*:'
)
_KEYS: Final = tuple(
    re.compile(rb'[{,]\s*"' + key + rb'"\s*:')
    for key in (rb"doc_id", rb"resps", rb"filtered_resps", rb"metrics")
)
_SHARED: Final = ("doc", "arguments", "target", "resps")
"""What all lines of a document have in common: the filters come after it."""
_LISTED: Final = 5


class _Refused(ValueError):
    """A line is not as the tool writes it; the message names the key."""


class _Docs:
    """What the first reading keeps: little for each document."""

    def __init__(self) -> None:
        self.scores: dict[str, dict[str, tuple[RecordedScore, ...]]] = {}
        """By document, by filter."""
        self.filters: dict[str, None] = {}
        self.odd: dict[str, None] = {}
        self.repeated = 0
        self.shared: dict[str, tuple[type, list[bytes]]] = {}
        """By document, the type of its id and the digests of what its lines have in common."""
        self.first: set[int] = set()
        """The first line of each document."""

    def add(self, record: dict[str, Any] | str, line: int) -> None:
        """Keep the scores of a line."""
        if isinstance(record, str):
            raise _Refused(record)
        doc, name = _doc_id(record), _filter(record)
        self._compare(record, doc)
        known = self.scores.setdefault(doc, {})
        if name in known:
            raise _Refused(
                f"document {shown(doc)} has the filter {shown(name)} twice: one task, one file"
            )
        known[name] = tuple(self._scores(record, name))
        self.filters[name] = None
        if len(known) == 1:
            self.first.add(line)

    def _compare(self, record: dict[str, Any], doc: str) -> None:
        kind = type(record["doc_id"])
        digests = [sha256(canonical(record.get(key)).encode()).digest()[:16] for key in _SHARED]
        first, before = self.shared.setdefault(doc, (kind, digests))
        if first is not kind:
            raise _Refused(
                f"`doc_id`: {shown(doc)} is a text in one line and a whole number in another"
            )
        for key, one, other in zip(_SHARED, before, digests, strict=True):
            if one != other:
                raise _Refused(
                    f"`{key}`: differs from that of an earlier line of document {shown(doc)}"
                )

    def _scores(self, record: dict[str, Any], filtered: str) -> Iterator[RecordedScore]:
        metrics = record.get("metrics")
        if not isinstance(metrics, list):
            raise _Refused(expected("metrics", "a list of names", metrics))
        for metric in metrics:
            if not isinstance(metric, str) or metric not in record:
                raise _Refused(f"`metrics`: {as_text(metric)[:100]} is no key of the line")
            name = f"{metric},{filtered}"
            value = number(record[metric])
            if value is None and record[metric] is not None:
                self.odd[name] = None
            yield RecordedScore(name, value)


def recognises(opening: bytes) -> bool:
    """Say whether a file that begins so is a file of samples."""
    if _OPENING.match(opening):
        return True
    return first_has(opening, _KEYS)


def found(source: Source, options: ImportOptions) -> Iterator[Finding]:
    """Give the documents in the order of their first lines; the file is read twice."""
    docs = _Docs()
    for line, record in object_lines(source):
        try:
            docs.add(record, line)
        except _Refused as error:
            yield Wrong(f"line {line}", str(error))
    for line, record in object_lines(source):
        if line in docs.first and not isinstance(record, str):
            try:
                yield _row(record, f"line {line}", docs.scores, options.id_field)
            except _Refused as error:
                yield Wrong(f"line {line}", str(error))
            docs.repeated = max(docs.repeated, _responses(record))
    short = sum(len(known) < len(docs.filters) for known in docs.scores.values())
    if short:
        yield Gap(f"{short} of {len(docs.scores)} documents lack the line of a filter")
    if docs.repeated > 1:
        yield Remark(f"{docs.repeated} responses a document: the output is the first of them")
    for name in list(docs.odd)[:_LISTED]:
        yield Remark(f"the score {shown(name)} has values that are no numbers")


def _row(
    record: dict[str, Any],
    place: str,
    scores: dict[str, dict[str, tuple[RecordedScore, ...]]],
    id_field: str | None,
) -> Found:
    """Make one row of a document's first line and of the ``scores`` of all its lines."""
    doc = _doc_id(record)
    output = _output(record)
    data = record.get("doc")
    return Found(
        id=doc if id_field is None else _other_id(record, id_field),
        place=place,
        output=output,
        error="lm-eval recorded no response" if output is None else None,
        scores=()
        if output is None
        else tuple(score for each in scores[doc].values() for score in each),
        case=FoundCase(
            input=_input(record),
            reference=None if record.get("target") is None else as_text(record["target"]),
            labels=labels_of(data),
            metadata=canonical(data) if isinstance(data, dict) else "{}",
        ),
        by_place=id_field is None,
    )


def _doc_id(record: dict[str, Any]) -> str:
    return _name("doc_id", record.get("doc_id"))


def _filter(record: dict[str, Any]) -> str:
    return _name("filter", record.get("filter", "none"))


def _name(field: str, value: object) -> str:
    problems: list[str] = []
    name = read_name(field, value, problems)
    if name is None:
        raise _Refused(problems[0])
    return name


def _other_id(record: dict[str, Any], path: str) -> str:
    try:
        return _name(path, dotted(record, path))
    except KeyError:
        raise _Refused(f"`{path}`: is missing") from None


def _input(record: dict[str, Any]) -> str:
    match record.get("arguments"):
        case {"gen_args_0": {"arg_0": prompt}}:
            return as_text(prompt)
        case [[prompt, *_], *_]:  # before 0.4.4
            return as_text(prompt)
    if record.get("doc") is None:
        raise _Refused("`arguments`: expected the prompt in `gen_args_0.arg_0`")
    return as_text(record["doc"])


def _responses(record: dict[str, Any]) -> int:
    match record.get("resps"):
        case [[str(), *_] as responses]:
            return len(responses)
    return 1


def _output(record: dict[str, Any]) -> str | None:
    match record.get("resps"):
        case [[str(first), *_]]:
            return first
        case [] | [[]] | [None] | [[None, *_]] | None:
            return None
        case list():
            filtered = record.get("filtered_resps")
            return None if filtered is None else as_text(filtered)
    raise _Refused(expected("resps", "a list of lists of responses", record["resps"]))
