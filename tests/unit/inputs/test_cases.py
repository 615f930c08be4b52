import json

import pytest

from gate.errors import CasesInvalid
from gate.inputs.cases import read_cases
from gate.records.case import EvalCase
from gate.records.scoring import ContainsOptions, NumericWithinOptions


def jsonl(*records):
    return "\n".join(json.dumps(record) for record in records).encode()


def case(**fields):
    return {"id": "a", "input": "?"} | fields


def one(**fields):
    (found,) = read_cases(jsonl(case(**fields)), source="c.jsonl")
    return found


def refusal(data, source="c.jsonl"):
    with pytest.raises(CasesInvalid) as caught:
        read_cases(data, source=source)
    return str(caught.value)


def test_a_case_needs_an_id_and_an_input():
    assert one() == EvalCase(id="a", input="?")


def test_every_field_is_read():
    assert one(
        reference="Paris", expected_tools=["s", "c", "s"], labels=["z", "a", "z"]
    ) == EvalCase(
        id="a",
        input="?",
        reference="Paris",
        expected_tools=("s", "c", "s"),
        labels=("a", "z"),
    )


def test_null_means_absent():
    found = one(reference=None, expected_tools=None, labels=None, scorer=None, K=None, query=None)
    assert found == EvalCase(id="a", input="?")


def test_cases_stand_in_code_point_order_of_their_ids():
    names = ["b", "\U0001f600", "a", "B", "\uff41", "10", "9"]
    found = read_cases(jsonl(*(case(id=name) for name in names)), source="c")
    assert [one.id for one in found] == ["10", "9", "B", "a", "b", "\uff41", "\U0001f600"]


def test_published_spellings_are_accepted():
    raw = jsonl({"id": 7, "query": "Area?", "golden_answer_raw": "[1, 2]", "K": 3})
    assert read_cases(raw, source="c") == (
        EvalCase(id="7", input="Area?", reference="[1, 2]", labels=("k:3",)),
    )


@pytest.mark.parametrize(
    "fields", [{"input": "a", "query": "b"}, {"reference": "a", "golden_answer_raw": "a"}]
)
def test_both_spellings_of_one_field_are_an_error(fields):
    assert "are two spellings of one field" in refusal(jsonl(case(**fields)))


def test_a_stratum_joins_the_labels():
    assert one(K="10", labels=["geo"]).labels == ("geo", "k:10")
    assert one(K=3, labels=["k:3"]).labels == ("k:3",)


def test_a_stratum_that_contradicts_the_labels_is_refused():
    assert "`K`: is '3', but `labels` holds 'k:2'" in refusal(jsonl(case(K=3, labels=["k:2"])))


@pytest.mark.parametrize("value", [True, 3.0, "", [3], {}])
def test_a_stratum_is_a_whole_number_or_a_text(value):
    assert "`K`: expected a whole number or a text" in refusal(jsonl(case(K=value)))


def test_unknown_fields_are_kept_as_metadata():
    found = one(snapshot_date="2024-05-20", b={"y": 1, "x": [None]}, trace=1)
    assert found.metadata == '{"b":{"x":[null],"y":1},"snapshot_date":"2024-05-20","trace":1}'


@pytest.mark.parametrize(
    ("value", "text"), [([1, "x"], '[1,"x"]'), (144, "144"), (False, "false"), ("", "")]
)
def test_a_reference_that_is_no_text_becomes_canonical_text(value, text):
    assert one(reference=value).reference == text


def test_a_scorer_is_validated_by_its_options():
    assert one(scorer={"name": "contains"}).scorer == ContainsOptions()
    found = one(scorer={"name": "numeric_within", "tolerance": 0.05}).scorer
    assert isinstance(found, NumericWithinOptions)
    assert str(found.tolerance) == "0.05"


@pytest.mark.parametrize(
    ("scorer", "message"),
    [
        ("contains", "`scorer`: expected an object, got a text"),
        ({}, "`name` is required"),
        ({"name": "contians"}, "did you mean 'contains'?"),
        ({"name": "numeric_within"}, "tolerance"),
        ({"name": "numeric_within", "tolerance": -1}, "tolerance"),
        ({"name": "numeric_within", "tolerance": True}, "tolerance"),
        ({"name": "contains", "slack": 1}, "unknown key 'slack'"),
        ({"name": "rubric", "checks": [{"kind": "sings", "value": "x"}]}, "checks.0.kind"),
    ],
)
def test_a_wrong_scorer_is_an_error_that_names_case_and_field(scorer, message):
    found = refusal(jsonl(case(scorer=scorer)))
    assert found.startswith("c.jsonl:1: case 'a': `scorer`: ")
    assert message in found
    assert "pydantic" not in found


def test_no_message_echoes_unbounded_input():
    long = "x" * 100_000
    found = refusal(
        jsonl(
            case(scorer={"name": long}),
            case(id="b", scorer={"name": "contains", long: 1}),
            case(id="c", labels=[long]),
            case(id=long),
            case(id="d", K=1, labels=["k:" + long]),
        )
    )
    assert len(found.splitlines()) >= 5
    assert max(map(len, found.splitlines())) < 400


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"input": None}, "`input`: is missing"),
        ({"input": ["x"]}, "`input`: expected a text, got a list"),
        ({"labels": "safety"}, "`labels`: expected a list of texts, got a text"),
        ({"labels": [1]}, "`labels[0]`: expected a text, got a whole number"),
        ({"labels": [""]}, "`labels`: a label has 1 to 200 characters, '' has 0"),
        ({"expected_tools": {}}, "`expected_tools`: expected a list of texts, got an object"),
        ({"expected_tools": [None]}, "`expected_tools[0]`: expected a text, got null"),
    ],
)
def test_a_wrong_field_is_named_with_line_and_case(fields, message):
    assert refusal(jsonl(case(**fields))) == f"c.jsonl:1: case 'a': {message}"


@pytest.mark.parametrize("value", [True, 1.0, None, [], ""])
def test_a_wrong_id_is_refused(value):
    assert refusal(jsonl(case(id=value))).startswith("c.jsonl:1: `id`: ")


def test_all_problems_of_all_lines_are_listed():
    raw = b"nonsense\n\n" + jsonl(case(labels=3, input=4), {}) + b"\n\xff"
    assert [text.split(" ")[0] for text in refusal(raw).splitlines()] == [
        "c.jsonl:1:",
        "c.jsonl:3:",
        "c.jsonl:3:",
        "c.jsonl:4:",
        "c.jsonl:4:",
        "c.jsonl:5:",
    ]


def test_beyond_what_is_shown_the_rest_is_counted():
    assert refusal(b"x\n" * 500).endswith("... and 480 more")


def test_a_duplicate_names_both_lines():
    assert refusal(jsonl(case(), case(id="b"), case())) == (
        "c.jsonl:3: case 'a': id 'a' appears twice; the first is line 1"
    )


def test_a_duplicate_of_an_invalid_case_is_named_too():
    assert "appears twice; the first is line 1" in refusal(jsonl(case(input=3), case()))


def test_a_whole_number_and_its_text_collide():
    found = refusal(jsonl(case(id=1), case(id="1")))
    assert "as a number" in found
    assert "would be one case; the other is line 1" in found


def test_an_array_is_read_as_well_as_lines():
    records = [case(id="b"), case(id="a", K=2)]
    pretty = json.dumps(records, indent=2).encode()
    for raw in (pretty, b"\xef\xbb\xbf \r\n" + pretty, json.dumps(records).encode() + b"\n"):
        assert read_cases(raw, source="c.json") == read_cases(jsonl(*records), source="c")


def test_problems_in_an_array_name_the_element():
    raw = b"""[
      {"id": "a", "input": "?"},
      {"id": "b", "input": "?", "input": "!"},
      3,
      {"id": "c", "input": 3},
      {"input": "?"},
      {"id": "a", "input": NaN},
      {"id": "a", "input": "?"}
    ]"""
    assert refusal(raw, "c.json").splitlines() == [
        "c.json: case 2: key 'input' appears twice in one object",
        "c.json: case 3: expected a JSON object, got a whole number",
        "c.json: case 4 ('c'): `input`: expected a text, got a whole number",
        "c.json: case 5: `id`: is missing",
        "c.json: case 6: NaN is not JSON",
        "c.json: case 7 ('a'): id 'a' appears twice; the first is case 1",
    ]


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b'[{"id": "a", "input": "?"}', "truncated?"),
        (b'[{"id": "a", "input": "?"},\n{"id"]', "line 2, column"),
        (b'[{"id": "a", "input": "?"}] x', "Extra data"),
        (b'[{"id": "a", "input": "\xff"}]', "not UTF-8: byte 0xff at offset 23"),
        (b'[{"id": "a", "input": "\x00"}]', "a NUL byte at offset 23"),
        (b"[" * 100_000, "nested deeper than 100 levels"),
    ],
)
def test_a_broken_array_is_refused(raw, message):
    found = refusal(raw, "c.json")
    assert found.startswith("c.json: ")
    assert message in found


@pytest.mark.parametrize("raw", [b"", b"\n\n", b"\xef\xbb\xbf", b"[]", b" [ ] \n"])
def test_a_file_without_cases_is_refused(raw):
    assert refusal(raw) == "c.jsonl: 0 cases"


def test_an_object_over_several_lines_is_refused_once():
    found = refusal(b'{\n"id": "a",\n"input": "?"\n}\n')
    assert len(found.splitlines()) == 1
    assert "jq -c ." in found


def test_another_format_is_refused_once():
    assert refusal(b"PK\x03\x04\n\xff\n") == (
        "c.jsonl:1: this looks like a zip archive; unpack first (`unzip`)"
    )
