import json
from io import BytesIO

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gate.errors import CasesInvalid, PredictionsInvalid
from gate.inputs.cases import read_cases
from gate.inputs.lines import Unreadable, numbered
from gate.inputs.pairing import Pairing
from gate.inputs.predictions import PredictionReader
from gate.records.case import EvalCase, Prediction
from gate.records.json_text import JsonRefused, canonical, elements, loads

NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
LABELS = st.lists(st.text(min_size=1, max_size=5), max_size=50)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)
AMOUNTS = st.none() | st.floats(min_value=0, allow_nan=False, allow_infinity=False)
ANSWERS = st.fixed_dictionaries(
    {"output": VALUES.filter(lambda value: value is not None)}
) | st.fixed_dictionaries({"error": st.text(min_size=1).filter(str.strip)})
RECORDS = st.builds(
    lambda answer, rest: answer | rest,
    ANSWERS,
    st.fixed_dictionaries(
        {"id": st.text(min_size=1, max_size=6), "repeat": st.integers(0, 3)},
        optional={
            "tools": st.none() | st.lists(st.text(max_size=5), max_size=3),
            "cost_usd": AMOUNTS,
            "latency_ms": AMOUNTS,
            "score": VALUES,
        },
    ),
)
FILES = st.lists(RECORDS, max_size=8, unique_by=lambda one: (one["id"], one["repeat"]))
# Bytes that look enough like JSON to come past the first check.
JSON_ISH = st.lists(
    st.sampled_from(
        [
            *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"\n", b"\r", b" ", b"1", b"null", b"NaN"),
            *(b'"a"', b'{"id":', b'"output":', b'"input":', b'"labels":', b'"K":', b'"scorer":'),
            *(b'{"name":"rubric"', b"\\ud800", b"1e400", b"\xff", b"\x00", b"\xef\xbb\xbf"),
            b"\x1f\x8b",
        ]
    )
).map(b"".join)


def written(records, *, ascii_only, end):
    return end.join(json.dumps(record, ensure_ascii=ascii_only).encode() for record in records)


def attempt(function, refusal):
    """Give what the function gives and what its refusal says; one of the two is None."""
    try:
        return function(), None
    except refusal as error:
        return None, str(error)


def read(raw):
    reader = PredictionReader(BytesIO(raw), source="p")
    return list(reader), reader.digest


@given(FILES, st.randoms(use_true_random=False), st.booleans(), st.sampled_from([b"\n", b"\r\n"]))
def test_the_order_of_lines_and_keys_changes_neither_set_nor_digest(
    records, random, ascii_only, end
):
    found, digest = read(written(records, ascii_only=True, end=b"\n"))
    other = [dict(random.sample(list(one.items()), k=len(one))) for one in records]
    random.shuffle(other)
    again, digest_again = read(b"\n" + written(other, ascii_only=ascii_only, end=end) + end)
    assert set(found) == set(again)
    assert digest == digest_again


@given(FILES)
def test_what_was_written_is_read(records):
    found, _ = read(written(records, ascii_only=False, end=b"\n"))
    assert len(found) == len(records)
    for one, record in zip(found, records, strict=True):
        output = record.get("output")
        assert (one.id, one.repeat) == (record["id"], record["repeat"])
        assert one.error == record.get("error")
        if isinstance(output, str):
            assert one.output == output
        elif output is not None:
            assert loads(one.output) == output


@given(st.binary() | JSON_ISH)
@example(b"[")
@example(b'{"id":1,"output":1}\n{"id":"1","output":1}')
def test_no_bytes_raise_anything_but_predictions_invalid(raw):
    found, said = attempt(lambda: read(raw)[0], PredictionsInvalid)
    if said is None:
        assert all(isinstance(one, Prediction) for one in found)
    else:
        assert said.startswith("p:")
        assert all(part.isprintable() for part in said.splitlines())


@given(st.binary() | JSON_ISH)
@example(b"[" * 5000)
def test_no_bytes_raise_anything_but_cases_invalid(raw):
    found, said = attempt(lambda: read_cases(raw, source="c"), CasesInvalid)
    if said is None:
        assert [one.id for one in found] == sorted({one.id for one in found})
    else:
        assert said.startswith("c:")
        assert all(part.isprintable() for part in said.splitlines())


@given(st.dictionaries(st.sampled_from(["id", "input", "labels", "scorer", "K", "query"]), VALUES))
def test_no_fields_of_a_case_raise_anything_but_cases_invalid(fields):
    raw = json.dumps({"id": "a", "input": "?"} | fields).encode()
    found, said = attempt(lambda: read_cases(raw, source="c"), CasesInvalid)
    if said is None:
        assert len(found) == 1
    else:
        assert said.startswith("c:1: ")


@given(
    st.lists(
        st.fixed_dictionaries(
            {"id": st.text(min_size=1, max_size=5), "input": st.text()},
            optional={"reference": VALUES, "labels": LABELS},
        ),
        min_size=1,
        unique_by=lambda one: one["id"],
    ),
    st.randoms(use_true_random=False),
)
def test_cases_are_the_same_as_lines_or_array_in_any_order(records, random):
    as_lines = read_cases(written(records, ascii_only=False, end=b"\n"), source="c")
    random.shuffle(records)
    assert read_cases(json.dumps(records, indent=1).encode(), source="c") == as_lines


@given(
    st.lists(
        st.text(alphabet=st.characters(codec="utf-8", exclude_characters='\n\0"'), min_size=1)
    )
)
def test_lines_are_split_at_newlines_alone(texts):
    raw = "\n".join(f'"{text}"' for text in texts).encode()
    found = [text for _, text in numbered(BytesIO(raw))]
    assert "".join(found) == raw.decode()
    assert len(found) == len(texts)


@given(st.lists(st.binary(max_size=8)), st.integers(0, 30))
def test_the_offset_of_a_bad_byte_is_exact(before, at):
    head = b"".join(b"a" * len(part) + b"\n" for part in before)
    raw = head + b"x" * at + b"\xff\n"
    (said,) = [text for _, text in numbered(BytesIO(raw)) if isinstance(text, Unreadable)]
    assert said == f"not UTF-8: byte 0xff at offset {raw.index(0xFF)}"


@given(VALUES)
def test_canonical_text_is_read_back_equal_and_is_its_own_canonical_text(value):
    text = canonical(value)
    assert loads(text) == value
    assert canonical(loads(text)) == text


@given(st.lists(VALUES), st.sampled_from([None, 1]))
def test_the_elements_of_an_array_are_its_values(values, indent):
    text = json.dumps(values, indent=indent)
    assert [loads(element) for element in elements(text)] == values


@given(st.text() | JSON_ISH.map(lambda raw: raw.decode("latin-1")))
def test_strict_reading_agrees_with_the_standard_parser_or_refuses(text):
    value, said = attempt(lambda: loads(text, max_values=10), JsonRefused)
    if said is None:
        assert value == json.loads(text)
    else:
        assert said.isprintable()


@given(st.lists(st.sampled_from("abcdef"), max_size=30), st.sets(st.sampled_from("abc")))
def test_pairing_forgets_nobody(answered, golden):
    pairing = Pairing([EvalCase(id=name, input="?") for name in sorted(golden)])
    predictions = [Prediction(id=n, repeat=i, output="") for i, n in enumerate(answered)]
    pairs = list(pairing.pair(predictions))
    assert len(pairs) + pairing.unknown_predictions == len(answered)
    assert sum(pairing.repeats.values()) == len(pairs)
    assert set(pairing.missing) == golden - set(answered)
    assert set(pairing.unknown_ids) == set(answered) - golden
    if pairs:
        pairing.require_any(source="p")
    else:
        with pytest.raises(PredictionsInvalid):
            pairing.require_any(source="p")
