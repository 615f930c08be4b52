"""The scores that promptfoo gave to one answer, and those that it only seems to have given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gate.inputs.importers.found import RecordedScore
from gate.inputs.importers.parts.promptfoo_parts import (
    COMPARISONS,
    assertion_of,
    compares,
    inner_of,
    own_of,
    stand_for,
)
from gate.inputs.importers.parts.promptfoo_row import RowRefused, one_of
from gate.inputs.importers.source import number

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

HEADLINE: Final = "success"
AGGREGATE: Final = "score"
UNCHECKED: Final = (
    "promptfoo calls a result a pass for which it checked nothing (no assertion, or none with "
    "a weight): that is no score here"
)
DIED: Final = (
    "an assertion could not be judged (its grader or its script failed, which promptfoo counts "
    "as 0): no score here, and a fail only where another assertion failed"
)
CONTRADICTED: Final = (
    "`success`, `gradingResult.pass` and `failureReason` contradict each other: no score here"
)
UNBORNE: Final = (
    "`success` that its parts do not bear out (an assertion failed without a threshold, or has no "
    "result of its own): no score here"
)
STRIPPED: Final = "there is no `gradingResult`, so nothing says what was checked: no score here"
UNCOMPARED: Final = "a comparison of answers (select-best, max-score) was not recorded: no score"
_FAILED: Final = {
    "javascript": ("Custom function threw error",),
    "python": ("Python code execution failed",),
    "ruby": ("Ruby code execution failed",),
    "webhook": ("Webhook error",),
    "factuality": (
        "Factuality checker output did not match", "Invalid category value", "No output",
        "API error", "API call error", "Error:", "Could not perform remote grading",
    ),
}  # fmt: skip
"""How the reason begins where the assertion itself failed, and promptfoo marks nothing."""
_JUDGED: Final = {
    "model-graded-closedqa": ("The submission ",),
    "similar": ("Similarity ", "Distance "),
}
"""How the reason begins where there is a judgement; any other is of a failed call."""


def read_scores(record: dict[str, Any], told: Counter[str]) -> Iterator[RecordedScore]:
    """Give the scores of a result that has an output; what is odd of it is added to ``told``.

    Raises ``RowRefused``.
    """
    success = one_of(record, "success", bool)
    if success is None:
        raise RowRefused("`success`: is missing")
    named = one_of(record, "namedScores", dict) or {}
    grading = one_of(record, "gradingResult", dict)
    declared = record["testCase"].get("assert")
    declared = declared if isinstance(declared, list) else []
    components = list(_components(grading or {}))
    wanted = _comparisons(declared)
    stands = stand_for(declared, grading or {})
    named = named if stands else dict.fromkeys(named)
    uncompared = not wanted <= _comparisons(map(assertion_of, components))
    why = None
    if grading is None and declared:
        why = STRIPPED
    elif any(map(_died, components)):
        why = DIED
    elif uncompared:
        why = UNCOMPARED
    elif not any(map(_weighs, components)):
        told[UNCHECKED] += 1
        yield from _named(named, components)
        return
    elif _contradicts(record, success, grading or {}):
        why = CONTRADICTED
    elif success and not (stands and _borne_out(record["testCase"], grading or {})):
        why = UNBORNE
    if why is not None:
        told[why] += 1
    passed = float(success) if why is None else None
    if why == DIED and not success and _fails_anyway(record["testCase"], grading or {}):
        passed = 0.0
    yield RecordedScore(HEADLINE, passed, headline=True)
    whole = stands and (why is None or why == CONTRADICTED)
    yield RecordedScore(AGGREGATE, number(record.get("score")) if whole else None)
    yield from _named(named, components)


def _contradicts(record: dict[str, Any], success: bool, grading: dict[str, Any]) -> bool:  # noqa: FBT001 - it is what the result says
    passed, reason = grading.get("pass"), record.get("failureReason")
    return (isinstance(passed, bool) and passed is not success) or (success and reason == 1)


def _borne_out(test: dict[str, Any], grading: dict[str, Any]) -> bool:
    """Say whether a pass is what promptfoo makes of these results.

    A threshold, and a function that scores, may pass an answer of which an assertion failed; so
    does a guardrail of a red team that holds.
    """
    failed = [one for one in own_of(grading) if one.get("pass") is False and _weighs(one)]
    if any(compares(assertion_of(one)) for one in failed):
        return False
    return not failed or _lenient(test) or any(map(_guards, failed))


def _lenient(test: dict[str, Any]) -> bool:
    return test.get("threshold") is not None or test.get("assertScoringFunction") is not None


def _guards(component: dict[str, Any]) -> bool:
    assertion = assertion_of(component)
    config = assertion.get("config")
    red = isinstance(config, dict) and config.get("purpose") == "redteam"
    return red and assertion.get("type") == "guardrails"


def _fails_anyway(test: dict[str, Any], grading: dict[str, Any]) -> bool:
    """Say whether another assertion failed, and nothing but all of them would have been a pass."""
    if _lenient(test):
        return False
    return any(
        one.get("pass") is False and _weighs(one) and not _died(one) for one in own_of(grading)
    )


def _named(named: dict[str, Any], components: list[dict[str, Any]]) -> Iterator[RecordedScore]:
    lost = {_metric(component) for component in components if _died(component)}
    unknown = any(metric is not None and "{{" in metric for metric in lost)
    for name, value in named.items():
        called = f"namedScores.{name}" if name in {HEADLINE, AGGREGATE} else name
        yield RecordedScore(called, None if unknown or name in lost else number(value))


def _components(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give what each assertion came to; those of a set stand within it, and often beside it."""
    components = result.get("componentResults")
    for component in components if isinstance(components, list) else ():
        if isinstance(component, dict):
            yield component
            yield from _components(component)


def _comparisons(assertions: Iterable[object]) -> set[str]:
    kinds = (one.get("type") for one in assertions if isinstance(one, dict))
    return {kind for kind in kinds if isinstance(kind, str) and kind in COMPARISONS}


def _metric(component: dict[str, Any]) -> str | None:
    metadata = component.get("metadata")
    of_set = metadata.get("assertionSet") if isinstance(metadata, dict) else None
    for holder in (assertion_of(component), of_set):
        metric = holder.get("metric") if isinstance(holder, dict) else None
        if isinstance(metric, str):
            return metric
    return None


def _weighs(component: dict[str, Any]) -> bool:
    assertion = assertion_of(component)
    weight = assertion.get("weight")
    if assertion.get("metricOnly") is True:
        return False
    return isinstance(weight, bool) or not isinstance(weight, int | float) or weight != 0


def _died(component: dict[str, Any]) -> bool:
    """Say whether this speaks of a failed grader or script, and not of the answer."""
    metadata = component.get("metadata")
    if isinstance(metadata, dict) and metadata.get("graderError") is True:
        return True
    if any(map(_died, inner_of(component))):
        return True
    kind, reason = assertion_of(component).get("type"), component.get("reason")
    if component.get("pass") is not False or not isinstance(kind, str):
        return False
    said = reason if isinstance(reason, str) else ""
    kind = kind.removeprefix("not-")
    kind = "factuality" if kind == "model-graded-factuality" else kind.split(":", 1)[0]
    if kind in _JUDGED:
        return not said.startswith(_JUDGED[kind])
    return kind in _FAILED and said.startswith(_FAILED[kind])
