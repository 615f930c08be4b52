"""What Gemini sent becomes an attempt: the words for it, and how long it wants peace."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from gate.adapters.judges.refusal import MAX_VALUES, excerpt, retry_after
from gate.records.json_text import JsonRefused, loads
from gate.records.judge_words import Usage
from gate.records.judging import Answer, Attempt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gate.records.judge_words import AnswerStatus

RUNG: Final = "json_schema"
MAX_MESSAGE: Final = 500
_MAX_COUNT: Final = 2**53
_WORD: Final = 200
_DAY: Final = 86_400.0
_DURATION: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)s?")
_NO_QUOTA: Final = re.compile(r"\blimit: 0\b")
_BAD_REQUEST: Final = 400
_NOT_FOUND: Final = 404
_NO_MODEL: Final = (
    "check the model's name and the base URL; some names (…-latest, …-preview) are known only "
    "with GOOGLE_GENAI_API_VERSION=beta"
)
_TOO_LONG: Final = re.compile(r"token count\b.{0,40}\bexceeds the maximum", re.IGNORECASE)
_KEY_REASONS: Final = frozenset(
    ("API_KEY_INVALID", "API_KEY_EXPIRED", "API_KEY_NOT_FOUND", "API_KEY_SERVICE_BLOCKED")
)
_OF_STATUS: Final[dict[int, AnswerStatus]] = {
    401: "auth",
    402: "auth",
    403: "auth",
    407: "auth",
    408: "timeout",
    409: "server",
    413: "truncated",
    425: "server",
    429: "rate_limited",
    499: "server",
    504: "timeout",
}
_REMEDY: Final[dict[AnswerStatus, str]] = {
    "auth": "check the key or the credentials, and that they may use this API and model",
    "config": "check the model's name, the parameters and the base URL",
    "truncated": "the prompt is longer than the model takes",
}


def failed(status: AnswerStatus, message: str, *, hide: Callable[[str], str]) -> Attempt:
    """Make an attempt of which there is nothing but ``message``: one line, without secrets."""
    return Attempt(answer=Answer(status=status, message=_line(message, hide=hide), rung=RUNG))


def read_reply(body: str, *, hide: Callable[[str], str]) -> Attempt:
    """Read a reply of HTTP 200; its text is given as it was said, whatever it holds.

    Without a candidate it is ``blocked`` where the prompt was, else the ``server``'s failure,
    and so is a body that is no JSON. With one it is ``ok``: what its finish reason and its text
    are worth is for who reads verdicts. Several parts are one text, without those that are
    the model's thoughts.
    """
    if not body.strip():
        return failed("server", "HTTP 200 with nothing in it", hide=hide)
    try:
        reply = _object(loads(body, max_values=MAX_VALUES))
    except JsonRefused as error:
        return failed("server", f"HTTP 200, not a reply ({error}): {_quoted(body)}", hide=hide)
    candidate = next(iter(_list(reply.get("candidates"))), None)
    status: AnswerStatus = "ok"
    message = finish = None
    if not isinstance(candidate, dict):
        status, message = _without_candidate(reply)
        candidate = {}
    else:
        finish = _word(candidate.get("finishReason"))
    text = _text(_object(candidate.get("content")))
    answer = Answer(
        status=status,
        text=None if text is None else hide(text),
        model=_hidden(_word(reply.get("modelVersion")), hide=hide),
        finish_reason=_hidden(finish, hide=hide),
        usage=_usage(_object(reply.get("usageMetadata"))),
        message=None if message is None else _line(message, hide=hide),
        rung=RUNG,
    )
    return Attempt(answer=answer)


def read_refusal(
    code: int, body: str, headers: Mapping[str, str], *, now: float, hide: Callable[[str], str]
) -> Attempt:
    """Read what came with any other HTTP status; ``now`` is in seconds since 1970.

    A bad key and a prompt that is too long come as a 400 as well: the reason or the words tell.
    ``retry_after`` is the larger one of the header and of the body's ``RetryInfo``, at most a day.
    """
    error = _error(body)
    said = _word(error.get("message"), size=MAX_MESSAGE)
    details = [detail for detail in _list(error.get("details")) if isinstance(detail, dict)]
    reasons = {reason for reason in (_word(item.get("reason")) for item in details) if reason}
    status = _status(code, reasons=reasons, said=said or "")
    words = [f"HTTP {code}", *filter(None, (_word(error.get("status")),)), *sorted(reasons)]
    parts = [f"{' '.join(words)}: {said or _quoted(body)}"]
    if code in range(300, 400):
        parts.append("redirects are not followed: name the address itself as the base URL")
    elif code == _NOT_FOUND:
        parts.append(_NO_MODEL)
    elif status in _REMEDY:
        parts.append(_REMEDY[status])
    elif status == "rate_limited" and _spent(details, said=said or ""):
        status = "auth"
        parts.append("this quota is spent for today or is none: no other try helps now")
    waits = (_retry_info(details), retry_after(headers, now=now))
    found = [wait for wait in waits if wait is not None]
    answer = Answer(status=status, message=_line("; ".join(parts), hide=hide), rung=RUNG)
    return Attempt(answer=answer, retry_after=max(found) if found else None)


def _status(code: int, *, reasons: set[str], said: str) -> AnswerStatus:
    if code in _OF_STATUS:
        return _OF_STATUS[code]
    if code < 300 or code >= 500:  # noqa: PLR2004 - a success without a reply is none
        return "server"
    if code == _BAD_REQUEST:
        # Some gateways send the words and not the reason.
        if reasons & _KEY_REASONS or said.startswith("API key "):
            return "auth"
        if _TOO_LONG.search(said):
            return "truncated"
    return "config"


def _without_candidate(reply: dict[str, Any]) -> tuple[AnswerStatus, str]:
    feedback = _object(reply.get("promptFeedback"))
    reason = _word(feedback.get("blockReason"))
    if reason is not None:
        more = _word(feedback.get("blockReasonMessage"), size=MAX_MESSAGE)
        return "blocked", ": ".join(filter(None, (f"the prompt was blocked ({reason})", more)))
    said = _word(_object(reply.get("error")).get("message"), size=MAX_MESSAGE)
    return "server", ": ".join(filter(None, ("HTTP 200 without a candidate", said)))


def _text(content: dict[str, Any]) -> str | None:
    said = [
        part["text"]
        for part in _list(content.get("parts"))
        if isinstance(part, dict)
        and isinstance(part.get("text"), str)
        and part.get("thought") is not True
    ]
    return "".join(said) if said else None


def _usage(usage: dict[str, Any]) -> Usage:
    return Usage(
        input_tokens=_count(usage.get("promptTokenCount")),
        output_tokens=_count(usage.get("candidatesTokenCount")),
        thinking_tokens=_count(usage.get("thoughtsTokenCount")),
    )


def _error(body: str) -> dict[str, Any]:
    try:
        value = loads(body, max_values=MAX_VALUES)
    except JsonRefused:
        return {}
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return _object(_object(value).get("error"))


def _spent(details: list[dict[str, Any]], *, said: str) -> bool:
    """Say whether a quota is one of a day, or none at all."""
    violations = [item for detail in details for item in _list(detail.get("violations"))]
    names = [_word(_object(item).get("quotaId")) or "" for item in violations]
    return any("PerDay" in name for name in names) or _NO_QUOTA.search(said) is not None


def _retry_info(details: list[dict[str, Any]]) -> float | None:
    waits = [_seconds(_word(detail.get("retryDelay")) or "") for detail in details]
    return max((wait for wait in waits if wait is not None), default=None)


def _seconds(text: str) -> float | None:
    found = _DURATION.fullmatch(text)
    return min(float(found[1]), _DAY) if found else None


def _quoted(body: str) -> str:
    return excerpt(body) if body.strip() else "nothing is said"


def _line(message: str, *, hide: Callable[[str], str]) -> str:
    """Give one line of what can be printed; secrets go before it is cut, so none is cut in two."""
    plain = "".join(char if char.isprintable() else " " for char in hide(message))
    return " ".join(plain.split())[:MAX_MESSAGE]


def _hidden(text: str | None, *, hide: Callable[[str], str]) -> str | None:
    return None if text is None else hide(text)


def _word(value: object, *, size: int = _WORD) -> str | None:
    return value[:size] if isinstance(value, str) and value else None


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= _MAX_COUNT else None


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
