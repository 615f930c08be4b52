"""Count names that anybody may choose, in bounded memory."""

from __future__ import annotations

from bisect import insort
from typing import Final

LISTED: Final = 100
"""Names a tally keeps, at most."""


class Tally:
    """Counts of names; the first ``limit`` names in code-point order are kept, all are counted.

    Which names are kept, and their counts, do not depend on the order they came in: a name
    among the smallest of all is among the smallest whenever it comes, so it is never dropped.
    Names longer than ``width`` characters are counted under their beginning.

    >>> tally = Tally(limit=2)
    >>> for name in "dbcab":
    ...     tally.add(name)
    >>> tally.listed, tally.total
    ((('a', 1), ('b', 2)), 5)
    """

    def __init__(self, *, limit: int = LISTED, width: int = 80) -> None:
        """Start empty."""
        self._limit = limit
        self._width = width
        self._counts: dict[str, int] = {}
        self._names: list[str] = []
        self.total = 0

    def add(self, name: str) -> None:
        """Count ``name`` once."""
        self.total += 1
        key = name if len(name) <= self._width else name[: self._width] + "…"
        if key in self._counts:
            self._counts[key] += 1
            return
        if len(self._names) == self._limit:
            if key > self._names[-1]:
                return
            del self._counts[self._names.pop()]
        self._counts[key] = 1
        insort(self._names, key)

    @property
    def listed(self) -> tuple[tuple[str, int], ...]:
        """The kept names in code-point order, each with its count."""
        return tuple((name, self._counts[name]) for name in self._names)
