"""The geospatial example is what its files promise: a realistic agent, and a worse one."""

import json
from pathlib import Path
from statistics import mean

import pytest

from gate import score_structured_answer

GEO = Path(__file__).resolve().parents[2] / "examples" / "geo"


def rows(name):
    lines = (GEO / f"{name}.jsonl").read_text("utf-8").strip().split("\n")
    return [json.loads(line) for line in lines]


CASES = {case["id"]: case for case in rows("cases")}


def scores_of(name):
    answers = {row["id"]: row["output"] for row in rows(name)}
    assert answers.keys() == CASES.keys()
    return [
        score_structured_answer(answers[case_id], case["golden_answer_raw"])
        for case_id, case in CASES.items()
    ]


def test_there_are_ten_cases_for_each_number_of_blanks():
    assert [case["K"] for case in CASES.values()] == [k for k in (1, 2, 3, 4) for _ in range(10)]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_case_has_as_many_blanks_as_golden_elements(case):
    golden = json.loads(case["golden_answer_raw"])
    assert case["K"] == len(golden) == case["query"].count("__")
    fenced = f"```json\n{case['golden_answer_raw']}\n```"
    assert score_structured_answer(fenced, case["golden_answer_raw"]) == 1.0


def test_the_good_agent_is_mostly_right_and_the_regressed_one_clearly_worse():
    good, regressed = mean(scores_of("good")), mean(scores_of("regressed"))
    assert 0.90 < good < 0.96
    assert good - regressed > 0.15
