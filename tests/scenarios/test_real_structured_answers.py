"""Real answers as a structured suite: what is right scores 1.0, however it is written.

The DABench labels (257 cases, 461 named answers) are not part of the repository; a fixture
with the same kinds of oddities is.
"""

import json
import os
import re
from decimal import Context, Decimal, Inexact
from itertools import pairwise
from pathlib import Path

import pytest

from gate import score_structured_answer as score

REPOSITORY = Path(__file__).resolve().parents[2]
FIXTURE = REPOSITORY / "tests" / "data" / "odd_structured_answers.jsonl"
REAL_DATA = Path(os.environ.get("GATE_REAL_DATA") or "absent")
LABELS = REAL_DATA / "dabench" / "da-dev-labels.jsonl"
# As JSON writes them: 00501 is an identifier.
PLAIN = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")
EXACT = Context(prec=100, traps=[Inexact])

REFORMATTED = {
    "fenced": lambda text: f"```json\n{text}\n```",
    "fenced without a language": lambda text: f"```\n{text}\n```\n",
    "prose around": lambda text: f"I computed everything, and the answer is {text}. Done!",
    "prose and a fence": lambda text: f"Sure:\n\n```json\n{text}\n```\n\nShall I go on?",
    "indented": lambda text: json.dumps(json.loads(text, parse_float=Decimal), indent=4,
                                        default=float),
    "loose": lambda text: f"\n [ {text[1:-1]} \n ]\t",
    "in an object": lambda text: f'{{"answer": {text}}}',
}  # fmt: skip


def cases_of(name):
    if name == "fixture":
        return [
            (case["id"], case["values"])
            for case in map(json.loads, FIXTURE.read_text("utf-8").strip().split("\n"))
        ]
    if not LABELS.is_file():
        pytest.skip(
            f"the DABench labels are not at {LABELS}: set GATE_REAL_DATA to the folder that "
            "holds dabench/da-dev-labels.jsonl"
        )
    lines = LABELS.read_text("utf-8").split("\n")
    cases = [json.loads(line) for line in lines if line]
    return [(case["id"], [value for _, value in case["common_answers"]]) for case in cases]


def as_strings(values):
    return json.dumps(values, ensure_ascii=False)


def as_numbers(values):
    """Write plain numbers without quotes, digit for digit."""
    items = (
        value if PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)
        for value in values
    )
    return f"[{', '.join(items)}]"


def moved(value, share):
    return format(EXACT.multiply(Decimal(value), 1 + Decimal(share)), "f")


def is_moveable(value):
    return PLAIN.fullmatch(value) and Decimal(value) != 0


@pytest.fixture(scope="module", params=["fixture", "dabench"])
def cases(request):
    return cases_of(request.param)


@pytest.fixture(params=[as_strings, as_numbers], ids=["number strings", "JSON numbers"])
def golden_of(request):
    return request.param


@pytest.fixture(params=[as_strings, as_numbers], ids=["answers strings", "answers numbers"])
def answer_of(request):
    return request.param


def test_the_real_set_is_the_whole_one():
    cases = cases_of("dabench")
    assert len(cases) == 257
    assert sum(len(values) for _, values in cases) == 461


def test_golden_answers_score_one_on_every_case(cases, golden_of, answer_of):
    low = [name for name, values in cases if score(answer_of(values), golden_of(values)) != 1.0]
    assert low == []


@pytest.mark.parametrize("shape", REFORMATTED)
def test_golden_answers_score_one_however_they_are_formatted(cases, golden_of, answer_of, shape):
    for name, values in cases:
        golden, answer = golden_of(values), REFORMATTED[shape](answer_of(values))
        assert answer.strip() != golden.strip()
        assert score(answer, golden) == 1.0, (name, answer)


@pytest.mark.parametrize("share", ["0.05", "-0.05", "0.10", "-0.10"])
def test_numbers_within_a_tenth_score_one(cases, golden_of, answer_of, share):
    n_moved = 0
    for name, values in cases:
        answers = [moved(value, share) if is_moveable(value) else value for value in values]
        n_moved += sum(map(bool, map(is_moveable, values)))
        assert score(answer_of(answers), golden_of(values)) == 1.0, name
        for value in filter(is_moveable, values):
            element = score(answer_of([moved(value, share)]), golden_of([value]))
            assert element == 1.0, (name, value)
    assert n_moved >= 10


@pytest.mark.parametrize("share", ["0.5", "-0.5"])
def test_numbers_moved_by_a_half_score_a_half(cases, golden_of, answer_of, share):
    for name, values in cases:
        halves = sum(map(bool, map(is_moveable, values)))
        answers = [moved(value, share) if is_moveable(value) else value for value in values]
        expected = (len(values) - halves / 2) / len(values)
        assert abs(score(answer_of(answers), golden_of(values)) - expected) <= 1e-9, name
        for value in filter(is_moveable, values):
            element = score(answer_of([moved(value, share)]), golden_of([value]))
            assert abs(element - 0.5) <= 1e-9, (name, value)


def test_numbers_just_beyond_a_tenth_do_not_score_one(cases, golden_of):
    for name, values in cases:
        for value in filter(is_moveable, values):
            answer = as_numbers([moved(value, "0.1000001")])
            assert score(answer, golden_of([value])) < 0.9, (name, value)


def test_the_answers_of_other_cases_do_not_score_well(cases):
    scores = [
        score(as_strings(others), as_strings(values))
        for (_, values), (_, others) in pairwise(cases)
    ]
    assert sum(scores) / len(scores) < 0.2


def test_the_set_gated_against_itself_passes(cases, golden_of, house):
    golden = [
        {"id": name, "input": "Answer with a JSON list.", "reference": golden_of(values)}
        for name, values in cases
    ]
    answers = [{"id": case["id"], "output": case["reference"]} for case in golden]
    house.start(cases=golden, accepted=answers, scoring=("--scorer", "structured"))
    run = house.check(predictions=answers)
    assert run.status == 0
    assert run.result["suite"]["mean_score"] == 1.0
    assert run.result["suite"]["n_passed"] == len(golden)
