"""Chat messages as people log them, in four dialects: what was asked, answered and called."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, NamedTuple

from gate.inputs.importers.source import value
from gate.records.json_text import JsonRefused, canonical

MAX_MESSAGES: Final = 100_000
"""Messages of one conversation, at most."""
_ROLES: Final = {"human": "user", "ai": "assistant", "developer": "system", "function": "tool"}
_TEXTS: Final = ("text", "output_text", "input_text")
_CALLS: Final = ("tool_call", "tool_use")
_RESULTS: Final = ("tool_result", "tool_call_response")


class OddMessage(ValueError):
    """A conversation that is not as any of the dialects has it; says where and why."""


class Call(NamedTuple):
    """One call of a tool; ``arguments`` is JSON, or the text that was none."""

    name: str
    arguments: Any
    id: str = ""


class Conversation(NamedTuple):
    """One run: ``opening`` is all that came before the first word of the assistant.

    ``answer`` is ``None`` where there is none; then ``silent`` says why.
    """

    messages: list[Any]
    opening: list[dict[str, Any]]
    question: str
    answer: str | None
    silent: str
    calls: tuple[Call, ...]


def is_message(found: object) -> bool:
    """Say whether ``found`` is a chat message of one of the dialects.

    >>> is_message({"role": "user", "content": "?"}), is_message({"type": "ai", "content": ""})
    (True, True)
    >>> is_message({"role": 1}), is_message({"type": "text", "text": "?"})
    (False, False)
    """
    return isinstance(found, dict) and role(unwrapped(found)) is not None


def unwrapped(message: dict[str, Any]) -> dict[str, Any]:
    """Take a message out of the envelope in which LangChain writes it.

    >>> unwrapped({"type": "ai", "data": {"content": "Paris"}})
    {'type': 'ai', 'content': 'Paris'}
    """
    for envelope in ("data", "kwargs"):
        inner = message.get(envelope)
        if isinstance(inner, dict) and "content" in inner:
            kind = message.get("type")
            return {"type": kind, **inner} if envelope == "data" else inner
    return message


def role(message: dict[str, Any]) -> str | None:
    """Give the role by its usual name: ``user``, ``assistant``, ``system``, ``tool``.

    >>> role({"type": "human"}), role({"role": "assistant"})
    ('user', 'assistant')
    """
    said = message.get("role")
    if isinstance(said, str):
        return _ROLES.get(said, said)
    kind = message.get("type")
    if kind in ("system", "tool"):
        return str(kind)
    return _ROLES.get(kind) if isinstance(kind, str) and kind != "developer" else None


def text(message: dict[str, Any]) -> str | None:
    """Give what a message says: its text, or the texts of its parts; a refusal is an answer.

    >>> text({"content": [{"type": "text", "text": "Par"}, {"type": "text", "text": "is"}]})
    'Paris'
    >>> text({"content": None})
    """
    content = message.get("parts") if message.get("content") is None else message["content"]
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        said = [found for part in content if (found := _text_of(part)) is not None]
        if said:
            return "".join(said)
    refusal = message.get("refusal")
    return refusal if isinstance(refusal, str) and refusal else None


def calls(message: dict[str, Any], *, place: str = "the message") -> tuple[Call, ...]:
    """Give the calls that a message makes, in order. Raises ``OddMessage`` for one without a name.

    >>> calls({"tool_calls": [{"function": {"name": "search", "arguments": '{"q": 1}'}}]})
    (Call(name='search', arguments={'q': 1}, id=''),)
    """
    listed = message.get("tool_calls") or ()
    if not isinstance(listed, (list, tuple)):
        raise OddMessage(f"`{place}.tool_calls`: expected a list")
    if not listed:
        for field in ("parts", "content"):
            parts = message.get(field)
            if isinstance(parts, list):
                listed = [p for p in parts if isinstance(p, dict) and p.get("type") in _CALLS]
                break
    if not listed and isinstance(message.get("function_call"), dict):
        listed = [message["function_call"]]
    return tuple(_call(one, f"{place}.tool_calls[{at}]") for at, one in enumerate(listed))


def conversation(messages: list[Any], *, name: str = "messages") -> Conversation:
    """Read one run. Raises ``OddMessage`` for what is no list of messages.

    The answer is what the last message of the assistant says, or the calls it ends with, as
    canonical JSON. A run that ends with a tool's result or with the user has none.

    >>> said = conversation([{"role": "user", "content": "?"}, {"role": "ai", "content": "Yes"}])
    >>> said.question, said.answer
    ('?', 'Yes')
    """
    if len(messages) > MAX_MESSAGES:
        raise OddMessage(f"`{name}`: more than {MAX_MESSAGES} messages")
    opening: list[dict[str, Any]] = []
    made: list[Call] = []
    last, spoke, ended = None, False, ""
    for at, found in enumerate(messages):
        message = unwrapped(found) if isinstance(found, dict) else None
        who = None if message is None else role(message)
        if message is None or who is None:
            raise OddMessage(f"`{name}[{at}]`: expected a chat message with a `role`")
        ended = "tool" if _is_result(message) else who if who != "system" else ended
        if who == "assistant":
            spoke, last = True, message
            made.extend(calls(message, place=f"{name}[{at}]"))
        elif not spoke:
            opening.append(message)
    answer, silent = None, ""
    if last is None:
        silent = "the messages hold none of the assistant"
    elif ended == "tool":
        silent = "the messages end with a tool's result: the assistant did not answer"
    elif ended != "assistant":
        silent = "the messages end with another's than the assistant's: it did not answer"
    else:
        answer = _answer(last)
        silent = "" if answer is not None else "the assistant's last message holds no text"
    return Conversation(messages, opening, _question(opening), answer, silent, tuple(made))


def messages_in(found: object) -> list[Any] | None:
    """Give the list of messages that ``found`` is, or whose JSON text it is; else ``None``.

    >>> messages_in('[{"role": "user", "content": "?"}]')
    [{'role': 'user', 'content': '?'}]
    """
    if isinstance(found, str):
        if not found.startswith("["):
            return None
        try:
            found = value(found)
        except JsonRefused:
            return None
    if isinstance(found, list) and found and all(map(is_message, found)):
        return found
    return None


def _is_result(message: dict[str, Any]) -> bool:
    """Say whether a message brings a tool's results alone, which Anthropic lets the user say."""
    parts = message.get("parts") if message.get("content") is None else message["content"]
    if not isinstance(parts, list) or not parts:
        return False
    return all(isinstance(part, dict) and part.get("type") in _RESULTS for part in parts)


def _answer(message: dict[str, Any]) -> str | None:
    said = text(message)
    if said:
        return said
    made = calls(message)
    if made:
        return canonical([{"arguments": one.arguments, "name": one.name} for one in made])
    return said


def _question(opening: list[dict[str, Any]]) -> str:
    asked = [said for one in opening if role(one) == "user" and (said := text(one)) is not None]
    if not asked:
        asked = [said for one in opening if (said := text(one)) is not None]
    return "\n\n".join(asked)


def _text_of(part: object) -> str | None:
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and part.get("type") in _TEXTS:
        said = part.get("text", part.get("content"))
        return said if isinstance(said, str) else None
    return None


def _call(found: object, place: str) -> Call:
    if not isinstance(found, dict):
        raise OddMessage(f"`{place}`: expected an object")
    inner = next(
        (found[key] for key in ("function", "custom") if isinstance(found.get(key), dict)), found
    )
    name = inner.get("name")
    if not isinstance(name, str) or not name:
        raise OddMessage(f"`{place}`: names no tool")
    given = next((inner[key] for key in ("arguments", "args", "input") if key in inner), None)
    if isinstance(given, str):
        with suppress(JsonRefused):  # what is not JSON is what the tool was given
            given = value(given)
    call_id = found.get("id")
    return Call(name, given, call_id if isinstance(call_id, str) else "")
