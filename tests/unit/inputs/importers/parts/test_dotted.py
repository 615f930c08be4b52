"""A dotted path leads to one value or to none."""

import pytest

from gate.inputs.importers.parts.dotted import dotted

VALUE = {
    "a": {"b": [{"c": 1}, None]},
    "gen_ai.system": {"name": "x"},
    "a.b": "whole",
    "0": "zero",
}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("a.b", "whole"),
        ("a.b.0.c", 1),
        ("a.b.1", None),
        ("gen_ai.system.name", "x"),
        ("0", "zero"),
    ],
)
def test_a_path_leads_through_objects_lists_and_names_with_dots(path, found):
    value = {"a": {"b": VALUE["a"]["b"]}} if path.startswith("a.b.") else VALUE
    assert dotted(value, path) == found


@pytest.mark.parametrize(
    "path", ["", "x", "a.x", "a.b.2", "a.b.-1", "a.b.x", "a.b.٣", "a.b.0.c.d", "a.b." + "9" * 40]
)
def test_what_is_not_there_is_a_key_error(path):
    with pytest.raises(KeyError):
        dotted({"a": {"b": [{"c": 1}]}}, path)
