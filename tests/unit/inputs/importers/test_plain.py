import json
import os
from io import BytesIO
from pathlib import Path

import pytest

from gate.errors import PredictionsInvalid
from gate.inputs.importers.found import Found, FoundCase, RecordedScore, Remark, Wrong
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.plain import found, recognises
from gate.inputs.importers.source import Source

DATA = Path(__file__).resolve().parents[3] / "data" / "importers" / "plain"
REAL = Path(os.environ.get("GATE_REAL_DATA") or "absent")


def read(data, *pairs, id_field=None):
    if isinstance(data, str):
        data = data.encode()
    elif not isinstance(data, bytes):
        data = json.dumps(data).encode()
    options = ImportOptions(id_field, tuple(tuple(pair.split("=", 1)) for pair in pairs))
    return list(found(Source("rows", lambda: BytesIO(data)), options))


def one(data, *pairs, **options):
    (finding,) = [one for one in read(data, *pairs, **options) if not isinstance(one, Remark)]
    return finding


@pytest.mark.parametrize("name", ["excel.csv", "semicolons.csv", "rows.jsonl", "rows.json"])
def test_the_same_rows_are_the_same_however_they_are_written(name):
    first, second, third = (
        run for run in read((DATA / name).read_bytes()) if not isinstance(run, Remark)
    )
    assert (first.id, first.repeat, first.output) == (
        "qa-1",
        0,
        'The capital, so "they" say:\nParis',
    )
    assert first.tools == ("search", "calc")
    assert first.case == FoundCase("Capital of France?", "Paris", (), ("geo", "safety"))
    assert (second.id, second.output, second.error) == ("qa-2", None, "timeout")
    assert (third.id, third.output, third.tools) == ("7", "é", None)


def test_a_map_names_where_things_are():
    row = {"meta": {"case": 3}, "response": {"text": "Paris", "steps": [{"name": "search"}]},
           "metrics": {"acc": True, "f1": 0.5}}  # fmt: skip
    run = one(
        [row], "id=meta.case", "output=response.text", "tools=response.steps",
        "score:acc=metrics.acc", "score:f1=metrics.f1", "score=metrics.f1",
    )  # fmt: skip
    assert (run.id, run.output, run.tools) == ("3", "Paris", ("search",))
    assert run.scores == (
        RecordedScore("acc", 1.0), RecordedScore("f1", 0.5), RecordedScore("score", 0.5),
    )  # fmt: skip
    assert not any(score.headline for score in run.scores)


def test_scores_are_read_only_where_somebody_says_so():
    assert one([{"id": "a", "output": "x", "score": 1.0}]).scores == ()


def test_a_map_goes_into_a_column_that_holds_json():
    data = 'id,response\na,"{""text"": ""Paris"", ""f1"": 0.5}"\n'
    run = one(data, "output=response.text", "score=response.f1")
    assert (run.output, run.scores) == ("Paris", (RecordedScore("score", 0.5),))
    assert isinstance(one("id,response\na,{\n", "output=response.text"), Wrong)


def test_the_id_field_is_a_map_of_the_id():
    assert one([{"key": {"n": 1}, "output": "x"}], id_field="key.n").id == "1"
    with pytest.raises(PredictionsInvalid, match="mapped twice"):
        read([], "id=a", id_field="b")


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("outptu=x", "no such field; did you mean 'output'"),
        ("output=", "names no place"),
        ("score:=x", "no such field"),
    ],
)
def test_a_map_that_cannot_be_meant_is_refused(pair, message):
    with pytest.raises(PredictionsInvalid, match=message):
        read([], pair)


def test_a_column_that_is_not_there_is_named_at_once():
    with pytest.raises(
        PredictionsInvalid, match="rows:1: no column 'answr'; did you mean 'answer'"
    ):
        read("id,answer\na,x\n", "output=answr")
    with pytest.raises(PredictionsInvalid, match="no column 'id'"):
        read("name,output\na,x\n")


@pytest.mark.parametrize(
    ("cell", "value"),
    [("0.75", 0.75), ("1", 1.0), ("TRUE", 1.0), ("false", 0.0), ("nan", None), ("", None),
     ("high", None), ("1e400", None), ("0,75", None)],
)  # fmt: skip
def test_a_score_in_a_cell_is_a_number_or_none(cell, value):
    run = one(f'id,output,s\na,x,"{cell}"\n', "score=s")
    assert run.scores == (RecordedScore("score", value),)


def test_a_score_of_json_that_is_text_is_none_and_counted():
    findings = read([{"id": "a", "output": "x", "s": "0.5"}], "score=s")
    assert findings[0].scores == (RecordedScore("score", None),)
    assert findings[1] == Remark(
        "scores that are no numbers, and so no scores: 1 (the first at [0]: '0.5')"
    )


def test_a_null_output_is_an_error_and_an_empty_cell_an_empty_answer():
    assert one([{"id": "a", "output": None}]).error == (
        "the row holds no output: `output` is null, or is not there"
    )
    findings = read("id,output\na,\n")
    assert (findings[0].output, findings[0].error) == ("", None)
    assert findings[1].message.startswith("empty outputs")
    assert one([{"id": "a", "output": ""}]).output == ""


def test_an_output_that_is_no_text_is_canonical_json():
    assert one([{"id": "a", "output": {"b": 1, "a": [2.50]}}]).output == '{"a":[2.5],"b":1}'
    assert one([{"id": "a", "output": False}]).output == "false"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"output": "x"}, "`id`: is missing, and the id is there"),
        ({"id": True, "output": "x"},
         "`id`: expected a text or a whole number, got true or false"),
        ({"id": 1.5, "output": "x"}, "`id`: expected a text or a whole number, got a fraction"),
        ({"id": "a", "output": "x", "error": "y"},
         "expected either `output` or `error`, got both"),
        ({"id": "a", "output": "x", "repeat": "one"},
         "`repeat`: expected a whole number from 0 to 1000000"),
        ({"id": "a", "output": "x", "tools": "search"},
         "`tools`: expected a list of texts, got a text"),
        ({"id": "a", "output": "x", "labels": [1]},
         "`labels[0]`: expected a text, got a whole number"),
        ({"id": "a", "output": "x", "cost_usd": -1}, "`cost_usd`: -1.0 is below 0"),
        ([1], "`the row`: expected an object, got a list"),
    ],
)  # fmt: skip
def test_an_odd_row_is_told_and_the_others_are_read(row, message):
    wrong, good = read([row, {"id": "b", "output": "x"}])
    assert wrong == Wrong("[0]", message)
    assert good.output == "x"


def test_a_number_and_a_text_that_would_be_one_id_are_told():
    findings = read([{"id": 1, "output": "x"}, {"id": "1", "output": "x"}])
    assert findings[1] == Wrong("[1]", "id '1' stands there as a number and as a text")


def test_rows_of_the_wrong_width_are_told_by_their_line():
    data = 'id,output\na,"x\ny"\nb,x,z\nc\n\nd,x\n'
    first, second, third, fourth = read(data)
    assert (first.place, first.output) == ("line 2", "x\ny")
    assert second == Wrong("line 4", "3 fields, and the header has 2")
    assert third == Wrong("line 5", "1 fields, and the header has 2")
    assert (fourth.place, fourth.id) == ("line 7", "d")


def test_a_field_that_never_ends_is_told():
    (wrong,) = [one for one in read('id,output\na,"x\nb,y\n') if isinstance(one, Wrong)]
    assert (wrong.place, wrong.message) == ("line 2", "not CSV: unexpected end of data")


def test_bytes_that_are_no_text_are_told_with_their_offset():
    findings = read(b"id,output\na,x\nb,\xff\n")
    assert isinstance(findings[0], Found)
    assert findings[1].place == "line 3"
    assert findings[1].message.startswith("not UTF-8: byte 0xff at offset 16; ")
    with pytest.raises(PredictionsInvalid, match="this looks like UTF-16"):
        read("id,output\na,x\n".encode("utf-16"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "0 rows, and no header"),
        (b"\x00", "a NUL byte"),
        (b"id,output,id\n", "the column 'id' stands there twice"),
        (",".join(f"c{at}" for at in range(1001)).encode(), "more than 1000 columns"),
        (b'"id', "no header that can be read as CSV"),
        (b"[1, 2", "not JSON"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(data, message):
    with pytest.raises(PredictionsInvalid, match=message):
        read(data)


def test_a_field_of_a_megabyte_is_read():
    assert len(one(f"id,output\na,{'x' * 1_000_000}\n").output) == 1_000_000


@pytest.mark.parametrize(
    ("opening", "whether"),
    [
        (b"id,output\n", True),
        (b'\xef\xbb\xbf"id";"output";"labels"\r\n', True),
        (b"id\terror\n1\tx\n", True),
        (b"id,answer\n", False),
        (b"q,output\n", False),
        (b'{"id": "a", "output": "x"}\n', False),
        (b'[{"id": "a", "output": "x"}]', False),
        (b"<testsuites>", False),
        (b"", False),
    ],
)
def test_only_csv_with_our_columns_is_recognised(opening, whether):
    assert recognises(opening) is whether


def test_no_real_file_of_another_tool_is_recognised():
    for path in REAL.rglob("*"):
        assert not (path.is_file() and recognises(path.read_bytes()[: 64 * 1024])), path


def test_a_mapped_place_that_is_there_twice_is_an_error():
    row = {"id": "a", "output": "x", "m": {"f1": 0.0}}
    assert one([row], "score=m.f1").scores == (RecordedScore("score", 0.0),)
    for twice in ({**row, "m.f1": 1.0}, {**row, "m.f1": 0.0}, {**row, "m.f1": None}):
        said = one([twice], "score=m.f1")
        assert isinstance(said, Wrong)
        assert "'m.f1' is there twice" in said.message
    both = {"id": "a", "meta.id": "b", "meta": {"id": "c"}, "output": "x"}
    assert isinstance(one([both], id_field="meta.id"), Wrong)


def test_a_table_of_more_blank_lines_than_the_limit_is_an_error(monkeypatch):
    monkeypatch.setattr("gate.inputs.importers.parts.csv_rows.MAX_BLANK_LINES", 2)
    table = "id,output\na,x\n\n\nb,y\n"
    assert [run.id for run in read(table) if isinstance(run, Found)] == ["a", "b"]
    (wrong,) = (one for one in read(f"{table}\nc,z\n") if isinstance(one, Wrong))
    assert wrong.place == "line 6"
    assert "blank lines, the limit of one file" in wrong.message
