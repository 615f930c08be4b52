"""Many lines in which nothing needs care become cases or predictions at once.

It only saves time. Whatever is given here, reading each line as an object would give as well; and
where that might differ nothing is given, and each line is read as an object.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from gate.inputs.case_record import are_labels
from gate.inputs.seen import MAX_REPEAT
from gate.records.case import EvalCase, Prediction
from gate.records.json_lines import typed_objects

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def usual_cases(lines: Sequence[bytes]) -> list[EvalCase] | None:
    """Give the case of each line, or ``None`` unless all are usual.

    >>> [case.id for case in usual_cases([b'{"id": "a", "input": "?"}'])]
    ['a']
    >>> usual_cases([b'{"id": 7, "input": "?"}'])
    """
    found = typed_objects(lines, _cases_reader(), _texts_of_case)
    if found is None or not all(map(are_labels, {case.labels for case in found})):
        return None
    return found


def _texts_of_case(case: EvalCase) -> int:
    """Count the keys and texts of a case that has no scorer and no metadata."""
    tools, labels = len(case.expected_tools), len(case.labels)
    named = (case.reference is not None) + (case.cluster is not None)
    return 4 + 2 * named + tools + bool(tools) + labels + bool(labels)


def usual_predictions(lines: Sequence[bytes]) -> list[Prediction] | None:
    """Give the prediction of each line, or ``None`` unless all are usual.

    >>> [found.output for found in usual_predictions([b'{"id": "a", "output": "Paris"}'])]
    ['Paris']
    >>> usual_predictions([b'{"id": 7, "output": "Paris"}'])
    """
    found = typed_objects(lines, _predictions_reader(), _texts_of_answer)
    if found is None or any(one.output is None or one.repeat > MAX_REPEAT for one in found):
        return None
    return found


def _texts_of_answer(prediction: Prediction) -> int:
    """Count the keys and texts of an answer without cost and latency."""
    tools = prediction.tools
    return 4 + (prediction.repeat > 0) + (0 if tools is None else 1 + len(tools))


@cache
def _cases_reader() -> Callable[[bytes], list[EvalCase]]:
    from pydantic import TypeAdapter

    return TypeAdapter(list[EvalCase]).validate_json


@cache
def _predictions_reader() -> Callable[[bytes], list[Prediction]]:
    from pydantic import TypeAdapter

    return TypeAdapter(list[Prediction]).validate_json
