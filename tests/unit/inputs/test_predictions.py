import json

import pytest

from gate.errors import Defect, PredictionsInvalid
from gate.inputs.predictions import STORED, PredictionReader
from gate.records.case import Prediction

GOOD = b'{"id": "a", "output": "x"}\n'


def reader(*lines):
    return PredictionReader(iter(lines), source="p.jsonl")


def line(**fields):
    return json.dumps({"id": "a", "output": "x"} | fields).encode() + b"\n"


def one(**fields):
    (found,) = reader(line(**fields))
    return found


def refusal(*lines):
    with pytest.raises(PredictionsInvalid) as caught:
        list(reader(*lines))
    return str(caught.value)


def digest(*lines):
    found = reader(*lines)
    list(found)
    return found.digest


def test_a_prediction_needs_an_id_and_an_output():
    assert list(reader(GOOD)) == [Prediction(id="a", output="x")]


def test_every_field_is_read():
    assert one(
        output="x", tools=["s", "s"], repeat=3, cost_usd=1, latency_ms=0.5, trace={"any": 1}
    ) == Prediction(id="a", output="x", tools=("s", "s"), repeat=3, cost_usd=1.0, latency_ms=0.5)


def test_null_means_absent():
    assert one(
        tools=None, repeat=None, cost_usd=None, latency_ms=None, trace=None, error=None
    ) == Prediction(id="a", output="x")


def test_no_tools_is_not_the_same_as_tools_unknown():
    assert one(tools=[]).tools == ()
    assert one(tools=None).tools is None


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("", ""),
        (144, "144"),
        (True, "true"),
        (["Paris", 1.5], '["Paris",1.5]'),
        ({"b": None, "a": "\u00e9"}, '{"a":"\u00e9","b":null}'),
    ],
)
def test_an_output_that_is_no_text_becomes_canonical_text(output, text):
    assert one(output=output).output == text


def test_an_error_stands_instead_of_an_output():
    found = one(output=None, error="timeout")
    assert (found.output, found.error) == (None, "timeout")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"output": None},
            (
                "expected either `output` or `error`, got neither: `null` means absent; "
                'write an empty answer as "", a crash as `error`'
            ),
        ),
        ({"error": "x"}, "expected either `output` or `error`, got both"),
        ({"error": ""}, "`error`: expected a text that says what happened, got an empty one"),
        (
            {"output": None, "error": " "},
            "`error`: expected a text that says what happened, got an empty one",
        ),
        ({"error": 3}, "`error`: expected a text that says what happened, got a whole number"),
        ({"error": False}, "`error`: expected a text that says what happened, got true or false"),
        ({"repeat": True}, "`repeat`: expected a whole number, got true or false"),
        ({"repeat": 1.0}, "`repeat`: expected a whole number, got a fraction"),
        ({"repeat": "1"}, "`repeat`: expected a whole number, got a text"),
        ({"repeat": -1}, "`repeat`: is not between 0 and 1000000"),
        ({"repeat": 1_000_001}, "`repeat`: is not between 0 and 1000000"),
        ({"tools": "search"}, "`tools`: expected a list of texts, got a text"),
        ({"tools": {}}, "`tools`: expected a list of texts, got an object"),
        ({"tools": ["a", None]}, "`tools[1]`: expected a text, got null"),
        ({"cost_usd": -1}, "`cost_usd`: -1.0 is below 0"),
        ({"latency_ms": "3"}, "`latency_ms`: expected a number, got a text"),
        ({"id": ""}, "`id`: is empty"),
        ({"id": None}, "`id`: expected a text or a whole number, got null"),
        ({"id": True}, "`id`: expected a text or a whole number, got true or false"),
        ({"id": 1.0}, "`id`: expected a text or a whole number, got a fraction"),
    ],
)
def test_a_wrong_field_is_named_with_its_line(fields, message):
    assert refusal(GOOD.replace(b'"a"', b'"z"'), line(**fields)) == f"p.jsonl:2: {message}"


def test_a_missing_id_is_refused():
    assert refusal(b'{"output": "x"}') == "p.jsonl:1: `id`: is missing"


def test_every_wrong_field_of_a_line_is_named():
    message = refusal(line(id=None, tools=3, repeat=-1, cost_usd="x"))
    assert len(message.splitlines()) == 4
    assert all(part.startswith("p.jsonl:1: ") for part in message.splitlines())


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b'{"id": "a", "output": NaN}', "NaN is not JSON"),
        (b'{"id": "a", "output": "x", "score": -Infinity}', "-Infinity is not JSON"),
        (b'{"id": "a", "output": 1e400}', "the number 1e400 is beyond"),
        (b'{"id": "a", "output": ' + b"9" * 5000 + b"}", "an integer of more than 1000 digits"),
        (b'{"id": "a", "output": ' + b"[" * 5000, "nested deeper than 100 levels"),
        (b'{"id": "a", "id": "b", "output": "x"}', "key 'id' appears twice in one object"),
        (b'{"id": "a", "output": "\\ud800"}', "a lone surrogate"),
        (b'{"id": "a", "output": "x', "truncated?"),
        (b'{"id": "a", "output": "x\xff"}', "not UTF-8: byte 0xff at offset 51"),
        (b'{"id": "a", "output": "x\x00"}', "a NUL byte at offset 51"),
        (b'{"id": "a", "output": "x\x1b"}', "Invalid control character"),
        (b'"text"', "expected a JSON object, got a text"),
        (b"[1]", "expected a JSON object, got a list"),
        (b'{"id": "a", "output": "x"} {}', "Extra data"),
        (b'{"id": "a", "output": [' + b"{}," * 500_000 + b"1]}", "more than 500000 values"),
    ],
)
def test_a_line_that_is_no_strict_json_object_is_refused(raw, message):
    found = refusal(GOOD.replace(b'"a"', b'"z"'), raw)
    assert found.startswith("p.jsonl:2: ")
    assert message in found
    assert len(found) < 300


def test_all_problems_are_listed_and_the_valid_lines_still_come():
    found = reader(b"nonsense\n", GOOD, b"{}\n")
    stream = iter(found)
    assert next(stream).id == "a"
    with pytest.raises(PredictionsInvalid) as caught:
        next(stream)
    assert [text.split(" ")[0] for text in str(caught.value).splitlines()] == [
        "p.jsonl:1:",
        "p.jsonl:3:",
        "p.jsonl:3:",
    ]


def test_more_problems_than_are_kept_are_still_counted():
    found = reader(*[b'{"id": "a"}\n'] * (STORED * 3))
    with pytest.raises(PredictionsInvalid, match="and 2980 more"):
        list(found)
    assert len(found._problems) == STORED


def test_of_lines_that_are_no_json_three_are_told_and_all_are_counted():
    with pytest.raises(PredictionsInvalid) as caught:
        list(reader(*[b"nonsense\n"] * 9, b'{"id": "a"}\n'))
    said = str(caught.value).splitlines()
    assert [line.split(": ")[0] for line in said[:4]] == [
        *(f"p.jsonl:{n}" for n in (1, 2, 3)),
        "p.jsonl:10",
    ]
    assert said[4:] == ["... and 6 more"]


def test_a_duplicate_names_both_lines():
    assert refusal(GOOD, b"\n", GOOD) == ("p.jsonl:3: id 'a' appears twice; the first is line 1")


def test_the_same_id_with_another_repeat_is_no_duplicate():
    found = reader(line(repeat=1), line(repeat=0), line(repeat=2))
    assert [prediction.repeat for prediction in found] == [1, 0, 2]


def test_a_duplicate_repeat_is_named():
    assert "id 'a' with repeat 1 appears twice" in refusal(line(repeat=1), line(repeat=1))


def test_a_whole_number_and_its_text_collide():
    assert "would be one case; the other is line 1" in refusal(line(id=1), line(id="1"))


def test_whole_numbers_become_texts():
    assert [found.id for found in reader(line(id=1), line(id=2))] == ["1", "2"]


def test_ids_are_not_normalised():
    ids = ["\u00e9", "e\u0301", "A", "a", " a"]
    assert [found.id for found in reader(*(line(id=name) for name in ids))] == ids


def test_what_a_prediction_says_of_itself_is_never_read_and_is_counted():
    found = reader(
        line(id="a", score=1.0, passed=True, reference="x", labels=["safety"], trace=[]),
        line(id="b", score="nonsense", model="m"),
    )
    assert list(found) == [Prediction(id="a", output="x"), Prediction(id="b", output="x")]
    assert found.ignored_fields == (
        ("labels", 1),
        ("model", 1),
        ("passed", 1),
        ("reference", 1),
        ("score", 2),
    )
    assert found.ignored_total == 6


def test_names_of_ignored_fields_are_bounded():
    fields = {f"f{index:05}" * 300: 1 for index in range(5000)}
    found = reader(line(**fields))
    list(found)
    assert len(found.ignored_fields) == 100
    assert max(len(name) for name, _ in found.ignored_fields) == 1_001
    assert found.ignored_total == 5000


def test_blank_lines_the_byte_order_mark_and_line_ends_are_accepted():
    found = reader(b"\xef\xbb\xbf" + GOOD, b"\r\n", b'{"id": "b", "output": "y"}')
    assert [prediction.id for prediction in found] == ["a", "b"]
    assert found.count == 2


def test_separators_inside_texts_are_kept():
    raw = '{"id": "a", "output": "x\u2028y\x85z"}\n'.encode()
    assert [found.output for found in reader(raw)] == ["x\u2028y\x85z"]


def test_an_empty_file_has_no_predictions_and_a_digest():
    found = reader()
    assert list(found) == []
    assert found.count == 0
    assert found.digest.startswith("sha256:")


@pytest.mark.parametrize("raw", [b"[", b"  [{}]", b'\xef\xbb\xbf[{"id": "a"}]'])
def test_an_array_is_refused_once_with_the_way_to_convert_it(raw):
    assert refusal(raw, b"{\n", b"}\n", b"]\n") == (
        "p.jsonl:1: one JSON object a line; this file is a JSON array: convert with `jq -c '.[]'`"
    )


def test_an_object_over_several_lines_is_refused_once():
    message = refusal(b"{\n", b'"id": "a"\n', b"}\n")
    assert len(message.splitlines()) == 1
    assert "jq -c ." in message


def test_a_compressed_file_is_refused_once():
    assert refusal(b"\x1f\x8b\x08\n", b"\xff\n") == (
        "p.jsonl:1: this looks like gzip; decompress first (`gunzip`)"
    )


def test_the_digest_is_known_only_at_the_end():
    found = reader(GOOD)
    next(iter(found))
    with pytest.raises(Defect):
        _ = found.digest


def test_the_digest_does_not_depend_on_order_spelling_or_ignored_fields():
    plain = digest(line(id="a", cost_usd=1), line(id="b", output=[1, {"x": 1, "y": 2}]))
    other = digest(
        b"\n",
        b'{ "output": [1, {"y": 2, "x": 1}],"id":"b", "score": 1}\r\n',
        b'{"cost_usd": 1.0, "output": "\\u0078", "id": "a", "repeat": 0, "trace": 1}',
    )
    assert plain == other


@pytest.mark.parametrize(
    "change",
    [
        {"id": "b"},
        {"repeat": 1},
        {"output": "y"},
        {"output": None, "error": "x"},
        {"tools": []},
        {"tools": ["x"]},
        {"cost_usd": 0},
        {"latency_ms": 0},
    ],
)
def test_the_digest_depends_on_everything_that_is_read(change):
    assert digest(line(**change)) != digest(line())


def test_cost_and_latency_are_not_confused_in_the_digest():
    assert digest(line(cost_usd=1)) != digest(line(latency_ms=1))
