"""What a Gemini may answer instead of what is right, each by its name."""

import json

from gemini_replies import (
    MODEL_VERSION,
    error_info,
    honest,
    quota,
    refusal,
    reply,
    retry_info,
)
from loopback import (
    breaks_off,
    disconnect,
    drip_headers,
    drips,
    endless,
    hang,
    redirect_to,
    sends,
)

BLOCKED = {
    "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
    "usageMetadata": {"promptTokenCount": 120, "totalTokenCount": 120},
    "modelVersion": MODEL_VERSION,
}
HTML = b"<html><head><title>Sign in</title></head><body>Please sign in.</body></html>"
BAD_KEY = refusal(
    400,
    "INVALID_ARGUMENT",
    "API key not valid. Please pass a valid API key.",
    error_info("API_KEY_INVALID"),
)
NO_MODEL = refusal(404, "NOT_FOUND", "models/gemini-0 is not found for API version v1.")
LIMITED = refusal(429, "RESOURCE_EXHAUSTED", "Quota exceeded.", retry_info("3.5s"))
SPENT = refusal(
    429,
    "RESOURCE_EXHAUSTED",
    "You exceeded your current quota.\n* limit: 0, model: gemini-3.8-flash",
    quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
    retry_info("41s"),
)
THOUGHT = {"text": "let me see", "thought": True}


def says(text_of, **more):
    """Make a fault of a reply whose text is made of the honest one."""

    def fault(handler, asked):
        text = text_of(honest(asked)) if callable(text_of) else text_of
        handler.send_json(200, reply(text, **more))

    return fault


def honest_body(handler, asked):
    del handler
    return json.dumps(reply(honest(asked))).encode()


def redirect(handler, asked):
    redirect_to(handler.server.elsewhere)(handler, asked)


def echo(handler, asked):
    """Give back the secrets in every place there is."""
    key = asked.headers.get("x-goog-api-key") or asked.headers.get("authorization", "")
    handler.send_json(
        403, refusal(403, f"STATUS_{key}", f"no {key} here", error_info(key)), {"X-Echo": key}
    )


def echo_text(handler, asked):
    key = asked.headers.get("x-goog-api-key", "")
    said = {"assessment": f"the key is {key}", "rating": 2}
    handler.send_json(
        200, {**reply(json.dumps(said), finish=key), "modelVersion": key}, {"X-Echo": key}
    )


def in_parts(handler, asked):
    text = honest(asked)
    parts = [THOUGHT, {"text": text[:10]}, {"inlineData": {}}, {"text": text[10:]}]
    handler.send_json(200, reply(None, parts=parts))


FAULTS = {
    "429": sends(429, LIMITED),
    "429-header": sends(429, LIMITED, Retry_After="8"),
    "429-bare": sends(429, b"slow down", Retry_After="2"),
    "429-day": sends(429, SPENT),
    "500": sends(500, refusal(500, "INTERNAL", "An internal error has occurred.")),
    "503": sends(503, refusal(503, "UNAVAILABLE", "The model is overloaded.")),
    "502-html": sends(502, b"<html><h1>Bad Gateway</h1></html>"),
    "504": sends(504, refusal(504, "DEADLINE_EXCEEDED", "Deadline expired.")),
    "hang": hang,
    "drip": drips(honest_body),
    "drip-headers": drip_headers,
    "half": breaks_off(honest_body),
    "disconnect": disconnect,
    "endless": endless,
    "html": sends(200, HTML),
    "empty": sends(200, b""),
    "no-candidate": sends(200, {"modelVersion": MODEL_VERSION}),
    "not-an-object": sends(200, b"[]"),
    "deep": sends(400, b"[" * 100_000),
    "compressed": sends(200, b"\x1f\x8b", Content_Encoding="gzip"),
    "odd-charset": sends(200, b"zz", Content_Type="application/json; charset=hex"),
    "too-long": sends(
        400,
        refusal(
            400,
            "INVALID_ARGUMENT",
            "The input token count (1200000) exceeds the maximum number of tokens allowed (9).",
        ),
    ),
    "blocked": sends(200, BLOCKED),
    "safety": says(None, finish="SAFETY"),
    "recitation": says(None, finish="RECITATION"),
    "max-tokens": says(None, finish="MAX_TOKENS"),
    "cut": says(lambda text: text[: len(text) // 2], finish="MAX_TOKENS"),
    "other": says(None, finish="A_WORD_OF_TOMORROW"),
    "continuation": says(lambda text: text, finish="CONTINUATION", continuationToken="AAAA"),
    "parts": in_parts,
    "silent": says(None),
    "surrogate": sends(200, b'{"candidates": [{"content": {"parts": [{"text": "\\ud800"}]}}]}'),
    "fenced": says(lambda text: f"```json\n{text}\n```"),
    "prose": says("The response deserves a 2, since it is right."),
    "nan": says('{"assessment": "fine", "rating": NaN}'),
    "7.5": says('{"assessment": "fine", "rating": 7.5}'),
    "wrong-keys": says('{"reason": "fine", "score": 2}'),
    "bad-key": sends(400, BAD_KEY),
    "bad-key-words": sends(400, refusal(400, "INVALID_ARGUMENT", "API key expired. Renew it.")),
    "400": sends(400, refusal(400, "INVALID_ARGUMENT", "Unknown name 'topq'.")),
    "401": sends(401, refusal(401, "UNAUTHENTICATED", "No valid credentials.")),
    "403": sends(403, refusal(403, "PERMISSION_DENIED", "This API is disabled.")),
    "404": sends(404, NO_MODEL),
    "307": redirect,
    "echo": echo,
    "echo-text": echo_text,
}
