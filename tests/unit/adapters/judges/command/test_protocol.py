import json

import pytest

from gate.adapters.judges.command.protocol import (
    Breach,
    Hello,
    answer_of,
    hello_of,
    reply_of,
    request_line,
)
from gate.records.judge_words import CONTENT, STOPPING, TRANSIENT, Usage

GREETING = {"protocol": 1, "name": "w", "version": "1", "concurrency": 4}
HELLO = Hello("w", "1", 4)


def answer(**reply):
    line = json.dumps({"id": "7", **reply}).encode()
    return answer_of(reply_of(line), HELLO)


def test_a_hello_is_read():
    line = json.dumps({"hello": {**GREETING, "more": True}}).encode()
    assert hello_of(line + b"\r") == HELLO


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"Paris", "is no JSON"),
        (b"", "is no JSON"),
        (b"\xff", "is no JSON"),
        (b'{"hello":{"protocol":1,"protocol":1}}', "is no JSON"),
        (b"[1]", 'holds "hello"'),
        (b'{"hello":1}', 'holds "hello"'),
    ],
)
def test_a_first_line_that_is_no_hello_is_a_breach(line, why):
    with pytest.raises(Breach, match=why):
        hello_of(line)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"protocol": 2}, "protocol"),
        ({"protocol": True}, "protocol"),
        ({"protocol": None}, "protocol"),
        ({"name": ""}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"version": 3}, "version"),
        ({"version": None}, "version"),
        ({"concurrency": 0}, "concurrency"),
        ({"concurrency": True}, "concurrency"),
        ({"concurrency": 2.0}, "concurrency"),
        ({"concurrency": 257}, "concurrency"),
    ],
)
def test_a_hello_that_lacks_what_it_must_say_is_a_breach_that_names_it(change, why):
    with pytest.raises(Breach, match=why):
        hello_of(json.dumps({"hello": {**GREETING, **change}}).encode())


def test_a_request_is_one_line_of_ascii_with_all_that_the_protocol_names(question):
    line = request_line(
        question(3, prompt="é\n\u2028", params='{"seed":7}'), number="12", deadline_ms=1500
    )
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert line.isascii()
    assert json.loads(line) == {
        "v": 1,
        "id": "12",
        "case_id": "case-3",
        "run": 1,
        "system": "Grade.",
        "prompt": "é\n\u2028",
        "schema": {"type": "object"},
        "params": {"seed": 7},
        "deadline_ms": 1500,
    }


def test_a_text_is_kept_as_it_was_said():
    found = answer(text=" 2\n", model="m-1", finish_reason="length")
    assert (found.status, found.text) == ("ok", " 2\n")
    assert (found.model, found.finish_reason) == ("m-1", "length")


def test_a_reply_that_names_no_model_and_no_reason_is_whole_and_of_the_worker():
    found = answer(text="2", model=None, finish_reason=None)
    assert (found.model, found.finish_reason) == ("w/1", "stop")


def test_a_json_reply_becomes_canonical_text():
    assert answer(json={"b": [1, 2.50], "a": "é"}).text == '{"a":"é","b":[1,2.5]}'
    assert answer(json=False).text == "false"


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ({}, "exactly one"),
        ({"text": None}, "exactly one"),
        ({"text": "2", "json": 2}, "exactly one"),
        ({"text": "2", "error": {"kind": "server"}}, "exactly one"),
        ({"text": {"rating": 2}}, '"text" is no text'),
        ({"text": "2", "model": 5}, '"model"'),
        ({"text": "2", "model": "x" * 201}, '"model"'),
        ({"text": "2", "finish_reason": True}, '"finish_reason"'),
        ({"error": "no"}, '"kind"'),
        ({"error": {}}, '"kind"'),
        ({"error": {"kind": 5}}, '"kind"'),
    ],
)
def test_a_reply_that_breaks_the_protocol_is_unparseable_and_says_why(reply, why):
    found = answer(**reply)
    assert found.status == "unparseable"
    assert why in found.message
    assert "breaks the protocol" in found.message


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"id":"7","json":{"rating":NaN}}', "NaN"),
        (b'{"id":"7","json":{"rating":1e999}}', "beyond the range"),
        (b'{"id":"7","text":"1","text":"2"}', "twice"),
        (b'{"id":"7","text":"\\ud800"}', "surrogate"),
        (b'{"id":"7","json":' + b"[" * 200 + b"]" * 200 + b"}", "nested"),
        (b'{"id":"7","json":[' + b"1," * 60_000 + b"1]}", "values"),
    ],
)
def test_a_reply_that_is_json_to_others_only_is_still_a_reply_to_its_question(line, why):
    reply = reply_of(line)
    found = answer_of(reply, HELLO)
    assert (reply.id, found.status, found.text) == ("7", "unparseable", None)
    assert why in found.message


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"Loading ...",
        b"\xff{}",
        b"[]",
        b"7",
        b'{"text":"2"}',
        b'{"id":7,"text":"2"}',
        b'{"id',
    ],
)
def test_a_line_of_no_question_is_none(line):
    assert reply_of(line) is None


def test_a_line_nested_beyond_the_stack_is_none():
    assert reply_of(b'{"id":"7","json":' + b"[" * 200_000) is None


@pytest.mark.parametrize("kind", sorted(CONTENT | TRANSIENT | STOPPING))
def test_an_error_of_a_known_kind_is_that_status_whatever_else_it_says(kind):
    for retryable in (True, False):
        found = answer(error={"kind": kind, "retryable": retryable, "message": "because"})
        assert (found.status, found.message, found.text) == (kind, "because", None)


def test_an_error_of_an_unknown_kind_is_the_servers_if_another_try_helps():
    assert answer(error={"kind": "oom", "retryable": True}).status == "server"


@pytest.mark.parametrize("retryable", [False, None, 1, "true"])
def test_an_error_of_an_unknown_kind_else_stops_the_run_and_names_the_kinds(retryable):
    found = answer(error={"kind": "oom", "retryable": retryable, "message": "no room"})
    assert found.status == "config"
    assert "'oom'" in found.message
    assert "rate_limited" in found.message
    assert found.message.endswith("no room")


def test_no_kind_of_error_makes_a_verdict():
    assert answer(error={"kind": "ok", "retryable": True}).status == "server"
    assert answer(error={"kind": "ok", "retryable": False}).status == "config"


def test_an_error_without_words_says_so():
    assert "no more than server" in answer(error={"kind": "server", "message": 5}).message


def test_usage_is_what_was_counted():
    used = {"input_tokens": 3, "output_tokens": 0, "thinking_tokens": 9, "more": 1}
    expected = Usage(input_tokens=3, output_tokens=0, thinking_tokens=9)
    assert answer(text="2", usage=used).usage == expected
    assert answer(error={"kind": "blocked"}, usage=used).usage == expected


@pytest.mark.parametrize("figure", [-1, True, 2.0, "3", None, 2**63, [3]])
def test_a_figure_that_is_no_count_was_not_said_and_costs_no_verdict(figure):
    found = answer(text="2", usage={"input_tokens": figure, "output_tokens": 4})
    assert (found.status, found.usage) == ("ok", Usage(output_tokens=4))


@pytest.mark.parametrize("usage", [None, 5, [], "many"])
def test_usage_that_is_no_object_was_not_said(usage):
    assert answer(text="2", usage=usage).usage == Usage()
