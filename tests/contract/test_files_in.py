"""Three files in: the spellings that are accepted, and what is never read."""

import json

import pytest


def test_published_spellings_are_accepted_and_k_becomes_a_label(house):
    cases = [
        {"id": "g-1", "query": "__ km?", "golden_answer_raw": "[10]", "K": 1, "snapshot_date": "x"}
    ]
    house.lines("cases.jsonl", cases)
    house.lines("predictions.jsonl", [{"id": "g-1", "output": "[10]"}])
    run = house.run(
        *("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl"),
        *("--scorer", "structured"),
    )
    assert run.status == 0
    assert run.row("g-1")["labels"] == ["k:1"]
    assert run.result["suite"]["k_macro_average"] == 1.0


def test_cases_may_be_one_json_array(house):
    house.start()
    house.text("cases.jsonl", json.dumps(house.CASES, indent=1))
    assert house.check().status == 0


def test_a_case_without_what_its_scorer_needs_is_an_error_naming_the_case(house):
    house.lines("cases.jsonl", [{"id": "bare", "input": "?"}])
    house.lines("predictions.jsonl", [{"id": "bare", "output": "x"}])
    run = house.run(
        *("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl"),
        *("--scorer", "contains"),
    )
    assert run.status == 2
    assert "'bare' has no reference" in run.err


def test_a_case_may_bring_a_scorer_of_its_own(house):
    cases = [
        {
            "id": "a",
            "input": "?",
            "reference": "144",
            "scorer": {"name": "numeric_within", "tolerance": 1},
        },
        {"id": "b", "input": "?", "reference": "144"},
    ]
    house.lines("cases.jsonl", cases)
    house.lines("predictions.jsonl", [{"id": name, "output": "145"} for name in "ab"])
    run = house.run(
        *("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl"),
        *("--scorer", "contains"),
    )
    assert [row["passed"] for row in run.result["cases"]] == [True, False]


def test_a_text_scorer_sees_an_output_that_is_no_string_as_canonical_json(house):
    house.lines("cases.jsonl", [{"id": "a", "input": "?", "reference": '{"a":1,"b":[true]}'}])
    house.text("predictions.jsonl", '{"id": "a", "output": {"b": [true],   "a": 1}}\n')
    run = house.run(
        *("score", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl"),
        *("--scorer", "exact_match"),
    )
    assert run.row("a")["score"] == 1.0


@pytest.mark.parametrize("answer", [{}, {"output": "x", "error": "boom"}], ids=["neither", "both"])
def test_neither_output_nor_error_or_both_is_an_error(house, answer):
    house.start()
    run = house.check(predictions=[*house.GOOD[:3], {"id": "safety-1", **answer}])
    assert run.status == 2
    assert "predictions.jsonl:4" in run.err


def test_a_prediction_cannot_grade_itself(house):
    house.start()
    claimed = {"score": 1.0, "passed": True, "reference": "no idea", "labels": []}
    run = house.check(
        predictions=[house.GOOD[0], {**house.ONE_WRONG[1], **claimed}, *house.GOOD[2:]]
    )
    assert run.status == 1
    assert run.row("qa-2")["score"] == 0.0
    assert run.row("qa-2")["labels"] == ["qa"]


def test_fields_that_are_not_read_are_counted_in_a_note(house):
    house.start()
    run = house.check(predictions=[{**row, "mood": "fine"} for row in house.GOOD])
    assert any("'mood' (4)" in note for note in run.result["notes"])


def test_a_baseline_has_a_schema_of_its_own_and_is_no_result(house):
    house.start()
    run = house.run(
        *("check", "--cases", "cases.jsonl", "--predictions", "predictions.jsonl"),
        *("--baseline", "accepted/result.json", "--max-drop", "0"),
    )
    assert run.status == 2
    assert "not a baseline" in run.err
