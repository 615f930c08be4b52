"""Whatever a server sends as a reply or an error, a provider has a status for it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.adapters.judges import anthropic, openai_compatible
from gate.adapters.judges.refusal import read_refusal
from gate.records.judge_options import JudgeOptions
from gate.records.judging import Attempt

KEYS = (
    *("choices", "message", "content", "text", "type", "refusal", "finish_reason", "stop_reason"),
    *("model", "usage", "prompt_tokens", "completion_tokens", "total_tokens", "input_tokens"),
    *("completion_tokens_details", "reasoning_tokens", "output_tokens", "thinking_tokens"),
    *("error", "code", "param", "detail", "innererror"),
)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    LEAVES | st.sampled_from(["stop", "text"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=25,
)


@pytest.fixture(scope="module")
def providers():
    options = JudgeOptions(base_url="http://127.0.0.1:9")
    made = [
        openai_compatible.connect(options, {}, model="m", params="{}"),
        anthropic.connect(options, {}, model="m", params='{"max_tokens":1}'),
    ]
    yield made
    for provider in made:
        provider.close()


@given(VALUES)
def test_every_success_has_a_status(providers, value):
    for provider in providers:
        attempt, _ = provider._understood(json.dumps(value), "prompt")
        assert isinstance(attempt, Attempt)
        assert attempt.answer.status == "ok" or attempt.answer.message


@given(st.text())
def test_a_success_that_is_any_text_has_a_status(providers, body):
    for provider in providers:
        attempt, _ = provider._understood(body, "prompt")
        assert attempt.answer.status == "server"


@given(st.integers(300, 599), VALUES | st.text())
def test_every_refusal_has_a_status_and_words(code, value):
    refusal = read_refusal(code, value if isinstance(value, str) else json.dumps(value))
    assert refusal.status != "ok"
    assert refusal.told().startswith(f"HTTP {code}")
