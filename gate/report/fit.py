"""A report that fits where it is to stand: detail goes, in a stated order, until it does.

A comment and a page are refused, or dropped whole, beyond a number of bytes. Nothing is ever
cut out of what is rendered already, which could end in the middle of markup: the report is
rendered anew with narrower limits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.report.bounds import USUAL, Limits
from gate.report.markdown import render_markdown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gate.records.report import Report

COMMENT: Final = 65_000
"""Bytes of a comment: the host refuses more than 65,536 characters; some are its stamp's."""
SUMMARY: Final = 1_000_000
"""Bytes of a section of a run's page: the runner drops a step's whole page beyond 1,048,576."""
LEAST: Final = 20_000
"""Bytes that the narrowest report is always under."""
_NOTE: Final = 1_000
"""Bytes that are kept for saying what was left out."""


class _Stage(NamedTuple):
    """One thing to leave out, and the limits that do so, on top of those before."""

    what: str
    narrower: dict[str, int]


STAGES: Final = (
    _Stage("the text of the policy", {"policy": 0}),
    _Stage("the slices that did not move", {"others": 0}),
    _Stage("the judge's votes", {"votes": 0}),
    _Stage("the cases that failed before, newly pass or took another path", {"folded": 0}),
    _Stage("most notes, and most ids of added and removed cases", {"notes": 3, "ids": 5}),
    _Stage("the ends of long answers", {"excerpt": 80, "tools": 60, "labels": 2}),
    _Stage(
        "most newly failing cases, slices, gates, waivers and changes of the rules",
        {"cases": 8, "slices": 15, "gates": 12, "waivers": 8, "changes": 8},
    ),
    _Stage(
        "the ends of long names and sentences",
        {"name": 40, "sentence": 200, "fact": 120, "suite": 60, "warnings": 10},
    ),
    _Stage(
        "all but a few cases, slices, gates, waivers, changes of the rules and warnings",
        {
            "cases": 3,
            "slices": 5,
            "gates": 6,
            "waivers": 3,
            "changes": 3,
            "warnings": 5,
            "notes": 1,
            "ids": 2,
            "few": 2,
            "labels": 1,
            "excerpt": 40,
            "tools": 40,
            "name": 30,
            "sentence": 120,
            "fact": 80,
        },
    ),
)
"""What goes first stands first. The verdict, its reason, the change and the measures never go."""


def fitted(
    report: Report,
    *,
    limit_bytes: int = COMMENT,
    elsewhere: str = "the summary of the run, and in `report.md`",
    show_expected: bool = True,
    suite: str = "",
    notice: Sequence[str] = (),
    limits: Limits = USUAL,
) -> str:
    """Give ``report`` as Markdown of at most ``limit_bytes`` bytes.

    What had to go is said at the end, and where it stands: ``elsewhere``, which is Markdown of
    ours. ``limits`` are what it begins with. Takes time in proportion to the report, of which
    each stage is one rendering. ``notice`` stands above the rest, and is never cut. Raises
    ``ValueError`` for a limit below :data:`LEAST`.
    """
    if limit_bytes < LEAST:
        raise ValueError(f"a report needs {LEAST:,} bytes, and {limit_bytes:,} are allowed")
    text, gone = "", list[str]()
    for what, now in _narrowing(limits):
        made = render_markdown(
            report, show_expected=show_expected, suite=suite, notice=notice, limits=now
        )
        if what and made != text:
            gone.append(what)
        text = made
        if len(text.encode()) + (_NOTE if gone else 0) <= limit_bytes:
            break
    return text + _said(gone, elsewhere)


def _narrowing(limits: Limits) -> Iterator[tuple[str, Limits]]:
    yield "", limits
    for what, narrower in STAGES:
        least = {name: min(most, getattr(limits, name)) for name, most in narrower.items()}
        limits = replace(limits, **least)
        yield what, limits


def _said(gone: list[str], elsewhere: str) -> str:
    if not gone:
        return ""
    left = "; ".join(gone)
    return f"\n\n> [!NOTE]\n> Left out, to fit here: {left}. All of it is in {elsewhere}.\n"
