"""The report as Markdown, for a step summary and for a pull request."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from gate.records.figures import level
from gate.report import failures, measures, method, outcome
from gate.report.sanitize import Inert, excerpt, fenced, has_invisible, inert, prose, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from jinja2.sandbox import SandboxedEnvironment

    from gate.records.report import Report

MARKER: Final = "<!-- agent-eval-gate -->"
"""Byte 0 of every report: how a comment of ours is found again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much of each kind is shown; what is left out is counted. Texts in characters.

    A text that its limit allows may take twice as many bytes, whatever its script. The
    defaults keep any report under 200,000 bytes; a usual one has some thousand.
    """

    cases: int = 15
    slices: int = 40
    gates: int = 20
    notes: int = 20
    ids: int = 20
    labels: int = 3
    name: int = 60
    excerpt: int = 240
    tools: int = 120
    sentence: int = 360
    fact: int = 600
    policy: int = 4000


_COUNTED: Final = len(" … (+1,000,000 characters)  ".encode())
USUAL: Final = Limits()


def render_markdown(report: Report, *, show_expected: bool = True, limits: Limits = USUAL) -> str:
    """Give the report as GitHub Markdown: marker, verdict, reason, numbers, gates, cases.

    All text in ``report`` is untrusted and comes out inert. ``show_expected=False`` leaves
    out whatever the golden set expects (references, expected tools, rubric checks).
    """
    compared, notes = report.comparison, (*report.conditions, *report.notes)
    template = _environment(limits).get_template("report.md.j2")
    return template.render(
        report=report,
        limits=limits,
        symbol=_mark(outcome.SYMBOLS[report.verdict]),
        symbols=outcome.SYMBOLS,
        word=outcome.WORDS[report.verdict],
        reason=outcome.headline(report),
        warnings=outcome.warnings(report),
        level=level(report.suite.interval.level),
        titles=measures.interval_titles(report.suite),
        measures=measures.measures(report),
        sentences=measures.sentences(report),
        gates=report.gates[: limits.gates],
        groups=failures.groups(report, most=limits.cases, show_expected=show_expected),
        slices=measures.slice_rows(report, most=limits.slices),
        differences=compared.differences[: limits.notes] if compared else (),
        lists=_id_lists(report),
        changed=compared.changed[: limits.ids] if compared else (),
        notes=notes[: limits.notes],
        n_notes=len(notes),
        meanings=method.meanings(report),
        facts=method.facts(report, show_expected=show_expected),
        policy=method.policy_text(report, show_expected=show_expected),
    )


def _id_lists(report: Report) -> tuple[tuple[str, tuple[str, ...]], ...]:
    compared = report.comparison
    if compared is None:
        return ()
    lists = (("added cases", compared.added), ("removed cases", compared.removed))
    return tuple((title, ids) for title, ids in lists if ids)


@lru_cache(maxsize=4)
def _environment(limits: Limits) -> SandboxedEnvironment:
    from jinja2 import PackageLoader, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        loader=PackageLoader("gate.report"),
        undefined=StrictUndefined,
        autoescape=True,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )

    def codes(texts: Sequence[str], most: int = 5) -> Inert:
        return _codes(texts, most=most, limit=limits.name)

    def block(text: str) -> Inert:
        return fenced(_cut_lines(text, limit=limits.policy), language="json")

    environment.filters |= {
        "block": block,
        "cell": _cell,
        "code": _code,
        "codes": codes,
        "hides": has_invisible,
        "mark": _mark,
        "say": _say,
    }
    return environment


def _finalize(value: object) -> object:
    """Make whatever a template prints inert; not even its own ``safe`` gets around this."""
    return value if isinstance(value, Inert) else prose(str(value))


def _mark(symbol: str) -> Inert:
    """Pass a symbol of our own table, and nothing else."""
    return Inert(symbol) if symbol in outcome.SYMBOLS.values() else inert(symbol)


def _say(text: str, limit: int) -> Inert:
    return _bounded(text, limit=limit, make=prose)


def _code(text: str, limit: int) -> Inert:
    return _bounded(text, limit=limit, make=inert)


def _bounded(text: str, *, limit: int, make: Callable[[str], Inert]) -> Inert:
    """Make an excerpt inert, and shorten it until its bytes, too, are bounded."""
    room = limit
    made = make(excerpt(text, limit=room))
    while len(made.encode()) > 2 * limit + _COUNTED and room > 1:
        room = room * 2 // 3
        made = make(excerpt(text, limit=room))
    return made


def _cell(text: str) -> Inert:
    return prose(text) if text else Inert("")


def _codes(texts: Iterable[str], *, most: int, limit: int) -> Inert:
    listed = tuple(texts)
    shown = ", ".join(_code(text, limit) for text in listed[:most])
    more = len(listed) - most
    return Inert(f"{shown} and {more:,} more" if more > 0 else shown)


def _cut_lines(text: str, *, limit: int) -> str:
    """Cut text of several lines, counting the bytes of what :func:`fenced` will make of it."""
    kept: list[str] = []
    room = limit
    for line in text.split("\n"):
        room -= len(visible(line).encode()) + 1
        if room < 0:
            return "\n".join((*kept, "… (cut; the whole policy is in the result file)"))
        kept.append(line)
    return text
