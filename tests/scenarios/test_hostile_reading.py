"""The published hostile predictions, read: refused in words, or as many records as they hold."""

import os
from io import BytesIO
from pathlib import Path

import pytest

from gate.errors import PredictionsInvalid
from gate.inputs.cases import read_cases
from gate.inputs.pairing import Pairing
from gate.inputs.predictions import PredictionReader

FOLDER = Path(os.environ.get("GATE_HOSTILE_DATA") or "absent")

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="no hostile data: set GATE_HOSTILE_DATA to its folder"
)

READ = {
    "p06_huge_exponent": 4,
    "p08_line_separators": 4,
    "p12_empty": 0,
    "p14_extra_easy_cases": 54,
    "p16_markdown_verdict_spoof": 4,
    "p18_fence_breaker": 4,
    "p20_output_delimiter": 4,
    "p22_judge_injection_invisible": 4,
    "p24_rouge_bomb": 4,
    "p30_secret_echo": 4,
}
REFUSED = {
    "p01_duplicate_ids": ["5: id 'qa-2' appears twice; the first is line 2"],
    "p02_nan_infinity": ["4: NaN is not JSON"],
    "p04_deep_nesting": ["4: nested deeper than 100 levels"],
    "p10_nul_and_invalid_utf8": [
        "4: not UTF-8: byte 0xff at offset 258; a NUL byte at offset 260"
    ],
    "p26_wrong_types": [
        "1: `tools`: expected a list of texts, got a text",
        (
            "2: expected either `output` or `error`, got neither: `null` means absent; "
            'write an empty answer as "", a crash as `error`'
        ),
        "3: `tools[0]`: expected a text, got a whole number",
        "4: `tools`: expected a list of texts, got an object",
    ],
    "p28_path_ids": ["8: `id`: is empty"],
}
CASES = {"p24_cases_long_reference": 4}


def reader(name):
    path = FOLDER / "predictions" / f"{name}.jsonl"
    return PredictionReader(BytesIO(path.read_bytes()), source=name)


def golden():
    return read_cases((FOLDER / "good" / "cases.jsonl").read_bytes(), source="cases.jsonl")


def test_every_file_of_the_folder_is_expected_here():
    found = {path.stem for path in (FOLDER / "predictions").iterdir()}
    assert found == READ.keys() | REFUSED.keys() | CASES.keys()


@pytest.mark.parametrize("name", READ)
def test_a_file_that_is_well_formed_holds_so_many_predictions(name):
    found = reader(name)
    assert len(list(found)) == found.count == READ[name]


@pytest.mark.parametrize("name", REFUSED)
def test_a_file_that_is_not_is_refused_with_every_problem(name):
    with pytest.raises(PredictionsInvalid) as caught:
        list(reader(name))
    assert str(caught.value).splitlines() == [f"{name}:{said}" for said in REFUSED[name]]


@pytest.mark.parametrize("name", CASES)
def test_a_file_of_cases_is_read(name):
    raw = (FOLDER / "predictions" / f"{name}.jsonl").read_bytes()
    assert len(read_cases(raw, source=name)) == CASES[name]


def test_an_empty_file_answers_nothing():
    pairing = Pairing(golden())
    assert list(pairing.pair(reader("p12_empty"))) == []
    with pytest.raises(PredictionsInvalid, match="0 predictions for 4 cases"):
        pairing.require_any(source="p12")


def test_extra_easy_cases_are_listed_and_never_paired():
    pairing = Pairing(golden())
    assert len(list(pairing.pair(reader("p14_extra_easy_cases")))) == 4
    assert pairing.unknown_predictions == 50
    assert pairing.unknown_ids[0] == "pad-0"


def test_separators_inside_answers_stay_in_them():
    assert any("\u2028" in found.output for found in reader("p08_line_separators"))


def test_an_identifier_with_newlines_meets_no_case():
    pairing = Pairing(golden())
    list(pairing.pair(reader("p20_output_delimiter")))
    assert pairing.missing == ("qa-2",)
    assert pairing.unknown_predictions == 1
