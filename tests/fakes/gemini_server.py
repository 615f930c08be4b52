"""A Gemini of our own on loopback: it answers honestly, or with the fault one asks for.

By itself: ``python tests/fakes/gemini_server.py --port 0 [--latency-ms 50] [--fault NAME]``
prints its port and serves until it is ended. Nothing but the standard library is needed.
"""

import argparse
import json
import sys
import time

import loopback
from gemini_faults import FAULTS
from gemini_replies import Asked, honest, reply


class Handler(loopback.Handler):
    json_type = "application/json; charset=UTF-8"

    def do_POST(self):  # noqa: N802 - as http.server calls it
        raw = self.body()
        if self.path == "/token":
            self.server.tokens += 1
            token = {"access_token": self.server.token, "expires_in": 3600}
            sent = {**token, "token_type": "Bearer"}
            self.send_json(self.server.token_status, sent, {"Location": self.path})
            return
        asked = Asked(self.path, self.headers_in_lower_case(), json.loads(raw) if raw else {})
        fault = self.server.next_step(asked)
        if self.server.latency:
            time.sleep(self.server.latency)
        if fault is not None:
            (FAULTS[fault] if isinstance(fault, str) else fault)(self, asked)
            return
        self.send_json(200, reply(self.server.answer(asked)))


class FakeGemini(loopback.Server):
    """The server; ``plan`` holds the faults to come, ``always`` the one of every request."""

    def __init__(self, port=0, *, latency=0.0, always=None, answer=honest):
        super().__init__(Handler, port=port, always=always)
        self.latency = latency
        self.answer = answer
        self.elsewhere = ""
        self.token = "ya29.a-token-of-the-fake"  # noqa: S105 - opens nothing
        self.token_status = 200
        self.tokens = 0

    @property
    def plan(self):
        return self.script

    @property
    def requests(self):
        return self.asked


def main():
    parser = argparse.ArgumentParser(description="A Gemini on loopback that answers honestly.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency-ms", type=float, default=0)
    parser.add_argument("--fault", choices=sorted(FAULTS))
    given = parser.parse_args()
    server = FakeGemini(given.port, latency=given.latency_ms / 1000, always=given.fault)
    server.daemon_threads = True
    sys.stdout.write(f"{server.port}\n")
    sys.stdout.flush()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
