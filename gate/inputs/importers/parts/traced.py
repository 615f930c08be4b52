"""Traces of agents to runs: which spans are one run, whose case it is, and how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.inputs.fields import read_name, shown
from gate.inputs.importers.found import Found, FoundCase, Gap, Remark, Wrong
from gate.inputs.importers.parts.spans import Span, Trace, traces
from gate.records.json_text import canonical

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

_MILLION: Final = 1_000_000
_INNER: Final = ("model", "agent")
"""Spans whose answers come in their own order, whether or not they are the outermost."""


class Told(NamedTuple):
    """What one tool's attributes say of one span.

    ``kind`` is ``agent``, ``model``, ``tool``, ``other`` (of an agent's run, but none of these)
    or ``foreign``. ``calls`` are the ids and names of the tools that a model asked for, ``None``
    where what it said was not recorded.
    """

    kind: str
    question: str | None = None
    answer: str | None = None
    calls: tuple[tuple[str, str], ...] | None = None
    tool: str = ""
    call_id: str = ""
    arguments: Any = None
    result: Any = None
    labels: tuple[str, ...] = ()


def runs(
    source: Source,
    options: ImportOptions,
    keep: Callable[[str, dict[str, Any]], Told],
    *,
    kin: str,
) -> Iterator[Finding]:
    """Give the runs of a file; ``kin`` names the spans that ``keep`` knows."""
    read = foreign = cut = beside = 0
    for found in traces(source, options.id_field, keep):
        if isinstance(found, (Wrong, Gap, Remark)):
            yield found
            continue
        if all(one.kept.kind == "foreign" and one.case_id is None for one in found.spans):
            foreign += 1
            continue
        for part in _parts(found) if options.id_field else (found,):
            if isinstance(part, Wrong):
                yield part
                continue
            agents = _agents(part)
            read += 1
            beside += len(agents) > 1
            cut += any(map(part.cut, part.tops))
            yield _run(part, agents, options)
    if foreign:
        yield Remark(f"traces without a span of {kin}, and so no runs: {foreign}")
    if cut:
        yield Gap(
            "runs without the span around them, because the process ended before the agent did, "
            f"or did not flush its tracer provider: {cut}"
        )
    if beside:
        yield Remark(
            f"runs with several agents beside each other, of which the last answered: {beside}"
        )
    if read and not options.id_field:
        yield Remark(
            "a trace id names each case, and it never comes again: put the case's id into an "
            "attribute of a span and name it, as in --id-field case.id"
        )


def _parts(trace: Trace) -> Iterator[Trace | Wrong]:
    """Split a trace that holds several cases, as a harness writes that runs all in one span."""
    if len({canonical(one.case_id) for one in trace.spans if one.case_id is not None}) < 2:  # noqa: PLR2004
        yield trace
        return
    by_id = {one.id: one for one in trace.spans}
    heads: dict[str, Span | None] = {}
    parts: dict[str, list[Span]] = {}
    for span in trace.spans:
        head = _head(span, by_id, heads)
        if head is not None:
            parts.setdefault(head.id, []).append(span)
    of_case: dict[str, list[Trace]] = {}
    for head_id, spans in parts.items():
        head = by_id[head_id]
        of_case.setdefault(canonical(head.case_id), []).append(Trace(trace.id, spans, [head]))
    for several in of_case.values():
        if len(several) > 1 and not all(map(_agents, several)):
            yield Wrong(
                f"trace {trace.id}",
                f"several spans beside each other are of the case "
                f"{shown(str(several[0].tops[0].case_id))}: which of them is a run?",
            )
        else:
            yield from several


def _head(span: Span, by_id: dict[str, Span], heads: dict[str, Span | None]) -> Span | None:
    """Give the outermost span of the case to which ``span`` belongs, ``None`` for no case."""
    path: list[Span] = []
    seen: set[str] = set()
    at: Span | None = span
    while at is not None and at.id not in heads and at.id not in seen:
        seen.add(at.id)
        path.append(at)
        at = by_id.get(at.parent) if at.parent is not None else None
    head = None if at is None else heads.get(at.id)
    for one in reversed(path):
        if one.case_id is not None and (head is None or head.case_id != one.case_id):
            head = one
        heads[one.id] = head
    return head


def _agents(trace: Trace) -> list[Span]:
    """Give the agents that no other agent called."""
    by_id = {one.id: one for one in trace.spans}
    inside: dict[str, bool] = {}
    return [
        one for one in trace.spans if one.kept.kind == "agent" and not _called(one, by_id, inside)
    ]


def _called(span: Span, by_id: dict[str, Span], inside: dict[str, bool]) -> bool:
    """Say whether an agent is around ``span``; ``inside`` remembers."""
    path: list[Span] = []
    at: Span | None = span
    while at is not None and at.id not in inside:
        inside[at.id] = False  # until it is known; a circle of parents ends here
        path.append(at)
        at = by_id.get(at.parent) if at.parent is not None else None
    around = at is not None and (inside[at.id] or at.kept.kind == "agent")
    for one in reversed(path):
        inside[one.id] = around
        around = around or one.kept.kind == "agent"
    return inside[span.id]


def _run(trace: Trace, agents: list[Span], options: ImportOptions) -> Found | Wrong:
    place = f"trace {trace.id}"
    name = trace.id
    if options.id_field:
        problems: list[str] = []
        given = next((one.case_id for one in trace.spans if one.case_id is not None), None)
        if given is None:
            said = "no span has it, and --id-field says that the id is there"
            return Wrong(place, f"`{options.id_field}`: {said}")
        name = read_name(options.id_field, given, problems) or ""
        if problems:
            return Wrong(place, problems[0])
    around = agents or trace.tops
    models = [one for one in trace.spans if one.kept.kind == "model"]
    acted = [one for one in trace.spans if one.kept.kind == "tool"]
    steps = sorted(acted, key=_order(models))
    error = next((one.failure for one in (*trace.tops, *agents) if one.failure is not None), None)
    answer = None if error is not None else _answer(trace, agents, models, acted=bool(acted))
    if error is None and answer is None:
        error = _silence(trace)
    question = _first(one.kept.question for one in (*agents, *trace.tops, *models))
    labels = {label for one in trace.spans for label in one.kept.labels}
    last = max(around, key=lambda one: one.end)
    return Found(
        id=name,
        place=place,
        output=answer,
        error=error,
        tools=_tools(steps, models),
        case=None if question is None else FoundCase(question, labels=tuple(sorted(labels))),
        latency_ms=max(0.0, (last.end - around[0].start) / _MILLION),
        trace=canonical([_step(one) for one in steps]) if steps else None,
        by_place=not options.id_field,
    )


def _answer(trace: Trace, agents: list[Span], models: list[Span], *, acted: bool) -> str | None:
    """Give the answer of the outermost span that has one, else what the last model said."""
    outer = [one for one in trace.tops if trace.whole(one) and one.kept.kind not in _INNER]
    latest = sorted(agents, key=lambda one: one.end, reverse=True)
    said = _first(one.kept.answer for one in (*outer, *latest))
    if said is not None:
        return said
    last = next((one.kept for one in reversed(models) if one.kept.answer is not None), None)
    if last is None or (last.calls and acted):
        return None  # what only calls a tool that then ran is no answer
    answer: str | None = last.answer
    return answer


def _silence(trace: Trace) -> str:
    failed = [one.failure for one in trace.spans if one.failure is not None]
    if failed:
        return f"the spans hold no answer; the last error in them: {failed[-1]}"
    return (
        "the spans hold no answer: is content recorded? (for many instrumentations "
        "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true)"
    )


def _order(models: list[Span]) -> Callable[[Span], tuple[int, int]]:
    """Sort calls by their start; those of one moment as the model asked for them."""
    asked = [call for one in models for call, _ in one.kept.calls or ()]
    rank = {call: at for at, call in reversed(list(enumerate(asked)))}
    return lambda one: (one.start, rank.get(one.kept.call_id, len(rank)))


def _tools(steps: list[Span], models: list[Span]) -> tuple[str, ...] | None:
    if steps:
        return tuple(one.kept.tool for one in steps)
    recorded = [one.kept.calls for one in models if one.kept.calls is not None]
    return tuple(name for calls in recorded for _, name in calls) if recorded else None


def _step(span: Span) -> dict[str, Any]:
    told = span.kept
    step = {"tool": told.tool, "arguments": told.arguments, "output": told.result}
    return {key: said for key, said in step.items() if said is not None}


def _first(found: Iterator[str | None]) -> str | None:
    return next((one for one in found if one is not None), None)
