"""A Gemini of our own on loopback: it answers honestly, or with the fault one asks for.

By itself: ``python tests/fakes/gemini_server.py --port 0 [--latency-ms 50] [--fault NAME]``
prints its port and serves until it is ended. Nothing but the standard library is needed.
"""

import argparse
import json
import re
import socket
import sys
import threading
import time
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

MODEL_VERSION = "gemini-fake-001"
PATIENCE = 20.0
PART = re.compile(r"<(\w+)-([0-9a-f]{32})>\n(.*?)\n</\1-\2>", re.DOTALL)
NUMBERED = re.compile(r"(\d+): (.*)")


class Asked(NamedTuple):
    """One request as it came; header names in lower case."""

    path: str
    headers: dict
    body: dict

    @property
    def prompt(self):
        return self.body["contents"][0]["parts"][0]["text"]

    @property
    def config(self):
        return self.body.get("generationConfig", {})

    @property
    def parts(self):
        return {name: text for name, _, text in PART.findall(self.prompt)}


def honest(asked):
    """Grade by plain sight: what occurs in the response part as words of its own is right."""
    response = asked.parts.get("response", "")
    reference = asked.parts.get("reference", "")
    if "elements" not in asked.config["responseJsonSchema"]["properties"]:
        found = occurs(reference, response)
        said = "the reference stands in it" if found else "the reference does not stand in it"
        return json.dumps({"assessment": said, "rating": 2 if found else 0})
    elements = []
    for number, text in NUMBERED.findall(reference):
        found = occurs(plain(text), response)
        elements.append(
            {
                "depends_on_primary": False,
                "index": int(number),
                "reason": "found" if found else "not found",
                "score": 1.0 if found else 0.0,
            }
        )
    return json.dumps({"elements": elements, "primary_entity_correct": True, "primary_index": 0})


def plain(text):
    """Give a golden element without the quotation marks of JSON."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, str) else text


def occurs(text, within):
    wanted = text.strip()
    if not wanted:
        return False
    return re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", within, re.IGNORECASE) is not None


def reply(text, *, finish="STOP", parts=None, **more):
    """Give the body of a reply that says ``text``."""
    said = parts if parts is not None else [{"text": text}]
    content = {"content": {"parts": said, "role": "model"}} if text is not None or parts else {}
    return {
        "candidates": [{**content, "finishReason": finish, "index": 0}],
        "usageMetadata": {
            "promptTokenCount": 120,
            "candidatesTokenCount": 30,
            "thoughtsTokenCount": 45,
            "totalTokenCount": 195,
        },
        "modelVersion": MODEL_VERSION,
        "responseId": "r-1",
        **more,
    }


def refusal(code, status, message, *details):
    return {"error": {"code": code, "message": message, "status": status, "details": details}}


def retry_info(delay):
    return {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}


def error_info(reason):
    return {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        "reason": reason,
        "domain": "googleapis.com",
    }


def quota(identity):
    violation = {"quotaMetric": "generate_content_requests", "quotaId": identity}
    return {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [violation],
    }


def says(text_of, **more):
    """Make a fault of a reply whose text is made of the honest one."""

    def fault(handler, asked):
        text = text_of(honest(asked)) if callable(text_of) else text_of
        handler.send_json(200, reply(text, **more))

    return fault


def sends(code, body, **headers):
    def fault(handler, asked):
        del asked
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if isinstance(body, dict):
            handler.send_json(code, body, **named)
        else:
            handler.send_whole(code, body, **{"Content-Type": "text/html", **named})

    return fault


def hang(handler, asked):
    del asked
    handler.close_connection = True
    handler.server.over.wait(PATIENCE)


def drip(handler, asked):
    """Send the reply byte by byte: each read succeeds, and none is the last for a long time."""
    body = json.dumps(reply(honest(asked))).encode()
    handler.close_connection = True
    handler.raw(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode())
    handler.drip(body)


def drip_headers(handler, asked):
    del asked
    handler.close_connection = True
    handler.raw(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    handler.drip(b"a" * 1000)


def half(handler, asked):
    body = json.dumps(reply(honest(asked))).encode()
    handler.close_connection = True
    handler.raw(f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode())
    handler.raw(body[: len(body) // 2])


def disconnect(handler, asked):
    del asked
    handler.close_connection = True


def endless(handler, asked):
    """Send more than any reply has, as fast as it is taken."""
    del asked
    handler.close_connection = True
    handler.raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while handler.raw(b"8000\r\n" + b"a" * 0x8000 + b"\r\n"):
        continue


def redirect(handler, asked):
    """Send elsewhere, to the same path of another server."""
    handler.send_whole(307, b"", Location=f"{handler.server.elsewhere}{asked.path}")


def echo(handler, asked):
    """Give back the secrets in every place there is."""
    key = asked.headers.get("x-goog-api-key") or asked.headers.get("authorization", "")
    handler.send_json(
        403, refusal(403, f"STATUS_{key}", f"no {key} here", error_info(key)), **{"X-Echo": key}
    )


def echo_text(handler, asked):
    key = asked.headers.get("x-goog-api-key", "")
    said = {"assessment": f"the key is {key}", "rating": 2}
    handler.send_json(
        200, {**reply(json.dumps(said), finish=key), "modelVersion": key}, **{"X-Echo": key}
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
    "drip": drip,
    "drip-headers": drip_headers,
    "half": half,
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


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # a reply leaves in one piece

    def setup(self):
        super().setup()
        self.server.live.add(self.request)

    def finish(self):
        self.server.live.discard(self.request)
        super().finish()

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        if self.path == "/token":
            self.server.tokens += 1
            token = {"access_token": self.server.token, "expires_in": 3600}
            sent = {**token, "token_type": "Bearer"}
            self.send_json(self.server.token_status, sent, Location=self.path)
            return
        asked = Asked(self.path, headers, json.loads(raw) if raw else {})
        fault = self.server.note(asked)
        if self.server.latency:
            time.sleep(self.server.latency)
        if fault is not None:
            (FAULTS[fault] if isinstance(fault, str) else fault)(self, asked)
            return
        self.send_json(200, reply(self.server.answer(asked)))

    def send_json(self, code, body, **headers):
        sent = {"Content-Type": "application/json; charset=UTF-8", **headers}
        self.send_whole(code, json.dumps(body).encode(), **sent)

    def send_whole(self, code, body, **headers):
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def raw(self, data):
        try:
            self.wfile.write(data)
            self.wfile.flush()
        except OSError:
            return False  # nobody listens any more
        return True

    def drip(self, data):
        for byte in data:
            if not self.raw(bytes([byte])) or self.server.over.wait(0.02):
                return

    def log_message(self, *arguments):
        del arguments


class FakeGemini(ThreadingHTTPServer):
    """The server; ``plan`` holds the faults to come, ``always`` the one of every request."""

    request_queue_size = 256
    daemon_threads = False

    def __init__(self, port=0, *, latency=0.0, always=None, answer=honest):
        super().__init__(("127.0.0.1", port), Handler)
        self.latency = latency
        self.always = always
        self.answer = answer
        self.plan = deque()
        self.requests = []
        self.live = set()
        self.over = threading.Event()
        self.elsewhere = ""
        self.token = "ya29.a-token-of-the-fake"  # noqa: S105 - opens nothing
        self.token_status = 200
        self.tokens = 0
        self._lock = threading.Lock()
        self._thread = None

    @property
    def port(self):
        return self.server_address[1]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def note(self, asked):
        with self._lock:
            self.requests.append(asked)
            return self.plan.popleft() if self.plan else self.always

    def handle_error(self, request, client_address):
        """Take no notice of clients that hang up, which is what is tested; show all else."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def start(self):
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def stop(self):
        """End every request and every connection, and wait for their threads."""
        self.over.set()
        self.shutdown()
        for connection in tuple(self.live):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # it was closed already
        self.server_close()
        if self._thread is not None:
            self._thread.join()


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
