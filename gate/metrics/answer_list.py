"""Finding the list that an answer gives, among the lists that stand in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gate.metrics.answer_reader import read_list_at, read_lists

if TYPE_CHECKING:
    from gate.metrics.answer_reader import Reading, Value


def find_answer_list(text: str, *, length: int) -> list[Value] | None:
    """Choose the list that is the answer, or ``None`` where there is none.

    Fences and prose around a list do not matter. Of several outermost lists the one counts
    that is best in this order, so never the one that would score best:

    1. closed, rather than cut off by the end of the text;
    2. of ``length`` elements, which is what the question asked for;
    3. of quoted texts, numbers and JSON's words, rather than bare words (``[sic]``);
    4. no footnote mark (``Lima[1]``, a line that starts ``[1] https:``) and no link text
       (``[a](b)``);
    5. the last.

    Where the chosen list has not ``length`` elements but has them once commas between
    groups of three digits are thousands separators, it is read so.

    >>> find_answer_list('First ["Lyon"]. No: ["Paris"], see [the map](x).', length=1)
    ['Paris']
    >>> find_answer_list("[1,000,000, 500,000]", length=2)
    ['1,000,000', '500,000']
    >>> find_answer_list("I do not know", length=1) is None
    True
    """
    best: tuple[bool, ...] = ()
    chosen: Reading | None = None
    for reading in read_lists(text):
        found = _regrouped(text, reading, length)
        rank = (
            found.closed,
            len(found.items) == length,
            found.quoted,
            not _is_reference(text, found),
        )
        if rank >= best:
            best, chosen = rank, found
    return None if chosen is None else chosen.items


_THOUSANDS: Final = re.compile(r"[0-9],[0-9]{3}(?![0-9])")
_MARK: Final = re.compile(r"\[[0-9]{1,3}\]")
_ATTACHED: Final = re.compile(r"[A-Za-z0-9_)\].]")
_ENTRY_BEFORE: Final = re.compile(r"(?:^|\n)[ \t]{0,8}(?:[-*][ \t]{1,8})?\Z")
_ENTRY_AFTER: Final = re.compile(r"[ \t]{1,8}\S")
_LOOK_BACK: Final = 20
"""Characters before a list that show whether it starts its line: more than an indent has."""


def _regrouped(text: str, reading: Reading, length: int) -> Reading:
    if len(reading.items) == length or not _THOUSANDS.search(text, reading.start, reading.end):
        return reading
    grouped = read_list_at(text, reading.start, grouped=True)
    return reading if grouped is None or len(grouped.items) != length else grouped


def _is_reference(text: str, reading: Reading) -> bool:
    if text.startswith("(", reading.end):
        return True
    if not _MARK.fullmatch(text, reading.start, reading.end):
        return False
    before = text[max(0, reading.start - _LOOK_BACK) : reading.start]
    if text.startswith(":", reading.end) or _ATTACHED.fullmatch(before[-1:]):
        return True
    return bool(_ENTRY_BEFORE.search(before) and _ENTRY_AFTER.match(text, reading.end))
