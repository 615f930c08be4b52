"""Reports of Pydantic Evals, as ``EvaluationReportAdapter`` writes them."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from gate.errors import PredictionsInvalid
from gate.inputs.fields import expected, kind, read_name, shown
from gate.inputs.importers.found import Found, FoundCase, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.parts.dotted import dotted
from gate.inputs.importers.parts.labels import labels_of
from gate.inputs.importers.parts.opening import paths
from gate.inputs.importers.parts.pydantic_names import Names, listed_in, results_in
from gate.inputs.importers.parts.whole import json_object
from gate.inputs.importers.source import number
from gate.records.json_text import as_text, canonical

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

NAME: Final = "pydantic_evals"
TITLE: Final = "Pydantic Evals (report JSON)"
DOC: Final = """\
A report is read as `EvaluationReportAdapter.dump_json(report)` writes it, at most 128 MiB.

| what | from where |
|---|---|
| id | `source_case_name`, else `name` |
| repeat | the `[1/2]` after the name, where the report has repeats |
| input | `inputs`; what is no text as JSON |
| output | `output`; what is no text as JSON |
| reference | `expected_output`, likewise |
| tools | not in a report |
| scores | each of `scores`; each of `assertions` as 1 or 0 |
| error | `error_message` of each of `failures` |
| labels | `labels`, `label` and `tags` of `metadata` (the report's own `labels` are words of \
evaluators: they are not read) |
| rules | the `source` (name and arguments) and `evaluator_version` of each evaluator that judged \
the case, or failed; of one score, of those that give it |
| time | `task_duration` |

A report has no verdict on a case: with several scores, name one (`--scorer recorded:quality`).
Pydantic Evals takes its means over the cases that did not crash; here `failures` are cases that
did not pass.

**An evaluator that failed** (`evaluator_failures`) has left out its results, and their names: they
are those that the same evaluator gave to other cases (of more than 100, none), else its own name,
and they are no score.
The names of others may then have moved up (what is `quality_2` elsewhere is `quality` here), so
names that several evaluators bear are no score in such a case either.

A case without a name is called `Case 1`, `Case 2` … by its position: name cases, or name a field
that is an id (`--id-field metadata.id`).

Not the whole run, so never green: a report without cases; fewer repeats of a case than its name
says.
"""
_HINT: Final = "write the report with `EvaluationReportAdapter.dump_json(report)`"
_DEFAULT: Final = re.compile(r"Case [0-9]+")
_REPEAT: Final = re.compile(r"(.*) \[([0-9]{1,6})/([0-9]{1,6})\]", re.DOTALL)


def recognises(opening: bytes) -> bool:
    """Say whether a file that begins so is a report of Pydantic Evals."""
    keys = paths(opening)
    if not {"name", "cases"} <= keys:
        return False
    of_case = {"cases[].name", "cases[].inputs", "cases[].expected_output"} <= keys
    return of_case or {"failures", "report_evaluator_failures"} <= keys


def found(source: Source, options: ImportOptions) -> Iterator[Finding]:
    """Give each case of a report, and then each that crashed; see :data:`DOC`."""
    whole = json_object(source, title="the report", hint=_HINT)
    listed: dict[str, list[Any]] = {}
    for key in ("cases", "failures"):
        several = whole.get(key, [] if key == "failures" else None)
        if not isinstance(several, list):
            raise PredictionsInvalid(
                f"{source.name}: {expected(key, 'a list', several)}", hint=_HINT
            )
        listed[key] = several
    names = Names(listed["cases"])
    runs: dict[str, list[int]] = defaultdict(list)
    for key, several in listed.items():
        for at, record in enumerate(several):
            yield _finding(f"{key}[{at}]", record, options, names, runs)
    yield from _told(listed, runs)


def _told(listed: dict[str, list[Any]], runs: dict[str, list[int]]) -> Iterator[Finding]:
    for name, totals in runs.items():
        if len(totals) != max(totals):
            yield Gap(f"case {shown(name)}: {len(totals)} of {max(totals)} repeats are there")
    if not any(listed.values()):
        yield Gap("the report holds no cases: nothing ran")
    failed = sum(bool(listed_in(case, "evaluator_failures")) for case in listed["cases"])
    if failed:
        yield Remark(f"{failed} cases: an evaluator failed; what it would have said is no score")
    worded = {name for case in listed["cases"] for name in results_in(case, "labels")}
    if worded:
        yield Remark(f"labels are words, no scores: not read ({', '.join(sorted(worded)[:5])})")


def _finding(
    place: str,
    record: Any,  # noqa: ANN401 - any of six types
    options: ImportOptions,
    names: Names,
    runs: dict[str, list[int]],
) -> Found | Wrong:
    if not isinstance(record, dict):
        return Wrong(place, f"expected an object, got {kind(record)}")
    problems: list[str] = []
    name, repeat, total = _id(record, options.id_field, problems)
    if problems:
        return Wrong(place, problems[0])
    scores: tuple[RecordedScore, ...] = ()
    if place.startswith("failures"):
        output = None
        message = record.get("error_message")
        error = as_text(message) if message else "the task failed without a message"
    elif "output" not in record:
        return Wrong(place, "`output`: is missing")
    elif record["output"] is None:
        output, error = None, "the task gave no output (`null`)"
    else:
        output, error = as_text(record["output"]), None
        scores = tuple(_scores(record, names, problems))
    if problems:
        return Wrong(place, problems[0])
    if total:
        runs[name].append(total)
    golden = record.get("expected_output")
    metadata = record.get("metadata")
    duration = number(record.get("task_duration"))
    rules = names.rules_of(record)
    return Found(
        id=name,
        place=place,
        repeat=repeat,
        output=output,
        error=error,
        scores=scores,
        case=FoundCase(
            input=as_text(record.get("inputs")),
            reference=None if golden is None else as_text(golden),
            labels=labels_of(metadata),
            metadata=canonical(metadata) if isinstance(metadata, dict) else "{}",
            rules=rules.every,
            rules_by_score=rules.by_score,
        ),
        latency_ms=duration * 1000 if duration is not None and duration >= 0 else None,
        by_place=options.id_field is None and _DEFAULT.fullmatch(name) is not None,
    )


def _id(record: dict[str, Any], id_field: str | None, problems: list[str]) -> tuple[str, int, int]:
    """Give the id, the repeat from 0 and how many there are; 0 where it ran once."""
    name = read_name("name", record.get("name"), problems) or ""
    origin, repeat, total = record.get("source_case_name"), 0, 0
    if origin is not None:
        several = _REPEAT.fullmatch(name)
        if several is None or several[1] != origin or not 1 <= int(several[2]) <= int(several[3]):
            problems.append(f"`name`: expected {shown(str(origin))} and its repeat, like [1/2]")
        else:
            name, repeat, total = several[1], int(several[2]) - 1, int(several[3])
    if id_field is None or problems:
        return name, repeat, total
    try:
        other = dotted(record, id_field)
    except KeyError:
        problems.append(f"`{id_field}`: is missing")
        return name, repeat, total
    return read_name(id_field, other, problems) or "", repeat, total


def _scores(record: dict[str, Any], names: Names, problems: list[str]) -> Iterator[RecordedScore]:
    failures = listed_in(record, "evaluator_failures")
    values: dict[str, float | None] = {}
    for key in ("scores", "assertions"):
        results = record.get(key)
        if results is not None and not isinstance(results, dict):
            problems.append(expected(key, "an object", results))
            return
        for name, result in (results or {}).items():
            value = result.get("value") if isinstance(result, dict) else None
            if key == "assertions" and value is not None and not isinstance(value, bool):
                problems.append(expected(f"{key}.{name[:100]}.value", "true or false", value))
                return
            unsure = bool(failures) and names.several(name)
            values[name] = None if unsure else number(value)
    values |= dict.fromkeys(sorted(names.lost(failures)))
    for name, value in values.items():
        yield RecordedScore(name, value)
