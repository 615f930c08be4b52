r"""A trajectory as text: what was called, with which arguments, what came back, in few words.

A trace is a JSON list of steps (or an object that holds one as ``steps`` or ``messages``), as
agents' frameworks write them: a tool call by itself, with or without its output, or a chat
message that may carry several. What has no known form is shown as JSON: nothing is dropped
without a word. Where something is too long its middle is left out, and it says so.

The limits decide what a judge sees, and so its scores: they move only with :data:`VERSION`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.records.json_text import JsonRefused, as_text, loads

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

VERSION: Final = 1


class Limits(NamedTuple):
    """Characters that are kept of each thing, and of all of it."""

    arguments: int = 2_000
    output: int = 4_000
    message: int = 4_000
    whole: int = 60_000


LIMITS: Final = Limits()
NOT_RECORDED: Final = "(no trajectory was recorded)"

_NAME: Final = ("tool", "name", "tool_name")
_ARGUMENTS: Final = ("arguments", "args", "input", "parameters", "code")
_OUTPUT: Final = ("output", "result", "observation", "error")
_TEXT: Final = ("content", "text", "message", "thought")


def condense(trace: str | None, tools: Sequence[str] | None, *, limits: Limits = LIMITS) -> str:
    r"""Give the trajectory in at most about ``limits.whole`` characters.

    ``trace`` is JSON text. Without one, or with one that is no JSON, the names of the ``tools``
    that were called are all there is to say. Steps are numbered from 1; where they are too many
    the middle ones are left out. The final response is no part of it.

    >>> print(condense('[{"tool": "area", "arguments": {"of": "Peru"}, "output": 1285216}]', None))
    1. call area {"of":"Peru"}
       -> 1285216
    >>> print(condense(None, ("search", "area")))
    Tools called, in order: search, area
    (their arguments and outputs were not recorded)
    >>> condense(None, None)
    '(no trajectory was recorded)'
    """
    steps = [] if trace is None else _steps(trace)
    lines = [line for step in steps for line in _lines(step, limits)]
    if not lines:
        return _names(tools, limits)
    numbered = [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    return "\n".join(_fitting(numbered, limits.whole))


def shortened(text: str, *, limit: int) -> str:
    """Keep three quarters of ``limit`` from the start and one from the end of a longer text.

    >>> shortened("0123456789", limit=10), shortened("0123456789", limit=4)
    ('0123456789', '012 [... 6 characters left out ...] 9')
    """
    if len(text) <= limit:
        return text
    end = limit // 4
    start = limit - end
    cut = f"[... {len(text) - limit:,} characters left out ...]"
    return f"{text[:start]} {cut} {text[len(text) - end :]}"


def _steps(trace: str) -> list[Any]:
    try:
        value = loads(trace)
    except JsonRefused:
        return [trace] if trace.strip() else []
    for key in ("steps", "messages"):
        if isinstance(value, dict) and isinstance(value.get(key), list):
            return list(value[key])
    return value if isinstance(value, list) else [value]


def _lines(step: object, limits: Limits) -> Iterator[str]:
    """Say one step: one line for a call or a message, several for a message with calls."""
    if not isinstance(step, dict):
        yield _indented(shortened(as_text(step), limit=limits.message))
        return
    calls = step.get("tool_calls")
    if isinstance(calls, list) and calls:
        if step.get("content"):
            yield _said(step, limits)
        yield from (_call(call, limits) for call in calls)
    elif step.get("role") == "tool" or step.get("type") == "tool_result":
        yield _returned(step, limits)
    elif _is_call(step):
        yield _call(step, limits)
    else:
        yield _said(step, limits)


def _is_call(step: dict[str, Any]) -> bool:
    if "role" in step or _first(step, _NAME) is None:
        return False
    return any(key in step for key in (*_ARGUMENTS, *_OUTPUT))


def _call(call: object, limits: Limits) -> str:
    inner = call.get("function", call) if isinstance(call, dict) else None
    if not isinstance(inner, dict) or _first(inner, _NAME) is None:
        return _indented(f"call {shortened(as_text(call), limit=limits.arguments)}")
    name = shortened(as_text(_first(inner, _NAME)), limit=limits.arguments)
    given = _first(inner, _ARGUMENTS)
    shown = "" if given is None else f" {shortened(as_text(given), limit=limits.arguments)}"
    came = [
        f"\n-> {'error: ' if key == 'error' else ''}"
        f"{shortened(as_text(inner[key]), limit=limits.output)}"
        for key in _OUTPUT
        if inner.get(key) is not None
    ]
    return _indented(f"call {name}{shown}{''.join(came)}")


def _returned(step: dict[str, Any], limits: Limits) -> str:
    name = _first(step, _NAME)
    of = "" if name is None else f" of {shortened(as_text(name), limit=limits.arguments)}"
    found = _first(step, (*_TEXT, *_OUTPUT))
    shown = shortened(as_text(step if found is None else found), limit=limits.output)
    return _indented(f"result{of} -> {shown}")


def _said(step: dict[str, Any], limits: Limits) -> str:
    text = _first(step, _TEXT)
    who = _first(step, ("role", "type"))
    if not isinstance(text, str) or not isinstance(who, str):
        return _indented(shortened(as_text(step), limit=limits.message))
    return _indented(f"{who[:80]}: {shortened(text, limit=limits.message)}")


def _first(step: dict[str, Any], keys: Sequence[str]) -> object:
    return next((step[key] for key in keys if step.get(key) is not None), None)


def _indented(text: str) -> str:
    """Keep a step together: what follows its first line stands further right."""
    return text.replace("\n", "\n   ")


def _names(tools: Sequence[str] | None, limits: Limits) -> str:
    if tools is None:
        return NOT_RECORDED
    if not tools:
        return "No tool was called."
    called = shortened(", ".join(tools), limit=limits.message)
    return f"Tools called, in order: {called}\n(their arguments and outputs were not recorded)"


def _fitting(steps: list[str], limit: int) -> list[str]:
    """Give the steps that fit, from both ends in turn, with a word on those between."""
    if sum(len(step) + 1 for step in steps) <= limit:
        return steps
    head: list[str] = []
    tail: list[str] = []
    room = limit
    while True:
        from_head = len(head) <= len(tail)
        step = steps[len(head)] if from_head else steps[-1 - len(tail)]
        room -= len(step) + 1
        if room < 0:
            break
        (head if from_head else tail).append(step)
    left_out = len(steps) - len(head) - len(tail)
    return [*head, f"[... {left_out:,} steps left out ...]", *reversed(tail)]
