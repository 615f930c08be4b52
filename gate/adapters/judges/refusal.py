"""What an HTTP status and an error's own words mean for a question.

===================================================  =============
401, 402, 403, 407                                   auth
a quota or credit that is spent, whatever the status auth
an unknown key, whatever the status                  auth
a prompt that a filter refuses (400, 403, 422)       blocked
a prompt that is too long (400, 413, 422)            truncated
429, 498                                             rate_limited
408, 504                                             timeout
409, 425, 5xx (529 too)                              server
3xx, every other 4xx                                 config
===================================================  =============

A prompt that is refused or too long is that one question's fault: the others are asked on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.records.json_text import JsonRefused, loads

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gate.records.judge_words import AnswerStatus

MAX_VALUES: Final = 100_000
"""JSON values of a reply, at most."""
_OK: Final = 200
_SHOWN: Final = 300
_EXCERPT: Final = 120
_DAY: Final = 86_400.0
_OF_CODE: Final[dict[int, AnswerStatus]] = {
    401: "auth",
    402: "auth",
    403: "auth",
    407: "auth",
    408: "timeout",
    409: "server",
    413: "truncated",
    425: "server",
    429: "rate_limited",
    498: "rate_limited",
    504: "timeout",
}
_SPENT: Final = re.compile(
    r"insufficient_quota|credit_balance|spend_limit|usage_limit_exceeded|billing_|payment_required"
    r"|credit balance is too low|spend limit"
)
"""Names for it, and words of those who have none; what a rate limit says of billing is no such."""
_NO_KEY: Final = re.compile(
    r"invalid_api_key|authentication_error|api key not valid|(?:incorrect|invalid) api key"
)
_FILTERED: Final = re.compile(
    r"content_filter|content_policy|responsibleaipolicyviolation|invalid_prompt"
)
_TOO_LONG: Final = re.compile(
    r"context_length_exceeded|string_above_max_length|request_too_large|maximum context length"
    r"|context window|context length|(?:prompt|input) is too long|too many (?:input )?tokens"
)
_ABOUT_ONE: Final = frozenset((400, 403, 413, 422))
_SECONDS: Final = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")
_REMEDIES: Final[dict[AnswerStatus, str]] = {
    "auth": "check the key, what it may use, and the credit behind it",
    "config": "check the model's name, what is sent, and base_url",
    "truncated": "the prompt is longer than the model or the server takes",
}


class Refusal(NamedTuple):
    """An error as a server said it: its status, its names for it, and its message.

    ``code`` is the status of HTTP, or the one that stands in the error of a 200.
    """

    code: int
    names: tuple[str, ...]
    message: str

    @property
    def words(self) -> str:
        """All of it in small letters, to search in."""
        return "\n".join((*self.names, self.message)).lower()

    @property
    def status(self) -> AnswerStatus:
        """What it means, by the table above."""
        words = self.words
        if _SPENT.search(words) or _NO_KEY.search(words):
            return "auth"
        if self.code in _ABOUT_ONE:
            if _FILTERED.search(words):
                return "blocked"
            if _TOO_LONG.search(words):
                return "truncated"
        if self.code in _OF_CODE:
            return _OF_CODE[self.code]
        return "config" if 300 <= self.code < 500 else "server"  # noqa: PLR2004 - HTTP's classes

    def told(self) -> str:
        """Say it in words, and what to do where somebody can do something."""
        names = " ".join(dict.fromkeys(self.names))
        parts = [f"HTTP {self.code}{f' {names}' if names else ''}: {self.message[:_SHOWN]}"]
        if 300 <= self.code < 400:  # noqa: PLR2004 - redirects
            parts.append("redirects are not followed: name the address itself as base_url")
        elif self.status in _REMEDIES:
            parts.append(_REMEDIES[self.status])
        return "; ".join(parts)


def read_refusal(code: int, body: str) -> Refusal:
    """Read the body of an error, in any of the forms that servers have for it.

    >>> read_refusal(400, '{"error": {"message": "no", "code": "bad", "param": null}}')
    Refusal(code=400, names=('bad',), message='no')
    >>> read_refusal(502, "<html>Bad Gateway</html>").message
    "'<html>Bad Gateway</html>'"
    """
    try:
        document = loads(body, max_values=MAX_VALUES)
    except JsonRefused:
        document = None
    return refusal_of(code, document) or Refusal(code, (), excerpt(body))


def refusal_of(code: int, document: object) -> Refusal | None:
    """Give the error that a document holds, ``None`` if it holds none.

    >>> refusal_of(200, {"choices": []}) is None
    True
    """
    if not isinstance(document, dict):
        return None
    error = document.get("error", document)
    if isinstance(error, str):
        return Refusal(code, (), error)
    if not isinstance(error, dict):
        return None
    message = next((error[key] for key in ("message", "detail") if error.get(key)), None)
    if message is None:
        return None
    inner = error.get("innererror")
    named = [error.get("type"), error.get("code"), error.get("param")]
    if isinstance(inner, dict):
        named.append(inner.get("code"))
    names = tuple(name for name in named if isinstance(name, str) and name != "error")
    own = error.get("code")
    if code == _OK and isinstance(own, int) and own in range(400, 600):
        code = own
    return Refusal(code, names, _text(message))


def retry_after(headers: Mapping[str, str], *, now: float) -> float | None:
    """Give for how many seconds a server wants peace, at most a day; ``None`` if it does not say.

    ``retry-after-ms``, else ``Retry-After`` in seconds or as a date, which is counted from the
    server's own ``Date``, else from ``now`` (seconds since 1970).

    >>> retry_after({"retry-after-ms": "1500", "retry-after": "2"}, now=0.0)
    1.5
    >>> retry_after({"retry-after": "Thu, 01 Jan 1970 00:00:30 GMT"}, now=10.0)
    20.0
    """
    milliseconds = headers.get("retry-after-ms", "").strip()
    if _SECONDS.fullmatch(milliseconds):
        return min(float(milliseconds) / 1000, _DAY)
    wished = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(wished):
        return min(float(wished), _DAY)
    then = _since_1970(wished)
    if then is None:
        return None
    theirs = _since_1970(headers.get("date", ""))
    return min(max(then - (now if theirs is None else theirs), 0.0), _DAY)


def excerpt(body: str) -> str:
    """Quote the beginning of what is no JSON."""
    return repr(" ".join(body[:1000].split())[:_EXCERPT])


def _since_1970(date: str) -> float | None:
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, TypeError, OverflowError):
        return None


def _text(message: Any) -> str:  # noqa: ANN401 - any JSON
    return message if isinstance(message, str) else str(message)
