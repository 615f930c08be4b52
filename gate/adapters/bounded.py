"""HTTP that ends: one deadline for a whole call, a cap on what comes back, no second host.

An HTTP client's timeouts are for each read: a reply that drips a byte a second passes them all.
Here every connect, handshake, write and read is given what is left of the call's own time, so
that neither headers nor a body can drip past it. Only the resolver of names has its own clock.

Importing this loads an HTTP client: adapters do so when they are to ask somebody.
"""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import httpcore2
import httpx2

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterable, Iterator

    from httpcore2 import SOCKET_OPTION

    from gate.records.judge_words import AnswerStatus

MAX_BODY: Final = 4 * 2**20
"""Bytes of a reply: a judge's own words are limited to far fewer."""
KEPT: Final = 256
"""Idle connections, at most: as many as there may be workers."""
_IDLE_SECONDS: Final = 30
_CHUNK: Final = 2**18

TIMEOUTS: Final = (httpcore2.TimeoutException,)
FAILURES: Final = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.UnsupportedProtocol,
)


class BodyTooLarge(Exception):
    """The reply is longer than :data:`MAX_BODY`; the rest of it was not read."""


class Bounded(httpx2.BaseTransport):
    """A transport for many threads; each asks :meth:`within` its own deadline.

    Raises ``httpcore2``'s own errors (:data:`TIMEOUTS`, :data:`FAILURES`) and ``BodyTooLarge``.
    A body that is compressed though nobody asked for that is refused: a kilobyte of it could
    become a gigabyte. ``secure`` says whether it is to speak TLS, which takes time to set up.
    """

    def __init__(self, *, secure: bool, limit: int = MAX_BODY) -> None:
        """Connect to nothing yet."""
        self._clock = _Clock()
        self._live: set[_Stream] = set()
        self._limit = limit
        self._pool = httpcore2.ConnectionPool(
            ssl_context=httpx2.create_ssl_context() if secure else None,
            max_connections=None,
            max_keepalive_connections=KEPT,
            keepalive_expiry=_IDLE_SECONDS,
            network_backend=_Backend(self._clock, self._live),
        )

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Let what this thread asks here take ``seconds`` in all; outside of it nothing may."""
        self._clock.until = time.monotonic() + seconds
        try:
            yield
        finally:
            self._clock.until = 0.0

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send one request and read its reply to the end."""
        url = request.url
        response = self._pool.handle_request(
            httpcore2.Request(
                method=request.method,
                url=httpcore2.URL(
                    scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                ),
                headers=request.headers.raw,
                content=request.stream,
            )
        )
        try:
            headers = httpx2.Headers(response.headers)
            if headers.get("content-encoding", "identity").lower() != "identity":
                raise httpcore2.RemoteProtocolError("the reply is compressed, which nobody asked")
            body = self._body(response)
        finally:
            response.close()
        return httpx2.Response(
            status_code=response.status,
            headers=headers,
            stream=httpx2.ByteStream(body),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Close the connections; a call that is under way breaks off."""
        for stream in tuple(self._live):
            stream.break_off()
        self._pool.close()

    def _body(self, response: httpcore2.Response) -> bytes:
        body = bytearray()
        for chunk in response.iter_stream():
            body += chunk
            if len(body) > self._limit:
                raise BodyTooLarge(f"the reply has more than {self._limit:,} bytes")
        return bytes(body)


def bounded_client(transport: Bounded) -> httpx2.Client:
    """Give a client over ``transport`` that follows no redirect and asks the environment nothing.

    A redirect would take the key and the prompt wherever the reply says.
    """
    return httpx2.Client(
        transport=transport,
        follow_redirects=False,
        trust_env=False,
        headers={"Accept-Encoding": "identity"},
    )


def broken(error: Exception) -> tuple[AnswerStatus, str]:
    """Say what one of :data:`FAILURES` means: a certificate that is not trusted stays so."""
    said = f"{type(error).__name__}: {error}"
    if "CERTIFICATE_VERIFY_FAILED" in said:
        return "config", f"{said}; a server's own certificates are named by SSL_CERT_FILE"
    return "transport", f"the way to the judge is broken ({said})"


class _Clock(threading.local):
    until: float = 0.0

    def left(self, late: type[Exception]) -> float:
        """Give the seconds left; raise ``late`` where there are none."""
        left = self.until - time.monotonic()
        if left <= 0:
            raise late("no time is left")
        return left


class _Backend(httpcore2.SyncBackend):
    def __init__(self, clock: _Clock, live: set[_Stream]) -> None:
        self._clock = clock
        self._live = live

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002 - the clock knows better
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Try the addresses of ``host`` in turn, each for its share of the time that is left."""
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpcore2.ConnectError(str(error)) from error
        failure: Exception = httpcore2.ConnectError(f"{host} has no address")
        for tried, (*_, address) in enumerate(found):
            share = self._clock.left(httpcore2.ConnectTimeout) / (len(found) - tried)
            try:
                stream = super().connect_tcp(
                    str(address[0]), port, share, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                return _Stream(stream, self._clock, self._live)
        raise failure


class _Stream(httpcore2.NetworkStream):
    """A connection; what is written leaves with what is written next, or before a read.

    So the head and the body of a request leave in one piece.
    """

    def __init__(self, stream: httpcore2.NetworkStream, clock: _Clock, live: set[_Stream]) -> None:
        self._stream = stream
        self._clock = clock
        self._live = live
        self._kept = b""
        live.add(self)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        with suppress(httpcore2.WriteError):  # whoever listens no more may have said why
            self._send(b"")
        return self._stream.read(max_bytes, self._clock.left(httpcore2.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        if len(self._kept) + len(buffer) <= _CHUNK:
            self._kept += buffer
        else:
            self._send(buffer)

    def close(self) -> None:
        self._live.discard(self)
        self._stream.close()

    def break_off(self) -> None:
        """End what another thread reads or writes here."""
        peer: socket.socket = self._stream.get_extra_info("socket")
        with suppress(OSError):
            socket.socket.shutdown(peer, socket.SHUT_RDWR)

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore2.NetworkStream:
        left = self._clock.left(httpcore2.ConnectTimeout)
        secured = self._stream.start_tls(ssl_context, server_hostname, left)
        self._live.discard(self)
        return _Stream(secured, self._clock, self._live)

    def get_extra_info(self, info: str) -> Any:  # noqa: ANN401 - as it is declared
        return self._stream.get_extra_info(info)

    def _send(self, buffer: bytes) -> None:
        rest = memoryview(self._kept + buffer)
        self._kept = b""
        peer: socket.socket = self._stream.get_extra_info("socket")
        while rest:
            peer.settimeout(self._clock.left(httpcore2.WriteTimeout))
            try:
                rest = rest[peer.send(rest[:_CHUNK]) :]
            except TimeoutError as error:
                raise httpcore2.WriteTimeout(str(error)) from error
            except OSError as error:
                raise httpcore2.WriteError(str(error)) from error
