"""Runs of DeepEval: its test run (camelCase) and its ``EvaluationResult`` (snake_case)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from gate.errors import PredictionsInvalid
from gate.inputs.fields import expected, kind, shown
from gate.inputs.importers.found import Found, Gap, Remark, Wrong
from gate.inputs.importers.parts.deepeval_case import (
    CaseRefused,
    content,
    inverted,
    kept,
    name_of,
    read_case,
)
from gate.inputs.importers.parts.deepeval_rules import RulesOfAll
from gate.inputs.importers.parts.opening import paths
from gate.inputs.importers.parts.whole import json_object

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

NAME: Final = "deepeval"
TITLE: Final = "DeepEval (`.latest_run_full.json`, results folder, `EvaluationResult`)"
DOC: Final = """\
A test run is read (`.latest_run_full.json` or `.latest_test_run.json` in `.deepeval`, or a file in
the folder that `DEEPEVAL_RESULTS_FOLDER` names), and the JSON of the `EvaluationResult` that
`evaluate()` returns (`.model_dump_json()`). At most 128 MiB.

| what | from where |
|---|---|
| id | `name` of the test case |
| repeat | the order (`order`, `index`) of the cases of one name that ask the same; the tool \
numbers no runs |
| input | `input`; `scenario` of a conversation |
| output | `actualOutput`; the turns of a conversation as JSON |
| reference | `expectedOutput`; `expectedOutcome` of a conversation |
| tools | `toolsCalled[].name`, expected: `expectedTools[].name`; an `EvaluationResult` has \
neither |
| scores | `success` of the case (the headline); of each metric its `score`, by its name, and \
whether it passed (1 or 0) as `name.success` |
| error | no `actualOutput` |
| rules | of each metric its name, `threshold`, `strictMode`, `evaluationModel`, `flaky` and \
criteria; of a metric's scores, its own |
| labels | `tags` of the case; `labels`, `label` and `tags` of its `metadata` |
| cost, time | `tokenCost`, `completionTime` |

Metrics of one name are told apart by their order: `Correctness`, `Correctness #2`. Listed in
another order, each is another score than it was, and comes to no pass.

A metric with an `error`, and one whose score is `null` or `NaN`, has no score. DeepEval then calls
the case failed, as it does for a wrong answer, and a judge that was down would count as 0; here
the case has no `success` either, unless another metric, one that is not `flaky`, failed with a
score. A case without metrics, or with flaky ones only, has no `success`: nothing was checked.

**Lower is better** for some metrics (bias, toxicity, hallucination in some versions). Where a
metric passes below its threshold, or fails above it, and nowhere in the file the other way, its
score is not read at all, for a gate would read it upside down: gate on `name.success`.

A metric whose `success` is not what its score and its `threshold` come to (on its threshold it has
passed, in every version) contradicts itself, and has neither a score nor a verdict. So has one of
your own that passes by another rule.

A case without a name is called `test_case_0`, `test_case_1` … by its position: give `LLMTestCase`
a `name`, or name a field that is an id (`--id-field metadata.id`). Cases of one name that ask
different things are refused: under pytest every parameter of a test has the test's name.

Not the whole run, so never green: no test cases; other numbers of them, or of those that passed,
than `testPassed` and `testFailed` say; `testCases` beside `test_results`.
`hyperparameters`, `prompts` and `trace` are not read.
"""
_CAMEL: Final = ("testCases", "conversationalTestCases")
_SNAKE: Final = "test_results"
_WRAPPED: Final = "testRunData"
_HINT: Final = (
    "give `.deepeval/.latest_run_full.json`, a file of the folder that DEEPEVAL_RESULTS_FOLDER "
    "names, or what `evaluate(...).model_dump_json()` gives"
)


def recognises(opening: bytes) -> bool:
    """Say whether a file that begins so is a run of DeepEval."""
    keys = paths(opening)
    if _SNAKE in keys:
        return f"{_SNAKE}[].metrics_data" in keys or "confident_link" in keys
    under = f"{_WRAPPED}." if _WRAPPED in keys else ""
    of_case = {f"{under}testCases[].name", f"{under}testCases[].input"} <= keys
    both = {f"{under}{key}" for key in _CAMEL} <= keys
    return of_case or both


def found(source: Source, options: ImportOptions) -> Iterator[Finding]:
    """Give each test case of a run; see :data:`DOC`."""
    whole = json_object(source, title="DeepEval", hint=_HINT)
    if isinstance(whole.get(_WRAPPED), dict):
        whole = whole[_WRAPPED]
    places: list[tuple[str, Any]] = []
    for key in (_SNAKE,) if _SNAKE in whole else _CAMEL:
        listed = whole.get(key)
        if listed is None and key == _CAMEL[1]:
            continue
        if not isinstance(listed, list):
            raise PredictionsInvalid(
                f"{source.name}: {expected(key, 'a list', listed)}", hint=_HINT
            )
        places += [(f"{key}[{at}]", each) for at, each in enumerate(listed)]
    yield from _cases(places, options)
    yield from _counted(whole, [record for _, record in places])


def _cases(places: list[tuple[str, Any]], options: ImportOptions) -> Iterator[Finding]:
    records = []
    for place, record in places:
        if not isinstance(record, dict):
            yield Wrong(place, f"expected an object, got {kind(record)}")
            continue
        records.append((place, kept(record)))
    upside_down = inverted(record for _, record in records)
    rules = RulesOfAll(record for _, record in records)
    for name in sorted(upside_down):
        yield Remark(
            f"metric {shown(name)} passes below its threshold: lower is better, so its score is "
            f"not read; gate on {shown(f'{name}.success')}"
        )
    named: dict[str, list[tuple[int, int, str]]] = {}
    read: list[tuple[Found, str]] = []
    told: Counter[str] = Counter()
    for at, (place, record) in enumerate(records):
        try:
            name, by_place = name_of(record, options.id_field)
            one = read_case(record, place=place, name=name, upside_down=upside_down, told=told)
        except CaseRefused as error:
            yield Wrong(place, str(error))
            continue
        named.setdefault(name, []).append((_order(record, at), len(read), content(record)))
        if one.case is not None:
            stood = rules.of(record, crashed=one.error is not None)
            case = one.case._replace(rules=stood.every, rules_by_score=stood.by_score)
            one = one._replace(case=case)
        read.append((one._replace(by_place=by_place), name))
    yield from _numbered(read, named)
    for message, count in (+told).items():
        yield Remark(f"{count} of {len(places)} test cases: {message}")
    if not places:
        yield Gap("DeepEval's file holds no test cases: nothing ran")


def _numbered(
    read: list[tuple[Found, str]], named: dict[str, list[tuple[int, int, str]]]
) -> Iterator[Finding]:
    """Give those of one name that ask the same their numbers; refuse it for several questions."""
    repeats = {
        at: repeat
        for several in named.values()
        for repeat, (_, at, _) in enumerate(sorted(several))
    }
    shared = {
        name for name, several in named.items() if len({asked for _, _, asked in several}) > 1
    }
    for at, (one, name) in enumerate(read):
        if name in shared:
            message = f"name {shown(name)} is that of test cases that ask different things"
            yield Wrong(one.place, f"{message}: name them apart, or use --id-field")
        else:
            yield one._replace(repeat=repeats[at], counted=True)


def _order(record: dict[str, Any], at: int) -> int:
    order = record.get("order")
    return order if type(order) is int else at


def _counted(whole: dict[str, Any], cases: list[Any]) -> Iterator[Finding]:
    """Hold the test cases to what DeepEval counted."""
    if _SNAKE in whole and any(key in whole for key in _CAMEL):
        yield Gap(
            f"`{_SNAKE}` and `{_CAMEL[0]}` in one file, which DeepEval does not write: nothing "
            f"says which run is meant (read were the `{_SNAKE}`)"
        )
    counts = [whole.get(key) for key in ("testPassed", "testFailed")]
    known = [count for count in counts if type(count) is int]
    if len(known) < len(counts):
        return
    passed = sum(isinstance(one, dict) and one.get("success") is True for one in cases)
    if sum(known) != len(cases):
        yield Gap(f"DeepEval counted {sum(known)} test cases, and {len(cases)} are there")
    elif known[0] != passed:
        yield Gap(f"DeepEval counted {known[0]} passed test cases; the cases say {passed}")
