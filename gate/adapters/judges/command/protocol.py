"""The lines between the gate and a worker: one JSON object each, in both directions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.records.json_text import JsonRefused, canonical, loads, spelled
from gate.records.judge_words import CONTENT, STOPPING, TRANSIENT, Usage
from gate.records.judging import Answer

if TYPE_CHECKING:
    from gate.records.judge_words import AnswerStatus
    from gate.records.judging import Question

PROTOCOL: Final = 1
MAX_LINE: Final = 4_000_000
"""Bytes of a line, at most."""
MAX_CONCURRENCY: Final = 256
_MAX_VALUES: Final = 50_000
_MOST_TOKENS: Final = 2**63 - 1
_LONGEST_NAME: Final = 200
_KINDS: Final[dict[str, AnswerStatus]] = {
    str(kind): kind for kind in sorted(CONTENT | TRANSIENT | STOPPING)
}


class Breach(ValueError):
    """A line is not what the protocol says; the message says why."""


class Hello(NamedTuple):
    """What a worker says of itself before anything else."""

    name: str
    version: str
    concurrency: int

    @property
    def model(self) -> str:
        """What answers, where a reply names no model.

        >>> Hello("my-judge", "3", 4).model
        'my-judge/3'
        """
        return f"{self.name}/{self.version}"


class Reply(NamedTuple):
    """What a worker says of one question; ``wrong`` says why nothing of it can be used."""

    id: str
    found: dict[str, Any]
    wrong: str | None = None


def hello_of(line: bytes) -> Hello:
    """Read the first line of a worker. Raises :class:`Breach`.

    >>> hello_of(b'{"hello":{"protocol":1,"name":"my-judge","version":"3","concurrency":4}}')
    Hello(name='my-judge', version='3', concurrency=4)
    """
    try:
        value = loads(line.decode("utf-8"), max_values=_MAX_VALUES)
    except (JsonRefused, UnicodeDecodeError):
        raise Breach("is no JSON") from None
    hello = value.get("hello") if isinstance(value, dict) else None
    if not isinstance(hello, dict):
        raise Breach('is no object that holds "hello"')
    if hello.get("protocol") != PROTOCOL or isinstance(hello.get("protocol"), bool):
        raise Breach(f'says another "protocol" than {PROTOCOL}')
    name, version, concurrency = (hello.get(key) for key in Hello._fields)
    for key, text in (("name", name), ("version", version)):
        if not isinstance(text, str) or not text or len(text) > _LONGEST_NAME:
            raise Breach(f'has no "{key}" that is a text of 1 to {_LONGEST_NAME} characters')
    if (
        isinstance(concurrency, bool)
        or not isinstance(concurrency, int)
        or not 1 <= concurrency <= MAX_CONCURRENCY
    ):
        raise Breach(f'has no "concurrency" that is a whole number from 1 to {MAX_CONCURRENCY}')
    return Hello(str(name), str(version), concurrency)


def request_line(question: Question, *, number: str, deadline_ms: int) -> bytes:
    """Spell a question; ``deadline_ms`` is for how many milliseconds its answer is waited for."""
    request = {
        "v": PROTOCOL,
        "id": number,
        "case_id": question.case_id,
        "run": question.run,
        "system": question.system,
        "prompt": question.prompt,
        "schema": loads(question.schema_text),
        "params": loads(question.params),
        "deadline_ms": deadline_ms,
    }
    return spelled(request).encode("ascii") + b"\n"


def reply_of(line: bytes) -> Reply | None:
    """Read a line that should be a reply; ``None`` where nobody can say which question it is of.

    A line that is JSON to others only (with a NaN, say) is a reply that cannot be used, if its
    question can be found.

    >>> reply_of(b'{"id":"7","text":"2"}')
    Reply(id='7', found={'id': '7', 'text': '2'}, wrong=None)
    >>> reply_of(b'{"id":"7","json":{"rating":NaN}}').wrong
    'its line is no strict JSON: NaN is not JSON'
    >>> reply_of(b"Loading weights ...") is None
    True
    """
    wrong = None
    try:
        text = line.decode("utf-8")
        try:
            value = loads(text, max_values=_MAX_VALUES)
        except JsonRefused as error:
            wrong = f"its line is no strict JSON: {error}"
            value = _LAX.decode(text)
    except (ValueError, RecursionError):
        return None
    number = value.get("id") if isinstance(value, dict) else None
    return Reply(number, {} if wrong else value, wrong) if isinstance(number, str) else None


def answer_of(reply: Reply, hello: Hello) -> Answer:
    """Give the answer that a reply is; one that breaks the protocol is ``unparseable``."""
    found = reply.found
    said = [key for key in ("text", "json", "error") if found.get(key) is not None]
    wrong = reply.wrong or _wrong(found, said)
    if wrong is not None:
        return Answer(
            status="unparseable", message=f"the worker's reply breaks the protocol: {wrong}"
        )
    model, reason = found.get("model") or hello.model, found.get("finish_reason")
    usage = _usage(found.get("usage"))
    if said == ["error"]:
        return _error(found["error"], model, usage)
    return Answer(
        status="ok",
        text=found["text"] if said == ["text"] else canonical(found["json"]),
        model=model,
        # The line is whole, so what it says is; a worker that knows better says so.
        finish_reason="stop" if reason is None else reason,
        usage=usage,
    )


def _wrong(found: dict[str, Any], said: list[str]) -> str | None:
    """Say what breaks the protocol, if anything does."""
    if len(said) != 1:
        return 'it holds not exactly one of "text", "json" and "error"'
    for key in ("model", "finish_reason"):
        value = found.get(key, "")
        if value is not None and not (isinstance(value, str) and len(value) <= _LONGEST_NAME):
            return f'"{key}" is no text of at most {_LONGEST_NAME} characters'
    if said == ["text"] and not isinstance(found["text"], str):
        return '"text" is no text; a JSON value goes into "json"'
    error = found.get("error")
    if said == ["error"] and not (
        isinstance(error, dict) and isinstance(error.get("kind"), str) and error["kind"]
    ):
        return '"error" is no object with a "kind"'
    return None


def _error(error: dict[str, Any], model: str, usage: Usage) -> Answer:
    """Read what went wrong: a kind that is a status is that status.

    Another kind is ``server`` where the worker says that another try helps. Else it stops the
    run: whoever wrote the worker is to say which of the kinds is meant.
    """
    kind = error["kind"]
    words = error.get("message")
    message = words if isinstance(words, str) and words else f"the worker says no more than {kind}"
    status = _KINDS.get(kind)
    if status is None and error.get("retryable") is True:
        status = "server"
    if status is None:
        status = "config"
        message = (
            f"error of the unknown kind {kind[:40]!r} (none of {', '.join(_KINDS)}): {message}"
        )
    return Answer(status=status, model=model, usage=usage, message=message)


def _usage(found: object) -> Usage:
    """Read what was used; a figure that is no count was not said, and costs no verdict."""
    given = found if isinstance(found, dict) else {}
    return Usage(
        input_tokens=_count(given.get("input_tokens")),
        output_tokens=_count(given.get("output_tokens")),
        thinking_tokens=_count(given.get("thinking_tokens")),
    )


def _count(value: object) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MOST_TOKENS:
        return None
    return value


_LAX: Final = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
