"""Which (id, repeat) stood where, so that a second one can name the first."""

from __future__ import annotations

from typing import Final

from gate.inputs.fields import shown

MAX_REPEAT: Final = 1_000_000
"""The greatest number of a repeat."""

_REPEAT_BITS: Final = MAX_REPEAT.bit_length()
_LOW_BITS: Final = _REPEAT_BITS + 1
"""Of a repeat and of its kind; the place stands above them."""


class Seen:
    """Places of ids, about 150 bytes each; ``unit`` is what a place is called (``line``).

    Ids are texts here; whether one was a number in the file is remembered, because ``1``
    and ``"1"`` would become one case without anybody having meant it.
    """

    def __init__(self, *, unit: str) -> None:
        """Start empty."""
        self._unit = unit
        # One integer holds place, repeat and kind. Only an id with several repeats costs a
        # dict of its own, which is still less than a pair as key for each.
        self._marks: dict[str, int | dict[int, int]] = {}

    def add(self, name: str, *, place: int, numeric: bool, repeat: int = 0) -> str | None:
        """Remember one; give what is wrong with it, if anything.

        >>> seen = Seen(unit="line")
        >>> seen.add("qa-1", place=1, numeric=False)
        >>> seen.add("qa-1", place=4, numeric=False)
        "id 'qa-1' appears twice; the first is line 1"
        """
        mark = place << _LOW_BITS | repeat << 1 | numeric
        before = self._marks.get(name)
        if before is None:
            self._marks[name] = mark
            return None
        several = before if isinstance(before, dict) else {_repeat(before): before}
        first = next(iter(several.values()))
        if first & 1 != numeric:
            return (
                f"id {name[:60]} as a number and id {shown(name)} as a text would be one case; "
                f"the other is {self._unit} {_place(first)}"
            )
        if repeat in several:
            which = f" with repeat {repeat}" if repeat else ""
            place_before = _place(several[repeat])
            return (
                f"id {shown(name)}{which} appears twice; the first is {self._unit} {place_before}"
            )
        several[repeat] = mark
        self._marks[name] = several
        return None


def _place(mark: int) -> int:
    return mark >> _LOW_BITS


def _repeat(mark: int) -> int:
    return mark >> 1 & (1 << _REPEAT_BITS) - 1
