"""One sample of an Inspect log: the answer, the calls, the scores, the case."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Any, Final

from gate.inputs.fields import expected, read_name, shown
from gate.inputs.importers.found import Found, FoundCase, RecordedScore
from gate.inputs.importers.parts.dotted import dotted
from gate.inputs.importers.parts.inspect_score import has_failed, is_by_hand, value_of
from gate.inputs.importers.parts.labels import labels_of
from gate.inputs.importers.source import number
from gate.records.json_text import as_text, canonical

if TYPE_CHECKING:
    from gate.inputs.importers.parts.inspect_rules import Rules
    from gate.inputs.importers.parts.members import Members

UNREAD: Final = frozenset(("events", "events_data", "attachments", "store", "timelines"))
"""Where a sample is large, and holds nothing that a gate compares."""
NO_OUTPUT: Final = "Inspect recorded no output for this sample"


class SampleRefused(ValueError):
    """A sample is not as Inspect writes one; the message names the key."""


def key_of(sample: Members) -> tuple[int | str, int]:
    """Give the id and the epoch of a sample. Raises ``SampleRefused``."""
    name, epoch = sample.get("id"), sample.get("epoch")
    problems: list[str] = []
    if read_name("id", name, problems) is None:
        raise SampleRefused(problems[0])
    if type(epoch) is not int or epoch < 1:
        raise SampleRefused("`epoch`: expected a whole number from 1")
    return name, epoch


def read_sample(
    sample: Members,
    *,
    place: str,
    id_field: str | None,
    last_place: int,
    odd: set[str],
    rules: Rules,
) -> Found:
    """Read one sample.

    A whole number from 1 to ``last_place`` is what Inspect gives to a sample without an id.
    Names of scores whose value is a text that is no number are added to ``odd``. Raises
    ``SampleRefused`` and ``JsonRefused``.
    """
    name, epoch = key_of(sample)
    by_place = type(name) is int and 1 <= name <= last_place and id_field is None
    metadata = _one_of(sample, "metadata", dict) or {}
    messages = _one_of(sample, "messages", list)
    scores = _one_of(sample, "scores", dict) or {}
    error = sample.get("error")
    output = None
    if error is None:
        output = _output(_one_of(sample, "output", dict) or {}, scored=bool(scores))
        error = NO_OUTPUT if output is None else None
    elif isinstance(error, dict) and isinstance(error.get("message"), str):
        error = error["message"] or "the sample failed"
    return Found(
        id=str(name) if id_field is None else _other_id(sample, id_field),
        place=place,
        repeat=epoch - 1,
        output=output,
        error=None if error is None else as_text(error),
        tools=None if messages is None else tuple(_tools(messages)),
        scores=() if error is not None else tuple(scores_of(scores, odd)),
        case=FoundCase(
            input=_input(sample.get("input")),
            reference=_reference(sample.get("target")),
            labels=labels_of(metadata),
            metadata=canonical(_with_choices(sample, metadata)),
            rules=rules.every,
            rules_by_score=rules.by_score,
        ),
        cost_usd=_cost(sample.get("model_usage")),
        latency_ms=_milliseconds(sample),
        trace=None if messages is None else canonical([_plain(each) for each in messages]),
        by_place=by_place,
    )


def _one_of(sample: Members, name: str, kind: type) -> Any:  # noqa: ANN401 - as ``kind`` says
    found = sample.get(name)
    if found is not None and type(found) is not kind:
        wanted = "a list" if kind is list else "an object"
        raise SampleRefused(expected(name, wanted, found))
    return found


def _other_id(sample: Members, path: str) -> str:
    try:
        found = dotted(sample.built(besides=UNREAD), path)
    except KeyError:
        raise SampleRefused(f"`{path}`: is missing") from None
    problems: list[str] = []
    name = read_name(path, found, problems)
    if name is None:
        raise SampleRefused(problems[0])
    return name


def _input(found: object) -> str:
    if isinstance(found, str):
        return found
    if not isinstance(found, list):
        raise SampleRefused(expected("input", "a text or a list of messages", found))
    # The ids of messages are new in every run: they are no part of what was asked.
    plain = [_plain(message) for message in found]
    match plain:
        case [{"role": "user", "content": str(text)}]:
            return text
        case _:
            return canonical(plain)


def _reference(target: object) -> str | None:
    """Give the target: alternatives as a JSON list, and ``""``, Inspect's default, as none."""
    found = target if isinstance(target, list) else [target]
    alternatives = [each for each in found if isinstance(each, str)]
    if len(alternatives) < len(found):
        raise SampleRefused("`target`: expected a text or a list of texts")
    if len(alternatives) > 1:
        return canonical(alternatives)
    return "".join(alternatives) or None


def _with_choices(sample: Members, metadata: dict[str, Any]) -> dict[str, Any]:
    choices = sample.get("choices")
    return metadata if choices is None else {"choices": choices, **metadata}


def _output(output: dict[str, Any], *, scored: bool) -> str | None:
    choices = output.get("choices")
    match choices:
        case [{"message": {"content": content}}, *_]:
            return _text(content)
        case [] | None:
            completion = output.get("completion")
            if isinstance(completion, str) and (completion or scored):
                return completion
            return None
        case _:
            raise SampleRefused("`output.choices`: expected a list of objects with a `message`")


def _text(content: object) -> str:
    if not isinstance(content, list):
        return as_text(content)
    texts = [
        part["text"]
        for part in content
        if isinstance(part, dict)
        and part.get("type") == "text"
        and isinstance(part.get("text"), str)
    ]
    return "\n".join(texts)


def _plain(message: object) -> object:
    """Give a message without what differs from run to run though the agent did the same."""
    if not isinstance(message, dict):
        return message
    content = message.get("content")
    if isinstance(content, list) and all(
        isinstance(part, dict) and part.get("type") == "text" for part in content
    ):
        content = _text(content)
    plain = {"role": message.get("role"), "content": content}
    if message.get("function") is not None:
        plain["function"] = message["function"]
    if message.get("error") is not None:
        plain["error"] = message["error"]
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls:
        plain["tool_calls"] = [
            {key: call.get(key) for key in ("function", "arguments")}
            if isinstance(call, dict)
            else call
            for call in calls
        ]
    return plain


def _tools(messages: list[object]) -> list[str]:
    """Name the tools in the order of the calls; what stood in the input was not called."""
    called: list[str] = []
    for at, message in enumerate(messages):
        if not isinstance(message, dict):
            raise SampleRefused(expected(f"messages[{at}]", "an object", message))
        if message.get("role") != "assistant" or message.get("source") == "input":
            continue
        content = message.get("content")
        called += [
            _tool(part.get("name"), f"messages[{at}].content")
            for part in (content if isinstance(content, list) else ())
            if isinstance(part, dict) and part.get("type") == "tool_use"
        ]
        calls = message.get("tool_calls")
        if calls is not None and not isinstance(calls, list):
            raise SampleRefused(expected(f"messages[{at}].tool_calls", "a list", calls))
        for call in calls or ():
            function = call.get("function") if isinstance(call, dict) else None
            called.append(_tool(function, f"messages[{at}].tool_calls"))
    return called


def _tool(name: object, where: str) -> str:
    if not isinstance(name, str):
        raise SampleRefused(f"`{where}`: a call without the name of its tool")
    return name


def scores_of(scores: dict[str, Any], odd: set[str]) -> list[RecordedScore]:
    """Read the member ``scores``; see :func:`read_sample`. Raises ``SampleRefused``."""
    found: list[RecordedScore] = []
    for scorer, score in scores.items():
        if not isinstance(score, dict) or "value" not in score:
            raise SampleRefused(f"`scores`: {shown(scorer)} has no `value`")
        failed, by_hand = has_failed(score), is_by_hand(score)
        value = score["value"]
        if isinstance(value, dict):
            named = {f"{scorer}.{key}": each for key, each in value.items()}
        elif isinstance(value, list):
            named = {f"{scorer}.{at}": each for at, each in enumerate(value)}
        else:
            named = {scorer: value}
        for name, each in named.items():
            read = None if failed else value_of(each)
            if read is None and isinstance(each, str | dict | list) and not failed:
                odd.add(name)
            found.append(RecordedScore(name, read, by_hand=by_hand))
    return found


def _cost(usage: object) -> float | None:
    """Sum what Inspect says each model cost; ``None`` where it does not say it of one."""
    if not isinstance(usage, dict) or not usage:
        return None
    costs = [_amount(each.get("total_cost")) for each in usage.values() if isinstance(each, dict)]
    known = [cost for cost in costs if cost is not None]
    return fsum(known) if len(known) == len(usage) else None


def _milliseconds(sample: Members) -> float | None:
    for name in ("working_time", "total_time"):
        seconds = _amount(sample.get(name))
        if seconds is not None:
            return seconds * 1000
    return None


def _amount(found: object) -> float | None:
    amount = None if isinstance(found, bool) else number(found)
    return amount if amount is not None and amount >= 0 else None
