"""A file of this product in another one's place is called what it is."""

import pytest

from gate.errors import CasesInvalid, PredictionsInvalid
from gate.inputs.cases import case_lines, read_cases
from gate.inputs.predictions import PredictionReader

CASE = b'{"id": "a", "input": "?", "reference": "x"}\n'
ANSWER = b'{"id": "a", "output": "x"}\n'
CRASH = b'{"id": "a", "error": "x"}\n'
BASELINE = b'{"cases_digest":"sha256:0",\n"history":[],\n'
RESULT = b'{\n"advisory": false\n,\n'


def cases(data):
    with pytest.raises(CasesInvalid) as caught:
        read_cases(data, source="f")
    return str(caught.value)


def predictions(data):
    with pytest.raises(PredictionsInvalid) as caught:
        list(PredictionReader(data.splitlines(keepends=True), source="f"))
    return str(caught.value)


@pytest.mark.parametrize("data", [ANSWER, b"[" + ANSWER + b"]", b"\xef\xbb\xbf" + ANSWER])
def test_predictions_where_cases_are_wanted(data):
    assert cases(data) == "f holds predictions (`output`): are --cases and --predictions swapped?"


def test_a_crash_is_a_prediction_too():
    assert "holds predictions (`error`)" in cases(CRASH)


@pytest.mark.parametrize("data", [CASE, b"\xef\xbb\xbf" + CASE, CASE.replace(b"input", b"query")])
def test_cases_where_predictions_are_wanted(data):
    assert predictions(data).startswith("f holds cases (`")
    assert predictions(data).endswith("swapped?")


@pytest.mark.parametrize("read", [cases, predictions])
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (BASELINE, "f is a baseline"),
        (RESULT, "f is a result"),
        (b'{"kind": "agent-eval-gate/result", "schema_version": 1}', "f is a result"),
        (b'{"kind": "agent-eval-gate/baseline"}', "f is a baseline"),
    ],
)
def test_a_file_that_this_product_wrote_is_known(read, data, said):
    assert read(data).startswith(said)
    assert "\n" not in read(data)


def test_what_could_be_either_is_read_as_what_it_was_given_for():
    both = b'{"id": "a", "input": "?", "output": "x"}\n'
    assert read_cases(both, source="f")[0].metadata == '{"output":"x"}'
    assert [one.output for one in PredictionReader([both], source="f")] == ["x"]
    assert "`input`: is missing" in cases(b'{"id": "a"}\n')


@pytest.mark.parametrize(
    "line",
    [
        *(b"id,output\n", b'"id","output"\r\n', b"output;ID\n", b"id\toutput\n"),
        *(b"\xef\xbb\xbfid,x\n", b"question,what was said,meta.case\n"),
    ],
)
def test_a_table_is_called_one(line):
    said = cases(line + b"a,b\n")
    assert said == predictions(line + b"a,b\n")
    assert said.startswith("f:1: this looks like CSV; one JSON object a line is needed. ")
    assert "--map id=COLUMN --map output=COLUMN" in said


@pytest.mark.parametrize(
    "line", [b'{"id": "a", "x":\n', b"width, idea\n", b"id\n", b"one,two;three\n", b"[1,2\n"]
)
def test_what_is_no_table_is_not_called_one(line):
    assert "CSV" not in predictions(line)


def test_the_line_of_a_case_is_told_and_an_array_has_none():
    assert case_lines(b"\n" + CASE + b'{"id": 7}\nbroken\n') == {"a": 2, "7": 3}
    assert case_lines(b"[" + CASE + b"]") == {}


@pytest.mark.parametrize(
    ("second", "hinted"), [(ANSWER, True), (ANSWER[:-2] + b', "repeat": 0}', False)]
)
def test_runs_without_numbers_are_told_how_to_be_numbered(second, hinted):
    with pytest.raises(PredictionsInvalid) as caught:
        list(PredictionReader([ANSWER, second], source="f"))
    assert ("number them with `repeat`: 0, 1, 2" in caught.value.remedy) is hinted
