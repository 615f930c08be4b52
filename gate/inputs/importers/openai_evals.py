"""Records of openai/evals: one event a line, to be joined by the sample they are of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from gate.inputs.fields import expected, read_name, shown
from gate.inputs.importers.found import Found, FoundCase, Gap, Remark, Wrong
from gate.inputs.importers.parts.evals_sample import Sample
from gate.inputs.importers.parts.object_lines import first_has, object_lines
from gate.inputs.importers.source import number
from gate.records.json_text import as_text, canonical

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

NAME: Final = "openai_evals"
TITLE: Final = "openai/evals (record of `oaieval`, `.jsonl`)"
DOC: Final = """\
The record that `oaieval` writes: a line with the specification, a line for each event, a line with
the final report. The events of one sample are joined.

| what | from where |
|---|---|
| id | `sample_id`, which ends in the sample's position in the data set |
| repeat | none: one answer a sample |
| input | `prompt` of the sample's first `sampling` event; messages as JSON |
| output | `sampled` of its last `sampling` event; where a model graded the sample (`choice` is \
among its metrics), of the one before, since the last is the grader's; without such an event \
`sampled`, else `picked`, of the `match` |
| reference | `expected` of the `match`; alternatives as a JSON list |
| tools | `function_call` events, where the record has any |
| scores | `match` (`correct`: 1 or 0; the mean, where a sample has several, as the tool's own \
accuracy has it) and each number of the `metrics` events by its key; several that differ are no \
score. Texts among these are no scores. A score beside the choice `__invalid__` is the tool's \
stand-in for a grade that it could not read: no score |
| rules of the recorded scores | `cls` and `args` of the specification's `eval_spec`, and all \
`completion_fns` but the first, which grade |
| error | `error` events of a sample that has neither `match` nor `metrics` |

The tool has no verdict on a sample: with several scores, name one. Its events hold no other id, so
there is nothing for `--id-field` to name: keep the order of the data set, and add at its end.

A record without its specification or its final report is of a run that died, and never green. An
event of another `run_id` is refused, and so is a second specification or final report.
"""
_SPEC: Final = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{\s*"spec"\s*:\s*\{\s*"(?:completion_fns|eval_name)"'
)
_EVENT: Final = tuple(
    re.compile(rb'[{,]\s*"' + key + rb'"\s*:')
    for key in (rb"run_id", rb"event_id", rb"sample_id", rb"type", rb"data")
)
_INVALID: Final = "__invalid__"
_LISTED: Final = 5


class _Refused(ValueError):
    """An event is not as the tool writes it; the message names the key."""


class _Run:
    """What the first reading keeps of the record."""

    def __init__(self) -> None:
        self.samples: dict[str, Sample] = {}
        self.specified = False
        self.reported = False
        self.run_id: object = None
        self.rules = ""
        self.calls = False
        self.texts: dict[str, None] = {}
        self.several = 0

    def add(self, record: dict[str, Any] | str, line: int) -> None:
        """Keep what a line says. Raises ``_Refused``."""
        if isinstance(record, str):
            raise _Refused(record)
        if "spec" in record:
            if self.specified:
                raise _Refused("a second run begins here: one run, one file")
            self.specified = True
            self._specify(record["spec"])
        elif "final_report" in record:
            if self.reported:
                raise _Refused("a second run ends here: one run, one file")
            self.reported = True
        else:
            self.run_id = self.run_id or record.get("run_id")
            if record.get("run_id", self.run_id) != self.run_id:
                raise _Refused("`run_id`: an event of another run: one run, one file")
            self._event(record, line)

    def _specify(self, spec: object) -> None:
        match spec:
            case {"run_id": str(name)}:
                self.run_id = name
        match spec:
            case {"run_config": {"eval_spec": dict(graded)} as config}:
                # Not the rest: where the registry lies is new on every machine.
                rules = {key: graded.get(key) for key in ("cls", "args")}
                asked = config.get("completion_fns")
                # The first is under test; an eval that a model grades asks the last.
                graders = asked[1:] if isinstance(asked, list) else []
                self.rules = canonical({**rules, **({"graders": graders} if graders else {})})

    def _event(self, event: dict[str, Any], line: int) -> None:
        data = event.get("data")
        problems: list[str] = []
        name = read_name("sample_id", event.get("sample_id"), problems)
        if name is None:
            raise _Refused(problems[0])
        if not isinstance(data, dict):
            raise _Refused(expected("data", "an object", data))
        sample = self.samples.setdefault(name, Sample(line))
        match event.get("type"):
            case "sampling":
                sample.add_sampling(line)
            case "match":
                self._match(sample, data, line)
            case "metrics":
                self._metrics(sample, data)
            case "function_call":
                called = data.get("name")
                if not isinstance(called, str):
                    raise _Refused(expected("data.name", "the name of a function", called))
                self.calls = True
                sample.calls.append(called)
            case "error":
                said = data.get("message") or data.get("type") or "the sample failed"
                sample.error = as_text(said)
            case str():
                pass
            case other:
                raise _Refused(expected("type", "a text", other))

    def _match(self, sample: Sample, data: dict[str, Any], line: int) -> None:
        correct = data.get("correct")
        if not isinstance(correct, bool):
            raise _Refused(expected("data.correct", "true or false", correct))
        sample.matches.append(correct)
        self.several += len(sample.matches) == 2  # noqa: PLR2004 - the second match
        sample.match = line
        if data.get("expected") is not None:
            sample.reference = as_text(data["expected"])

    def _metrics(self, sample: Sample, data: dict[str, Any]) -> None:
        sample.graded = sample.graded or isinstance(data.get("choice"), str)
        failed = data.get("choice") == _INVALID
        for name, found in data.items():
            if found is None or isinstance(found, bool | int | float):
                value = None if failed and name == "score" else number(found)
                sample.add_metric(name, value)
            else:
                self.texts[name] = None


def recognises(opening: bytes) -> bool:
    """Say whether a file that begins so is a record of events."""
    if _SPEC.match(opening):
        return True
    return first_has(opening, _EVENT)


def found(source: Source, options: ImportOptions) -> Iterator[Finding]:
    """Give the samples in the order in which they were answered; the file is read twice."""
    run = _Run()
    for line, record in object_lines(source):
        try:
            run.add(record, line)
        except _Refused as error:
            yield Wrong(f"line {line}", str(error))
    if options.id_field not in (None, "sample_id"):
        yield Wrong("line 1", f"`{options.id_field}`: events of evals have no id but `sample_id`")
        return
    yield from _rows(source, run)
    if not run.specified:
        yield Gap("the record has no beginning (no `spec`)")
    if not run.reported:
        yield Gap("the record has no end (no `final_report`): the run died, or still goes on")
    if run.several:
        yield Remark(f"{run.several} samples have several matches: `match` is their mean")
    for name, times in _contradicted(run)[:_LISTED]:
        yield Remark(f"the metric {shown(name)} has several values in {times} samples: no score")
    for name in list(run.texts)[:_LISTED]:
        yield Remark(f"the metric {shown(name)} is no number, so no score")


def _contradicted(run: _Run) -> list[tuple[str, int]]:
    times: dict[str, int] = {}
    for sample in run.samples.values():
        for name in sample.contradicted:
            times[name] = times.get(name, 0) + 1
    return sorted(times.items())


def _rows(source: Source, run: _Run) -> Iterator[Finding]:
    wanted = {at for each in run.samples.values() for at in (each.asked, each.answered) if at}
    wanted |= {each.line for each in run.samples.values()}
    asked: dict[str, str] = {}
    for line, record in object_lines(source):
        name = record.get("sample_id") if isinstance(record, dict) else None
        sample = run.samples.get(str(name)) if line in wanted else None
        if sample is None or isinstance(record, str):
            continue
        data = record["data"]
        if line == sample.asked and data.get("prompt") is not None:
            asked[str(name)] = as_text(data["prompt"])
        if line == (sample.answered or sample.line):
            output = _output(data) if sample.answered else None
            yield _row(str(name), f"line {line}", sample, output, asked.pop(str(name), None), run)


def _output(data: dict[str, Any]) -> str | None:
    said = data.get("sampled", data.get("picked"))
    if isinstance(said, list):
        if not said:
            return None
        said = said[0] if len(said) == 1 else said
    return None if said is None else as_text(said)


def _row(
    name: str, place: str, sample: Sample, output: str | None, asked: str | None, run: _Run
) -> Found:
    scores = sample.scores()
    error = None if scores else sample.error
    if error is None and output is None:
        error = "evals recorded no output for this sample"
    return Found(
        id=name,
        place=place,
        output=None if error else output,
        error=error,
        tools=tuple(sample.calls) if run.calls else None,
        scores=() if error else scores,
        case=None if asked is None else FoundCase(asked, sample.reference, rules=run.rules),
        by_place=True,
    )
