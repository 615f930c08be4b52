"""What GitHub means by an error, in words that say what to do.

=====================================================  =======
403 or 429 that speaks of a rate, or brings its wait   limited
403 otherwise: the token may not                       refused
401, 404, 410, 422, every other 4xx, redirects         refused
408, 5xx                                               broken
=====================================================  =======
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from gate.adapters.github.call import Trouble
from gate.adapters.judges.refusal import excerpt, retry_after
from gate.records.json_text import JsonRefused, loads

if TYPE_CHECKING:
    from collections.abc import Mapping

TIMEOUT: Final = 408
FORBIDDEN: Final = 403
ABSENT: Final = 404
GONE: Final = 410
TOO_MANY: Final = 429
_SERVER: Final = 500
_REDIRECTS: Final = range(300, 400)
_SHOWN: Final = 300
_MAX_VALUES: Final = 10_000
_LIMITED: Final = re.compile(r"rate limit|abuse detection", re.IGNORECASE)
_NO_PERMISSION_HELPS: Final = re.compile(
    r"too.large|is locked|blocked|archived|suspended|SAML|IP allow list", re.IGNORECASE
)
_LOCKED: Final = re.compile(r"is locked", re.IGNORECASE)
_UNLOCK: Final = "unlock the conversation, or say `comment: off`; the verdict stands"
_NOBODY_MAY: Final = "no other permission helps: mend what the host names; the verdict stands"
_SECONDS: Final = re.compile(r"[0-9]{1,12}")
_REQUEST: Final = re.compile(r"[0-9A-Za-z:-]{1,80}")
_PERMISSIONS: Final = re.compile(r"[a-z_=;, -]{1,200}")
_MEANS: Final = {
    401: "the token is not accepted: it is wrong, has ended, or belongs to another host",
    404: "it is not there, or this token may not see it, which takes {needs}",
    410: "it is gone, or switched off in this repository",
    422: "GitHub does not take what was sent",
}


def read_trouble(
    status: int, headers: Mapping[str, str], body: str, *, needs: str, now: float
) -> Trouble:
    """Read a reply that is no success; ``now`` is in seconds since 1970.

    >>> headers = {"x-github-request-id": "A1:B2"}
    >>> said = '{"message": "Resource not accessible by integration"}'
    >>> found = read_trouble(403, headers, said, needs="`checks: write`", now=0.0)
    >>> found.kind, found.message.partition("; ")[2]
    ('refused', 'the token lacks `checks: write` (request A1:B2)')
    >>> read_trouble(429, {"retry-after": "7"}, "{}", needs="", now=0.0).wish
    7.0
    """
    said = _said(body)
    parts = [f"HTTP {status}{f': {said}' if said else ''}"]
    if status in {FORBIDDEN, TOO_MANY} and _is_limit(status, headers, said):
        return Trouble("limited", _told(parts, headers), status, _wish(headers, now=now))
    if status >= _SERVER or status == TIMEOUT:
        return Trouble("broken", _told(parts, headers), status, retry_after(headers, now=now))
    hint, lasting = None, status == GONE
    if status == FORBIDDEN and _NO_PERMISSION_HELPS.search(said):
        hint, lasting = _UNLOCK if _LOCKED.search(said) else _NOBODY_MAY, True
    elif status == FORBIDDEN:
        parts.append(f"the token lacks {needs}{_accepted(headers)}")
        hint = f"give the job {needs} under `permissions:`; the token of a fork's run only reads"
    elif status in _REDIRECTS:
        parts.append("redirects are not followed: check GITHUB_API_URL and GITHUB_REPOSITORY")
    elif status in _MEANS:
        parts.append(_MEANS[status].format(needs=needs))
    return Trouble("refused", _told(parts, headers), status, hint=hint, lasting=lasting)


def _is_limit(status: int, headers: Mapping[str, str], said: str) -> bool:
    return (
        status == TOO_MANY
        or "retry-after" in headers
        or headers.get("x-ratelimit-remaining", "").strip() == "0"
        or _LIMITED.search(said) is not None
    )


def _wish(headers: Mapping[str, str], *, now: float) -> float | None:
    """Give ``retry-after``, else the time to ``x-ratelimit-reset`` if the budget is spent."""
    wished = retry_after(headers, now=now)
    if wished is not None:
        return wished
    reset = headers.get("x-ratelimit-reset", "").strip()
    spent = headers.get("x-ratelimit-remaining", "0").strip() == "0"
    if spent and _SECONDS.fullmatch(reset):
        return max(float(reset) - now, 0.0) + 1.0  # their clock counts whole seconds
    return None


def _said(body: str) -> str:
    """Give the message of an error, and which fields it is about."""
    if not body.strip():
        return ""
    try:
        document = loads(body, max_values=_MAX_VALUES)
    except JsonRefused:
        return excerpt(body)
    if not isinstance(document, dict) or not isinstance(document.get("message"), str):
        return excerpt(body)
    errors = document.get("errors")
    about = "; ".join(map(_about, errors[:3])) if isinstance(errors, list) else ""
    return f"{document['message'][:_SHOWN]}{f' ({about[:_SHOWN]})' if about else ''}"


def _about(error: Any) -> str:  # noqa: ANN401 - any JSON
    if not isinstance(error, dict):
        return str(error)
    found = (error.get(key) for key in ("field", "code", "message"))
    return " ".join(str(part) for part in found if part)


def _accepted(headers: Mapping[str, str]) -> str:
    """Give what GitHub itself says would do."""
    found = headers.get("x-accepted-github-permissions", "")
    return f" (GitHub says: {found})" if _PERMISSIONS.fullmatch(found) else ""


def _told(parts: list[str], headers: Mapping[str, str]) -> str:
    request = headers.get("x-github-request-id", "")
    named = f" (request {request})" if _REQUEST.fullmatch(request) else ""
    return "; ".join(parts) + named
