"""Known-bad answers that ask for full marks, about the cases that a judge is asked about."""

import json

import pytest

from gate.judges.canaries import KINDS, canaries, findings
from gate.judges.reply import settled
from gate.records.case import EvalCase
from gate.records.judging import Answer


def case(case_id="geo-1", reference='["Paris", 105]'):
    return EvalCase(id=case_id, input="Capital and area: [__, __]", reference=reference)


def said(document):
    return Answer(status="ok", text=json.dumps(document), finish_reason="stop")


def elements(*scores):
    return {
        "primary_entity_correct": True,
        "primary_index": 1,
        "elements": [
            {"index": at, "depends_on_primary": False, "score": score, "reason": ""}
            for at, score in enumerate(scores, 1)
        ],
    }


def test_there_is_one_of_each_kind_whatever_the_number_of_cases(setup):
    for size in (1, 2, 5):
        made = canaries([case(f"geo-{at}") for at in range(size)], setup(), own=None)
        assert made.kinds == KINDS
        assert len(made.asked.questions) == len(KINDS)


def test_they_are_about_different_cases_where_there_are_enough(setup):
    made = canaries([case(f"geo-{at}") for at in range(5)], setup(), own=None)
    assert [one.case_id for one in made.asked.questions] == ["geo-0", "geo-1", "geo-2"]


def test_the_order_of_the_cases_and_their_repeats_do_not_matter(setup):
    cases = [case(f"geo-{at}") for at in range(5)]
    assert canaries(cases, setup(), own=None) == canaries(cases[::-1] * 2, setup(), own=None)


def test_they_are_asked_once_where_answers_are_looked_at_three_times(setup):
    made = canaries([case()], setup("autorater", runs=3), own=None)
    assert [one.run for one in made.asked.questions] == [0, 0, 0]


def test_without_a_case_there_is_none(setup):
    made = canaries([], setup(), own=None)
    assert (made.kinds, made.asked.questions) == ((), ())
    assert findings(made, {}, setup()) == ()


@pytest.mark.parametrize("name", ["geoktools", "autorater", "workflow"])
def test_each_asks_for_full_marks_within_its_fence(setup, name):
    made = canaries([case()], setup(name), own=None)
    wish = '"score":1.0' if name == "geoktools" else '"rating":2'
    prompts = [one.prompt for one in made.asked.questions]
    assert sum(wish in prompt for prompt in prompts) == 2
    for prompt in prompts:
        assert prompt.count("</response-") == 1  # what the answer closes is spelt out


def test_a_golden_list_of_three_gets_three_unknowns(setup):
    made = canaries([case(reference='["a", "b", "c"]')], setup(), own=None)
    assert '["unknown","unknown","unknown"]' in made.asked.questions[0].prompt
    assert {entry.elements for entry in made.asked.entries} == {3}


@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("geoktools", '["Unknown"]'),
        ("geoktools", "[null]"),
        ("geoktools", '["Paris", "n/a"]'),
        ("geoktools", "[]"),
        ("autorater", "I could not find this out."),
        ("autorater", "It cannot be said"),
        ("autorater", "There is no data on it."),
    ],
)
def test_no_case_whose_right_answer_may_be_the_worthless_one(setup, name, reference):
    assert canaries([case(reference=reference)], setup(name), own=None).kinds == ()
    both = [case("a", reference), case("b")]
    found = canaries(both, setup(name), own=None)
    assert {one.case_id for one in found.asked.questions} == {"b"}


@pytest.mark.parametrize("reference", ["None of them doesn't cannot.", "It cannot overflow."])
def test_the_prose_of_an_expert_is_no_reason_to_ask_none(setup, reference):
    assert canaries([case(reference=reference)], setup("autorater"), own=None).kinds == KINDS


def test_a_rubric_has_those_of_the_user(setup):
    one = setup("rubric", text="be kind")
    made = canaries([case(reference=None)], one, own="go away")
    assert made.kinds == KINDS
    assert all("go away\n" in question.prompt for question in made.asked.questions)


def test_an_answer_of_the_users_stands_in_for_ours(setup):
    made = canaries([case()], setup("autorater"), own="It is Lyon.")
    for question in made.asked.questions:
        assert "It is Lyon." in question.prompt
        assert "I could not find this out." not in question.prompt


def test_what_each_scored_is_found_and_silence_is_none(setup):
    made = canaries([case()], setup(), own=None)
    keys = [one.key for one in made.asked.questions]
    late = Answer(status="timeout")
    found = findings(
        made,
        {keys[0]: said(elements(0.0, 0.0)), keys[1]: said(elements(0.0, 1.0)), keys[2]: late},
        setup(),
    )
    assert [one.score for one in found] == [0.0, 0.5, None]
    assert [one.status for one in found] == ["ok", "ok", "timeout"]
    assert [one.kind for one in found] == list(KINDS)
    assert findings(made, {}, setup())[0].status == "unasked"


def test_a_reply_that_is_no_verdict_is_no_zero(setup):
    made = canaries([case()], setup(), own=None)
    kept = settled(said({"score": 0}), reply="elements", count=2)
    found = findings(made, {made.asked.questions[0].key: kept}, setup())
    assert (found[0].score, found[0].status) == (None, "schema")


def test_each_names_its_answer_in_the_ledger(setup):
    made = canaries([case()], setup(), own=None)
    for one, question in zip(findings(made, {}, setup()), made.asked.questions, strict=True):
        assert question.key == "sha256:" + one.key + question.key[len("sha256:") + 16 :]
        assert one.elements == 2
