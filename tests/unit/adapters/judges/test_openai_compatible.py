"""The provider over real HTTP, against a server of ours on loopback."""

import json
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from email.utils import formatdate

import pytest

from gate.adapters.judges.openai_compatible import OPENAI, base_url, connect
from gate.errors import JudgeUnusable, UsageInvalid
from gate.judges.elements import ELEMENTS_SCHEMA
from gate.judges.ratings import RATING_SCHEMA
from gate.judges.reply import settled
from gate.records.judge_options import JudgeOptions
from gate.records.judge_words import Usage
from gate.records.judging import Question

SECRET = "sk-CANARY-0123456789abcdef"  # noqa: S105 - opens nothing
QUESTION = Question(
    key="sha256:" + "0" * 64,
    case_id="a",
    repeat=0,
    run=0,
    system="You grade. Reply with JSON.",
    prompt="Is it fine? Ünïcode",
    schema_text=RATING_SCHEMA,
)
SHAPELESS = "'response_format.type' json_schema is not supported by this model"


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
    made = connect(
        JudgeOptions(base_url=f"{server.url}/v1"),
        {"OPENAI_API_KEY": SECRET},
        model="judge-1",
        params="{}",
    )
    yield made
    made.close()


def ask(provider, question=QUESTION, *, timeout=10.0):
    return provider.ask(question, timeout=timeout)


def formats(server):
    return [asked.body.get("response_format", {}).get("type") for asked in server.asked]


def test_a_reply_is_given_as_it_was_said(provider, fake):
    attempt = ask(provider)
    answer = attempt.answer
    assert (answer.status, answer.text, answer.finish_reason) == ("ok", fake.VERDICT, "stop")
    assert answer.model == "judge-2026-07-01"
    assert answer.usage == Usage(input_tokens=120, output_tokens=30, thinking_tokens=45)
    assert answer.message is None
    assert (attempt.retry_after, attempt.answer.rung) == (None, "json_schema")


def test_exactly_what_has_to_be_is_sent(provider, server):
    ask(provider, replace(QUESTION, params='{"max_tokens":900,"seed":7,"temperature":0}'))
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {SECRET}"
    assert asked.headers["accept-encoding"] == "identity"
    schema = json.loads(RATING_SCHEMA)
    assert asked.body == {
        "model": "judge-1",
        "messages": [
            {"role": "system", "content": QUESTION.system},
            {"role": "user", "content": QUESTION.prompt},
        ],
        "max_tokens": 900,
        "seed": 7,
        "temperature": 0,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "verdict", "strict": True, "schema": schema},
        },
    }


def test_nothing_but_the_question_is_sent_where_nothing_is_set(provider, server):
    ask(provider)
    assert set(server.asked[0].body) == {"model", "messages", "response_format"}


def test_limits_of_numbers_are_kept_out_of_the_schema_that_is_sent(provider, server):
    ask(provider, replace(QUESTION, schema_text=ELEMENTS_SCHEMA))
    sent = json.dumps(server.asked[0].body["response_format"])
    assert "minimum" not in sent
    assert "maximum" not in sent
    assert "depends_on_primary" in sent


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ('{"assessment": "fine", "rating": NaN}', "schema"),
        ('{"assessment": "fine", "rating": 7.5}', "schema"),
        ('{"reason": "fine", "score": 2}', "schema"),
        ("I would say 2.", "unparseable"),
        ('```json\n{"assessment": "fine", "rating": 2}\n```', "ok"),
    ],
)
def test_what_is_said_is_not_read_here(provider, server, fake, text, status):
    server.script.append(fake.says(text))
    answer = ask(provider).answer
    assert (answer.status, answer.text) == ("ok", text)
    assert settled(answer, reply="rating").status == status


@pytest.mark.parametrize(
    ("finish", "status"),
    [("length", "truncated"), ("content_filter", "blocked"), ("tool_calls", "unparseable")],
)
def test_a_reply_that_did_not_come_to_its_end_keeps_the_providers_word(
    provider, server, fake, finish, status
):
    server.script.append(fake.says(None, finish=finish))
    answer = ask(provider).answer
    assert (answer.status, answer.text, answer.finish_reason) == ("ok", None, finish)
    assert settled(answer, reply="rating").status == status


def test_a_refusal_has_a_place_of_its_own_and_is_blocked(provider, server, fake):
    server.script.append(fake.says(None, refusal="I cannot help with that."))
    answer = ask(provider).answer
    assert answer.status == "blocked"
    assert answer.message == "the model refused: I cannot help with that."
    assert answer.usage.input_tokens == 120


def test_a_text_in_parts_is_one_text(provider, server, fake):
    parts = [{"type": "text", "text": "ab"}, {"type": "other"}, {"type": "text", "text": "c"}]
    server.script.append(fake.says(parts))
    assert ask(provider).answer.text == "abc"


def test_thinking_that_is_counted_beside_the_reply_is_not_taken_from_it(provider, server, fake):
    reply = fake.openai_reply()
    reply["usage"]["total_tokens"] = 120 + 75 + 45
    server.script.append(fake.sends(200, reply))
    usage = ask(provider).answer.usage
    assert (usage.output_tokens, usage.thinking_tokens) == (75, 45)


def test_usage_that_is_none_is_unknown(provider, server, fake):
    reply = fake.openai_reply() | {"usage": {"prompt_tokens": -1, "completion_tokens": True}}
    server.script.append(fake.sends(200, reply))
    assert ask(provider).answer.usage == Usage()


def refusals():
    yield 400, {"name": "bad_value"}, "no such thing", "config"
    yield 400, {"name": "context_length_exceeded"}, "maximum context length is 8192", "truncated"
    yield 400, {"name": "content_filter"}, "The response was filtered", "blocked"
    yield 400, {"name": "invalid_api_key"}, "Incorrect API key provided", "auth"
    yield 401, {"name": "invalid_api_key"}, "who are you", "auth"
    yield 402, {}, "pay first", "auth"
    yield 403, {}, "not for you", "auth"
    yield 404, {"name": "model_not_found"}, "no model judge-1", "config"
    yield 405, {}, "no", "config"
    yield 408, {}, "late", "timeout"
    yield 409, {}, "busy", "server"
    yield 410, {}, "gone", "config"
    yield 413, {}, "too large", "truncated"
    yield 422, {}, "what", "config"
    yield 429, {"name": "rate_limit_exceeded"}, "slow down", "rate_limited"
    yield 429, {}, "Limit reached: add a payment method at /account/billing", "rate_limited"
    yield 429, {}, "You exceeded your current quota, see plan and billing", "rate_limited"
    yield 429, {"kind": "insufficient_quota"}, "You exceeded your current quota", "auth"
    yield 429, {"name": "project_spend_limit_exceeded"}, "no more", "auth"
    yield 500, {}, "oops", "server"
    yield 503, {}, "later", "server"
    yield 504, {}, "late", "timeout"
    yield 529, {"kind": "overloaded_error"}, "Overloaded", "server"


@pytest.mark.parametrize(("code", "names", "message", "status"), list(refusals()))
def test_a_refusal_has_a_status_and_the_providers_words(
    provider, server, fake, code, names, message, status
):
    server.script.append(fake.refuses(code, message, **names))
    answer = ask(provider).answer
    assert answer.status == status
    assert answer.message.startswith(f"HTTP {code}")
    assert message in answer.message
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "body",
    [
        {"error": "in words alone"},
        {"object": "error", "message": "in words alone", "code": 404},
        {"detail": "in words alone"},
    ],
)
def test_errors_come_in_several_forms(provider, server, fake, body):
    server.script.append(fake.sends(500, body))
    answer = ask(provider).answer
    assert answer.status == "server"
    assert "in words alone" in answer.message


def test_an_error_that_comes_as_a_success_is_an_error(provider, server, fake):
    server.script.append(fake.sends(200, {"error": {"message": "slow down", "code": 429}}))
    server.script.append(fake.sends(200, {"error": {"message": "whatever"}}))
    assert ask(provider).answer.status == "rate_limited"
    assert ask(provider).answer.status == "server"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<html>Please sign in</html>", "check base_url"),
        (b"", "empty"),
        (b'{"choices": [', "no JSON"),
        (b"[]", "has not the form"),
        (b'{"choices": []}', "has not the form"),
        (b'{"choices": [{"message": null}]}', "has not the form"),
        (b'{"choices": [{"message": {"content": "\\ud800"}}]}', "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"\xff\xfe", "no JSON"),
    ],
)
def test_a_success_that_is_no_reply_is_the_servers_failure(provider, server, fake, body, said):
    server.script.append(fake.sends(200, body))
    answer = ask(provider).answer
    assert answer.status == "server"
    assert said in answer.message


@pytest.mark.parametrize(
    ("step", "status"),
    [("half", "transport"), ("disconnect", "transport"), ("endless", "server")],
)
def test_a_reply_that_breaks_off_or_has_no_end_is_no_reply(provider, server, fake, step, status):
    server.script.append(getattr(fake, step))
    answer = ask(provider).answer
    assert answer.status == status
    assert answer.message


def test_a_reply_that_is_compressed_unasked_is_refused(provider, server, fake):
    server.script.append(fake.sends(200, b"\x1f\x8b", Content_Encoding="gzip"))
    assert ask(provider).answer.status == "transport"


@pytest.mark.parametrize("step", ["hang", "drip", "drip_headers"])
def test_a_call_ends_in_time_however_slowly_the_reply_comes(provider, server, fake, step):
    server.script.append(getattr(fake, step))
    before = time.monotonic()
    assert ask(provider, timeout=0.3).answer.status == "timeout"
    assert time.monotonic() - before < 5


def test_a_server_that_is_not_there_is_a_failure_on_the_way(fake):
    gone = fake.JudgeServer()
    gone.server_close()
    provider = connect(JudgeOptions(base_url=gone.url), {}, model="m", params="{}")
    answer = ask(provider).answer
    provider.close()
    assert answer.status == "transport"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry_After": "20"}, 20.0),
        ({"Retry_After": "1.5"}, 1.5),
        ({"Retry_After": "9", "retry_after_ms": "250"}, 0.25),
        ({"Retry_After": "soon"}, None),
        ({"Retry_After": "-3"}, None),
        ({"Retry_After": "nan"}, None),
        ({"Retry_After": "99999999"}, 86_400.0),
        ({}, None),
    ],
)
def test_the_providers_wish_for_peace_is_read(provider, server, fake, headers, seconds):
    server.script.append(fake.refuses(429, "slow down", **headers))
    assert ask(provider).retry_after == seconds


def test_a_wish_until_a_date_is_counted_from_the_servers_own_clock(provider, server, fake):
    then = formatdate(time.time() + 30, usegmt=True)
    server.script.append(fake.refuses(503, "later", Retry_After=then))
    assert 25 < ask(provider).retry_after <= 31


def test_a_redirect_is_not_followed_and_no_key_leaves(provider, server, fake):
    other = fake.JudgeServer().start()
    server.script.append(fake.redirect_to(other.url))
    answer = ask(provider).answer
    other.stop()
    assert answer.status == "config"
    assert "redirects are not followed" in answer.message
    assert other.asked == []


def test_a_key_that_comes_back_is_in_no_part_of_the_answer(provider, server, fake):
    server.script.append(fake.echo_key)
    server.script.append(fake.says(f"the key is {SECRET}", finish=SECRET))
    for _ in range(2):
        said = repr(ask(provider))
        assert "CANARY" not in said
        assert "***" in said
    assert "CANARY" not in repr(vars(provider).get("model"))
    assert SECRET not in repr(provider)


@pytest.mark.parametrize("before", [110, 195, 293, 499, 999])
def test_no_message_holds_a_part_of_the_key_where_it_was_cut(provider, server, fake, before):
    page = b"." * (before - 1) + b" " + SECRET.encode() + b" and more" * 100
    for step in (fake.sends(500, page), fake.sends(200, page), fake.refuses(400, page.decode())):
        server.script.append(step)
        assert "sk-CAN" not in ask(provider).answer.message


INTERRUPTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
from gate.adapters.judges.asker import PatientAsker
from gate.adapters.judges.openai_compatible import connect
from gate.records.judge_options import JudgeOptions
from gate.records.judging import Question
options = JudgeOptions(base_url=sys.argv[1], concurrency=4)
provider = connect(options, {}, model="m", params="{}")
question = dict(repeat=0, run=0, system="s", prompt="p", schema_text="{}")
questions = [Question(key="sha256:" + f"{n:064x}", case_id=str(n), **question) for n in range(9)]
asker = PatientAsker(provider, options)
try:
    for _ in asker.ask(questions, settle=lambda _, answer: answer, go_on=lambda: True):
        print("one", flush=True)
except KeyboardInterrupt:
    sys.exit(7)
"""


def test_an_interrupt_ends_the_process_while_every_call_hangs(server, fake):
    server.script.append(fake.says(fake.VERDICT))
    server.always = fake.hang
    command = [sys.executable, "-c", INTERRUPTED, server.url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "one\n"
        while len(server.asked) < 5:
            time.sleep(0.01)
        before = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 7
    assert time.monotonic() - before < 10


def test_the_shape_is_asked_for_one_rung_lower_where_it_is_not_known(provider, server, fake):
    server.script.append(fake.refuses(400, SHAPELESS))
    server.script.append(fake.refuses(400, "response_format: json_object is unknown"))
    attempt = ask(provider)
    assert (attempt.answer.status, attempt.answer.rung) == ("ok", "prompt")
    assert formats(server) == ["json_schema", "json_object", None]
    assert ask(provider).answer.rung == "prompt"
    assert formats(server)[3:] == [None]


def test_a_refusal_of_a_parameter_goes_down_no_rung(provider, server, fake):
    server.script.append(fake.refuses(400, "temperature: unsupported value", name="unsupported"))
    assert ask(provider).answer.status == "config"
    assert ask(provider).answer.rung == "json_schema"


def test_many_threads_go_down_the_ladder_together(provider, server, fake):
    def only_words(handler, asked):
        known = "response_format" not in asked.body
        (fake.says(fake.VERDICT) if known else fake.refuses(400, SHAPELESS))(handler, asked)

    server.always = only_words
    found = []
    threads = [threading.Thread(target=lambda: found.append(ask(provider))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {(attempt.answer.status, attempt.answer.rung) for attempt in found} == {
        ("ok", "prompt")
    }
    assert server.connections <= 8


def test_a_limit_of_tokens_is_called_by_its_other_name_where_that_one_is_known(
    provider, server, fake
):
    said = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens'."
    server.script.append(fake.refuses(400, said, param="max_tokens"))
    limited = replace(QUESTION, params='{"max_tokens":900}')
    assert ask(provider, limited).answer.status == "ok"
    assert ask(provider, limited).answer.status == "ok"
    names = [sorted(key for key in asked.body if key.startswith("max_")) for asked in server.asked]
    assert names == [["max_tokens"], ["max_completion_tokens"], ["max_completion_tokens"]]


def test_a_server_that_knows_neither_name_is_asked_with_each_once(provider, server, fake):
    server.always = fake.refuses(400, "unknown: max_tokens, max_completion_tokens")
    limited = replace(QUESTION, params='{"max_tokens":900}')
    assert ask(provider, limited).answer.status == "config"
    assert len(server.asked) == 2


def test_a_thread_that_is_refused_late_does_not_go_up_again(provider, server, fake):
    lowered = threading.Event()

    def late(handler, asked):
        assert lowered.wait(20)
        fake.refuses(400, SHAPELESS)(handler, asked)

    server.script.extend([late, *[fake.refuses(400, SHAPELESS)] * 2])
    found = []
    thread = threading.Thread(target=lambda: found.append(ask(provider)))
    thread.start()
    while not server.asked:
        time.sleep(0.01)
    assert ask(provider).answer.rung == "prompt"
    lowered.set()
    thread.join()
    assert found[0].answer.rung == "prompt"
    assert formats(server)[-1] is None
    assert formats(server).count("json_object") == 1


def test_going_down_a_rung_takes_no_more_time_than_one_call_has(provider, server, fake):
    def late(handler, asked):
        server.over.wait(0.4)
        fake.refuses(400, SHAPELESS)(handler, asked)

    server.script.extend([late, late])
    assert ask(provider, timeout=0.6).answer.status == "timeout"


def test_connections_are_used_again(provider, server):
    for _ in range(5):
        assert ask(provider).answer.status == "ok"
    assert server.connections == 1


def test_a_server_on_this_machine_needs_no_key(server):
    provider = connect(JudgeOptions(base_url=server.url), {}, model="m", params="{}")
    assert ask(provider).answer.status == "ok"
    provider.close()
    assert "authorization" not in server.asked[0].headers


def test_a_key_is_taken_from_the_variable_that_is_named(server):
    options = JudgeOptions(base_url=server.url, key_env="MY_KEY")
    environ = {"MY_KEY": f"{SECRET}\n", "OPENAI_API_KEY": "another"}
    provider = connect(options, environ, model="m", params="{}")
    ask(provider)
    provider.close()
    assert server.asked[0].headers["authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize(
    ("options", "environ"),
    [
        ({}, {}),
        ({}, {"OPENAI_API_KEY": "  "}),
        ({"key_env": "MINE"}, {"OPENAI_API_KEY": SECRET}),
        ({"key_env": "MINE", "base_url": "http://localhost:1"}, {}),
        ({}, {"OPENAI_API_KEY": "two\r\nlines: x"}),
        ({}, {"OPENAI_API_KEY": "schlüssel"}),
    ],
)
def test_without_a_usable_key_nothing_is_asked(options, environ):
    with pytest.raises(JudgeUnusable) as raised:
        connect(JudgeOptions(**options), environ, model="m", params="{}")
    assert "lines" not in str(raised.value)
    assert "environment" in raised.value.remedy


@pytest.mark.parametrize(
    "url",
    [
        "http://judge.example/v1",
        "http://127.0.0.1.example.com",
        "http://localhost.example.com",
        "http://0x7f.1",
        "https://user:hidden@judge.example",
        "https://hidden@judge.example",
        "https://judge.example/v1?key=hidden",
        "https://judge.example/v1#hidden",
        "ftp://judge.example",
        "judge.example",
        "https://",
        "https://judge.example:99999",
        "https://judge.example/a b",
        "https://judge.example\\@hidden.example",
        "https://jüdge.example",
        "https://[::1",
    ],
)
def test_an_address_that_a_key_should_not_be_sent_to_is_refused(url):
    for call in (base_url, lambda *given: connect(*given, model="m", params="{}")):
        with pytest.raises(UsageInvalid) as raised:
            call(JudgeOptions(base_url=url), {"OPENAI_API_KEY": SECRET})
        assert "hidden" not in str(raised.value)


def test_addresses_that_may_be_asked():
    assert base_url(JudgeOptions(), {}) == OPENAI
    for url in ("http://localhost:8000/v1", "http://127.0.0.1:1", "http://[::1]:8000", OPENAI):
        assert base_url(JudgeOptions(base_url=f"{url}/"), {}) == url


def test_a_parameter_that_nobody_knows_is_refused():
    with pytest.raises(UsageInvalid, match="'top_p'"):
        connect(JudgeOptions(), {"OPENAI_API_KEY": SECRET}, model="m", params='{"top_p":1}')


@pytest.mark.parametrize(
    ("url", "name"),
    [
        (None, "max_completion_tokens"),
        ("https://me.openai.azure.com/openai/v1", "max_completion_tokens"),
        ("https://judge.example/v1", "max_tokens"),
    ],
)
def test_the_limit_of_tokens_has_the_name_that_the_server_is_known_for(url, name):
    options = JudgeOptions(base_url=url)
    provider = connect(options, {"OPENAI_API_KEY": SECRET}, model="m", params="{}")
    assert provider._manner.limit == name
    provider.close()


def test_a_closed_provider_raises_nothing(provider):
    provider.close()
    assert ask(provider).answer.status == "transport"
