"""A server on loopback that speaks OpenAI's and Anthropic's API, or answers with a fault.

What it does next is scripted: each request takes the next step of ``script``, and the honest
reply once there is none. A step is a function of the connection's handler and the request.
"""

import json
import socket
import sys
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

VERDICT = '{"assessment": "fine", "rating": 2}'
PATIENCE = 20.0


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


def sends(code, body, **headers):
    """Reply with a status and a document, or with bytes as a page."""

    def step(handler, asked):
        del asked
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if isinstance(body, bytes):
            handler.send_whole(code, body, **{"Content-Type": "text/html", **named})
        else:
            handler.send_json(code, body, **named)

    return step


def refuses(code, message, *, kind="invalid_request_error", name=None, param=None, **headers):
    """Reply with an error as OpenAI spells it; Anthropic's has the same two keys."""
    error = {"message": message, "type": kind, "code": name, "param": param}
    return sends(code, {"error": error}, **headers)


def hang(handler, asked):
    del asked
    handler.close_connection = True
    handler.server.over.wait(PATIENCE)


def drip(handler, asked):
    """Send the reply byte by byte: each read succeeds, and none is the last for a long time."""
    del asked
    handler.close_connection = True
    handler.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    handler.drip(b" " * 100_000)


def drip_headers(handler, asked):
    del asked
    handler.close_connection = True
    handler.raw(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    handler.drip(b"a" * 1000)


def half(handler, asked):
    del asked
    body = json.dumps(openai_reply()).encode()
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


def redirect_to(url):
    def step(handler, asked):
        handler.send_whole(307, b"", Location=f"{url}{asked.path}")

    return step


def echo_key(handler, asked):
    """Give the key back in every place that an error has."""
    key = asked.headers.get("x-api-key") or asked.headers["authorization"].partition(" ")[2]
    error = {"message": f"no {key}, {key[:-2]}", "type": f"a_{key}", "code": key, "param": key}
    handler.send_json(403, {"error": error}, **{"X-Echo": key})


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # a reply leaves in one piece

    def setup(self):
        super().setup()
        self.server.live.add(self.request)
        self.server.connections += 1

    def finish(self):
        self.server.live.discard(self.request)
        super().finish()

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.path, headers, json.loads(raw))
        self.server.next_step(asked)(self, asked)

    def send_json(self, code, body, **headers):
        self.send_whole(
            code, json.dumps(body).encode(), **{"Content-Type": "application/json", **headers}
        )

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


class JudgeServer(ThreadingHTTPServer):
    """The server; ``always`` is the step of every request that the script has none for."""

    request_queue_size = 256
    daemon_threads = False

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = deque()
        self.always = says(VERDICT)
        self.asked = []
        self.live = set()
        self.connections = 0
        self.over = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def next_step(self, asked):
        with self._lock:
            self.asked.append(asked)
            return self.script.popleft() if self.script else self.always

    def handle_error(self, request, client_address):
        """Take no notice of clients that hang up, which is what is tested; show all else."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def start(self):
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
        self._thread.join()
