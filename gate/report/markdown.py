"""The report as Markdown, for a step summary and for a pull request."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from gate.records.marker import MARKER
from gate.report import (
    bounds,
    failures,
    judging,
    measures,
    method,
    outcome,
    rule_page,
    slices,
    tables,
)
from gate.report.bounds import USUAL, Limits
from gate.report.next_step import next_step
from gate.report.sanitize import Inert, has_invisible, inert, prose

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jinja2.sandbox import SandboxedEnvironment

    from gate.records.report import Report
    from gate.report.failures import Failure, Failures

__all__ = ["MARKER", "render_markdown", "write"]


def render_markdown(
    report: Report,
    *,
    show_expected: bool = True,
    suite: str = "",
    notice: Sequence[str] = (),
    limits: Limits = USUAL,
) -> str:
    """Give the report as GitHub Markdown: marker, verdict, reason, change, cases, numbers, gates.

    All text in ``report`` is untrusted and comes out inert. ``show_expected=False`` leaves
    out whatever the golden set expects (references, expected tools, rubric checks). ``suite``
    names it in the heading, where several stand on one page. ``notice`` is what must be read
    before the rest: a few sentences of ours, which no limit cuts.
    """
    compared, notes = report.comparison, (*report.conditions, *report.notes)
    rows = slices.slice_rows(report)
    notable = tuple(row for row in rows if row.notable)
    others = tuple(row for row in rows if not row.notable)
    room = min(limits.others, max(0, limits.slices - len(notable)))
    votes, more_votes = judging.votes(report, most=limits.votes)
    warnings = outcome.warnings(report)
    leading, folded = _groups(report, limits, show_expected=show_expected)
    template = _environment(limits).get_template("report.md.j2")
    return template.render(
        report=report,
        suite=suite,
        notice=tuple(map(prose, notice)),
        limits=limits,
        symbol=_mark(outcome.SYMBOLS[report.verdict]),
        word=outcome.WORDS[report.verdict],
        reason=outcome.headline(report),
        step=next_step(report),
        sentences=tuple(map(_stressed, measures.sentences(report))),
        warnings=warnings[: limits.warnings],
        more_warnings=max(0, len(warnings) - limits.warnings),
        leading=leading,
        slices=tables.slice_table(report, notable[: limits.slices], limits),
        hidden_slices=max(0, len(notable) - limits.slices) + (0 if room else len(others)),
        n_others=len(others),
        measures=tables.measure_table(report),
        gates=tables.gate_table(report, limits),
        waivers=tables.waiver_table(report, limits),
        changes=tables.change_table(report, limits, show_expected=show_expected),
        n_changes=rule_page.total(report),
        refused=rule_page.is_refused(report),
        others=folded,
        differences=compared.differences[: limits.notes] if compared else (),
        lists=_id_lists(report),
        changed=compared.changed[: limits.ids] if compared else (),
        happened=tables.named_table(judging.happened(report), limits),
        votes=tables.named_table(votes, limits),
        more_votes=more_votes,
        notes=notes[: limits.notes],
        n_notes=len(notes),
        other_slices=tables.slice_table(report, others[:room], limits),
        hidden_others=max(0, len(others) - room),
        meanings=method.meanings(report),
        pins=tables.named_table(judging.pins(report), limits),
        facts=method.facts(report, show_expected=show_expected),
        policy=method.policy_text(report, show_expected=show_expected),
    )


class _Leading(NamedTuple):
    """A group of cases of which the first are open to see and the others folded."""

    title: str
    shown: tuple[Failure, ...]
    folded: tuple[Failure, ...]
    group: Failures


def _groups(
    report: Report, limits: Limits, *, show_expected: bool
) -> tuple[tuple[_Leading, ...], tuple[tuple[str, Failures], ...]]:
    """Give the groups of cases that say what went wrong, and the others."""
    most = max(limits.cases, limits.folded)
    leading: list[_Leading] = []
    others: list[tuple[str, Failures]] = []
    for title, group in failures.groups(report, most=most, show_expected=show_expected):
        if group.total and _leads(title, report):
            kept = group._replace(shown=group.shown[: limits.cases])
            shown, folded = kept.shown[: limits.open], kept.shown[limits.open :]
            leading.append(_Leading(title, shown, folded, kept))
        elif group.total:
            others.append((title, group._replace(shown=group.shown[: limits.folded])))
    return tuple(leading), tuple(others)


def _leads(title: str, report: Report) -> bool:
    """Say whether a group tells what a verdict is about: cases that failed all along do not."""
    if title in {"Newly failing", "Fell most"}:
        return True
    return title in {"Failing cases", "Lowest scores"} and report.verdict != "pass"


def _stressed(sentence: str) -> Inert:
    """Stress what a sentence is about: a change itself, or the words before the colon."""
    if sentence.startswith("Change"):
        first, mark, rest = sentence.partition(" (")
    else:
        first, mark, rest = sentence.partition(": ")
    if not mark:
        return prose(sentence)
    lead, rest = (first, f"({rest}") if mark == " (" else (f"{first}:", rest)
    return Inert(f"**{prose(lead)}** {prose(rest)}")


def write(report: Report, *, show_expected: bool, redact: Callable[[str], str]) -> str:
    """Give the text of ``report.md``, in which no secret stands."""
    return redact(render_markdown(report, show_expected=show_expected))


def _id_lists(report: Report) -> tuple[tuple[str, tuple[str, ...]], ...]:
    compared = report.comparison
    if compared is None:
        return ()
    lists = (("added cases", compared.added), ("removed cases", compared.removed))
    return tuple((title, ids) for title, ids in lists if ids)


@lru_cache(maxsize=16)
def _environment(limits: Limits) -> SandboxedEnvironment:
    from jinja2 import PackageLoader, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        loader=PackageLoader("gate.report"),
        undefined=StrictUndefined,
        autoescape=True,
        optimized=False,  # nothing in the pages is constant, and looking for it takes time
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )

    def codes(texts: Sequence[str], most: int) -> Inert:
        return bounds.codes(texts, most=most, limit=limits.name)

    def block(text: str) -> Inert:
        return bounds.block(text, limit=limits.policy)

    def detail(found: tuple[str, str]) -> Inert:
        name, text = found
        limit = limits.tools if name.endswith("tools") else limits.excerpt
        flag = " (contains invisible characters)" if has_invisible(text) else ""
        return Inert(f"{prose(name)}: {bounds.code(text, limit)}{flag}")

    def fact(found: tuple[str, str]) -> Inert:
        name, value = found
        spell = bounds.code if value.startswith("{") else bounds.say
        return Inert(f"{prose(name)}: {spell(value, limits.fact)}")

    environment.filters |= {
        "block": block,
        "code": bounds.code,
        "codes": codes,
        "detail": detail,
        "fact": fact,
        "mark": _mark,
        "ours": bounds.ours,
        "say": bounds.say,
        "table": tables.render,
    }
    return environment


def _finalize(value: object) -> object:
    """Make whatever a template prints inert; not even its own ``safe`` gets around this."""
    return value if isinstance(value, Inert) else prose(str(value))


def _mark(symbol: str) -> Inert:
    """Pass a symbol of our own table, and nothing else."""
    return Inert(symbol) if symbol in outcome.SYMBOLS.values() else inert(symbol)
