"""The tables of the Markdown report: every cell is inert before it stands in one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gate.records.figures import level
from gate.report import measures, outcome, rule_page, slices
from gate.report.bounds import code, codes, say
from gate.report.sanitize import Inert, prose
from gate.report.waivers import until

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.records.report import Report
    from gate.records.verdict import GateVerdict
    from gate.report.bounds import Limits
    from gate.report.slices import SliceRow


class Table(NamedTuple):
    """Headings, for each column ``<`` (left) or ``>`` (right), and rows of as many cells."""

    head: tuple[str, ...]
    align: str
    rows: tuple[tuple[str, ...], ...]


def render(table: Table) -> Inert:
    r"""Give a table as Markdown lines; a cell that is not inert yet becomes prose.

    >>> print(render(Table(("case", "n"), "<>", ((Inert("`a`"), "1"), ("b|c", "")))))
    | case | n |
    |:--|--:|
    | `a` | 1 |
    | `b\u{7c}c` |  |
    """
    rule = "".join(":--|" if side == "<" else "--:|" for side in table.align)
    lines = (f"| {' | '.join(map(_cell, row))} |" for row in (table.head, *table.rows))
    head, *rows = lines
    return Inert("\n".join((head, f"|{rule}", *rows)))


def _cell(text: str) -> str:
    return text if isinstance(text, Inert) or not text else prose(text)


def measure_table(report: Report) -> Table:
    """Give the numbers of the suite; the headline is bold."""
    compared = report.comparison is not None
    head = ("measure", "this run", f"{level(report.suite.interval.level)} interval")
    rows: list[tuple[str, ...]] = []
    for row in measures.measures(report):
        value = row.value if rows else Inert(f"**{prose(row.value)}**")
        of = f" ({prose(row.of)})" if row.of else ""
        spans = "; ".join(f"{span} ({name})" for span, name in row.intervals)
        cells = (row.name, Inert(f"{_cell(value)}{of}"), spans)
        rows.append((*cells, row.baseline, row.change) if compared else cells)
    if compared:
        return Table((*head, "baseline", "change"), "<><>>", tuple(rows))
    return Table(head, "<><", tuple(rows))


def gate_table(report: Report, limits: Limits) -> Table:
    """Give the first gates: what each says, and about which cases."""
    rows = tuple(_gate(gate, limits) for gate in report.gates[: limits.gates])
    return Table(("gate", "outcome", "because"), "<<<", rows)


def _gate(gate: GateVerdict, limits: Limits) -> tuple[str, ...]:
    because = say(gate.because, limits.sentence)
    if gate.case_ids:
        ids = codes(gate.case_ids, most=limits.few, limit=limits.name)
        because = Inert(f"{because} ({ids})")
    symbol = Inert(f"{outcome.SYMBOLS[gate.outcome]} {gate.outcome}")
    return code(outcome.gate_name(gate), limits.name), symbol, because


def waiver_table(report: Report, limits: Limits) -> Table:
    """Give the first waivers as a table: those in use first, else in the policy's order."""
    shown = sorted(report.waivers, key=lambda one: not one.used)[: limits.waivers]
    rows = tuple(
        (
            code(one.case, limits.name),
            code(one.gate, limits.name),
            say(one.said, limits.sentence),
            say(one.owner, limits.name),
            until(one),
            say(one.reason, limits.sentence),
        )
        for one in shown
    )
    return Table(("case", "gate", "waiver", "owner", "until", "reason"), "<<<<<<", rows)


def change_table(report: Report, limits: Limits, *, show_expected: bool) -> Table:
    """Give the first changes of the rules, those that are not allowed before the others."""
    lines = rule_page.change_lines(report, show_expected=show_expected)[: limits.changes]
    rows = tuple((_bold(word), say(said, limits.sentence)) for word, said in lines)
    return Table(("", "change"), "<<", rows)


def _bold(word: str) -> Inert:
    return Inert(f"**{prose(word)}**") if word == rule_page.REFUSED else prose(word)


def named_table(lines: Sequence[tuple[str, str]], limits: Limits) -> Table:
    """Give names and what stands beside them, without headings of their own."""
    rows = tuple((say(name, limits.name), say(text, limits.sentence)) for name, text in lines)
    return Table(("", ""), "<<", rows)


def slice_table(report: Report, rows: Sequence[SliceRow], limits: Limits) -> Table:
    """Give slices, with their baseline where this run has one."""
    head = ("slice", "cases", "pass rate", "mean score", *slices.interval_titles(report.suite))
    made = tuple((code(row.label, limits.name), *row[1:6]) for row in rows)
    if report.comparison is None:
        return Table(head, "<>>><<", made)
    beside = ((*cells, row.baseline, row.change) for cells, row in zip(made, rows, strict=True))
    moved = "change (compared cases)" if slices.is_of_more(report) else "change"
    return Table((*head, "baseline", moved), "<>>><<>>", tuple(beside))
