from gate.inputs.misspelt import Misspelt, misspelt
from gate.records.case import EvalCase


def case(metadata):
    return EvalCase(id="a", input="?", metadata=metadata)


def test_a_field_that_looks_like_labels_is_found_and_counted():
    found = misspelt([case('{"label":"safety"}'), case('{"label":"x","lables":1}'), case("{}")])
    assert found == (Misspelt("label", "labels", 2), Misspelt("lables", "labels", 1))


def test_ordinary_metadata_is_not_suspected():
    assert misspelt([case('{"snapshot_date":"2026-01-01","source":"x","difficulty":3}')]) == ()
