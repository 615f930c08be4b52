"""Whatever a server sends becomes an attempt: nothing raises, and nothing is a verdict."""

import json

from hypothesis import given
from hypothesis import strategies as st

from gate.adapters.judges.gemini.reply import MAX_MESSAGE, read_refusal, read_reply
from gate.records.judging import Attempt
from gate.report.redact import redactor

KEY = "AIza-the-key-of-a-property-0123456789"
HIDE = redactor([KEY])

words = st.sampled_from(
    (
        *("candidates", "content", "parts", "text", "thought", "finishReason", "STOP"),
        *("promptFeedback", "blockReason", "usageMetadata", "promptTokenCount", "modelVersion"),
        *("error", "message", "status", "details", "reason", "retryDelay", "violations", KEY),
    )
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), words),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=4)
    ),
    max_leaves=25,
)
bodies = st.one_of(
    st.text(), values.map(json.dumps), st.sampled_from(("[" * 9999, "NaN", "1e999"))
)
headers = st.dictionaries(
    st.sampled_from(("retry-after", "date")),
    st.one_of(
        st.text(),
        st.sampled_from(("3", "1e9", "-1", "inf", "Mon, 30 Nov 2026 10:00:00 GMT", "9" * 400)),
    ),
)


def holds(attempt):
    assert isinstance(attempt, Attempt)
    assert KEY not in repr(attempt)
    assert len(attempt.answer.message or "") <= MAX_MESSAGE
    assert attempt.answer.status == "ok" or attempt.answer.message


@given(bodies)
def test_any_reply_is_read(body):
    holds(read_reply(body, hide=HIDE))


@given(st.integers(100, 599).filter(lambda code: code != 200), bodies, headers)
def test_any_refusal_is_read_and_is_never_ok(code, body, said):
    attempt = read_refusal(code, body, said, now=1_700_000_000.0, hide=HIDE)
    holds(attempt)
    assert attempt.answer.status != "ok"
    assert attempt.retry_after is None or 0 <= attempt.retry_after <= 86_400


@given(st.text(max_size=2000))
def test_what_the_model_said_is_kept_to_the_letter(text):
    body = {"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}]}
    answer = read_reply(json.dumps(body), hide=HIDE).answer
    assert (answer.status, answer.text) == ("ok", text)
