import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from gate.errors import PredictionsInvalid
from gate.inputs.importers import ragas
from gate.inputs.importers.found import Finding, Found, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.source import Source

DATA = Path(__file__).parents[3] / "data" / "importers" / "ragas"
REAL = Path(os.environ.get("GATE_REAL_DATA") or "absent")


def read(data: bytes | Path, *, id_field: str | None = None) -> list[Finding]:
    raw = data.read_bytes() if isinstance(data, Path) else data
    source = Source("file", lambda: io.BytesIO(raw))
    return list(ragas.found(source, ImportOptions(id_field=id_field)))


def of(kind: type, findings: list[Finding]) -> list[Any]:
    return [finding for finding in findings if isinstance(finding, kind)]


def rows(*records: object) -> list[Finding]:
    return read("".join(json.dumps(record) + "\n" for record in records).encode())


def test_the_answers_of_the_fixture_are_these():
    found = of(Found, read(DATA / "results.jsonl"))
    assert [(it.id, it.output, it.error) for it in found] == [
        ("sha256:6dc3accf4481c92c", "Paris", None),
        ("sha256:c30183bc92608fa8", "Lyon", None),
        ("sha256:6d5ea1521b5b1519", "", None),
    ]
    assert found[0].case is not None
    assert (found[0].case.input, found[0].case.reference) == ("capital", "Paris")
    assert found[0].scores == (RecordedScore("exact_match", 1.0), RecordedScore("judged", 0.5))


def test_a_table_says_the_same_as_csv_as_lines_and_as_an_array():
    lines = of(Found, read(DATA / "results.jsonl"))
    array = [json.loads(line) for line in (DATA / "results.jsonl").read_text().splitlines()]
    for other in (read(DATA / "results.csv"), read(json.dumps(array, indent=1).encode())):
        assert [it._replace(place="") for it in of(Found, other)] == [
            it._replace(place="") for it in lines
        ]


def test_a_metric_that_raised_is_no_score_and_is_told():
    for name in ("results.jsonl", "results.csv"):
        findings = read(DATA / name)
        assert of(Found, findings)[1].scores[1] == RecordedScore("judged", None)
        assert "judged: no score in 1 of 3 rows; Ragas skips them" in [
            it.message for it in of(Remark, findings)
        ]


def test_a_metric_that_always_raised_is_still_a_metric():
    findings = rows({"user_input": "a", "response": "x", "judged": None})
    assert of(Found, findings)[0].scores == (RecordedScore("judged", None),)


def test_a_dataset_without_metrics_has_no_scores():
    assert {it.scores for it in of(Found, read(DATA / "dataset.jsonl"))} == {()}


def test_a_conversation_gives_the_question_the_last_answer_and_the_calls_in_order():
    (found,) = of(Found, read(DATA / "conversation.jsonl"))
    assert found.output == "Sunny."
    assert found.tools == ("search", "read")
    assert found.case is not None
    assert found.case.input == "Weather in Paris?"
    assert found.case.reference == "sunny"
    assert found.case.expected_tools == ("search",)


def test_another_answer_of_a_conversation_does_not_change_its_id():
    record = json.loads((DATA / "conversation.jsonl").read_text())
    record["user_input"][3]["content"] = "Rainy."
    record["user_input"][1]["tool_calls"] = []
    before = of(Found, read(DATA / "conversation.jsonl"))[0]
    after = of(Found, rows(record))[0]
    assert after.id == before.id
    assert (after.output, after.tools) == ("Rainy.", ())


@pytest.mark.parametrize("last", ["human", "tool"])
def test_a_conversation_that_ends_before_the_answer_has_none(last):
    record = json.loads((DATA / "conversation.jsonl").read_text())
    record["user_input"].append({"type": last, "content": "Sunny."})
    (found,) = of(Found, rows(record))
    assert (found.output, found.error) == (None, "Ragas holds no response for this row")


def test_a_conversation_in_csv_is_refused_by_name():
    data = b"user_input,reference\n\"[{'content': 'hi', 'type': 'human'}]\",x\n"
    (wrong,) = of(Wrong, read(data))
    assert "write JSONL" in wrong.message


def test_an_empty_cell_is_an_empty_answer_and_counted():
    findings = read(DATA / "results.csv")
    assert of(Found, findings)[2].output == ""
    assert "1 answers are empty: CSV cannot tell an empty answer from none" in [
        it.message for it in of(Remark, findings)
    ]


def test_no_response_is_an_error_without_scores():
    (found,) = of(Found, rows({"user_input": "a", "response": None, "m": 1.0}))
    assert found.error == "Ragas holds no response for this row"
    assert found.scores == ()


def test_a_column_with_texts_is_no_metric():
    findings = rows(
        {"user_input": "a", "response": "x", "note": "fine", "m": True},
        {"user_input": "b", "response": "x", "note": 1, "m": False},
    )
    assert [it.scores for it in of(Found, findings)] == [
        (RecordedScore("m", 1.0),),
        (RecordedScore("m", 0.0),),
    ]
    assert any("no metrics: note" in it.message for it in of(Remark, findings))


def test_nan_is_no_score():
    (found,) = of(Found, read(b'{"user_input": "a", "response": "x", "m": NaN}\n'))
    assert found.scores == (RecordedScore("m", None),)


def test_a_column_may_be_the_id_and_is_then_no_metric():
    line = b'{"user_input": "a", "response": "x", "reference": "x", "qid": 7, "m": 1.0}\n'
    (found,) = of(Found, read(line, id_field="qid"))
    assert found.id == "7"
    assert found.scores == (RecordedScore("m", 1.0),)
    (wrong,) = of(Wrong, read(line, id_field="other"))
    assert wrong.message == "`other`: is missing"
    (by_column,) = of(Found, read(b"user_input,response,qid,m\na,x,7,1\n", id_field="qid"))
    assert by_column.id == "7"


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ([1], "`the row`: expected an object"),
        ({"user_input": 1, "response": "x"}, "`user_input`: expected a text"),
        ({"user_input": "a", "response": ["x"]}, "`response`: expected a text"),
        ({"user_input": [1]}, "`user_input[0]`: expected an object"),
        ({"user_input": [{"type": "ai"}]}, "`user_input[0].content`: expected a text"),
        ({"user_input": [{"type": "x", "content": ""}]}, "`user_input[0].type`: expected"),
        (
            {"user_input": [{"type": "ai", "content": "", "tool_calls": [{}]}]},
            "`user_input[0].tool_calls`: a call without the name",
        ),
    ],
)
def test_a_row_of_another_shape_is_wrong_and_hides_no_other(record, said):
    findings = rows({"user_input": "good", "response": "x"}, record)
    assert len(of(Found, findings)) == 1
    (wrong,) = of(Wrong, findings)
    assert wrong.place == "line 2"
    assert wrong.message.startswith(said)


def test_no_rows_are_a_gap():
    findings = read(b"user_input,response\n")
    assert of(Found, findings) == []
    assert len(of(Gap, findings)) == 1


@pytest.mark.parametrize("data", [b"", b"\x00\n", b"a,a\n1,2\n"])
def test_a_file_that_is_no_table_is_refused(data):
    with pytest.raises(PredictionsInvalid):
        read(data)


def test_ragas_is_recognised_by_content_also_where_it_is_cut():
    for path in DATA.glob("*.[jc]s*"):
        data = path.read_bytes()
        assert ragas.recognises(data), path
        assert ragas.recognises(b"\xef\xbb\xbf" + data[: len(data) // 3 * 2]), path
    assert ragas.recognises(b'[\n {"user_input": "a", "response": "b"}]')
    assert not ragas.recognises(b'{"id": "a", "output": "user_input response"}')
    assert not ragas.recognises(b"id,output,user_input\n")
    assert not ragas.recognises(b"")


@pytest.mark.skipif(not REAL.is_dir(), reason="GATE_REAL_DATA names no folder of real files")
def test_no_other_tool_is_taken_for_ragas():
    for path in REAL.rglob("*.*"):
        assert not ragas.recognises(path.read_bytes()[: 64 * 1024]), path
