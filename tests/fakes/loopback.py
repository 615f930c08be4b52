"""A server on loopback whose replies are scripted, and the faults that any connection may have.

Each request takes the next step of ``script``, and what ``always`` says once there is none. A
step is a function of the connection's handler and the request.
"""

import json
import socket
import sys
import threading
from collections import deque
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATIENCE = 20.0


class Handler(BaseHTTPRequestHandler):
    """A connection; how a request is read and answered is each server's own."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1  # a reply leaves in one piece
    json_type = "application/json"

    def setup(self):
        super().setup()
        self.server.live.add(self.request)

    def finish(self):
        self.server.live.discard(self.request)
        super().finish()

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def headers_in_lower_case(self):
        return {name.lower(): value for name, value in self.headers.items()}

    def send_json(self, code, document, headers=None):
        sent = {"Content-Type": self.json_type, **(headers or {})}
        self.send_whole(code, json.dumps(document).encode(), sent)

    def send_whole(self, code, body, headers):
        """Send a reply that is well-formed; one without content says nothing of content."""
        self.send_response(code)
        for name, value in headers.items():
            if code != 204 or name != "Content-Type":
                self.send_header(name, value)
        if code != 204:
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

    def announce(self, length):
        """Send the head of a reply, after which the connection is of no more use."""
        self.close_connection = True
        self.raw(f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n".encode())

    def drip(self, data):
        for byte in data:
            if not self.raw(bytes([byte])) or self.server.over.wait(0.02):
                return

    def log_message(self, *arguments):
        del arguments


class Server(ThreadingHTTPServer):
    """The server; ``asked`` is what it was asked."""

    request_queue_size = 256
    daemon_threads = False

    def __init__(self, handler, *, port=0, always=None):
        super().__init__(("127.0.0.1", port), handler)
        self.script = deque()
        self.always = always
        self.asked = []
        self.live = set()
        self.over = threading.Event()
        self.lock = threading.RLock()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self):
        return self.server_address[1]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def next_step(self, asked):
        with self.lock:
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


def spelt(headers):
    """Give headers their own names: ``Retry_After`` is a keyword, and ``Retry-After`` is sent."""
    return {name.replace("_", "-"): value for name, value in headers.items()}


def sends(code, body, **headers):
    """Reply with a status and a document, or with bytes as a page."""

    def step(handler, asked):
        del asked
        if isinstance(body, bytes):
            handler.send_whole(code, body, {"Content-Type": "text/html", **spelt(headers)})
        else:
            handler.send_json(code, body, spelt(headers))

    return step


def redirect_to(url, code=307):
    """Send elsewhere, to the same path of another server."""

    def step(handler, asked):
        handler.send_whole(code, b"", {"Location": f"{url}{asked.path}"})

    return step


def hang(handler, asked):
    del asked
    handler.close_connection = True
    handler.server.over.wait(PATIENCE)


def drips(body_of):
    """Send the reply byte by byte: each read succeeds, and none is the last for a long time."""

    def step(handler, asked):
        body = body_of(handler, asked)
        handler.announce(len(body))
        handler.drip(body)

    return step


drip = drips(lambda *_: b" " * 100_000)


def drip_headers(handler, asked):
    del asked
    handler.close_connection = True
    handler.raw(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    handler.drip(b"a" * 1000)


def breaks_off(body_of):
    """Break off in the middle of the reply."""

    def step(handler, asked):
        body = body_of(handler, asked)
        handler.announce(len(body))
        handler.raw(body[: len(body) // 2])

    return step


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
