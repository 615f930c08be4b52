"""One sample of Ragas: a question with its answer, or a conversation."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final, NamedTuple

from gate.inputs.fields import expected
from gate.inputs.importers.found import Found, FoundCase
from gate.inputs.importers.parts.labels import labels_of
from gate.records.json_text import canonical

SAMPLE: Final = (
    "user_input", "response", "reference", "retrieved_contexts", "reference_contexts",
    "retrieved_context_ids", "reference_context_ids", "multi_responses", "rubrics", "rubric",
    "persona_name", "query_style", "query_length", "reference_tool_calls", "reference_topics",
    "labels", "tags",
)  # fmt: skip
"""Columns that are of the sample, and no metric."""
NO_OUTPUT: Final = "Ragas holds no response for this row"


class SampleRefused(ValueError):
    """A row is not as Ragas writes one; the message names the column."""


class Sample(NamedTuple):
    """What a row says beside its scores. ``digest`` is of what was asked and expected."""

    output: str | None
    tools: tuple[str, ...] | None
    case: FoundCase
    digest: str

    def answer(self, name: str, place: str) -> Found:
        """Give it as the answer of the case ``name``."""
        return Found(
            id=name,
            place=place,
            output=self.output,
            error=NO_OUTPUT if self.output is None else None,
            tools=self.tools,
            case=self.case,
        )


def read_sample(record: dict[str, Any], *, is_csv: bool) -> Sample:
    """Read a row without its scores. Raises ``SampleRefused``."""
    asked = record.get("user_input")
    if is_csv and isinstance(asked, str) and asked.lstrip().startswith("[{"):
        raise SampleRefused("`user_input`: a conversation cannot be read from CSV: write JSONL")
    reference = _text(record, "reference")
    if is_csv and reference == "":
        reference = None
    if isinstance(asked, list):
        question, output, tools = _conversation(asked)
    else:
        question, output, tools = (
            _text(record, "user_input") or "",
            _text(record, "response"),
            None,
        )
    expected_tools = () if is_csv else _calls(record.get("reference_tool_calls"), "reference")
    return Sample(
        output=output,
        tools=tools,
        case=FoundCase(
            input=question,
            reference=reference,
            expected_tools=expected_tools,
            labels=labels_of(record),
        ),
        digest="sha256:" + sha256(canonical([question, reference]).encode()).hexdigest()[:16],
    )


def _text(record: dict[str, Any], name: str) -> str | None:
    found = record.get(name)
    if found is not None and not isinstance(found, str):
        raise SampleRefused(expected(name, "a text", found))
    return found


def _conversation(messages: list[Any]) -> tuple[str, str | None, tuple[str, ...]]:
    """Give what the user said, the answer, and the tools in the order of the calls.

    The answer is what stands last: a conversation that ends with the user or a tool has none.
    """
    asked: list[str] = []
    output: str | None = None
    tools: list[str] = []
    for at, message in enumerate(messages):
        where = f"user_input[{at}]"
        if not isinstance(message, dict):
            raise SampleRefused(expected(where, "an object", message))
        content, role = message.get("content"), message.get("type")
        if not isinstance(content, str):
            raise SampleRefused(expected(f"{where}.content", "a text", content))
        if role == "human":
            asked.append(content)
            output = None
        elif role == "ai":
            output = content
            tools += _calls(message.get("tool_calls"), where)
        elif role == "tool":
            output = None
        else:
            raise SampleRefused(f"`{where}.type`: expected human, ai or tool")
    question = asked[0] if len(asked) == 1 else canonical(asked)
    return question, output, tuple(tools)


def _calls(calls: object, where: str) -> tuple[str, ...]:
    if calls is None:
        return ()
    if not isinstance(calls, list):
        raise SampleRefused(expected(f"{where}.tool_calls", "a list", calls))
    names = [call.get("name") if isinstance(call, dict) else None for call in calls]
    texts = tuple(name for name in names if isinstance(name, str))
    if len(texts) < len(names):
        raise SampleRefused(f"`{where}.tool_calls`: a call without the name of its tool")
    return texts
