"""A judge behind HTTP and JSON: one question, one POST, and whatever happens is a status.

Servers differ in how the shape of a reply can be asked for. Each provider has a ladder; a
server that does not know a rung is asked on the next one, from then on for all questions. The
reply is read by the same strict rules on every rung, so a rung changes how often a reply holds a
verdict and not what is one.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate import __version__
from gate.adapters.judges.refusal import (
    MAX_VALUES,
    Refusal,
    excerpt,
    read_refusal,
    refusal_of,
    retry_after,
)
from gate.ports import Provider
from gate.records.json_text import JsonRefused, loads, spelled
from gate.records.judging import Answer, Attempt
from gate.report.redact import redactor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gate.adapters.bounded import Bounded
    from gate.adapters.judges.address import Address
    from gate.records.judge_words import AnswerStatus, Usage
    from gate.records.judging import Question

MAX_MESSAGE: Final = 500
_MAX_WORD: Final = 200
_MAX_COUNT: Final = 2**53
_OK: Final = 200
_REJECTED: Final = frozenset((400, 404, 422, 500, 501))
"""How servers say that they do not know what they were sent."""
_LOGGERS: Final = ("httpcore2", "httpx2")


class Manner(NamedTuple):
    """How a server is spoken to: the rung, and what it calls the limit of tokens."""

    rung: str
    limit: str = "max_tokens"
    renamed: bool = False


class Said(NamedTuple):
    """What a reply's document holds, as the provider said it."""

    text: str | None
    finish_reason: str | None
    model: str | None
    usage: Usage
    refused: str | None = None


class HttpJudge(Provider):
    """One model behind one address, for many threads; connections are used again."""

    def __init__(
        self,
        address: Address,
        *,
        path: str,
        key: str | None,
        headers: Mapping[str, str],
        model: str,
        manner: Manner,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Load the HTTP client and connect to nothing; ``now`` is in seconds since 1970."""
        import logging

        import httpx2

        from gate.adapters.bounded import Bounded

        for name in _LOGGERS:
            # At some levels they write down headers.
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self.model = model
        self._url = httpx2.URL(address.url + path)
        self._headers = httpx2.Headers(
            {
                "accept": "application/json",
                "accept-encoding": "identity",
                "content-type": "application/json",
                "user-agent": f"agent-eval-gate/{__version__}",
                **headers,
            }
        )
        self._manner = manner
        self._lock = Lock()
        self._now = now
        self._redact = redactor(() if key is None else (key,))
        self._closed = False
        self._line: Bounded = Bounded(secure=address.secure)

    @abstractmethod
    def body(self, question: Question, manner: Manner) -> dict[str, Any]:
        """Give what is posted."""

    @abstractmethod
    def lower(self, manner: Manner, refusal: Refusal) -> Manner | None:
        """Give the manner to try next, if the refusal is about this one."""

    @abstractmethod
    def read(self, document: dict[str, Any]) -> Said | None:
        """Read the document of a success; ``None`` if it is none."""

    def ask(self, question: Question, *, timeout: float) -> Attempt:
        """Ask once, within ``timeout`` seconds in all; going down a rung is no other try."""
        until = time.monotonic() + timeout
        while True:
            manner = self._manner
            if self._closed:
                return self._failed("transport", "the judge was closed", manner.rung)
            attempt, refusal = self._post(question, manner, until - time.monotonic())
            if refusal is None or refusal.code not in _REJECTED:
                return attempt
            lower = self.lower(manner, refusal)
            if lower is None:
                return attempt
            with self._lock:
                if self._manner == manner:
                    self._manner = lower

    def close(self) -> None:
        """Close the connections."""
        self._closed = True
        self._line.close()

    def _post(
        self, question: Question, manner: Manner, left: float
    ) -> tuple[Attempt, Refusal | None]:
        import httpx2

        from gate.adapters.bounded import FAILURES, TIMEOUTS, BodyTooLarge

        content = spelled(self.body(question, manner)).encode("ascii")
        rung = manner.rung
        try:
            # The transport alone: it knows of no redirect, no cookie and no variable.
            request = httpx2.Request("POST", self._url, headers=self._headers, content=content)
            with self._line.within(left):
                reply = self._line.handle_request(request)
        except TIMEOUTS:
            return self._failed("timeout", "no whole reply within the time of a call", rung), None
        except FAILURES as error:
            return self._failed(*_broken(error), rung), None
        except BodyTooLarge as error:
            return self._failed("server", str(error), rung), None
        except (httpx2.HTTPError, httpx2.InvalidURL, RuntimeError) as error:
            said = f"{type(error).__name__}: {error}"
            return self._failed("transport", said, rung), None
        # The key goes first: whatever is quoted or cut below holds no part of it.
        body = self._redact(reply.read().decode("utf-8", "replace"))
        if not reply.is_success:
            refusal = read_refusal(reply.status_code, body)
            wish = retry_after(reply.headers, now=self._now())
            return self._failed(refusal.status, refusal.told(), rung, wish=wish), refusal
        return self._understood(body, rung)

    def _understood(self, body: str, rung: str) -> tuple[Attempt, Refusal | None]:
        if not body.strip():
            return self._failed("server", "the reply is empty", rung), None
        try:
            document = loads(body, max_values=MAX_VALUES)
        except JsonRefused as error:
            said = f"the reply is no JSON ({error}): {excerpt(body)}; check base_url"
            return self._failed("server", said, rung), None
        said_well = self.read(document) if isinstance(document, dict) else None
        if said_well is None:
            refusal = refusal_of(_OK, document)
            if refusal is None:
                said = f"the reply has not the form of one: {excerpt(body)}; check base_url"
                return self._failed("server", said, rung), None
            return self._failed(refusal.status, refusal.told(), rung), refusal
        text, finish, model, usage, refused = said_well
        answer = Answer(
            status="ok" if refused is None else "blocked",
            text=self._hide(text),
            model=self._hide(model),
            finish_reason=self._hide(finish),
            usage=usage,
            message=None if refused is None else self._one_line(f"the model refused: {refused}"),
            rung=rung,
        )
        return Attempt(answer=answer), None

    def _failed(
        self, status: AnswerStatus, message: str, rung: str, *, wish: float | None = None
    ) -> Attempt:
        answer = Answer(status=status, message=self._one_line(message), rung=rung)
        return Attempt(answer=answer, retry_after=wish)

    def _hide(self, text: str | None) -> str | None:
        return None if text is None else self._redact(text)

    def _one_line(self, message: str) -> str:
        """Give what can be printed, without the key."""
        plain = "".join(char if char.isprintable() else " " for char in self._redact(message))
        return " ".join(plain.split())[:MAX_MESSAGE]


def word(value: object) -> str | None:
    """Give a short text of a reply, ``None`` for anything else.

    >>> word("stop"), word(""), word(7)
    ('stop', None, None)
    """
    return value[:_MAX_WORD] if isinstance(value, str) and value else None


def count(value: object) -> int | None:
    """Give a number of tokens, ``None`` for what is none.

    >>> count(12), count(-1), count(True), count("12")
    (12, None, None, None)
    """
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= _MAX_COUNT else None


def part(document: object, key: str) -> dict[str, Any]:
    """Give the object at ``key``, an empty one where there is none.

    >>> part({"usage": None}, "usage"), part([], "usage")
    ({}, {})
    """
    value = document.get(key) if isinstance(document, dict) else None
    return value if isinstance(value, dict) else {}


def _broken(error: Exception) -> tuple[AnswerStatus, str]:
    said = f"{type(error).__name__}: {error}"
    if "CERTIFICATE_VERIFY_FAILED" in said:
        return "config", f"{said}; a server's own certificates are named by SSL_CERT_FILE"
    return "transport", said
