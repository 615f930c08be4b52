"""A record is frozen, closed, strict and hashable; a limit is what its text says."""

from dataclasses import FrozenInstanceError
from decimal import Decimal

import pytest
from pydantic import ValidationError

from gate.records.base import LIMIT_DIGITS, exact_decimal
from gate.records.case import AgentResult, EvalCase, Prediction
from gate.records.gating import FloorOptions
from gate.records.result import RepeatResult, ScorerIdentity

RUN = {"repeat": 0, "standing": "scored", "score": 1.0, "passed": True, "trajectory": 1.0}


def test_records_are_frozen():
    with pytest.raises(ValidationError, match="frozen"):
        FloorOptions(min=1).min = 0
    with pytest.raises(FrozenInstanceError):
        EvalCase(id="a", input="?").id = "b"


def test_records_are_closed():
    with pytest.raises(ValidationError):
        FloorOptions(min=1, max=2)
    with pytest.raises((ValidationError, TypeError)):
        AgentResult(output="x", score=1.0)


def test_records_are_hashable_and_equal_by_value():
    assert len({EvalCase(id="a", input="?"), EvalCase(id="a", input="?")}) == 1
    assert len({FloorOptions(min="0.10"), FloorOptions(min=0.1)}) == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"score": "1.0"},
        {"score": True},
        {"score": float("nan")},
        {"score": float("inf")},
        {"score": 1.5},
        {"passed": 1},
        {"repeat": -1},
        {"repeat": 1.0},
        {"standing": "fine"},
    ],
)
def test_records_are_strict(fields):
    with pytest.raises(ValidationError):
        RepeatResult(**{**RUN, **fields})


def test_a_tuple_is_no_list():
    with pytest.raises(ValidationError):
        Prediction(id="a", output="x", tools=3)


def test_any_object_is_held_as_canonical_text_and_written_as_the_object():
    found = ScorerIdentity(name="x", version=1, params={"b": 1, "a": [2]})
    assert found.params == '{"a":[2],"b":1}'
    assert found.model_dump(mode="json")["params"] == {"a": [2], "b": 1}
    with pytest.raises(ValidationError):
        ScorerIdentity(name="x", version=1, params="[1]")


@pytest.mark.parametrize(
    ("value", "expected"),
    [("0.05", "0.05"), (0.05, "0.05"), (1, "1"), (" 0.5 ", "0.5"), (Decimal("0.30"), "0.30")],
)
def test_a_limit_is_what_its_text_says(value, expected):
    assert str(exact_decimal(value)) == expected


@pytest.mark.parametrize(
    "value",
    [
        *(True, None, "x", "", "nan", "inf", "-Infinity", float("nan"), float("inf"), [1]),
        *("1e99", "1e-99", "0." + "1" * (LIMIT_DIGITS + 1)),
    ],
)
def test_what_is_no_limit_raises(value):
    with pytest.raises(ValueError, match="number"):
        exact_decimal(value)


def test_a_limit_is_written_as_a_number():
    assert FloorOptions(min="1.0").model_dump(mode="json")["min"] == 1
    assert FloorOptions(min="0.05").model_dump(mode="json")["min"] == 0.05
