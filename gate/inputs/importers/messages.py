"""Chat messages: OpenAI's, agentevals' trajectories and their like, one conversation a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gate.inputs.fields import expected, read_name, shown
from gate.inputs.importers.found import Found, FoundCase, Remark, Wrong
from gate.inputs.importers.parts.chat import OddMessage, conversation, is_message
from gate.inputs.importers.parts.documents import documents
from gate.inputs.importers.parts.dotted import dotted
from gate.inputs.importers.parts.labels import labels_of
from gate.inputs.importers.parts.opening import paths
from gate.inputs.lines import Unreadable
from gate.inputs.seen import MAX_REPEAT
from gate.records.json_text import canonical, digest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.parts.chat import Conversation
    from gate.inputs.importers.source import Source

NAME: Final = "messages"
TITLE: Final = "Chat messages (OpenAI, agentevals; `.json`, `.jsonl`)"
DOC: Final = """\
A file of conversations: a JSON array of messages (one run); an array, or one a line, of such arrays;
or of objects with `messages` (or agentevals' `outputs`). Messages are OpenAI's; LangChain's
(`type`: `human`, `ai`), Anthropic's (`tool_use` parts) and OpenTelemetry's (`parts`) are read alike.

| here | from |
|---|---|
| id | `--id-field`, else `id`, else a digest of the messages before the assistant's first: the same question is the same case |
| repeat | `repeat`, else conversations of one id are numbered in their order |
| input | the texts of the user before the assistant's first message |
| output | the text of the assistant's last message; where it only calls tools, the calls as JSON (`[{"arguments": …, "name": …}]`) |
| reference | what the assistant says last in `reference_outputs` (or that field's text) |
| tools | `tool_calls` of every message of the assistant, in order |
| expected tools | those of `reference_outputs`, in order |
| labels | `labels`, `tags`, and those of `metadata` |
| error | `error`; and an answer that is not there: no message of the assistant, one without text, or a tool's result or the user's word as the last message |

There are no scores in such a file: name one of our scorers, or a trajectory gate. Refused are messages without a
role, calls without a name, and more than 100,000 messages in one conversation.
"""  # noqa: E501 - rows of a table

_FIELDS: Final = ("messages", "outputs")
_MARKS: Final = ("role", "type")
"""What says of an object that it is a message."""
_HOLDERS: Final = ("messages", "outputs", "outputs.messages")


def recognises(opening: bytes) -> bool:
    r"""Say whether a file begins with a conversation, or with an object that holds one.

    A record with an answer or a question of its own is ours, or a plain one.

    >>> recognises(b'[{"role": "user", "content": "?"}]')
    True
    >>> recognises(b'{"id": "a", "output": "x", "messages": [{"role": "user"}]}')
    False
    """
    known = paths(opening)
    for prefix in ("", "[]."):
        if any(f"{prefix}{holder}[].{key}" in known for holder in _HOLDERS for key in _MARKS):
            return not any(f"{prefix}{field}" in known for field in ("output", "input", "query"))
    for prefix in ("", "[].", "[][]."):
        if f"{prefix}content" in known and any(f"{prefix}{key}" in known for key in _MARKS):
            return True
    return False


def found(source: Source, options: ImportOptions) -> Iterator[Finding]:
    """Give each conversation of a file; see :data:`DOC`."""
    alone: list[Any] = []
    kinds: dict[str, bool] = {}
    digests = 0
    for place, value in documents(source):
        if is_message(value) and not any(field in value for field in _FIELDS):
            alone.append(value)  # the array, or the lines, are one conversation
            continue
        record = {"messages": value} if isinstance(value, list) else value
        finding = _run(record, place, options, kinds)
        digests += isinstance(finding, Found) and finding.id.startswith("sha256:")
        yield finding
    if alone:
        finding = _run({"messages": alone}, "the conversation", options, kinds)
        digests += isinstance(finding, Found)
        yield finding
    if digests:
        yield Remark(
            "conversations without an id, named by a digest of what was asked (--id-field names "
            f"a field that holds one): {digests}"
        )


def _run(
    record: object, place: str, options: ImportOptions, kinds: dict[str, bool]
) -> Found | Wrong:
    if isinstance(record, Unreadable):
        return Wrong(place, str(record))
    if not isinstance(record, dict):
        return Wrong(place, expected("messages", "a conversation", record))
    problems: list[str] = []
    said = _conversation(record, problems)
    name = _id(record, said, options, problems, kinds)
    repeat, error = record.get("repeat"), record.get("error")
    if repeat is not None and (type(repeat) is not int or not 0 <= repeat <= MAX_REPEAT):
        problems.append(f"`repeat`: expected a whole number from 0 to {MAX_REPEAT}")
    case = None if said is None else _case(record, said, problems)
    if problems or said is None or name is None:
        return Wrong(place, "; ".join(problems))
    if error is not None:
        error = error if isinstance(error, str) and error.strip() else canonical(error)
    elif said.answer is None:
        error = said.silent
    return Found(
        id=name,
        place=place,
        repeat=repeat,
        output=said.answer if error is None else None,
        error=error,
        tools=tuple(one.name for one in said.calls),
        case=case,
        trace=canonical(said.messages),
    )


def _conversation(record: dict[str, Any], problems: list[str]) -> Conversation | None:
    field = next((name for name in _FIELDS if record.get(name) is not None), None)
    if field is None:
        problems.append("`messages`: is missing")
        return None
    held = record[field]
    if isinstance(held, dict) and "messages" in held:
        held = held["messages"]
    if not isinstance(held, list):
        problems.append(expected(field, "a list of messages", held))
        return None
    try:
        return conversation(held, name=field)
    except OddMessage as error:
        problems.append(str(error))
        return None


def _id(
    record: dict[str, Any],
    said: Conversation | None,
    options: ImportOptions,
    problems: list[str],
    kinds: dict[str, bool],
) -> str | None:
    field = options.id_field or "id"
    try:
        given = dotted(record, field)
    except KeyError:
        given = None
    if given is None:
        if options.id_field:
            problems.append(f"`{field}`: is missing, and --id-field says that the id is there")
            return None
        return None if said is None else f"sha256:{digest(said.opening)[7:23]}"
    name = read_name(field, given, problems)
    if name is None:
        return None
    numeric = type(given) is int
    if kinds.setdefault(name, numeric) != numeric:
        problems.append(f"id {shown(name)} stands there as a number and as a text")
    return name


def _case(record: dict[str, Any], said: Conversation, problems: list[str]) -> FoundCase:
    wanted = record.get("reference_outputs")
    if isinstance(wanted, dict) and "messages" in wanted:
        wanted = wanted["messages"]
    reference: str | None = None
    tools: tuple[str, ...] = ()
    if isinstance(wanted, list) and wanted:
        try:
            golden = conversation(wanted, name="reference_outputs")
        except OddMessage as error:
            problems.append(str(error))
        else:
            reference = golden.answer
            tools = tuple(one.name for one in golden.calls)
    elif wanted is not None and wanted != []:
        reference = wanted if isinstance(wanted, str) else canonical(wanted)
    labels = {*labels_of(record), *labels_of(record.get("metadata"))}
    kept = record.get("metadata")
    return FoundCase(
        input=said.question,
        reference=reference,
        expected_tools=tools,
        labels=tuple(sorted(labels)),
        metadata=canonical(kept) if isinstance(kept, dict) else "{}",
    )
