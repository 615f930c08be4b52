"""A server on loopback that speaks OpenAI's and Anthropic's API, or answers with a fault.

What it does next is scripted: each request takes the next step of ``script``, and the honest
reply once there is none. A step is a function of the connection's handler and the request.
"""

import json
from typing import NamedTuple

import loopback
from loopback import (
    breaks_off,
    disconnect,
    drip,
    drip_headers,
    endless,
    hang,
    redirect_to,
    sends,
)

VERDICT = '{"assessment": "fine", "rating": 2}'


class Asked(NamedTuple):
    """One request as it came; header names in lower case."""

    path: str
    headers: dict
    body: dict

    @property
    def speaks_anthropic(self):
        return self.path.endswith("/messages")


def openai_reply(text=VERDICT, *, finish="stop", **message):
    return {
        "id": "chatcmpl-1",
        "model": "judge-2026-07-01",
        "choices": [
            {
                "index": 0,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **message},
            }
        ],
        "usage": {
            "prompt_tokens": 120,
            "completion_tokens": 75,
            "total_tokens": 195,
            "completion_tokens_details": {"reasoning_tokens": 45},
        },
    }


def anthropic_reply(text=VERDICT, *, finish="end_turn", content=None):
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-judge-20260701",
        "content": [{"type": "text", "text": text}] if content is None else content,
        "stop_reason": finish,
        "usage": {
            "input_tokens": 100,
            "cache_creation_input_tokens": 15,
            "cache_read_input_tokens": 5,
            "output_tokens": 75,
            "output_tokens_details": {"thinking_tokens": 45},
        },
    }


def says(text, **more):
    """Reply with ``text`` in either API."""

    def step(handler, asked):
        make = anthropic_reply if asked.speaks_anthropic else openai_reply
        handler.send_json(200, make(text, **more))

    return step


def refuses(code, message, *, kind="invalid_request_error", name=None, param=None, **headers):
    """Reply with an error as OpenAI spells it; Anthropic's has the same two keys."""
    error = {"message": message, "type": kind, "code": name, "param": param}
    return sends(code, {"error": error}, **headers)


half = breaks_off(lambda *_: json.dumps(openai_reply()).encode())


def echo_key(handler, asked):
    """Give the key back in every place that an error has."""
    key = asked.headers.get("x-api-key") or asked.headers["authorization"].partition(" ")[2]
    error = {"message": f"no {key}, {key[:-2]}", "type": f"a_{key}", "code": key, "param": key}
    handler.send_json(403, {"error": error}, {"X-Echo": key})


class Handler(loopback.Handler):
    def setup(self):
        super().setup()
        self.server.connections += 1

    def do_POST(self):  # noqa: N802 - as http.server calls it
        headers = self.headers_in_lower_case()
        asked = Asked(self.path, headers, json.loads(self.body()))
        self.server.next_step(asked)(self, asked)


class JudgeServer(loopback.Server):
    """The server; ``always`` is the step of every request that the script has none for."""

    def __init__(self):
        super().__init__(Handler, always=says(VERDICT))
        self.connections = 0
