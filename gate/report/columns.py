"""Rows of cells as lines of a page, in columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def laid_out(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Align the first column left and the others right; all rows have as many cells.

    >>> for line in laid_out((("label", "n"), ("qa", "12"))):
    ...     print(line)
      label   n
      qa     12
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        yield "  " + "  ".join((first.ljust(widths[0]), *cells))
