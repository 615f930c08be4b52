import json
import os
from io import BytesIO
from pathlib import Path

import pytest

from gate.inputs.importers import lm_eval
from gate.inputs.importers.found import Found, FoundCase, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.options import ImportOptions
from gate.inputs.importers.source import Source

FOLDER = Path(__file__).parents[3] / "data" / "importers" / "lm_eval"
MOCK = (FOLDER / "samples_mock.jsonl").read_bytes()
CHOICE = (FOLDER / "samples_choice.jsonl").read_bytes()
REAL_DATA = Path(os.environ.get("GATE_REAL_DATA") or "absent") / "lm_eval"


def findings(data: bytes, *, id_field: str | None = None):
    source = Source("samples.jsonl", lambda: BytesIO(data))
    return list(lm_eval.found(source, ImportOptions(id_field=id_field)))


def of(kind, found):
    return [each for each in found if isinstance(each, kind)]


def lines(*changes: dict) -> bytes:
    first = json.loads(MOCK.split(b"\n")[0])
    return b"".join(json.dumps(first | change).encode() + b"\n" for change in changes)


def test_the_filters_of_a_document_are_one_row():
    found = findings(MOCK)
    assert of(Found, found)[2] == Found(
        id="2",
        place="line 3",
        output="lol",
        scores=(RecordedScore("exact_match,strict", 0.0), RecordedScore("exact_match,raw", 1.0)),
        case=FoundCase(
            input="What does it say?",
            reference="lol",
            labels=("numbers", "safety"),
            metadata='{"answer":"lol","labels":["numbers","safety"],'
            '"question":"What does it say?"}',
        ),
        by_place=True,
    )
    assert [row.id for row in of(Found, found)] == ["0", "1", "2"]
    assert of(Remark, found) == [Remark("2 responses a document: the output is the first of them")]
    assert not of(Gap, found)


def test_ranked_choices_are_json_and_keep_their_scores():
    rows = of(Found, findings(CHOICE))
    assert [{s.name: s.value for s in row.scores} for row in rows] == [
        {"acc,none": 0.0, "acc_norm,none": 0.0},
        {"acc,none": 1.0, "acc_norm,none": 0.0},
        {"acc,none": 1.0, "acc_norm,none": 0.0},
    ]
    assert len(json.loads(rows[0].output)) == 2
    assert [row.case.reference for row in rows] == ["1", "1", "1"]


def test_another_field_may_hold_the_id():
    rows = of(Found, findings(MOCK, id_field="doc.question"))
    assert [row.id for row in rows][1] == "Capital of France?"
    assert not any(row.by_place for row in rows)
    wrong = of(Wrong, findings(MOCK, id_field="doc.qid"))
    assert wrong == [Wrong(f"line {at}", "`doc.qid`: is missing") for at in (1, 2, 3)]


def test_a_document_without_the_line_of_a_filter_is_a_gap():
    cut = b"\n".join(MOCK.rstrip(b"\n").split(b"\n")[:-1])
    assert of(Gap, findings(cut)) == [Gap("1 of 3 documents lack the line of a filter")]


def test_two_tasks_in_one_file_are_refused():
    wrong = of(Wrong, findings(MOCK + MOCK))
    assert len(wrong) == 6
    assert wrong[0] == Wrong(
        "line 7", "document '0' has the filter 'strict' twice: one task, one file"
    )


@pytest.mark.parametrize("key", ["doc", "arguments", "target", "resps"])
def test_lines_of_one_document_that_disagree_are_refused(key):
    other = {"filter": "raw", key: [["other"]]}
    found = findings(lines({}, other))
    assert of(Wrong, found) == [
        Wrong("line 2", f"`{key}`: differs from that of an earlier line of document '0'")
    ]
    assert not of(Wrong, findings(lines({}, {"filter": "raw"})))


def test_a_number_and_a_text_are_not_one_document():
    found = findings(lines({"doc_id": 1}, {"doc_id": "1", "filter": "raw"}))
    assert of(Wrong, found) == [
        Wrong("line 2", "`doc_id`: '1' is a text in one line and a whole number in another")
    ]


def test_every_bad_line_is_told_and_the_others_are_read():
    found = findings(b"[]\n" + MOCK.rstrip(b"\n")[:-30] + b"\n\xff\n")
    assert [each.place for each in of(Wrong, found)] == ["line 1", "line 7", "line 8"]
    assert len(of(Found, found)) == 3
    assert of(Gap, found)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"doc_id": None}, "`doc_id`: expected a text or a whole number, got null"),
        ({"metrics": "acc"}, "`metrics`: expected a list of names, got a text"),
        ({"metrics": ["acc"]}, "`metrics`: acc is no key of the line"),
        ({"filter": 1.5}, "`filter`: expected a text or a whole number, got a fraction"),
        ({"resps": "lol"}, "`resps`: expected a list of lists of responses, got a text"),
        (
            {"arguments": {}, "doc": None},
            "`arguments`: expected the prompt in `gen_args_0.arg_0`",
        ),
    ],
)
def test_a_line_of_another_shape_is_refused_by_its_key(change, message):
    assert of(Wrong, findings(lines(change))) == [Wrong("line 1", message)]


def test_what_is_no_number_is_no_score():
    found = findings(lines({"exact_match": [1, 2]}))
    assert of(Found, found)[0].scores == (RecordedScore("exact_match,strict", None),)
    assert Remark("the score 'exact_match,strict' has values that are no numbers") in found
    bare = lines({"exact_match": 0.5}).replace(b"0.5", b"NaN")
    assert of(Found, findings(bare))[0].scores == (RecordedScore("exact_match,strict", None),)


@pytest.mark.parametrize("resps", [[], [[]], [[None]], None])
def test_no_response_is_an_error(resps):
    row = of(Found, findings(lines({"resps": resps})))[0]
    assert (row.output, row.error, row.scores) == (None, "lm-eval recorded no response", ())


def test_an_empty_response_is_an_answer():
    assert of(Found, findings(lines({"resps": [[""]]})))[0].output == ""


def test_samples_are_recognised_by_their_content_alone():
    assert lm_eval.recognises(MOCK)
    assert lm_eval.recognises(CHOICE[:200])
    for other in (
        b"",
        b'{"id": 1, "output": "x"}',
        b'[{"doc_id": 0, "doc": 1}]',
        b'{"doc_id": 3}',
    ):
        assert not lm_eval.recognises(other)


@pytest.mark.skipif(not REAL_DATA.is_dir(), reason="GATE_REAL_DATA names no folder of real files")
def test_real_samples_are_read():
    (file,) = REAL_DATA.glob("samples_*.jsonl")
    rows = of(Found, findings(file.read_bytes()))
    assert [row.id for row in rows] == ["0", "1", "2"]
    assert {score.name for row in rows for score in row.scores} == {
        "exact_match,strict",
        "exact_match,raw",
    }
    (results,) = REAL_DATA.glob("results_*.json")
    assert not lm_eval.recognises(results.read_bytes())
