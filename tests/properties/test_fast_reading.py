"""What saves time while reading changes nothing: fast and careful reading agree on anything."""

import json
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gate.baseline import store
from gate.errors import GateError
from gate.inputs import cases as case_reading
from gate.inputs import lines as line_reading
from gate.inputs import predictions as prediction_reading
from gate.inputs.cases import read_cases
from gate.inputs.predictions import PredictionReader
from gate.records.json_lines import plain_objects
from gate.records.json_text import JsonRefused, loads
from gate.records.result import CaseDigest
from gate.suite.digests import case_digest

TEXTS = st.text(st.sampled_from('ab"\\{}[],:\n\té😀\x00\x7f\u2028'), max_size=6)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([-0.0, 0.5, 1e300, 10**18, 10**25]),
    TEXTS,
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=3), st.just({}), st.just([[]]))
NAMES = ["id", "input", "output", "reference", "expected_tools", "tools", "labels", "repeat"]
NAMES += ["error", "cost_usd", "latency_ms", "scorer", "metadata", "query", "K", "trace", "other"]
RECORDS = st.fixed_dictionaries(
    {"id": st.one_of(st.sampled_from(["a", "b", "c"]), VALUES)},
    optional=dict.fromkeys(NAMES[1:], VALUES),
)
IDS = st.sampled_from(["a", "b", "c", "a" * 1001, 1])
LABELS = st.lists(st.sampled_from(["x", "y", "", "k:1", "l" * 201]), max_size=3)
CASES = st.fixed_dictionaries(
    {"id": IDS, "input": TEXTS},
    optional={
        "reference": TEXTS,
        "expected_tools": st.lists(TEXTS, max_size=2),
        "labels": LABELS,
    },
)
ANSWERS = st.fixed_dictionaries(
    {"id": IDS, "output": TEXTS},
    optional={
        "tools": st.lists(TEXTS, max_size=2),
        "repeat": st.sampled_from([0, 1, 2, 1_000_000, 1_000_001, None, True]),
        "other": TEXTS,
    },
)
PIECES = (
    *(b'"', b"\\", b"{", b"}", b",", b":", b"[", b"]", b"\n", b"\r", b" ", b"\xff", b"\x00"),
    *(b"null", b"NaN", b"1e400", b"-0", b'"id":"a",', b'"id":1,', b"\\ud800", b"},{"),
    *(b'"output":"x"', b"1" * 1001, b'\\"', b"\\\\", b"\xef\xbb\xbf"),
)


@st.composite
def files(draw, usual):
    """Lines of JSON, most of them good, some cut and patched at any byte."""
    rows = draw(st.lists(st.one_of(usual, usual, RECORDS), min_size=1, max_size=5))
    ascii_only = draw(st.booleans())
    data = b"".join(json.dumps(row, ensure_ascii=ascii_only).encode() + b"\n" for row in rows)
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(data)))
        until = draw(st.integers(at, min(len(data), at + 4)))
        data = data[:at] + draw(st.sampled_from([*PIECES, b""])) + data[until:]
    return data


def outcome(read):
    try:
        return repr(read())
    except GateError as error:
        return f"{type(error).__name__}: {error}"


def carefully(read):
    nothing = {"return_value": None}
    with (
        patch.object(line_reading, "plain_objects", **nothing),
        patch.object(case_reading, "usual_cases", **nothing),
        patch.object(case_reading, "usual_case", **nothing),
        patch.object(prediction_reading, "usual_predictions", **nothing),
        patch.object(prediction_reading, "usual_prediction", **nothing),
    ):
        return outcome(read)


def predictions(data):
    reader = PredictionReader(data.splitlines(keepends=True), source="p")
    return list(reader), reader.digest, reader.ignored_fields


@given(files(CASES))
@settings(max_examples=500)
@example(b'{"a":[1\n,{"b":2}\n')
@example(b'{"a":"x\n{"b":"y"},{"c":"z"}\n')
@example(b'{"a":1},{"b":2}\n{"c":3}\n')
@example(b'{"a":"\\\\"}\n{"a":"\\\\\\""}\n')
def test_objects_read_at_once_are_what_each_line_holds(data):
    lines = data.split(b"\n")
    found = plain_objects([line + b"\n" for line in lines if line.strip()])
    if found is not None:
        assert repr(found) == repr([loads(line.decode()) for line in lines if line.strip()])


@pytest.mark.parametrize(
    "line",
    [
        b'{"a": 1, "a": 1}',
        b'{"a": "x", "a": "x"}',
        b'{"a": null, "a": null, "b": "null"}',
        b'{"a": NaN}',
        b'{"a": 1e400}',
        b'{"a": [-1e400]}',
        b'{"a": "\\ud800"}',
        b'{"a": "\xff"}',
        b'{"a": "\x00"}',
        b'{"a": 1} {"b": 2}',
        b'{"a": 1},{"b": 2}',
        b'{"a": ' + b"1" * 1001 + b"}",
        b"[]",
        b"",
        b'\xef\xbb\xbf{"a": 1}',
    ],
)
def test_a_line_that_needs_care_is_never_read_at_once(line):
    assert plain_objects([line]) is None
    assert plain_objects([b'{"x": 1}\n', line, b'{"y": 2}\n']) is None


def test_no_text_spans_two_lines():
    assert plain_objects([b'{"a":"x', b'{"}', b'{"b":1},{"c":2}']) is None


def test_plain_lines_are_read_at_once():
    lines = [b'{"id": "\\"q\\"", "tools": ["\\\\", "x"], "cost": 0.5}\r\n', b'{"a": null}']
    assert plain_objects(lines) == [loads(line.decode()) for line in lines]


@given(files(CASES))
@settings(max_examples=400)
def test_cases_are_the_same_read_fast_or_carefully(data):
    def read():
        return read_cases(data, source="c")

    assert outcome(read) == carefully(read)


@given(files(ANSWERS))
@settings(max_examples=400)
def test_predictions_are_the_same_read_fast_or_carefully(data):
    def read():
        return predictions(data)

    assert outcome(read) == carefully(read)


@pytest.mark.parametrize(
    "odd", [b"\n", b'{"id": "z", "output": [[]]}\n', b'{"id": "a-1"}\n', b"x\n"]
)
def test_a_long_file_is_the_same_read_fast_or_carefully(odd):
    usual = [b'{"id": "a-%d", "output": "x", "n": %d}\n' % (n, n) for n in range(300)]
    data = b"".join([*usual[:200], odd, *usual[200:]])
    assert outcome(lambda: predictions(data)) == carefully(lambda: predictions(data))


def test_the_usual_case_and_prediction_are_read_fast():
    assert case_reading.usual_case({"id": "a", "input": "?", "labels": ["x"]}) is not None
    assert prediction_reading.usual_prediction({"id": "a", "output": "", "n": 1}) is not None


def test_usual_cases_and_predictions_are_read_at_once():
    cases = [
        b'{"id": "a", "input": "?", "reference": "x", "labels": ["k"], "cluster": "c"}\n',
        b'{"id": "b", "input": "?", "expected_tools": ["t", "u"]}\n',
    ]
    answers = [
        b'{"id": "a", "output": "x", "tools": []}\n',
        b'{"id": "b", "output": "\\"", "repeat": 1}',
    ]
    assert [case.id for case in case_reading.usual_cases(cases)] == ["a", "b"]
    assert [one.repeat for one in prediction_reading.usual_predictions(answers)] == [0, 1]


@pytest.mark.parametrize(
    "rest",
    [
        b'"input": "?", "input": "?"',
        b'"input": "?", "labels": ["x"], "labels": []',
        b'"input": "?", "labels": []',
        b'"input": "?", "labels": ["y", "x"]',
        b'"input": "?", "reference": null',
        b'"input": "?", "metadata": {}',
        b'"input": "?", "scorer": {"name": "contains"}',
        b'"input": "?", "other": 1',
        b'"input": "\\ud800"',
    ],
)
def test_a_case_that_needs_care_is_never_read_at_once(rest):
    assert case_reading.usual_cases([b'{"id": "a", ' + rest + b"}\n"]) is None


@pytest.mark.parametrize(
    "rest",
    [
        b'"output": "x", "output": "x"',
        b'"output": null, "error": "x"',
        b'"output": "x", "tools": null',
        b'"output": "x", "repeat": 0',
        b'"output": "x", "repeat": 1000001',
        b'"output": "x", "repeat": 1, "repeat": 0',
        b'"output": "x", "cost_usd": 0.5',
        b'"output": "x", "trace": {}',
        b'"output": ["x"]',
    ],
)
def test_a_prediction_that_needs_care_is_never_read_at_once(rest):
    assert prediction_reading.usual_predictions([b'{"id": "a", ' + rest + b"}\n"]) is None


BASELINE = (
    b'{"cases_digest":"sha256:%b",\n"history":[],\n"judge_config":null,\n'
    b'"kind":"agent-eval-gate/baseline",\n"metric":"pass_rate",\n"pass_threshold":1,\n"reason":null,\n"repeats":1,\n'
    b'"schema_version":1,\n"scorer":{"name":"contains","params":{},"version":1},\n'
    b'"summary":{"mean_score":0.5,"n_cases":2,"pass_rate":0.5,"predictions":"sha256:%b",'
    b'"metric":"pass_rate","reason":null,"repeats":1,"trajectory_mean":1.0},\n"trajectory_mode":"exact",\n"rows":[\n%b,\n%b\n]}\n'
)
ROW = (
    b'{"cluster":null,"declares_path":false,"earlier":[],"digest":{"expected_tools":"4f53cda18c2b","input":"e3b0c44298fc",'
    b'"reference":"0ffe1abd1a08","scorer":"2c26b46b68ff","whole":"sha256:%b"},"id":"%b",'
    b'"labels":["caf\\u00e9","\\"q\\""],"passes":[%b],"scores":[%b],"trajectory":1.0}'
)
WHOLE = BASELINE % (
    b"0" * 64,
    b"1" * 64,
    ROW % (b"2" * 64, b"a", b"true", b"1.0"),
    ROW % (b"3" * 64, b"b", b"false", b"0"),
)


def test_a_baseline_as_it_is_written_is_read_fast():
    assert store._as_written(WHOLE) == store._as_json(WHOLE, "b")


@pytest.mark.parametrize("piece", [b'"trajectory":1.0', b'"id":"a"', b'"scorer":"2c26b46b68ff"'])
def test_a_key_twice_in_a_row_is_never_read_fast(piece):
    assert store._as_written(WHOLE.replace(piece, piece + b"," + piece, 1)) is None


@given(st.data())
@settings(max_examples=400)
def test_a_baseline_is_the_same_read_fast_or_carefully(data):
    text = WHOLE
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, len(text)))
        until = data.draw(st.integers(at, min(len(text), at + 6)))
        text = text[:at] + data.draw(st.sampled_from([*PIECES, b"", b"1", b"true"])) + text[until:]
    found = store._as_written(text)
    if found is not None:
        assert repr(found) == outcome(lambda: store._as_json(text, "b"))


def test_a_digest_that_the_baseline_holds_is_taken_from_it():
    (case,) = read_cases(b'{"id": "a", "input": "?", "reference": "caf\xc3\xa9"}', source="c")
    fresh = case_digest(case, scorer="x")
    kept = CaseDigest(
        whole=fresh.whole, input="", reference="", expected_tools="", scorer=fresh.scorer
    )
    assert case_digest(case, scorer="x", before=kept) is kept
    assert case_digest(case, scorer="y", before=kept) != kept


@given(st.text(max_size=200))
def test_loads_agrees_with_the_standard_parser_on_what_it_accepts(text):
    wrapped = '{"a": ' + json.dumps(text) + "}  \n"
    assert loads(wrapped) == json.loads(wrapped)
    with pytest.raises(JsonRefused):
        loads(wrapped + "x")
