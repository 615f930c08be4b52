"""The provider over real HTTP, against a server of ours on loopback."""

import json
import time
from dataclasses import replace

import pytest

from gate.adapters.judges.anthropic import ANTHROPIC, base_url, connect
from gate.errors import JudgeUnusable, UsageInvalid
from gate.judges.ratings import RATING_SCHEMA
from gate.judges.reply import settled
from gate.records.judge_options import JudgeOptions
from gate.records.judge_words import Usage
from gate.records.judging import Question

SECRET = "sk-ant-CANARY-0123456789abcdef"  # noqa: S105 - opens nothing
PARAMS = '{"max_tokens":4096}'
QUESTION = Question(
    key="sha256:" + "0" * 64,
    case_id="a",
    repeat=0,
    run=0,
    system="You grade. Reply with JSON.",
    prompt="Is it fine?",
    schema_text=RATING_SCHEMA,
    params=PARAMS,
)


@pytest.fixture
def fake(fakes):
    return fakes("judge_server")


@pytest.fixture
def server(fake):
    server = fake.JudgeServer().start()
    yield server
    server.stop()


@pytest.fixture
def provider(server):
    options = JudgeOptions(base_url=server.url)
    made = connect(options, {"ANTHROPIC_API_KEY": SECRET}, model="claude-1", params=PARAMS)
    yield made
    made.close()


def ask(provider, question=QUESTION, *, timeout=10.0):
    return provider.ask(question, timeout=timeout)


def test_a_reply_is_given_as_it_was_said(provider, fake):
    attempt = ask(provider)
    answer = attempt.answer
    assert (answer.status, answer.text, answer.finish_reason) == ("ok", fake.VERDICT, "end_turn")
    assert answer.model == "claude-judge-20260701"
    assert answer.usage == Usage(input_tokens=120, output_tokens=30, thinking_tokens=45)
    assert attempt.answer.rung == "json_schema"
    assert settled(answer, reply="rating").status == "ok"


def test_exactly_what_has_to_be_is_sent(provider, server):
    ask(provider, replace(QUESTION, params='{"max_tokens":900,"temperature":0}'))
    (asked,) = server.asked
    assert asked.path == "/v1/messages"
    assert asked.headers["x-api-key"] == SECRET
    assert asked.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in asked.headers
    assert asked.body == {
        "model": "claude-1",
        "system": QUESTION.system,
        "messages": [{"role": "user", "content": QUESTION.prompt}],
        "max_tokens": 900,
        "temperature": 0,
        "output_config": {
            "format": {"type": "json_schema", "schema": json.loads(RATING_SCHEMA)},
        },
    }


def test_an_address_that_names_the_version_is_not_given_it_again(server):
    options = JudgeOptions(base_url=f"{server.url}/v1/")
    provider = connect(options, {}, model="m", params=PARAMS)
    ask(provider)
    provider.close()
    assert server.asked[0].path == "/v1/messages"
    assert "x-api-key" not in server.asked[0].headers


def test_thoughts_are_no_part_of_the_text(provider, server, fake):
    blocks = [
        {"type": "thinking", "thinking": "let me see", "text": "no"},
        {"type": "text", "text": "ab"},
        {"type": "text", "text": "c"},
        "nothing",
    ]
    server.script.append(fake.says(None, content=blocks))
    assert ask(provider).answer.text == "abc"


@pytest.mark.parametrize(
    ("finish", "status"),
    [
        ("max_tokens", "truncated"),
        ("model_context_window_exceeded", "truncated"),
        ("refusal", "blocked"),
        ("pause_turn", "unparseable"),
        (None, "unparseable"),
    ],
)
def test_a_reply_that_did_not_come_to_its_end_keeps_the_providers_word(
    provider, server, fake, finish, status
):
    server.script.append(fake.says(None, finish=finish, content=[]))
    answer = ask(provider).answer
    assert (answer.status, answer.text, answer.finish_reason) == ("ok", None, finish)
    assert settled(answer, reply="rating").status == status


@pytest.mark.parametrize(
    "text", ['{"rating": 7.5}', '{"rating": NaN}', "```json\n{}\n```", "a 2, I think", '{"a": 1}']
)
def test_what_is_said_is_not_read_here(provider, server, fake, text):
    server.script.append(fake.says(text))
    answer = ask(provider).answer
    assert (answer.status, answer.text) == ("ok", text)


@pytest.mark.parametrize(
    ("code", "kind", "message", "status"),
    [
        (400, "invalid_request_error", "temperature: no", "config"),
        (400, "invalid_request_error", "Your credit balance is too low", "auth"),
        (400, "invalid_request_error", "prompt is too long: 210000 tokens", "truncated"),
        (401, "authentication_error", "invalid x-api-key", "auth"),
        (402, "billing_error", "pay first", "auth"),
        (403, "permission_error", "no", "auth"),
        (404, "not_found_error", "model: claude-1", "config"),
        (413, "request_too_large", "too large", "truncated"),
        (429, "rate_limit_error", "slow down", "rate_limited"),
        (429, "enforced_spend_limit_reached", "no more", "auth"),
        (500, "api_error", "oops", "server"),
        (504, "timeout_error", "late", "timeout"),
        (529, "overloaded_error", "Overloaded", "server"),
    ],
)
def test_a_refusal_has_a_status_and_the_providers_words(
    provider, server, fake, code, kind, message, status
):
    body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "r"}
    server.script.append(fake.sends(code, body, Retry_After="4"))
    attempt = ask(provider)
    assert attempt.answer.status == status
    assert attempt.answer.message.startswith(f"HTTP {code} {kind}: {message}")
    assert attempt.retry_after == 4.0


@pytest.mark.parametrize(
    "message",
    [
        "output_config: Extra inputs are not permitted",
        "output_config.format: Extra inputs are not permitted",
        "'claude-1' does not support output format.",
    ],
)
def test_the_shape_is_asked_for_in_words_where_it_is_not_known(provider, server, fake, message):
    server.script.append(fake.refuses(400, message))
    assert ask(provider).answer.rung == "prompt"
    assert ask(provider).answer.rung == "prompt"
    assert ["output_config" in asked.body for asked in server.asked] == [True, False, False]


@pytest.mark.parametrize("body", [b"<html>", b"", b"{", b"{}", b'{"content": "x"}'])
def test_a_success_that_is_no_reply_is_the_servers_failure(provider, server, fake, body):
    server.script.append(fake.sends(200, body))
    assert ask(provider).answer.status == "server"


@pytest.mark.parametrize(
    ("step", "status"), [("half", "transport"), ("disconnect", "transport"), ("endless", "server")]
)
def test_a_reply_that_breaks_off_or_has_no_end_is_no_reply(provider, server, fake, step, status):
    server.script.append(getattr(fake, step))
    assert ask(provider).answer.status == status


@pytest.mark.parametrize("step", ["hang", "drip", "drip_headers"])
def test_a_call_ends_in_time_however_slowly_the_reply_comes(provider, server, fake, step):
    server.script.append(getattr(fake, step))
    before = time.monotonic()
    assert ask(provider, timeout=0.3).answer.status == "timeout"
    assert time.monotonic() - before < 5


def test_a_redirect_is_not_followed_and_no_key_leaves(provider, server, fake):
    other = fake.JudgeServer().start()
    server.script.append(fake.redirect_to(other.url))
    assert ask(provider).answer.status == "config"
    other.stop()
    assert other.asked == []


def test_a_key_that_comes_back_is_in_no_part_of_the_answer(provider, server, fake):
    server.script.append(fake.echo_key)
    server.script.append(fake.says(f"the key is {SECRET}", finish=SECRET))
    for _ in range(2):
        said = repr(ask(provider))
        assert "CANARY" not in said
        assert "***" in said


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ("{}", "requires max_tokens"),
        ('{"max_tokens":1,"seed":0}', "knows no seed"),
        ('{"max_tokens":1,"top_k":0}', "'top_k'"),
        ('{"max_tokens":1,"temperature":1.5}', "between 0 and 1"),
    ],
)
def test_parameters_that_the_api_does_not_take_are_refused(params, said):
    with pytest.raises(UsageInvalid, match=said):
        connect(JudgeOptions(), {"ANTHROPIC_API_KEY": SECRET}, model="m", params=params)


def test_without_a_key_nothing_is_asked():
    with pytest.raises(JudgeUnusable, match="no key in ANTHROPIC_API_KEY"):
        connect(JudgeOptions(), {"OPENAI_API_KEY": SECRET}, model="m", params=PARAMS)


def test_the_usual_address_is_anthropics():
    assert base_url(JudgeOptions(), {}) == ANTHROPIC
    with pytest.raises(UsageInvalid, match="https"):
        base_url(JudgeOptions(base_url="http://judge.example"), {})
