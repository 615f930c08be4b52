import json

from hypothesis import given, settings
from hypothesis import strategies as st

from gate.inputs.importers.parts.members import Members
from gate.records.json_text import JsonRefused, loads

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


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
