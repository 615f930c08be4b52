"""Predictions that are kept are what the stream was, as often as wanted."""

import pytest

from gate.errors import PredictionsInvalid
from gate.inputs.held import HeldPredictions
from gate.inputs.predictions import PredictionReader

LINES = [
    b'{"id": "b", "output": "1", "extra": 1}\n',
    b'{"id": "a", "output": "2", "trace": [1]}\n',
]


def reader(lines=LINES, **how):
    return PredictionReader(iter(lines), source="p.jsonl", **how)


def test_they_come_in_the_order_of_the_file_and_again():
    held = HeldPredictions(reader())
    assert [one.id for one in held] == ["b", "a"]
    assert list(held) == list(held)


def test_what_the_reader_knows_at_its_end_is_known_at_once():
    held, stream = HeldPredictions(reader()), reader()
    list(stream)
    assert held.count == 2
    assert held.digest == stream.digest
    assert held.ignored_fields == stream.ignored_fields


def test_traces_are_held_where_they_are_wanted():
    assert [one.trace for one in HeldPredictions(reader(traces=True))] == [None, "[1]"]
    assert [one.trace for one in HeldPredictions(reader())] == [None, None]


def test_a_broken_line_is_refused_while_they_are_read():
    with pytest.raises(PredictionsInvalid, match=r"p\.jsonl:3"):
        HeldPredictions(reader([*LINES, b"{\n"]))
