import json

import pytest

from gate.judges.ratings import RATING_SCHEMA, read_rating
from gate.judges.reply import MAX_CHARACTERS, Refused, Verdict, read_answer, settled
from gate.judges.shape import WrongShape
from gate.records.judge_words import Usage
from gate.records.judging import Answer

RATED = '{"assessment": "fine", "rating": 1}'


def read(text, *, finish_reason="STOP", reply="rating", count=0, status="ok"):
    answer = Answer(status=status, text=text, finish_reason=finish_reason)
    return read_answer(answer, reply=reply, count=count)


@pytest.mark.parametrize(
    "text",
    [
        RATED,
        f"\n  {RATED}\r\n",
        f"```json\n{RATED}\n```",
        f"```\n{RATED}\n```",
        f"  ```JSON  \n\n{RATED}\n\n``` \n",
        f"````json\n{RATED}\n````",
        '```json\n{"assessment": "a ``` in it", "rating": 1}\n```',
    ],
)
def test_the_whole_reply_is_json_or_one_fence_around_it(text):
    found = read(text)
    assert isinstance(found, Verdict)
    assert found.score == 0.5


@pytest.mark.parametrize(
    "text",
    [
        None,
        "",
        " ",
        "The rating is 2.",
        "rating: 2",
        f"Here it is: {RATED}",
        f"{RATED} I hope this helps.",
        f"{RATED}{RATED}",
        f"Sure:\n```json\n{RATED}\n```",
        f"```json\n{RATED}\n```\nDone.",
        f"```json\n{RATED}\n```\n```json\n{RATED}\n```",
        f"```json\n{RATED}",
        f"```json {RATED}```",
        f"````\n{RATED}\n```",
        f"``\n{RATED}\n``",
        f"<think>hm</think>{RATED}",
        '{"assessment": "fine", "rating": ',
        "{'assessment': 'fine', 'rating': 2}",
        "[" * 100_000,
        " " * MAX_CHARACTERS + RATED,
    ],
    ids=lambda text: repr(text)[:30],
)
def test_anything_else_is_no_reply_at_all(text):
    assert read(text).status == "unparseable"


@pytest.mark.parametrize(
    "text",
    [
        "2",
        "null",
        "[]",
        f"[{RATED}]",
        '"2"',
        '{"rating": 2}',
        '{"assessment": "x", "rating": 7.5}',
        '{"assessment": "x", "rating": 3}',
        '{"assessment": "x", "rating": -1}',
        '{"assessment": "x", "rating": 1.0}',
        '{"assessment": "x", "rating": "2"}',
        '{"assessment": "x", "rating": true}',
        '{"assessment": "x", "rating": null}',
        '{"assessment": "x", "rating": NaN}',
        '{"assessment": "x", "rating": 1e999}',
        '{"assessment": "x", "rating": 0, "rating": 2}',
        '{"assessment": 1, "rating": 2}',
        '{"assessment": "x", "rating": 2, "confidence": 1}',
        '{"Assessment": "x", "Rating": 2}',
        '{"assessment": "\\ud800", "rating": 2}',
        json.dumps({"assessment": "x", "rating": [2] * 20_001}),
    ],
    ids=lambda text: text[:50],
)
def test_json_of_another_shape_is_an_error_of_its_own_and_never_the_nearest_number(text):
    found = read(text)
    assert found.status == "schema"
    assert len(found.message) <= 200


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        ("MAX_TOKENS", "truncated"),
        ("length", "truncated"),
        ("max_tokens", "truncated"),
        ("SAFETY", "blocked"),
        ("RECITATION", "blocked"),
        ("content_filter", "blocked"),
        ("refusal", "blocked"),
        ("tool_use", "unparseable"),
        ("FINISH_REASON_UNSPECIFIED", "unparseable"),
        ("", "unparseable"),
        (None, "unparseable"),
    ],
)
def test_a_reply_that_did_not_come_to_its_end_is_no_verdict_however_good_it_looks(reason, status):
    found = read(RATED, finish_reason=reason)
    assert isinstance(found, Refused)
    assert found.status == status


@pytest.mark.parametrize("reason", ["STOP", "stop", "end_turn"])
def test_each_provider_has_its_word_for_the_end(reason):
    assert read(RATED, finish_reason=reason) == Verdict(0.5, "fine")


def test_an_answer_that_failed_keeps_its_status_whatever_its_text():
    assert read(RATED, status="timeout") == Refused("timeout", "the judge gave no verdict")


@pytest.mark.parametrize(("rating", "worth"), [(0, 0.0), (1, 0.5), (2, 1.0)])
def test_a_rating_is_worth_what_the_protocol_says(rating, worth):
    assert read_rating({"assessment": "x", "rating": rating}) == (worth, "x")


@pytest.mark.parametrize("wrong", [3, -1, 10**30])
def test_a_rating_beyond_the_scale_is_refused(wrong):
    with pytest.raises(WrongShape, match="none of 0, 1 and 2"):
        read_rating({"assessment": "x", "rating": wrong})


def test_a_reply_about_elements_is_averaged_here():
    text = json.dumps(
        {
            "elements": [
                {"depends_on_primary": False, "index": 1, "reason": "other", "score": 0.0},
                {"depends_on_primary": True, "index": 2, "reason": "same", "score": 1},
            ],
            "primary_entity_correct": False,
            "primary_index": 1,
        }
    )
    found = read(text, reply="elements", count=2)
    assert found == Verdict(
        0.0, "the primary entity is wrong. 1 (0): other 2 (1): same", ((1, 0.0), (2, 1.0))
    )
    assert read(text, reply="elements", count=1).status == "schema"
    assert read(RATED, reply="elements", count=2).status == "schema"


def test_what_is_kept_is_ok_only_where_it_holds_a_verdict():
    usage = Usage(input_tokens=7)
    good = Answer(status="ok", text=RATED, finish_reason="STOP", usage=usage, model="m")
    assert settled(good, reply="rating") is good
    kept = settled(
        Answer(status="ok", text="2!", finish_reason="STOP", usage=usage, model="m"),
        reply="rating",
    )
    assert (kept.status, kept.text, kept.usage, kept.model) == ("unparseable", "2!", usage, "m")
    assert kept.message
    late = Answer(status="timeout")
    assert settled(late, reply="rating") is late


def test_the_schema_writes_the_assessment_before_the_rating():
    assert list(json.loads(RATING_SCHEMA)["properties"]) == ["assessment", "rating"]
