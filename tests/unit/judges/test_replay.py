import pytest

from gate.judges.questions import plan
from gate.judges.replay import Judged, bounds, replay, unscored, usage_of
from gate.records.judge_words import Usage
from gate.records.judging import Answer


def rated(rating, **more):
    text = f'{{"assessment": "because {rating}", "rating": {rating}}}'
    return Answer(status="ok", text=text, finish_reason="STOP", **more)


@pytest.fixture
def judged(response, setup):
    """Replay one response from the answers of its three runs (``None``: not asked)."""

    def make(*answers):
        planned = plan([response()], setup("autorater", runs=3))
        (entry,) = planned.entries
        known = {key: answer for key, answer in zip(entry.keys, answers, strict=True) if answer}
        (row,) = replay(planned, known, reply="rating")
        return row

    return make


def test_three_votes_are_kept_and_averaged(judged):
    row = judged(rated(2), rated(1), rated(1))
    assert (row.status, row.votes, row.score) == ("ok", (1.0, 0.5, 0.5), 2 / 3)
    assert row.reasons == ("because 2", "because 1", "because 1")
    assert judged(rated(2), rated(2), rated(2)).score == 1.0


def test_a_response_of_which_one_run_has_no_verdict_is_unscored(judged):
    row = judged(rated(2), Answer(status="timeout", message="after 60 s"), rated(7))
    assert (row.status, row.score, row.message) == ("timeout", None, "after 60 s")
    assert row.votes == (1.0, None, None)


def test_a_question_that_nobody_answered_is_named_unasked(judged):
    row = judged(rated(2), rated(2), None)
    assert (row.status, row.score, row.message) == ("unasked", None, "it was not asked")


def test_a_stored_answer_is_worth_what_it_says(judged):
    assert judged(rated(2), rated(2), rated(7.5)).status == "schema"


def test_what_needed_no_call_keeps_its_score_and_says_why(response, setup):
    planned = plan(
        [response('["Paris", 105]'), response("", id="b"), response(None, id="c")], setup()
    )
    rows = replay(planned, {}, reply="elements")
    assert [(row.status, row.score, row.because, row.votes) for row in rows] == [
        ("ok", 1.0, "equals the reference", ()),
        ("ok", 0.0, "the response is empty", ()),
        ("ok", None, "the agent failed", ()),
    ]


def test_the_bounds_differ_exactly_where_something_is_unknown():
    rows = (
        Judged("a", 0, "ok", 0.25, (0.25,)),
        Judged("b", 0, "blocked", None, (None,)),
        Judged("c", 0, "ok", None, because="the agent failed"),
        Judged("d", 1, "unasked", None, (None,)),
    )
    found = bounds(rows)
    assert found.low == (0.25, 0.0, None, 0.0)
    assert found.high == (0.25, 1.0, None, 1.0)
    assert unscored(rows) == {"blocked": 1, "unasked": 1}


def test_usage_is_added_up_and_unknown_is_not_zero():
    answers = (
        rated(2, usage=Usage(input_tokens=10, output_tokens=1)),
        rated(2, usage=Usage(input_tokens=5)),
        rated(2),
    )
    assert usage_of(answers) == Usage(input_tokens=15, output_tokens=1, thinking_tokens=None)
