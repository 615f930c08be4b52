r"""A trajectory as text: what was called, with which arguments, what came back, in few words.

A trace is a JSON list of steps (or an object that holds one as ``steps`` or ``messages``), as
agents' frameworks write them: a tool call by itself, with or without its output, or a chat
message that may carry several. Whatever a step holds beside that is shown as JSON after it, and
what has no known form is shown as JSON: nothing is dropped without a word, save null and
:data:`BOOKKEEPING`. Where something is too long its middle is left out, and it says so.

The limits decide what a judge sees, and so its scores: they move only with :data:`VERSION`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.records.json_text import JsonRefused, as_text, loads

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

VERSION: Final = 1


class Limits(NamedTuple):
    """Characters that are kept of each thing, and of all of it."""

    arguments: int = 2_000
    output: int = 4_000
    message: int = 4_000
    whole: int = 60_000


LIMITS: Final = Limits()
NOT_RECORDED: Final = "(no trajectory was recorded)"

BOOKKEEPING: Final = frozenset(
    (
        *(
            "id",
            "index",
            "call_id",
            "tool_call_id",
            "tool_use_id",
            "run_id",
            "trace_id",
            "span_id",
        ),
        *("parent_id", "timestamp", "created", "created_at", "started_at", "ended_at"),
        *("start_time", "end_time"),
    )
)
"""Keys that are not shown where their value is a number or a short text: they number and date."""
_BRIEF: Final = 80
"""Characters of what only numbers or dates; a longer text may say something, and is shown."""
_NAME: Final = ("tool", "name", "tool_name")
_ARGUMENTS: Final = ("arguments", "args", "input", "parameters", "code")
_OUTPUT: Final = ("output", "result", "observation", "error")
_TEXT: Final = ("content", "text", "message", "thought")
_CALLS: Final = ("tool_calls", "function_call")
_OF_CALL: Final = ("assistant", "call", "function", "function_call", "tool_call", "tool_use")
_OF_RESULT: Final = ("function", "function_call_output", "tool", "tool_result")
"""Roles and types that say of a call, or a result, only that it is one."""


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
    sections, beside = ({"steps": []}, {}) if trace is None else _sections(trace)
    told: list[str] = []
    number = 0
    for name, steps in sections.items():
        if told:
            told.append(f"{name}:")
        for line in (line for step in steps for line in _lines(step, limits)):
            number += 1
            told.append(f"{number}. {line}")
    if not told:
        if not beside:
            return _names(tools, limits)
        told += [] if tools is None else [_names(tools, limits)]
    if beside:
        told.append(f"also: {shortened(as_text(beside), limit=limits.message)}")
    return "\n".join(_fitting(told, limits.whole))


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


def _sections(trace: str) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Give the lists of steps by their names, and what the trace holds beside them."""
    try:
        value = loads(trace)
    except JsonRefused:
        return {"steps": [trace] if trace.strip() else []}, {}
    if isinstance(value, list):
        return {"steps": value}, {}
    lists = {}
    if isinstance(value, dict):
        lists = {
            key: value[key] for key in ("steps", "messages") if isinstance(value.get(key), list)
        }
    return (lists, _rest(value, used=lists)) if lists else ({"steps": [value]}, {})


def _lines(step: object, limits: Limits) -> Iterator[str]:
    """Say one step: one line for a call or a message, several for a message with calls."""
    if not isinstance(step, dict):
        yield _indented(shortened(as_text(step), limit=limits.message))
        return
    calls = _calls(step)
    if calls:
        carrying = {key: value for key, value in step.items() if key not in calls}
        if any(value not in ("", []) for value in _rest(carrying, said=_OF_CALL).values()):
            yield _said(carrying, limits)
        for found in calls.values():
            for call in found:
                yield _call(call, limits)
    elif step.get("role") in _OF_RESULT or step.get("type") in _OF_RESULT[1:]:
        yield _returned(step, limits)
    elif _is_call(step):
        yield _call(step, limits)
    else:
        yield _said(step, limits)


def _calls(step: dict[str, Any]) -> dict[str, list[Any]]:
    """Give the calls that a message carries, by the key that they stand under."""
    found = {key: step.get(key) for key in _CALLS}
    listed = {key: [value] if isinstance(value, dict) else value for key, value in found.items()}
    return {key: value for key, value in listed.items() if isinstance(value, list) and value}


def _is_call(step: dict[str, Any]) -> bool:
    within = step.get("function")
    if isinstance(within, dict) and _key(within, _NAME) is not None:
        return True
    # Beside a role, `name` is who speaks.
    names = [name for name in _NAME if name != "name" or "role" not in step]
    if _key(step, names) is None:
        return False
    return any(key in step for key in (*_ARGUMENTS, *_OUTPUT))


def _call(call: object, limits: Limits) -> str:
    inner = call
    if isinstance(call, dict) and isinstance(call.get("function"), dict):
        inner = call["function"]
    name = _key(inner, _NAME) if isinstance(inner, dict) else None
    if not isinstance(call, dict) or not isinstance(inner, dict) or name is None:
        return _indented(f"call {shortened(as_text(call), limit=limits.arguments)}")
    given = _key(inner, _ARGUMENTS)
    shown = "" if given is None else f" {shortened(as_text(inner[given]), limit=limits.arguments)}"
    came = [
        f"\n-> {'error: ' if key == 'error' else ''}"
        f"{shortened(as_text(held[key]), limit=limits.output)}"
        for held in ((inner,) if inner is call else (inner, call))
        for key in _OUTPUT
        if held.get(key) is not None
    ]
    rest = _rest(inner, used=(name, given, *_OUTPUT), said=_OF_CALL)
    if inner is not call:
        within = {"function": rest} if rest else {}
        rest = {**_rest(call, used=("function", *_OUTPUT), said=_OF_CALL), **within}
    called = shortened(as_text(inner[name]), limit=limits.arguments)
    return _indented(f"call {called}{shown}{''.join(came)}{_also(rest, limits)}")


def _returned(step: dict[str, Any], limits: Limits) -> str:
    name = _key(step, _NAME)
    of = "" if name is None else f" of {shortened(as_text(step[name]), limit=limits.arguments)}"
    found = _key(step, (*_TEXT, *_OUTPUT))
    if found is None:
        return _indented(f"result{of} -> {shortened(as_text(step), limit=limits.output)}")
    failed = "error: " if found == "error" else ""
    shown = f"{failed}{shortened(as_text(step[found]), limit=limits.output)}"
    rest = _rest(step, used=(name, found), said=_OF_RESULT)
    return _indented(f"result{of} -> {shown}{_also(rest, limits)}")


def _said(step: dict[str, Any], limits: Limits) -> str:
    text, who = _key(step, _TEXT), _key(step, ("role", "type"))
    if text is None or who is None or not all(isinstance(step[key], str) for key in (text, who)):
        return _indented(shortened(as_text(step), limit=limits.message))
    rest = _rest(step, used=(text, who), said=(step[who], "message"))
    shown = shortened(step[text], limit=limits.message)
    return _indented(f"{shortened(step[who], limit=_BRIEF)}: {shown}{_also(rest, limits)}")


def _rest(
    step: dict[str, Any], *, used: Collection[str | None] = (), said: Collection[str] = ()
) -> dict[str, Any]:
    """Give what is not shown yet; ``said`` are the roles and types that say nothing new."""
    return {
        key: value
        for key, value in step.items()
        if key not in used
        and value is not None
        and not (key in BOOKKEEPING and _is_brief(value))
        and not (key in {"role", "type"} and isinstance(value, str) and value in said)
    }


def _is_brief(value: object) -> bool:
    return isinstance(value, (str, int, float)) and len(as_text(value)) <= _BRIEF


def _also(rest: dict[str, Any], limits: Limits) -> str:
    return f"\nalso: {shortened(as_text(rest), limit=limits.arguments)}" if rest else ""


def _key(step: dict[str, Any], keys: Sequence[str]) -> str | None:
    return next((key for key in keys if step.get(key) is not None), None)


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
