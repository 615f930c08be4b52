"""OpenTelemetry's GenAI spans: OTLP as JSON, or what the SDK prints; one trace is one run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from gate.inputs.importers.parts.chat import OddMessage, conversation, messages_in
from gate.inputs.importers.parts.spans import holds_spans, parsed
from gate.inputs.importers.parts.traced import Told, runs
from gate.records.json_text import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.parts.chat import Conversation
    from gate.inputs.importers.source import Source

NAME: Final = "otel"
TITLE: Final = "OpenTelemetry GenAI spans (OTLP `.json`, SDK `.json`, `.jsonl`)"
DOC: Final = """\
Spans by the GenAI conventions: OTLP as JSON (one request, several, or one a line as the collector's file exporter
writes them; ids in hexadecimal or base64), or what the SDKs' `to_json` and console exporters print (an array, one a
line, or each over several lines). One trace is one run. Spans stand in such files in the order in which they ended;
they are sorted by their start.

| here | from |
|---|---|
| id | the attribute that `--id-field` names (`case.id`), of any span of the trace or of its resource, also inside one that is JSON (`metadata.case`); else the trace id, which never comes again: a baseline needs `--id-field` |
| repeat | traces of one id are numbered by their start |
| input | the user's text in `gen_ai.input.messages` of the agent's span, else of the first model call |
| output | of the agent's span: `gen_ai.output.messages`, `final_result` or `pydantic_ai.all_messages`; else what the last model call said |
| tools | `gen_ai.tool.name` of the `execute_tool` spans by their start, those of agents that the agent called among them; without such spans the calls in the models' `gen_ai.output.messages` |
| error | status ERROR of the trace's root or of the agent's span: its message, else its exception. A tool's failure is not the run's. No answer recorded is an error too |
| labels | none |
| latency | the agent's span, from start to end |

A trace in which several ids stand is split at the spans that bear them, so one span around a whole evaluation does no
harm. Traces without a GenAI span are left out, and counted. A run whose outer span is missing (and whose parent is
not marked as remote) is a gap: the process died, or did not flush. A span that was delivered twice is read once; two
different spans of one id are an error. At most 1,000,000 spans.
"""  # noqa: E501 - rows of a table
_OPERATIONS: Final = {
    "invoke_agent": "agent",
    "execute_tool": "tool",
    "chat": "model",
    "text_completion": "model",
    "generate_content": "model",
}
_OTHER_CONVENTION: Final = re.compile(rb'(?<!\\)"openinference\.span\.kind"')


def recognises(opening: bytes) -> bool:
    """Say whether a file holds spans, and none by OpenInference's conventions.

    >>> recognises(b'{"resourceSpans": []}'), recognises(b'{"id": "a", "output": "x"}')
    (True, False)
    """
    return holds_spans(opening) and not _OTHER_CONVENTION.search(opening)


def found(source: Source, options: ImportOptions) -> Iterator[Finding]:
    """Give each run of a file of spans; see :data:`DOC`."""
    return runs(source, options, _told, kin="GenAI")


def _told(name: str, attributes: dict[str, Any]) -> Told:
    operation = attributes.get("gen_ai.operation.name")
    kind = _OPERATIONS.get(operation) if isinstance(operation, str) else None
    tool = attributes.get("gen_ai.tool.name")
    if kind == "tool" or (kind is None and isinstance(tool, str)):
        call_id = attributes.get("gen_ai.tool.call.id")
        return Told(
            "tool",
            tool=tool if isinstance(tool, str) else name.removeprefix("execute_tool "),
            call_id=call_id if isinstance(call_id, str) else "",
            arguments=parsed(attributes.get("gen_ai.tool.call.arguments")),
            result=parsed(attributes.get("gen_ai.tool.call.result")),
        )
    if kind is None:
        of_run = any(key.startswith("gen_ai.") for key in attributes)
        return Told("other" if of_run else "foreign")
    asked = _messages(attributes, "gen_ai.input.messages")
    said = _messages(attributes, "gen_ai.output.messages")
    everything = _messages(attributes, "pydantic_ai.all_messages")
    answer = said.answer if said is not None else None
    final = attributes.get("final_result")
    if answer is None and final is not None:
        answer = as_text(final)
    if answer is None and everything is not None:
        answer = everything.answer
    question = next((one.question for one in (asked, everything) if one is not None), None)
    return Told(kind, question, answer, _calls(said))


def _messages(attributes: dict[str, Any], key: str) -> Conversation | None:
    listed = messages_in(attributes.get(key))
    if listed is None:
        return None
    try:
        return conversation(listed, name=key)
    except OddMessage:
        return None  # what is left of it is not what was said


def _calls(said: Conversation | None) -> tuple[tuple[str, str], ...] | None:
    return None if said is None else tuple((one.id, one.name) for one in said.calls)
