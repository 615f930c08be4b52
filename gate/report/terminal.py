"""The report as a page for a terminal or a log: verdict first, then why, then numbers."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from gate.records.figures import level
from gate.report import failures, judging, measures, method, outcome, rule_page, slices, waivers
from gate.report.measures import METHODS
from gate.report.next_step import next_step
from gate.report.sanitize import excerpt, has_invisible, uncommanded, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gate.records.report import Report

NARROWEST: Final = 40
CASES: Final = 15
SLICES: Final = 40
CHANGES: Final = 20
NOTES: Final = 20
IDS: Final = 10
NAME: Final = 60
SENTENCE: Final = 500
EXCERPT: Final = 300
_STYLES: Final = {
    "pass": "1;32",
    "fail": "1;31",
    "undecided": "1;33",
    "off": "2",
    "title": "1",
}
_OUTCOME: Final = len("undecided")
_DETAIL: Final = len("expected tools")


def render_terminal(
    report: Report, *, colour: bool, width: int = 80, show_expected: bool = True
) -> str:
    """Give the report as lines of about ``width`` characters, ANSI only with ``colour``.

    All text in ``report`` is made visible, and no line is a workflow command. Tables and
    single long words may be wider. ``show_expected=False`` leaves out what the golden set
    expects.
    """
    page = _Page(width=max(width, NARROWEST), colour=colour)
    word = outcome.WORDS[report.verdict]
    page.named(word, outcome.headline(report), style=report.verdict or "title")
    step = next_step(report)
    if step is not None:
        page.named("next", step, style="title")
    for warning in outcome.warnings(report):
        page.named("!", excerpt(warning, limit=SENTENCE), style="undecided")
    _gates(page, report)
    _waivers(page, report)
    _changes(page, report, show_expected=show_expected)
    _numbers(page, report)
    _cases(page, report, show_expected=show_expected)
    _slices(page, report)
    _golden_set(page, report)
    _judge(page, report)
    notes = (*report.conditions, *report.notes)
    if notes:
        page.title("Notes")
        for note in notes[:NOTES]:
            page.bullet(excerpt(note, limit=SENTENCE))
        page.more(len(notes) - NOTES, "notes")
    page.title("How this was measured")
    page.paragraph(method.in_short(report))
    page.paragraph(method.CAVEAT)
    return page.text()


class _Page:
    """Lines so far; every text that is added is made visible here."""

    def __init__(self, *, width: int, colour: bool) -> None:
        self._width = width
        self._colour = colour
        self._lines: list[str] = []

    def text(self) -> str:
        return "\n".join(map(uncommanded, self._lines)) + "\n"

    def title(self, text: str) -> None:
        self._lines += ["", self._painted(visible(text), "title")]

    def paragraph(self, text: str) -> None:
        self._lines += self._wrapped(text, indent=2)

    def bullet(self, text: str) -> None:
        self._hang("  - ", text, painted="  - ")

    def named(
        self, name: str, text: str, *, indent: int = 0, pad: int = 0, style: str | None = None
    ) -> None:
        """Add ``text`` beside ``name``, which has its own column of at least ``pad``."""
        shown = visible(name)
        shown += " " * (pad - columns(shown))
        painted = self._painted(shown, style) if style else shown
        margin = " " * indent
        self._hang(f"{margin}{shown}  ", text, painted=f"{margin}{painted}  ")

    def _hang(self, head: str, text: str, *, painted: str) -> None:
        edge = columns(head)
        first, *rest = self._wrapped(text, indent=edge) or [""]
        self._lines += [(painted + first[edge:]).rstrip(), *rest]

    def table(self, rows: Sequence[Sequence[str]], *, right: Iterable[int] = ()) -> None:
        """Add rows of cells in aligned columns; ``right`` numbers those aligned there."""
        flush = frozenset(right)
        shown = [[visible(cell) for cell in row] for row in rows]
        widths = [max(map(columns, column)) for column in zip(*shown, strict=True)]
        for row in shown:
            cells = (
                " " * (width - columns(cell)) + cell
                if at in flush
                else cell + " " * (width - columns(cell))
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            self._lines.append(("  " + "  ".join(cells)).rstrip())

    def more(self, count: int, what: str) -> None:
        if count > 0:
            self._lines.append(f"  … and {count:,} more {what}")

    def _wrapped(self, text: str, *, indent: int) -> list[str]:
        pad = " " * indent
        return wrap(
            visible(text),
            width=max(self._width, indent + NARROWEST // 2),
            initial_indent=pad,
            subsequent_indent=pad,
            break_on_hyphens=False,
        )

    def _painted(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self._colour else text


def columns(text: str) -> int:
    """Count the columns that ``text`` takes: wide East Asian characters take two.

    >>> columns("abc"), columns("日本")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(
        0 if combining(char) else 2 if east_asian_width(char) in {"W", "F"} else 1 for char in text
    )


def _gates(page: _Page, report: Report) -> None:
    if not report.gates:
        return
    page.title("Gates")
    names = [excerpt(outcome.gate_name(gate), limit=NAME) for gate in report.gates]
    longest = max(map(columns, names))
    for gate, name in zip(report.gates, names, strict=True):
        ids = f" ({_ids(gate.case_ids)})" if gate.case_ids else ""
        page.named(
            f"{gate.outcome:<{_OUTCOME}}  {name}",
            excerpt(gate.because, limit=SENTENCE) + ids,
            indent=2,
            pad=_OUTCOME + 2 + longest,
            style=gate.outcome,
        )


def _waivers(page: _Page, report: Report) -> None:
    if report.waivers:
        page.title("Waivers")
    for name, said in waivers.waiver_lines(report):
        page.named(name, excerpt(said, limit=SENTENCE), indent=2)


def _changes(page: _Page, report: Report, *, show_expected: bool) -> None:
    lines = rule_page.change_lines(report, show_expected=show_expected)
    if not lines:
        return
    page.title(f"Changes of the rules ({rule_page.total(report):,})")
    longest = max(len(word) for word, _ in lines)
    for word, said in lines[:CHANGES]:
        style = "fail" if word == rule_page.REFUSED else None
        page.named(word, excerpt(said, limit=SENTENCE), indent=2, pad=longest, style=style)
    page.more(len(lines) - CHANGES, "rows, in the result file")


def _numbers(page: _Page, report: Report) -> None:
    compared = report.comparison is not None
    page.title("Numbers")
    head = ("", "this run", f"{level(report.suite.interval.level)} interval", "baseline", "change")
    rows = [head]
    for one in measures.measures(report):
        (span, how), *more = one.intervals or (("", ""),)
        rows.append((one.name, one.value, _span(span, how), one.baseline, one.change))
        rows += [("", "", _span(*other), "", "") for other in more]
        if one.of:
            of, every, _ = one.of.partition(" in every run")
            rows.append((f"passed{every}", of, "", "", ""))
    page.table(rows if compared else [row[:3] for row in rows], right=(1, 3, 4))
    for sentence in measures.sentences(report):
        page.paragraph(sentence)


def _span(span: str, how: str) -> str:
    return f"{span} ({how})" if span else ""


def _cases(page: _Page, report: Report, *, show_expected: bool) -> None:
    for title, group in failures.groups(report, most=CASES, show_expected=show_expected):
        if not group.total:
            continue
        page.title(f"{title} ({group.total:,})")
        for case in group.shown:
            labels = f" [{_ids(case.labels)}]" if case.labels else ""
            page.bullet(f"{excerpt(case.id, limit=NAME)}{labels}: {case.became}")
            for name, text in case.details:
                flag = " (contains invisible characters)" if has_invisible(text) else ""
                said = excerpt(text, limit=EXCERPT) or "(empty)"
                page.named(name, said + flag, indent=4, pad=_DETAIL)
        page.more(group.hidden, "in the result file")


def _slices(page: _Page, report: Report) -> None:
    rows = slices.slice_rows(report)
    if not rows:
        return
    page.title("Slices")
    interval, boot = report.suite.interval, report.suite.protocol_interval
    head = ("", "cases", "pass rate", "mean score", f"{level(interval.level)} interval")
    compared = any(row.baseline for row in rows)
    # A line has room for one of the two; the other formats hold both.
    beside = ("baseline", "change") if compared else (f"of the mean ({METHODS[boot.method]})",)
    table = [(*head, *beside)]
    for row in rows[:SLICES]:
        cells = (excerpt(row.label, limit=NAME), *row[1:4], row.interval)
        table.append((*cells, *((row.baseline, row.change) if compared else (row.resampled,))))
    page.table(table, right=(1, 2, 3, 5, 6) if compared else (1, 2, 3))
    page.more(len(rows) - SLICES, "slices, in the result file")
    page.paragraph(slices.OF_COMPARED if compared and slices.is_of_more(report) else "")


def _golden_set(page: _Page, report: Report) -> None:
    compared = report.comparison
    if compared is None:
        return
    changed = [
        f"{excerpt(case.id, limit=NAME)} ({', '.join(case.fields)})"
        for case in compared.changed[:IDS]
    ]
    lines = [
        *(
            ("measured differently", excerpt(one, limit=SENTENCE))
            for one in compared.differences[:NOTES]
        ),
        *_listed("added", compared.added),
        *_listed("removed", compared.removed),
    ]
    if changed:
        lines.append(("changed", ", ".join(changed) + _rest(len(compared.changed))))
    if lines:
        page.title("The golden set against the baseline")
    for name, text in lines:
        page.named(name, text, indent=2, pad=len("removed"))


def _judge(page: _Page, report: Report) -> None:
    for title, lines in (
        ("The judge", judging.pins(report)),
        ("What it was asked", judging.happened(report)),
    ):
        if lines:
            page.title(title)
            longest = max(columns(name) for name, _ in lines)
            for name, value in lines:
                page.named(name, excerpt(value, limit=SENTENCE), indent=2, pad=longest)
    shown, more = judging.votes(report, most=CASES)
    if shown:
        page.title("Votes")
        page.table([(excerpt(name, limit=NAME), said) for name, said in shown])
        page.more(more, "in the result file")


def _listed(name: str, ids: Sequence[str]) -> Iterator[tuple[str, str]]:
    if ids:
        yield name, _ids(ids)


def _ids(ids: Sequence[str]) -> str:
    return ", ".join(excerpt(one, limit=NAME) for one in ids[:IDS]) + _rest(len(ids))


def _rest(total: int) -> str:
    return f" and {total - IDS:,} more" if total > IDS else ""
