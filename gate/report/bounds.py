"""Excerpts in Markdown of bounded length, and of bounded bytes whatever their script."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gate.report.sanitize import Inert, excerpt, fenced, inert, marked, prose, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much of each kind is shown; what is left out is counted. Texts in characters.

    A text that its limit allows may take twice as many bytes, whatever its script. The
    defaults keep any report under 200,000 bytes; a usual one has some thousand. ``cases`` are
    those that lead, of which the first ``open`` are not folded; ``folded`` those of every
    other group; ``others`` the slices that did not move. A ``policy`` of 0 is not shown at all.
    """

    cases: int = 15
    open: int = 3
    folded: int = 15
    votes: int = 15
    slices: int = 40
    others: int = 40
    warnings: int = 30
    gates: int = 20
    waivers: int = 20
    changes: int = 20
    notes: int = 20
    ids: int = 20
    few: int = 5
    labels: int = 3
    name: int = 60
    suite: int = 100
    excerpt: int = 240
    tools: int = 120
    sentence: int = 360
    fact: int = 600
    policy: int = 4000


_COUNTED: Final = len(" … (+1,000,000 characters)  ".encode())
USUAL: Final = Limits()


def say(text: str, limit: int) -> Inert:
    """Give a sentence, as :func:`~gate.report.sanitize.prose` does."""
    return _bounded(text, limit=limit, make=prose)


def ours(text: str, limit: int) -> Inert:
    """Give a sentence of ours, as :func:`~gate.report.sanitize.marked` does."""
    return _bounded(text, limit=limit, make=marked)


def code(text: str, limit: int) -> Inert:
    """Give a code span, as :func:`~gate.report.sanitize.inert` does."""
    return _bounded(text, limit=limit, make=inert)


def codes(texts: Iterable[str], *, most: int, limit: int) -> Inert:
    """Give the first ``most`` texts as code spans, and count the others.

    >>> str(codes(("a", "b", "c"), most=2, limit=9))
    '`a`, `b` and 1 more'
    """
    listed = tuple(texts)
    shown = ", ".join(code(text, limit) for text in listed[:most])
    more = len(listed) - most
    return Inert(f"{shown} and {more:,} more" if more > 0 else shown)


def block(text: str, *, limit: int) -> Inert:
    """Give text of several lines as a fenced block, cut where its bytes exceed ``limit``."""
    kept: list[str] = []
    room = limit
    for line in text.split("\n"):
        room -= len(visible(line).encode()) + 1
        if room < 0:
            kept.append("… (cut; the whole policy is in the result file)")
            break
        kept.append(line)
    return fenced("\n".join(kept), language="json")


def _bounded(text: str, *, limit: int, make: Callable[[str], Inert]) -> Inert:
    """Make an excerpt inert, and shorten it until its bytes, too, are bounded."""
    room = limit
    made = make(excerpt(text, limit=room))
    while len(made.encode()) > 2 * limit + _COUNTED and room > 1:
        room = room * 2 // 3
        made = make(excerpt(text, limit=room))
    return made
