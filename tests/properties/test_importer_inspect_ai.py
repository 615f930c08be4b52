import json
from io import BytesIO
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from gate.errors import PredictionsInvalid
from gate.inputs.importers import inspect_ai
from gate.inputs.importers.found import Found, Gap, Remark, Wrong
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.parts.members import Members
from gate.inputs.importers.source import Source
from gate.records.json_text import JsonRefused, loads

FOLDER = Path(__file__).parents[1] / "data" / "importers" / "inspect_ai"
FILES = [(FOLDER / name).read_bytes() for name in ("small.eval", "small.json")]
WHOLE = json.loads(FILES[1])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def held(data: bytes, id_field: str | None = None) -> list:
    """Read whatever it is: rows that keep their promise, or a refusal."""
    inspect_ai.recognises(data[:65536])
    try:
        found = list(inspect_ai.found(Source("f", lambda: BytesIO(data)), ImportOptions(id_field)))
    except PredictionsInvalid:
        return []
    for each in found:
        assert isinstance(each, Found | Wrong | Gap | Remark)
        if isinstance(each, Found):
            assert (each.output is None) != (each.error is None)
            assert each.id
            assert each.error is None or (each.error and each.scores == ())
            assert sum(score.headline for score in each.scores) <= 1
            json.loads(each.case.metadata if each.case else "{}")
            json.loads(each.trace or "[]")
    return found


def replaced(value, draw):
    """Put something else at a place within a JSON value."""
    if isinstance(value, dict) and value and draw(st.integers(0, 9)):
        key = draw(st.sampled_from(sorted(value)))
        return value | {key: replaced(value[key], draw)}
    if isinstance(value, list) and value and draw(st.integers(0, 9)):
        at = draw(st.integers(0, len(value) - 1))
        return [*value[:at], replaced(value[at], draw), *value[at + 1 :]]
    return draw(VALUES)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FILES), st.data())
def test_changed_bytes_raise_nothing_else(whole, data):
    changed = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(changed) - 1))
        size = data.draw(st.sampled_from((0, 1, 1, 1, 40)))
        changed[at : at + size] = data.draw(st.binary(max_size=3))
    held(bytes(changed))
    held(bytes(changed[: data.draw(st.integers(0, len(changed)))]))


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from((None, "metadata.qid", "messages.0")))
def test_any_json_of_the_shape_raises_nothing_else(data, id_field):
    held(json.dumps(replaced(WHOLE, data.draw)).encode(), id_field)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.text(max_size=8), VALUES, max_size=6), st.integers(0, 3))
def test_members_are_what_a_whole_parse_gives(record, indent):
    text = json.dumps(record, indent=indent or None, allow_nan=True)
    try:
        members = Members(text.encode())
        built = members.built()
    except JsonRefused:  # a lone surrogate, or the like
        return
    assert built == loads(text, lenient=True)
    assert all(name in members for name in record)
