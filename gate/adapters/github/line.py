"""The line to GitHub: one request at a time, with the token, within the time that is left.

Nothing that goes wrong on it holds the token: what is quoted is redacted before it is cut.
"""

from __future__ import annotations

import random
import socket
import time
from threading import Thread
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate import __version__
from gate.adapters.github.call import Call, Outcome, Reply, Trouble
from gate.adapters.github.patience import TOTAL, Budget, pause
from gate.adapters.github.refusal import read_trouble
from gate.errors import HostFailed
from gate.records.json_text import JsonRefused, loads, spelled
from gate.report.redact import redactor

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx2

    from gate.adapters.bounded import Bounded
    from gate.adapters.judges.address import Address

VERSION: Final = "2022-11-28"
"""Of the API, which keeps its form for a version's sake."""
_MAX_VALUES: Final = 1_000_000
_MAX_MESSAGE: Final = 700
_SUCCESS: Final = range(200, 300)
_LOGGERS: Final = ("httpcore2", "httpx2")


class Means(NamedTuple):
    """By which clocks and draws: tests give their own.

    ``clock`` is monotonic and ``now`` in seconds since 1970; ``chance`` draws from [0, 1).
    ``total`` bounds the time that a run spends on its host, ``each`` that of one try.
    """

    total: float = TOTAL
    each: float = 10.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], float] = time.time
    chance: Callable[[], float] = random.random


class Line:
    """Asks one host with one token; ``base`` is its address without a slash at the end."""

    def __init__(self, address: Address, *, token: str, means: Means) -> None:
        """Load the HTTP client and connect to nothing."""
        import logging

        for name in _LOGGERS:
            # At some levels they write down headers.
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self.base = address.url
        self.budget = Budget(means.total, clock=means.clock)
        self._address = address
        self._means = means
        self._token = token
        self._redact = redactor((token,))
        self._lines: dict[int, Bounded] = {}
        self._reached = address.near

    def __repr__(self) -> str:
        """Say where it leads; the token is nobody's business."""
        return f"Line({self.base!r})"

    def ask(self, call: Call, *, redo: Callable[[], Reply | None] | None = None) -> Reply:
        """Ask until it is done, patiently, within the time that is left.

        ``redo`` is asked after each wait: what it gives stands for a reply, so that what must not
        happen twice is looked for before it is asked for again. Raises ``HostFailed``.
        """
        tried = 0
        while True:
            with self.budget.spending():
                outcome = self.once(call)
                tried += 1
                if isinstance(outcome, Reply):
                    return outcome
                self._wait(call, outcome, tried)
                found = None if redo is None else redo()
            if found is not None:
                return found

    def once(self, call: Call) -> Outcome:
        """Ask once; whatever fails is a value."""
        left = min(self.budget.left(), self._means.each)
        if left <= 0:
            return Trouble("broken", "the time is over")
        if not self._resolves(left):
            return Trouble("broken", f"no name server answered within {left:.3g} s")
        reply = self._sent(call, left)
        if isinstance(reply, Trouble):
            return reply
        self._reached = True
        code = reply.status_code
        if code in _SUCCESS or code in call.fine:
            return Reply(code, reply.headers, reply.read())
        headers = {name.lower(): value for name, value in reply.headers.items()}
        # The token goes first: whatever is cut out of it holds no part of that.
        body = self._redact(reply.read().decode("utf-8", "replace"))
        return read_trouble(code, headers, body, needs=call.needs, now=self._means.now())

    def document(self, call: Call, reply: Reply) -> Any:  # noqa: ANN401 - any JSON
        """Give the JSON of a reply. Raises ``HostFailed`` where it is none."""
        try:
            return loads(reply.body.decode("utf-8"), max_values=_MAX_VALUES)
        except (UnicodeDecodeError, JsonRefused) as error:
            raise self.failed(call.aim, f"the reply is no JSON ({error})") from None

    def failed(self, aim: str, why: str, *, hint: str | None = None) -> HostFailed:
        """Give the error that says what could not be done, and why, on one line."""
        said = self._redact(f"GitHub: could not {aim}: {why}")
        plain = "".join(char if char.isprintable() else " " for char in said)
        return HostFailed(" ".join(plain.split())[:_MAX_MESSAGE], hint=hint)

    def close(self) -> None:
        """Close the connections."""
        for line in self._lines.values():
            line.close()
        self._lines.clear()

    def _wait(self, call: Call, trouble: Trouble, tried: int) -> None:
        """Wait for another try. Raises ``HostFailed`` where none is to follow."""
        wait = pause(trouble, tried=tried, chance=self._means.chance())
        left = self.budget.left()
        if wait is not None and wait < left:
            self._means.sleep(wait)
            return
        why = trouble.message
        if tried > 1:
            why += f"; tried {tried} times"
        wished = trouble.wish if wait is None else wait
        if trouble.kind == "limited" and wished is not None:
            why += f"; it is to be left alone for {wished:.0f} s"
        if trouble.kind != "refused":
            total = f"{self.budget.seconds:.3g} s"
            why += f"; of the {total} that a run gives its host {left:.0f} are left"
        failed = self.failed(call.aim, why, hint=trouble.hint)
        failed.lasting, failed.cause = trouble.lasting, trouble.cause
        raise failed

    def _sent(self, call: Call, left: float) -> httpx2.Response | Trouble:
        import httpx2

        from gate.adapters.bounded import FAILURES, TIMEOUTS, BodyTooLarge

        try:
            request = self._request(call)
            line = self._line(call.limit)
            # The transport alone: it knows of no redirect, no cookie and no variable.
            with line.within(left):
                return line.handle_request(request)
        except TIMEOUTS:
            return Trouble("broken", f"no whole reply within {left:.3g} s")
        except BodyTooLarge as error:
            return Trouble("refused", str(error))
        except (*FAILURES, httpx2.HTTPError, httpx2.InvalidURL, RuntimeError) as error:
            return self._broken(error)

    def _request(self, call: Call) -> httpx2.Request:
        import httpx2

        headers = {
            "accept": call.accept,
            "accept-encoding": "identity",
            "authorization": f"Bearer {self._token}",
            "user-agent": f"agent-eval-gate/{__version__}",
            "x-github-api-version": VERSION,
        }
        content = None
        if call.body is not None:
            content = spelled(call.body).encode("ascii")
            headers["content-type"] = "application/json"
        # Whatever a path looks like, the token goes to this host.
        below = call.path.removeprefix(self.base).removeprefix("/")
        address = f"{self.base}/{below}"
        return httpx2.Request(
            call.method, address, params=call.query, headers=headers, content=content
        )

    def _line(self, limit: int) -> Bounded:
        """Give the transport whose replies end at ``limit`` bytes."""
        from gate.adapters.bounded import Bounded

        if limit not in self._lines:
            self._lines[limit] = Bounded(secure=self._address.secure, limit=limit)
        return self._lines[limit]

    def _broken(self, error: Exception) -> Trouble:
        said = f"{type(error).__name__}: {error}"
        if "CERTIFICATE_VERIFY_FAILED" in said:
            said += "; a server's own certificates are named by SSL_CERT_FILE"
            return Trouble("refused", self._redact(said))
        return Trouble("broken", self._redact(f"the way to it is broken ({said})"))

    def _resolves(self, seconds: float) -> bool:
        """Say whether the host's name was answered in time; the resolver has its own clock.

        That the name is unknown is said by the connection.
        """
        if self._reached:
            return True
        from urllib.parse import urlsplit

        host = urlsplit(self.base).hostname
        asking = Thread(target=_resolve, args=(host,), daemon=True)
        asking.start()
        asking.join(seconds)
        return not asking.is_alive()


def _resolve(host: str | None) -> None:
    from contextlib import suppress

    with suppress(OSError):
        socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)
