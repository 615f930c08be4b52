"""Results of promptfoo: ``out.json`` and ``out.jsonl``, which hold the same rows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from gate.errors import PredictionsInvalid
from gate.inputs.fields import expected, kind, shown
from gate.inputs.importers.found import Found, Gap, Remark, Wrong
from gate.inputs.importers.parts.opening import paths
from gate.inputs.importers.parts.promptfoo_row import (
    CRASHED,
    Row,
    RowRefused,
    amounts,
    answer,
    case,
    read_row,
    tools,
)
from gate.inputs.importers.parts.promptfoo_rules import hides_its_grader
from gate.inputs.importers.parts.promptfoo_runs import Runs
from gate.inputs.importers.parts.promptfoo_scores import read_scores
from gate.inputs.importers.parts.whole import json_object
from gate.inputs.importers.source import value
from gate.inputs.lines import Unreadable
from gate.records.json_text import JsonRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

    Rows = Callable[[], Iterator[tuple[str, Any]]]

NAME: Final = "promptfoo"
TITLE: Final = "promptfoo (`-o out.json`, `-o out.jsonl`)"
DOC: Final = """\
Both files that `promptfoo eval -o` writes are read: `out.json` (at most 128 MiB) and `out.jsonl`
(any size, a line at a time), and the summary that `evaluate()` of its Node package returns.

| what | from where |
|---|---|
| id | `testCase.metadata.id`, else `.testCaseId`, else `testCase.id`, else \
`testCase.description` (but not the `Row #1` of a table), else a digest of the test's `vars`, \
`assert` and `threshold`; with `--id-field vars.qid` that field of `testCase` |
| repeat | the order of `testIdx` among the rows of one test (`--repeat` only counts on, and \
numbers no runs) |
| input | `testCase.vars`: the value of the only variable, else all of them as JSON. The prompt \
is part of what is tested: a change of it changes no case |
| output | `response.output`; what is no text as JSON |
| reference | the value of the first assertion that says what is right (`equals`, `contains`, \
`icontains`, `starts-with`, `similar`, `factuality`, `rouge-n` …), `{{variables}}` filled in |
| tools | `response.metadata.toolCalls[].name`, or the calls that are the output |
| scores | `success` (the headline), `score`, and each of `namedScores` (one that is called \
`success` or `score` as `namedScores.success`) |
| error | `failureReason` 2: the agent, or an assertion that threw, crashed; or no output at all. \
`error` beside `failureReason` 1 is only why an assertion failed |
| labels | `labels`, `label` and `tags` of `testCase.metadata` |
| rules | `assert`, `threshold`, `assertScoringFunction` and, of `options`, the grader, \
`rubricPrompt`, `factuality`, `transform` and `postprocess`; no keys |
| cost, time | `response.cost`, `latencyMs`; neither where the answer came out of a cache |

**Several prompts or providers in one file**: each is a case of its own, and its id carries the
provider and the prompt (their labels): `qa-1 [agent B, short]`. Labels longer than 60 characters
are digests: label prompts and providers. To compare two providers, gate one file of each.

**One id, several tests.** Two different tests with one `metadata.id` (one test whose variable is a
list is such a case) are refused: name another field with `--id-field`. Tests that share a mere
`description` are told apart by their digest.

**No score** is what promptfoo counts as a pass, or as 0, without having judged: a row without any
assertion that has a weight (also the row that `tests: []` gives, "1 passed"), a grader that
failed (`metadata.graderError`, and the known texts of closed-QA, factuality, similarity and
scripts that threw), a comparison (`select-best`, `max-score`) that is not there, flags that
contradict each other, and a `success` that its parts do not bear out (an assertion failed and no
threshold is set, or an assertion has no result of its own in `componentResults`: one in its place,
and where it tells its assertion, of the same type, value, metric, threshold, weight and grader).
Where such a result is missing there is no `score` and no named one either. Where another assertion
failed beside a grader that failed, and no threshold is set, the answer has failed all the same. A
`factuality` grader that failed with a text of its provider's own cannot be told from a wrong
answer.

Not the whole run, so never green: no rows; rows of no test (what `tests: []` gives); `stats` that
count other rows than there are; a number missing in `testIdx`, or a test that lacks a column. A
JSONL file has no end: one that stopped after its last row looks whole, so pin the cases with a
baseline.

`config`, `env` and the providers' settings are not read. Results whose output was stripped are
refused.
"""
_ROW: Final = frozenset(("testIdx", "promptIdx"))
_ROW_OPENING: Final = (
    frozenset(("gradingResult", "namedScores", "latencyMs")),
    frozenset(("promptIdx", "provider", "vars")),
    frozenset(("testCase", "testIdx", "success")),
)
_NO_END: Final = (
    "a JSONL file of promptfoo does not say where it ends: a run that stopped after its last row "
    "looks whole (out.json counts its rows)"
)
_HINT: Final = "write the file with `promptfoo eval -o out.json`"
_HIDDEN: Final = "the file does not say which program graded, so another would not be seen"
_LISTED: Final = 5
_OF_A_TEST: Final = ("vars", "assert", "description", "metadata")


def recognises(opening: bytes) -> bool:
    """Say whether a file that begins so holds promptfoo's results."""
    keys = paths(opening)
    if "results" in keys:
        whole = "results.prompts" in keys and "results.version" in keys
        of_rows = any(key.startswith("results[].") for key in keys)
        return whole or (
            of_rows and {"version", "timestamp"} <= keys and _is_row(keys, "results[].")
        )
    return _is_row(keys, "")


def _is_row(keys: frozenset[str], under: str) -> bool:
    return any(all(f"{under}{key}" in keys for key in some) for some in _ROW_OPENING)


def found(source: Source, options: ImportOptions) -> Iterator[Finding]:
    """Give each result of a file; see :data:`DOC`."""
    if _is_row(paths(source.opening()), ""):
        yield from _rows(lambda: _lines(source), options)
        yield Remark(_NO_END)
        return
    summary = _summary(source)
    results = summary["results"]
    yield from _rows(
        lambda: ((f"results[{at}]", record) for at, record in enumerate(results)), options
    )
    yield from _counted(summary.get("stats"), results)


def _lines(source: Source) -> Iterator[tuple[str, Any]]:
    for number, line in source.lines():
        read: Any = line
        if not isinstance(line, Unreadable):
            try:
                read = value(line)
            except JsonRefused as error:
                read = Unreadable(error)
        yield f"line {number}", read


def _summary(source: Source) -> dict[str, Any]:
    whole = json_object(source, title="promptfoo", hint=_HINT)
    inner = whole.get("results")
    summary = whole if isinstance(inner, list) else inner
    if not isinstance(summary, dict) or not isinstance(summary.get("results"), list):
        raise PredictionsInvalid(
            f"{source.name}: expected promptfoo's `results.results`, a list of rows",
            hint=_HINT,
        )
    return summary


def _rows(rows: Rows, options: ImportOptions) -> Iterator[Finding]:
    runs = Runs()
    for _, record in rows():
        row = _read(record, options)
        if isinstance(row, Row):
            runs.add(row)
    runs.close()
    if len(runs.variants) > 1:
        yield Remark(_variants(runs))
    told: Counter[str] = Counter()
    at, tests = -1, 0
    for place, record in rows():
        row = _read(record, options)
        if not isinstance(row, Row):
            yield Wrong(place, row)
            continue
        at += 1
        tests += _tells_of_a_test(record)
        test = record.get("testCase")
        told[_HIDDEN] += isinstance(test, dict) and hides_its_grader(test)
        yield _found(place, record, row, runs, at, told)
    for message, count in (+told).items():
        yield Remark(f"{count} of {at + 1} results: {message}")
    if at < 0:
        yield Gap("promptfoo's file holds no results: nothing ran, or a filter matched nothing")
    elif not tests:
        yield Gap("promptfoo had no tests: it ran its prompts without any, and checked nothing")
    for message in runs.holes():
        yield Gap(f"{message}: the run stopped before its end, or rows were taken out")


def _read(record: Any, options: ImportOptions) -> Row | str:  # noqa: ANN401 - any of six types
    if isinstance(record, Unreadable):
        return record
    if not isinstance(record, dict):
        return f"expected an object, got {kind(record)}"
    try:
        return read_row(record, id_field=options.id_field)
    except RowRefused as error:
        return str(error)


def _found(
    place: str, record: dict[str, Any], row: Row, runs: Runs, at: int, told: Counter[str]
) -> Found | Wrong:
    name = row.key
    if runs.shares_key(at):
        if row.declared:
            return Wrong(
                place,
                f"id {shown(name)} is that of several tests, with other variables or assertions: "
                "name a field that tells them apart (--id-field vars.…)",
            )
        name = f"{name} ({row.content})"
    variant = runs.variants[row.column]
    try:
        output, error = answer(record)
        scores = () if error is not None else tuple(read_scores(record, told))
    except RowRefused as refused:
        return Wrong(place, str(refused))
    cost, latency = amounts(record)
    return Found(
        id=f"{name} [{variant}]" if variant else name,
        place=place,
        repeat=runs.repeat(at),
        counted=True,
        output=output,
        error=error,
        tools=tools(record),
        scores=scores,
        case=case(record),
        cost_usd=cost,
        latency_ms=latency,
    )


def _tells_of_a_test(record: dict[str, Any]) -> bool:
    """Say whether a row is of a test: promptfoo runs its prompts though there is none."""
    test = record.get("testCase")
    told = test if isinstance(test, dict) else {}
    return any((record.get("vars"), *map(told.get, _OF_A_TEST)))


def _variants(runs: Runs) -> str:
    names = list(runs.variants.values())
    listed = "; ".join(names[:_LISTED]) + ("; …" if len(names) > _LISTED else "")
    return (
        f"{len(names)} pairs of a provider and a prompt in one file: each is a case of its own, "
        f"and its id carries their names in brackets ({listed})"
    )


def _counted(stats: object, results: list[Any]) -> Iterator[Finding]:
    """Hold the rows to what promptfoo counted."""
    if not isinstance(stats, dict):
        yield Gap("promptfoo's `stats` are missing: nothing says how many results there were")
        return
    counts: list[int] = []
    for name in ("successes", "failures", "errors"):
        count = stats.get(name)
        if type(count) is not int:
            yield Gap(expected(f"stats.{name}", "a whole number", count))
            return
        counts.append(count)
    rows = [row for row in results if isinstance(row, dict)]
    passed = sum(row.get("success") is True for row in rows)
    crashed = sum(row.get("failureReason") == CRASHED for row in rows)
    if sum(counts) != len(results):
        yield Gap(f"promptfoo counted {sum(counts)} results, and {len(results)} are there")
    elif counts[0] != passed or counts[2] != crashed:
        yield Gap(
            f"promptfoo counted {counts[0]} successes and {counts[2]} errors; the rows say "
            f"{passed} and {crashed}"
        )
