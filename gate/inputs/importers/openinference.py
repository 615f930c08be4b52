"""OpenInference's spans, as Phoenix and Arize read them; one trace is one run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from gate.inputs.importers.parts.chat import (
    OddMessage,
    conversation,
    is_message,
    messages_in,
    text,
    unwrapped,
)
from gate.inputs.importers.parts.labels import labels_of
from gate.inputs.importers.parts.spans import holds_spans, parsed
from gate.inputs.importers.parts.traced import Told, runs
from gate.records.json_text import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

NAME: Final = "openinference"
TITLE: Final = "OpenInference spans (Phoenix, Arize; OTLP `.json`, SDK `.json`, `.jsonl`)"
DOC: Final = """\
The files are those of [OpenTelemetry GenAI](#otel) spans, and are read by the same rules; the attributes are
OpenInference's (`openinference.span.kind`).

| here | from |
|---|---|
| id | the attribute that `--id-field` names, also inside one that is JSON (`session.id`, `metadata.case`); else the trace id, which never comes again |
| repeat | traces of one id are numbered by their start |
| input | `input.value` of the outermost span |
| output | `output.value` of the outermost span, else of the agent's, else what the last LLM span said |
| tools | `tool.name` of the TOOL spans by their start; without such spans the calls in `llm.output_messages` of the LLM spans. The calls in `llm.input_messages` repeat earlier ones and are not read |
| error | status ERROR of the trace's root or of an AGENT span |
| labels | `tag.tags`; `labels` and `tags` in `metadata` |
| latency | the agent's span, else the root, from start to end |

A value that is a framework's whole state is read for what it says: of a `messages` list the user's question and the
assistant's last answer, of an object its `input` and `output` texts. Any other JSON is canonical JSON text.
"""  # noqa: E501 - rows of a table
_KIND: Final = "openinference.span.kind"
_KINDS: Final = {"AGENT": "agent", "LLM": "model", "TOOL": "tool"}
_MARK: Final = re.compile(rb'(?<!\\)"openinference\.span\.kind"')
_SAID: Final = re.compile(r"llm\.(?:in|out)put_messages\.([0-9]{1,6})\.message\.(role|content)")
_CALL: Final = re.compile(
    r"llm\.output_messages\.([0-9]{1,6})\.message\.tool_calls\.([0-9]{1,6})"
    r"\.tool_call\.(id|function\.name)"
)


def recognises(opening: bytes) -> bool:
    """Say whether a file holds spans by OpenInference's conventions."""
    return bool(_MARK.search(opening)) and holds_spans(opening)


def found(source: Source, options: ImportOptions) -> Iterator[Finding]:
    """Give each run of a file of spans; see :data:`DOC`."""
    return runs(source, options, _told, kin="OpenInference")


def _told(name: str, attributes: dict[str, Any]) -> Told:
    said = attributes.get(_KIND)
    if not isinstance(said, str):
        return Told("foreign")
    kind = _KINDS.get(said.upper(), "other")
    labels = _labels(attributes)
    if kind == "tool":
        tool, call_id = attributes.get("tool.name"), attributes.get("tool_call.id")
        result = parsed(attributes.get("output.value"))
        return Told(
            "tool",
            tool=tool if isinstance(tool, str) and tool else name,
            call_id=call_id if isinstance(call_id, str) else "",
            arguments=parsed(attributes.get("input.value")),
            result=text(unwrapped(result)) if is_message(result) else result,
            labels=labels,
        )
    if kind == "model":
        calls = _calls(attributes)
        answer = _message(attributes, "output", "assistant")
        return Told(
            "model",
            question=_message(attributes, "input", "user"),
            answer=answer,
            calls=calls if calls or answer is not None else None,
            labels=labels,
        )
    return Told(
        kind,
        question=_value(attributes.get("input.value"), "input"),
        answer=_value(attributes.get("output.value"), "output"),
        labels=labels,
    )


def _value(found: object, side: str) -> str | None:
    """Give what a value says; ``side`` is ``input`` or ``output``."""
    state = parsed(found)
    listed = state.get("messages") if isinstance(state, dict) else state
    messages = messages_in(listed)
    if messages is not None:
        try:
            said = conversation(messages)
        except OddMessage:
            return as_text(state)
        return said.question if side == "input" else said.answer
    if isinstance(state, dict) and isinstance(state.get(side), str):
        return str(state[side])
    if isinstance(found, str) and not isinstance(state, (dict, list, str)):
        return found  # a number, as it was written
    return None if state is None else as_text(state)


def _message(attributes: dict[str, Any], side: str, who: str) -> str | None:
    """Give the text of the first message of the user, or of the last of the assistant."""
    told: dict[int, dict[str, Any]] = {}
    prefix = f"llm.{side}_messages."
    for key, said in attributes.items():
        found = _SAID.fullmatch(key) if key.startswith(prefix) else None
        if found:
            told.setdefault(int(found[1]), {})[found[2]] = said
    texts = [
        one["content"]
        for _, one in sorted(told.items())
        if one.get("role") in (who, None) and isinstance(one.get("content"), str)
    ]
    if not texts:
        return None
    return str(texts[0] if who == "user" else texts[-1])


def _calls(attributes: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    told: dict[tuple[int, int], dict[str, str]] = {}
    for key, said in attributes.items():
        found = _CALL.fullmatch(key) if key.startswith("llm.output_messages.") else None
        if found and isinstance(said, str):
            told.setdefault((int(found[1]), int(found[2])), {})[found[3]] = said
    return tuple(
        (one.get("id", ""), one["function.name"])
        for _, one in sorted(told.items())
        if "function.name" in one
    )


def _labels(attributes: dict[str, Any]) -> tuple[str, ...]:
    metadata, tags = parsed(attributes.get("metadata")), parsed(attributes.get("tag.tags"))
    return (*labels_of(metadata), *labels_of({"tags": tags}))
