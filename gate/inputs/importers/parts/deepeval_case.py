"""One test case of DeepEval, in either of its two spellings."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from gate.inputs.fields import expected, read_name
from gate.inputs.importers.found import Found, FoundCase, RecordedScore
from gate.inputs.importers.parts.deepeval_rules import called_of, passed_of
from gate.inputs.importers.parts.dotted import dotted
from gate.inputs.importers.parts.labels import labels_of
from gate.inputs.importers.source import number
from gate.records.json_text import as_text, canonical

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

HEADLINE: Final = "success"
NO_OUTPUT: Final = "DeepEval recorded no output for this test case"
UNCHECKED: Final = (
    "no metric that decides (none at all, or flaky ones only): nothing was checked, and that is "
    "no `success`"
)
UNMEASURED: Final = (
    "a metric without a score (its judge failed, or it gave NaN): no `success`, unless another "
    "metric failed with a score"
)
CONTRADICTED: Final = "`success` though a metric failed: no `success` here"
DISAGREES: Final = (
    "a metric whose `success` is not what its score and its threshold come to: no score of it here"
)
_SPELT: Final = {
    "actual_output": "actualOutput",
    "expected_output": "expectedOutput",
    "expected_outcome": "expectedOutcome",
    "metrics_data": "metricsData",
    "tools_called": "toolsCalled",
    "expected_tools": "expectedTools",
    "index": "order",
}
_DEFAULT: Final = re.compile(r"(?:conversational_)?test_case_[0-9]+")


class CaseRefused(ValueError):
    """A test case is not as DeepEval writes one; the message names the key."""


def kept(record: dict[str, Any]) -> dict[str, Any]:
    """Give a test case in the spelling of a test run.

    >>> kept({"actual_output": "x", "index": 2, "name": "a"})
    {'actualOutput': 'x', 'order': 2, 'name': 'a'}
    """
    return {_SPELT.get(name, name): value for name, value in record.items()}


def name_of(record: dict[str, Any], id_field: str | None) -> tuple[str, bool]:
    """Give the id, and whether it is a mere position. Raises ``CaseRefused``."""
    field, found = "name", record.get("name")
    if id_field is not None:
        try:
            field, found = id_field, dotted(record, id_field)
        except KeyError:
            raise CaseRefused(f"`{id_field}`: is missing") from None
    problems: list[str] = []
    name = read_name(field, found, problems)
    if name is None:
        raise CaseRefused(problems[0])
    return name, id_field is None and _DEFAULT.fullmatch(name) is not None


def content(record: dict[str, Any]) -> str:
    """Digest what a test case asks and expects."""
    asked = (_question(record), _golden(record))
    return sha256(canonical(asked).encode()).hexdigest()


def inverted(records: Iterable[dict[str, Any]]) -> frozenset[str]:
    """Name the metrics for which lower is better.

    They somewhere pass below their threshold, or fail above it, and nowhere the other way. At a
    threshold of 1 none is such a metric: all would pass.
    """
    upright: set[str] = set()
    found: set[str] = set()
    for record in records:
        for metric in _metrics(record):
            name, side = metric.get("name"), _side(metric)
            if isinstance(name, str) and side and metric["threshold"] < 1:
                (upright if metric["success"] is (side > 0) else found).add(name)
    return frozenset(found - upright)


def _side(metric: dict[str, Any]) -> int | None:
    """Say where a metric with a verdict is: below its threshold (-1), on it (0) or above (1)."""
    score, threshold = number(metric.get("score")), number(metric.get("threshold"))
    told = isinstance(metric.get("success"), bool) and metric.get("error") is None
    if not told or score is None or threshold is None:
        return None
    return (score > threshold) - (score < threshold)


def _contradicts(metric: dict[str, Any], *, upside_down: bool) -> bool:
    """Say whether a metric's verdict is not that of its score: on its threshold it has passed.

    >>> metric = {"score": 0.9, "threshold": 0.5, "success": False}
    >>> [_contradicts(metric, upside_down=lower_is_better) for lower_is_better in (False, True)]
    [True, False]
    """
    side = _side(metric)
    if side is None:
        return False
    return metric["success"] is not (side <= 0 if upside_down else side >= 0)


def read_case(
    record: dict[str, Any],
    *,
    place: str,
    name: str,
    upside_down: frozenset[str],
    told: Counter[str],
) -> Found:
    """Read one test case. What is odd of it is added to ``told``. Raises ``CaseRefused``."""
    output = _output(record)
    metadata = record.get("metadata")
    tags = {"tags": record.get("tags")}
    labels = {*labels_of(metadata), *labels_of(tags)}
    seconds = _amount(record.get("completionTime"))
    scores = tuple(_scores(record, upside_down, told)) if output is not None else ()
    return Found(
        id=name,
        place=place,
        output=output,
        error=NO_OUTPUT if output is None else None,
        tools=_called(record),
        scores=scores,
        case=FoundCase(
            input=as_text(_question(record)),
            reference=_text_or_none(_golden(record)),
            expected_tools=_tools(record, "expectedTools") or (),
            labels=tuple(sorted(labels)),
            metadata=canonical(metadata) if isinstance(metadata, dict) else "{}",
        ),
        cost_usd=_amount(record.get("tokenCost")),
        latency_ms=None if seconds is None else seconds * 1000,
    )


def _question(record: dict[str, Any]) -> object:
    turns = record.get("turns")
    found = record.get("scenario") if isinstance(turns, list) else record.get("input")
    return "" if found is None else found


def _golden(record: dict[str, Any]) -> object:
    found = record.get("expectedOutput")
    return record.get("expectedOutcome") if found is None else found


def _output(record: dict[str, Any]) -> str | None:
    turns = record.get("turns")
    if isinstance(turns, list) and turns:
        plain = [
            {key: turn.get(key) for key in ("role", "content")} if isinstance(turn, dict) else turn
            for turn in turns
        ]
        return canonical(plain)
    return _text_or_none(record.get("actualOutput"))


def _called(record: dict[str, Any]) -> tuple[str, ...] | None:
    turns = record.get("turns")
    if not isinstance(turns, list) or not turns:
        return _tools(record, "toolsCalled")
    named = [_tools(turn, "toolsCalled") for turn in turns if isinstance(turn, dict)]
    said = [tools for tools in named if tools is not None]
    return tuple(name for tools in said for name in tools) if said else None


def _tools(record: dict[str, Any], field: str) -> tuple[str, ...] | None:
    listed = record.get(field)
    if listed is None:
        return None
    if not isinstance(listed, list):
        raise CaseRefused(expected(field, "a list", listed))
    names = [call.get("name") if isinstance(call, dict) else None for call in listed]
    texts = tuple(name for name in names if isinstance(name, str))
    if len(texts) < len(names):
        raise CaseRefused(f"`{field}`: a call without the name of its tool")
    return texts


def _metrics(record: dict[str, Any]) -> list[dict[str, Any]]:
    listed = record.get("metricsData")
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _scores(
    record: dict[str, Any], upside_down: frozenset[str], told: Counter[str]
) -> Iterator[RecordedScore]:
    listed = record.get("metricsData")
    if listed is not None and not isinstance(listed, list):
        raise CaseRefused(expected("metricsData", "a list", listed))
    success = record.get("success")
    if success is not None and not isinstance(success, bool):
        raise CaseRefused(expected("success", "true or false", success))
    decisive = lost = failed = 0
    found: list[RecordedScore] = []
    metrics = _metrics(record)
    names = [metric.get("name") for metric in metrics]
    named = [name for name in names if isinstance(name, str) and name]
    if len(named) < len(names):
        raise CaseRefused("`metricsData`: a metric without a name")
    for metric, name, called in zip(metrics, named, called_of(named), strict=True):
        said, value = metric.get("success"), number(metric.get("score"))
        passed = said if isinstance(said, bool) else None
        contradicts = _contradicts(metric, upside_down=name in upside_down)
        told[DISAGREES] += contradicts
        measured = metric.get("error") is None and value is not None and passed is not None
        measured = measured and not contradicts
        if metric.get("flaky") is not True:
            decisive += 1
            lost += not measured
            failed += measured and passed is False
        shows = measured and name not in upside_down
        found.append(RecordedScore(called, value if shows else None))
        found.append(RecordedScore(passed_of(called), number(passed) if measured else None))
    if not decisive or success is None:
        told[UNCHECKED] += 1
    else:
        whole: float | None = float(success)
        if success and failed:
            told[CONTRADICTED] += 1
            whole = None
        elif lost:
            told[UNMEASURED] += 1
            # A fail that stands on a score is one, whatever became of the other metrics.
            whole = 0.0 if failed else None
        yield RecordedScore(HEADLINE, whole, headline=True)
    yield from found


def _amount(found: object) -> float | None:
    amount = None if isinstance(found, bool) else number(found)
    return amount if amount is not None and amount >= 0 else None


def _text_or_none(found: object) -> str | None:
    return None if found is None else as_text(found)
