"""The predictions: one JSON object a line, streamed, so that a gigabyte fits any runner."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from gate.errors import Defect, PredictionsInvalid, Problem
from gate.inputs.answer_digests import joint_digest, prediction_digest
from gate.inputs.at_once import usual_predictions
from gate.inputs.fields import (
    MAX_ID_CHARACTERS,
    expected,
    is_usual_id,
    kind,
    read_amount,
    read_id,
    read_object,
    read_texts,
)
from gate.inputs.lines import Unreadable, records
from gate.inputs.mistaken import mistaken_object, mistaken_text
from gate.inputs.seen import MAX_REPEAT, Seen
from gate.inputs.tally import Tally
from gate.records.base import reader
from gate.records.case import Prediction
from gate.records.json_text import as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MAX_VALUES: Final = 500_000
"""JSON values in one line, at most."""
UNNUMBERED: Final = "if these are several runs, number them with `repeat`: 0, 1, 2"
STORED: Final = 1_000
"""Problems kept for the message, at most; all are counted."""
_ALIKE: Final = 3
"""Lines that are not JSON of which the message tells; what is wrong with one is wrong with all."""
FIELDS: Final = frozenset(
    ("id", "repeat", "output", "error", "tools", "cost_usd", "latency_ms", "trace")
)
"""What a prediction may say; anything else is ignored, and counted."""
_USUAL: Final = frozenset(("id", "repeat", "output", "tools"))
_CARE: Final = frozenset(("error", "cost_usd", "latency_ms"))


class PredictionReader:
    r"""Streams the predictions of a file, once; what is wrong is raised at its end.

    ``lines`` are raw lines split at ``\n``. Iterating gives each valid
    :class:`~gate.records.case.Prediction` as it is read and holds about 200 bytes of each
    afterwards, its text not among them. At the end it raises ``PredictionsInvalid`` with
    every problem found, so nothing computed from the stream may be used before that.

    A prediction's own ``score``, ``passed``, ``reference`` and ``labels`` are never read.
    """

    tool: str | None = None
    """The tool whose file it is: nobody's, since this format is our own."""
    gaps: tuple[str, ...] = ()
    """Why the file may not hold all that was run: this format does not say."""
    remarks: tuple[str, ...] = ()
    """What a reader of the report should know of the file."""

    def __init__(self, lines: Iterable[bytes], *, source: str, traces: bool = False) -> None:
        """Read nothing yet; ``source`` names the file in messages.

        ``traces`` are kept and are part of the digest, or else not looked at.
        """
        self._traces = traces
        self._lines = records(lines, usual_predictions)
        self._source = source
        self._problems: list[Problem] = []
        self._n_problems = 0
        self._n_no_json = 0
        self._unnumbered = False
        self._seen = Seen(unit="line")
        self._digests = bytearray()
        self._digest: str | None = None
        self._ignored = Tally(width=MAX_ID_CHARACTERS)
        self.count = 0

    @property
    def ignored_fields(self) -> tuple[tuple[str, int], ...]:
        """Names of fields that were not read and on how many lines, in code-point order.

        At most :data:`gate.inputs.tally.LISTED` names; ``ignored_total`` counts all.
        """
        return self._ignored.listed

    @property
    def ignored_total(self) -> int:
        """How many fields were not read, over all lines."""
        return self._ignored.total

    @property
    def digest(self) -> str:
        """Digest of everything read, whatever the order of lines and keys.

        SHA-256 over the predictions' own SHA-256 digests, sorted. Known only at the end.
        """
        if self._digest is None:
            raise Defect("the predictions were not read to their end")
        return self._digest

    def __iter__(self) -> Iterator[Prediction]:
        """Give the valid predictions in the order of the file."""
        opening = True
        for number, line in self._lines:
            if isinstance(line, Prediction):
                opening = False
                found = self._admit(number, line)
                if found is not None:
                    self.count += 1
                    yield found
                continue
            if opening:
                opening = False
                self._refuse_another_file(line)
                shape = _other_shape(line)
                if shape is not None:
                    self._refuse(number, [shape])
                    break
            found = self._read(number, line)
            if found is not None:
                self.count += 1
                yield found
        self._finish()

    def _refuse_another_file(self, line: dict[str, Any] | str | Unreadable) -> None:
        record = read_object(line, [], max_values=MAX_VALUES)
        if record is not None:
            said = mistaken_object(record, wanted="predictions")
        else:
            said = mistaken_text(
                str(line), lambda: next(self._lines, (0, ""))[1], wanted="predictions"
            )
        if said is not None:
            raise PredictionsInvalid(f"{self._source} {said}")

    def _admit(self, number: int, found: Prediction) -> Prediction | None:
        """Take one that needed no care: its repeat was named unless it is the usual one."""
        again = self._seen.add(found.id, place=number, numeric=False, repeat=found.repeat)
        if again is not None:
            self._unnumbered = self._unnumbered or not found.repeat
            self._refuse(number, [again])
            return None
        self._digests += prediction_digest(found)
        return found

    def _read(self, number: int, line: dict[str, Any] | str | Unreadable) -> Prediction | None:
        problems: list[str] = []
        record = read_object(line, problems, max_values=MAX_VALUES)
        found = None
        if record is not None:
            if self._traces and record.get("trace") is not None:
                found = read_prediction(record, problems, trace=as_text(record["trace"]))
            else:
                found = usual_prediction(record) or read_prediction(record, problems)
        if record is not None and found is not None:
            again = self._seen.add(
                found.id, place=number, numeric=type(record["id"]) is int, repeat=found.repeat
            )
            if again is not None:
                self._unnumbered = self._unnumbered or "repeat" not in record
                problems.append(again)
        if problems or record is None or found is None:
            self._refuse(number, problems)
            return None
        if not record.keys() <= FIELDS:
            for name in record.keys() - FIELDS:
                self._ignored.add(name)
        self._digests += prediction_digest(found)
        return found

    def _refuse(self, number: int, messages: list[str]) -> None:
        self._n_problems += len(messages)
        if messages[0].startswith("not JSON"):
            self._n_no_json += 1
            if self._n_no_json > _ALIKE:
                return
        if len(self._problems) < STORED:
            self._problems.extend(Problem(self._source, number, said) for said in messages)

    def _finish(self) -> None:
        if self._n_problems:
            raise PredictionsInvalid.of(
                self._problems,
                total=self._n_problems,
                hint=UNNUMBERED if self._unnumbered else None,
            )
        self._digest = joint_digest(self._digests)


def read_prediction(
    record: dict[str, Any], problems: list[str], *, trace: str | None = None
) -> Prediction | None:
    """Read the fields of one prediction; ``None`` if anything was added to ``problems``.

    ``trace`` is the JSON text of that field, where it is wanted.

    ``null`` means that a field is absent. Numbers are read strictly: ``true``, ``1.0`` and
    ``"1"`` are no repeats.

    >>> read_prediction({"id": 7, "output": ["Paris"]}, []).output
    '["Paris"]'
    """
    case_id = read_id(record, problems)
    get = record.get
    output, error, repeat = get("output"), get("error"), get("repeat")
    tools, cost, latency = get("tools"), get("cost_usd"), get("latency_ms")
    if repeat is None:
        repeat = 0
    elif type(repeat) is not int:
        problems.append(expected("repeat", "a whole number", repeat))
    elif not 0 <= repeat <= MAX_REPEAT:
        problems.append(f"`repeat`: is not between 0 and {MAX_REPEAT}")
    if error is not None and (type(error) is not str or not error.strip()):
        given = "an empty one" if type(error) is str else kind(error)
        problems.append(f"`error`: expected a text that says what happened, got {given}")
    elif (output is None) is (error is None):
        problems.append(_either(record))
    if tools is not None:
        tools = read_texts("tools", tools, problems)
    if cost is not None:
        cost = read_amount("cost_usd", cost, problems)
    if latency is not None:
        latency = read_amount("latency_ms", latency, problems)
    if problems or case_id is None:
        return None
    return Prediction(
        id=case_id,
        repeat=repeat,
        output=None if output is None else as_text(output),
        error=error,
        tools=tools,
        cost_usd=cost,
        latency_ms=latency,
        trace=trace,
    )


def _either(record: dict[str, Any]) -> str:
    given = "neither" if record.get("output") is None else "both"
    if "output" in record and given == "neither":
        given += ': `null` means absent; write an empty answer as "", a crash as `error`'
    return f"expected either `output` or `error`, got {given}"


def usual_prediction(record: dict[str, Any]) -> Prediction | None:
    """Give the prediction of a record in which nothing needs care; ``None`` for any other.

    It only saves time: whatever it gives, :func:`read_prediction` would give as well.

    >>> usual_prediction({"id": "qa-1", "output": "Paris"}).output
    'Paris'
    >>> usual_prediction({"id": 7, "output": "Paris"})
    """
    if type(record.get("output")) is not str or not is_usual_id(record.get("id")):
        return None
    if not record.keys() <= _USUAL:
        if not record.keys().isdisjoint(_CARE):
            return None
        record = {name: record[name] for name in record if name in _USUAL}
    try:
        found = _prediction_reader()(record)
    except ValueError:
        return None
    return found if found.repeat <= MAX_REPEAT else None


@cache
def _prediction_reader() -> Callable[[object], Prediction]:
    return reader(Prediction)


def _other_shape(text: dict[str, Any] | str | Unreadable) -> str | None:
    """Recognise from its first line a file that is JSON but not one object a line."""
    if isinstance(text, (dict, Unreadable)):
        return None
    bare = text.strip()
    if bare.startswith("["):
        return "one JSON object a line; this file is a JSON array: convert with `jq -c '.[]'`"
    if bare == "{":
        return "one JSON object a line; this one spans several: convert with `jq -c .`"
    return None
