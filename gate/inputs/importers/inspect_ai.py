"""Logs of Inspect: the ``.eval`` archive and the ``.json`` log, which hold the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.inputs.fields import shown
from gate.inputs.importers.found import Found, Gap, Remark, Wrong
from gate.inputs.importers.parts.inspect_header import contradictions
from gate.inputs.importers.parts.inspect_log import archived, written
from gate.inputs.importers.parts.inspect_rules import Rules, rules_of
from gate.inputs.importers.parts.inspect_sample import (
    NO_OUTPUT,
    SampleRefused,
    key_of,
    read_sample,
)
from gate.records.json_text import JsonRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding, RecordedScore
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.parts.inspect_log import Log
    from gate.inputs.importers.parts.members import Members
    from gate.inputs.importers.source import Source

NAME: Final = "inspect_ai"
TITLE: Final = "Inspect (`.eval`, `.json`)"
DOC: Final = """\
Both logs of Inspect are read: the `.eval` archive (members packed with zstd, deflated or stored)
and the `.json` log.

| what | from where |
|---|---|
| id | `id` of the sample, a number as its digits |
| repeat | `epoch`, which counts from 1 |
| input | `input`; the text of a single user message, else the messages as JSON without their ids |
| output | the text parts of the first of `output.choices`; reasoning is left out |
| reference | `target`; several alternatives as a JSON list of them; an empty target is none |
| tools | `tool_calls`, and calls of a provider's own tools, over `messages`, in order; not those \
that stood in the input |
| scores | `scores`, by the name of the scorer; a score of several values as `scorer.key`. `C` is \
1, `P` 0.5, `I` and `N` 0; yes and no, true and false, and numbers written as text as Inspect \
reads them |
| error | `error.message`: the agent crashed, and its scores are not read |
| labels | `labels`, `label` and `tags` of `metadata` |
| rules of the recorded scores | `eval.scorers`: their names and options, and of one that may ask \
a model its role in `eval.model_roles` (its `model_role`, else `grader`, and all others where it \
is none of Inspect's own) |
| cost, time | the sum of `model_usage.*.total_cost`, where all models have one; `working_time` |

A log has no verdict on a sample: with several scorers, name one (`--scorer recorded:match`).
`NaN`, `null` and a score whose `reason` is that the grader failed are no score, and no 0.

A score that somebody set afterwards (`edit_score`: by its `history`, it is not what the scorer
gave) is counted in a remark, and no verdict on that score is a pass; on another one it may be.

Inspect's own `match`, `includes`, `pattern`, `answer`, `choice`, `exact`, `f1` and `math` ask no
model. A log does not tell one from a scorer of the task's own file with that name: where the
grader was asked (`stats.role_usage`) and no other scorer is there that may have asked it, it is a
rule of theirs too. Beside such a scorer that cannot be seen: give yours names of their own.

Scores of scorers of one name are told apart as Inspect does it: `match`, `match1`, by their order.

Text scorers compare with the reference as a whole: where `target` lists alternatives, gate on the
recorded score, or on cases of your own.

Not the whole run, so never green: a log without its end (no `header.json`), a status other than
`success`, fewer samples than the log says were to run, samples marked invalid. So is a log that
contradicts itself: an `error` beside the status `success`, fewer `completed_samples` than have no
error, summaries of other samples or with other scores or errors than theirs. Where an archive
holds a sample twice under one name, the later one counts, as for Inspect itself.

A whole number as an id, no larger than the data set, may be no more than the position that Inspect
gives to a sample without an id: give samples ids, or name a field that is one (`--id-field
metadata.id`). `events`, `attachments` and `store` are not read. Where the agent shortens its own
conversation, only the calls that are left in `messages` are seen.

Limits: 100,000 members, 128 MiB each, 32 GiB together, 1,000 times the packed size; 128 MiB and
100,000 samples for the `.json` log; 32 MiB and 500,000 values for one part of a sample,
4,000,000 brackets for a sample. Encrypted members, links, and members that overlap are refused.
"""
_ZIP: Final = b"PK\x03\x04"
_MEMBER: Final = re.compile(
    rb"PK\x03\x04.{26}(?:_journal/start\.json|header\.json|summaries\.json|reductions\.json"
    rb"|samples/[^\x00]{1,400}?_epoch_[0-9]{1,9}\.json)",
    re.DOTALL,
)
_FIRST_KEY: Final = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"(?:version|status|eval)"\s*:')
_EVAL: Final = re.compile(
    rb'"eval"\s*:\s*\{\s*"(?:eval_set_id|eval_id|run_id|created|task|task_id)"\s*:'
)
_LISTED: Final = 5


def recognises(opening: bytes) -> bool:
    """Say whether a file that begins so is a log of Inspect."""
    if opening.startswith(_ZIP):
        return _MEMBER.search(opening) is not None
    return _FIRST_KEY.match(opening) is not None and _EVAL.search(opening) is not None


def found(source: Source, options: ImportOptions) -> Iterator[Finding]:
    """Give the samples of a log, in the order of the file, then what is to be said of it.

    Raises ``PredictionsInvalid`` where it is no log at all.
    """
    with source.open() as file:
        packed = file.read(2) == b"PK"
        if packed:
            from gate.inputs.importers.parts.inspect_archive import Archive

            file.seek(0)
            yield from _read(archived(Archive(file, name=source.name), source.name), options)
    if not packed:
        yield from _read(written(source), options)


class _Tally:
    """What is counted over the samples, for what is said at the end."""

    def __init__(self) -> None:
        self.samples: dict[tuple[int | str, int], tuple[RecordedScore, ...] | None] = {}
        self.unread = 0
        self.invalid = 0
        self.empty = 0
        self.limits: dict[str, int] = {}
        self.absent: dict[str, int] = {}
        self.by_hand: dict[str, int] = {}
        self.odd: set[str] = set()

    def add(self, sample: Members, read: Found) -> None:
        crashed = sample.get("error") is not None
        self.samples[key_of(sample)] = None if crashed else read.scores
        self.invalid += sample.get("invalidation") is not None
        self.empty += read.error == NO_OUTPUT
        limit = sample.get("limit")
        if isinstance(limit, dict):
            kind = str(limit.get("type"))[:40]
            self.limits[kind] = self.limits.get(kind, 0) + 1
        for score in read.scores:
            if score.value is None:
                self.absent[score.name] = self.absent.get(score.name, 0) + 1
            if score.by_hand:
                self.by_hand[score.name] = self.by_hand.get(score.name, 0) + 1


class _Plan(NamedTuple):
    """What was to run, as far as the log says it."""

    total: int | None
    last_place: int
    sliced: str | None
    rules: Rules


def _read(log: Log, options: ImportOptions) -> Iterator[Finding]:
    tally = _Tally()
    try:
        plan = _plan(log.header)
    except JsonRefused as error:
        yield Wrong("header", str(error))
        return
    for place, sample in log.samples:
        if isinstance(sample, str):
            tally.unread += 1
            yield Wrong(place, sample)
            continue
        try:
            read = read_sample(
                sample,
                place=place,
                id_field=options.id_field,
                last_place=plan.last_place,
                odd=tally.odd,
                rules=plan.rules,
            )
            tally.add(sample, read)
        except (SampleRefused, JsonRefused) as error:
            tally.unread += 1
            yield Wrong(place, str(error))
            continue
        yield read
    try:
        yield from _gaps(log, plan, tally)
    except JsonRefused as error:
        yield Wrong("header", str(error))
    yield from _remarks(log, plan, tally)


def _plan(header: Members) -> _Plan:
    spec = header.object("eval")
    dataset: Any = spec.get("dataset")
    config: Any = spec.get("config")
    results = header.get("results")
    dataset = dataset if isinstance(dataset, dict) else {}
    epochs = config.get("epochs") if isinstance(config, dict) else None
    ids = dataset.get("sample_ids")
    size = _count(dataset.get("samples"))
    total = _count(results.get("total_samples")) if isinstance(results, dict) else None
    chosen = len(ids) if isinstance(ids, list) else size
    if chosen is not None:
        total = max(total or 0, chosen * (_count(epochs) or 1))
    sliced = None
    if size is not None and chosen is not None and chosen < size:
        sliced = f"{chosen} of the {size} samples of the data set were to run"
    return _Plan(total, size if size is not None else 10**9, sliced, rules_of(header))


def _count(found: object) -> int | None:
    return found if type(found) is int and found >= 0 else None


def _gaps(log: Log, plan: _Plan, tally: _Tally) -> Iterator[Finding]:
    if not log.ended:
        yield Gap("the log has no end: the run died, or still goes on")
    else:
        status = log.header.get("status")
        if status != "success":
            said = shown(status) if isinstance(status, str) else "missing"
            yield Gap(f"the status of the run is {said}, not 'success'")
    here = len(tally.samples) + tally.unread
    if plan.total is None:
        yield Gap("the log does not say how many samples were to run")
    elif here < plan.total:
        yield Gap(f"{here} of {plan.total} samples are in the log")
    for said in contradictions(log, tally.samples):
        yield Gap(said)
    if log.header.get("status") == "success" and log.header.get("results") is None:
        yield Gap("the status of the run is 'success', and the log holds no results")
    if tally.invalid or log.header.get("invalidated") is True:
        yield Gap(
            f"samples are marked invalid in the log ({tally.invalid} of those that are here)"
        )


def _remarks(log: Log, plan: _Plan, tally: _Tally) -> Iterator[Finding]:
    for said in log.remarks:
        yield Remark(said)
    if plan.sliced is not None:
        yield Remark(plan.sliced)
    if plan.total is not None and len(tally.samples) > plan.total:
        yield Remark(f"{len(tally.samples)} samples are in the log, which speaks of {plan.total}")
    if tally.empty:
        yield Remark(f"{tally.empty} samples have neither an output nor an error: read as errors")
    for kind, times in sorted(tally.limits.items()):
        yield Remark(f"{times} samples were stopped by a limit ({kind})")
    for name in plan.rules.by_itself[:_LISTED]:
        yield Remark(f"the scorer {shown(name)} names no model: the one under test graded itself")
    for name, times in sorted(tally.by_hand.items())[:_LISTED]:
        yield Remark(f"the score {shown(name)} was set by hand in {times} samples (edit_score)")
    for name, times in sorted(tally.absent.items())[:_LISTED]:
        yield Remark(f"the score {shown(name)} has no value in {times} samples")
    for name in sorted(tally.odd)[:_LISTED]:
        yield Remark(f"the score {shown(name)} is a text for which Inspect has no number")
