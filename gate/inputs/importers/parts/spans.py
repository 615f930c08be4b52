"""Spans of OpenTelemetry, from any of the files in which they come, gathered into traces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.inputs.fields import expected
from gate.inputs.importers.found import Gap, Remark, Wrong
from gate.inputs.importers.parts.documents import documents
from gate.inputs.importers.parts.dotted import dotted
from gate.inputs.importers.parts.opening import paths
from gate.inputs.importers.parts.span_fields import OddSpan, otlp_attributes, span_id, span_time
from gate.inputs.importers.source import value
from gate.inputs.lines import Unreadable
from gate.records.json_text import JsonRefused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gate.inputs.importers.source import Source

MAX_SPANS: Final = 1_000_000
"""Spans of one file, at most."""
_CARRIERS: Final = frozenset(
    f"{prefix}{key}" for prefix in ("", "[].") for key in ("resourceSpans", "context.trace_id")
)
"""Keys that a file of spans has at its beginning."""
_REMOTE: Final = 0x200
"""The flag of a span whose parent is another process's."""
_TOLD: Final = 0x100
"""The flag of a span that says whether it is."""
_TRACEBACK: Final = "Traceback (most recent call last)"
_FINE: Final = frozenset(
    ("", "0", "1", "unset", "ok", *(f"status_code_{one}" for one in ("unset", "ok")))
)
"""What a span's status may say, in lower case, that has not failed."""


class Span(NamedTuple):
    """One span, of which only what the importer asked for is kept (``kept``).

    ``start`` and ``end`` are nanoseconds. ``parent`` is ``None`` at the root, and ``remote`` says
    whether it is another process's, ``None`` where nobody does. ``failure`` is what an error said,
    ``None`` without one. ``case_id`` is the value of the attribute that names the case, where
    this span has it.
    """

    trace: str
    id: str
    parent: str | None
    remote: bool | None
    name: str
    start: int
    end: int
    failure: str | None
    kept: Any
    case_id: Any


class Trace(NamedTuple):
    """One trace: its spans by their start; ``tops`` are those whose parent is not in the file."""

    id: str
    spans: list[Span]
    tops: list[Span]

    def whole(self, top: Span) -> bool:
        """Say whether nothing above ``top`` is missing that this process should have written."""
        return top.parent is None or top.remote is True

    def cut(self, top: Span) -> bool:
        """Say whether what is above ``top`` never came: it died, or was not flushed.

        An agent may be called by something that was never to be in the file, such as a server.
        """
        agent = top.kept.kind == "agent" and top.remote is None
        return not (self.whole(top) or agent)


def holds_spans(opening: bytes) -> bool:
    """Say whether a file that begins so holds spans.

    >>> holds_spans(b'{"resourceSpans": ['), holds_spans(b'{"cases": [{"trace_id": "1"}]}')
    (True, False)
    """
    return not _CARRIERS.isdisjoint(paths(opening))


def traces(
    source: Source, id_field: str | None, keep: Callable[[str, dict[str, Any]], Any]
) -> Iterator[Trace | Wrong | Gap | Remark]:
    """Give what is wrong with single spans, and then the traces in the order of their starts.

    A span that was delivered twice is read once; two different ones of one id are wrong.

    ``keep`` is given a span's name and attributes and says what of them is held, which is what
    bounds the memory. Raises ``PredictionsInvalid`` where the file cannot be read.
    """
    held: dict[str, dict[str, Span]] = {}
    count = again = 0
    for place, found in _raw(source):
        if isinstance(found, Wrong):
            yield found
            continue
        count += 1
        if count > MAX_SPANS:
            yield Gap(f"more than {MAX_SPANS} spans: the rest was not read")
            break
        try:
            span = _span(found, id_field, keep)
        except OddSpan as error:
            yield Wrong(place, str(error))
            continue
        before = held.setdefault(span.trace, {}).setdefault(span.id, span)
        if before is not span:
            again += 1
            if before != span:
                yield Wrong(place, f"the span {span.id} of the trace {span.trace} stands twice")
    if again:
        yield Remark(f"spans that were delivered more than once, and are read once: {again}")
    ordered = [_gathered(name, list(spans.values())) for name, spans in held.items()]
    held.clear()
    ordered.sort(key=lambda one: (one.spans[0].start, one.id))
    yield from ordered


class _Raw(NamedTuple):
    """A span as it stands in the file, in either spelling, with its resource's attributes."""

    fields: dict[str, Any]
    resource: dict[str, Any]
    otlp: bool = False


def named(record: dict[str, Any], path: str) -> Any:  # noqa: ANN401 - any of six types
    """Give the attribute called ``path``, or what is inside one, also where that is JSON text.

    Raises ``KeyError``.

    >>> named({"case.id": 7}, "case.id"), named({"metadata": '{"case": "a"}'}, "metadata.case")
    (7, 'a')
    """
    try:
        return dotted(record, path)
    except KeyError:
        parts = path.split(".")
        for count in range(len(parts) - 1, 0, -1):
            text = record.get(".".join(parts[:count]))
            if isinstance(text, str) and text.startswith("{"):
                try:
                    return dotted(value(text), ".".join(parts[count:]))
                except JsonRefused:
                    continue
        raise


def parsed(found: object) -> Any:  # noqa: ANN401 - any of six types
    """Give what the JSON text in an attribute says; any other text, or value, as it is.

    >>> parsed('{"a": 1}'), parsed("Paris")
    ({'a': 1}, 'Paris')
    """
    if isinstance(found, str):
        try:
            return value(found)
        except JsonRefused:
            return found
    return found


def _gathered(name: str, spans: list[Span]) -> Trace:
    ids = {one.id for one in spans}
    ordered = sorted(spans, key=lambda one: one.start)  # stable: ties stay as they were written
    tops = [one for one in ordered if one.parent is None or one.parent not in ids]
    return Trace(name, ordered, tops or ordered[:1])


def _raw(source: Source) -> Iterator[tuple[str, _Raw | Wrong]]:
    for place, document in documents(source):
        if isinstance(document, Unreadable):
            yield place, Wrong(place, str(document))
        elif not isinstance(document, dict):
            yield place, Wrong(place, expected("the span", "an object", document))
        elif "resourceSpans" in document:
            yield from _otlp(document, place)
        else:
            resource = document.get("resource")
            attributes = resource.get("attributes") if isinstance(resource, dict) else None
            yield place, _Raw(document, attributes if isinstance(attributes, dict) else {})


def _otlp(document: dict[str, Any], place: str) -> Iterator[tuple[str, _Raw | Wrong]]:
    prefix = "" if place in {"line 1", "the file"} else f"{place}: "
    for at, resource in _objects(document, "resourceSpans", f"{prefix}resourceSpans"):
        if isinstance(resource, Wrong):
            yield at, resource
            continue
        about = resource.get("resource")
        shared = otlp_attributes(about.get("attributes")) if isinstance(about, dict) else {}
        for within, scope in _objects(resource, "scopeSpans", f"{at}.scopeSpans"):
            if isinstance(scope, Wrong):
                yield within, scope
                continue
            for stand, span in _objects(scope, "spans", f"{within}.spans"):
                yield stand, span if isinstance(span, Wrong) else _Raw(span, shared, otlp=True)


def _objects(
    record: dict[str, Any], field: str, place: str
) -> Iterator[tuple[str, dict[str, Any] | Wrong]]:
    listed = record.get(field)
    if listed is None:
        return
    if not isinstance(listed, list):
        yield place, Wrong(place, expected(field, "a list", listed))
        return
    for index, one in enumerate(listed):
        at = f"{place}[{index}]"
        good = isinstance(one, dict)
        yield at, one if good else Wrong(at, expected(field, "a list of objects", one))


def _span(raw: _Raw, id_field: str | None, keep: Callable[[str, dict[str, Any]], Any]) -> Span:
    fields = raw.fields
    if raw.otlp:
        trace, own, parent = (fields.get(key) for key in ("traceId", "spanId", "parentSpanId"))
        start, end = fields.get("startTimeUnixNano"), fields.get("endTimeUnixNano")
        attributes = otlp_attributes(fields.get("attributes"))
    else:
        context = fields.get("context")
        context = context if isinstance(context, dict) else fields
        trace, own = context.get("trace_id"), context.get("span_id")
        parent = fields.get("parent_id")
        start, end = fields.get("start_time"), fields.get("end_time")
        given = fields.get("attributes")
        attributes = given if isinstance(given, dict) else {}
    name, flags = fields.get("name"), fields.get("flags")
    case_id = None
    if id_field is not None:
        for record in (attributes, raw.resource):
            try:
                case_id = named(record, id_field)
            except KeyError:
                continue
            break
    name = name if isinstance(name, str) else ""
    began = span_time(start, "the start time")
    return Span(
        trace=span_id(trace, "the trace id", 32),
        id=span_id(own, "the span id", 16),
        parent=None if parent is None or parent == "" else span_id(parent, "the parent's id", 16),
        remote=_remote(flags),
        name=name,
        start=began,
        end=began if end is None or end == "" else span_time(end, "the end time"),
        failure=_failure(fields, otlp=raw.otlp),
        kept=keep(name, attributes),
        case_id=case_id,
    )


def _remote(flags: object) -> bool | None:
    if type(flags) is not int or not flags & (_TOLD | _REMOTE):
        return None
    return bool(flags & _REMOTE)


def _failure(fields: dict[str, Any], *, otlp: bool) -> str | None:
    status = fields.get("status")
    if not isinstance(status, dict):
        return None
    code = status.get("code" if otlp else "status_code")
    word = "" if code is None else str(code).strip().lower().removeprefix("statuscode.")
    if word in _FINE:
        return None
    said = status.get("message" if otlp else "description")
    if isinstance(said, str) and said.strip():
        return said.partition(_TRACEBACK)[0].strip() or said
    return _exception(fields, otlp=otlp) or "the span's status is ERROR"


def _exception(fields: dict[str, Any], *, otlp: bool) -> str | None:
    events = fields.get("events")
    for event in reversed(events if isinstance(events, list) else []):
        if isinstance(event, dict) and event.get("name") == "exception":
            given = event.get("attributes")
            told = otlp_attributes(given) if otlp else given if isinstance(given, dict) else {}
            parts = (told.get("exception.type"), told.get("exception.message"))
            said = ": ".join(one for one in parts if isinstance(one, str) and one)
            if said:
                return said
    return None
