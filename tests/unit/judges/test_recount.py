"""Votes are read again from a ledger, and must be the same."""

import json

from gate.judges.recount import recount
from gate.records.judge_run import Judgement
from gate.records.judging import Answer

KEYS = tuple("sha256:" + digit * 64 for digit in "0123")
SHORT = tuple(key[7:23] for key in KEYS)


def said(rating):
    text = json.dumps({"assessment": "so", "rating": rating})
    return Answer(status="ok", text=text, finish_reason="stop")


def found(judgement, answers):
    return list(recount([("case 'a'", judgement)], answers, reply="rating"))


def test_votes_that_the_ledger_bears_out_are_fine():
    one = Judgement(status="ok", votes=(1.0, 0.5), keys=SHORT[:2])
    assert found(one, {KEYS[0]: said(2), KEYS[1]: said(1)}) == []


def test_another_vote_is_named_with_its_look():
    one = Judgement(status="ok", votes=(1.0, 1.0), keys=SHORT[:2])
    assert found(one, {KEYS[0]: said(2), KEYS[1]: said(1)}) == [
        "case 'a': look 1 gave 1.0, and the ledger's answer gives another"
    ]


def test_a_vote_without_an_answer_is_named_and_no_vote_without_one_is_fine():
    one = Judgement(status="unasked", votes=(1.0, None), keys=SHORT[:2])
    assert found(one, {}) == ["case 'a': the ledger does not hold the answer to look 0"]


def test_no_vote_where_the_ledger_has_one_is_named():
    one = Judgement(status="timeout", votes=(None,), keys=SHORT[:1])
    assert len(found(one, {KEYS[0]: said(2)})) == 1
    assert found(one, {KEYS[0]: Answer(status="timeout")}) == []


def test_what_was_known_without_a_call_needs_no_ledger():
    assert found(Judgement(status="ok"), {}) == []


def test_elements_are_read_with_their_count():
    element = {"index": 1, "depends_on_primary": False, "score": 1.0, "reason": ""}
    document = {"primary_entity_correct": True, "primary_index": 1, "elements": [element]}
    answer = Answer(status="ok", text=json.dumps(document), finish_reason="stop")
    for count, vote in ((1, 1.0), (2, 0.5)):
        one = Judgement(status="ok", votes=(vote,), keys=SHORT[:1], elements=count)
        assert list(recount([("a", one)], {KEYS[0]: answer}, reply="elements")) == []
