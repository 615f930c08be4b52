"""What a simulation prints: tables of figures, and the bounds that they are held to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

WIDTH: Final = 7


class Bound(NamedTuple):
    """What every figure that is held to it must be."""

    says: str
    least: float = float("-inf")
    most: float = float("inf")

    def room(self, figure: float) -> float:
        """Say how far inside a figure lies; negative is outside."""
        return min(figure - self.least, self.most - figure)


class Cell(NamedTuple):
    """Where a figure stands, and what it is held to; ``None`` where it is only shown."""

    row: str
    column: str
    bound: Bound | None = None

    @property
    def place(self) -> tuple[str, str]:
        """Where it stands."""
        return self.row, self.column


class Part(NamedTuple):
    """One piece of work, done in a process of its own: a figure for each of its cells.

    ``drawn`` says that random draws made them; the others are exact.
    """

    cells: tuple[Cell, ...]
    work: Callable[[], Sequence[float]]
    drawn: bool = True


class Table(NamedTuple):
    """A title, how its figures were made, and the work that makes them."""

    title: str
    how: str
    parts: tuple[Part, ...]
    decimals: int = 1

    @property
    def exact(self) -> bool:
        """Say that no figure was drawn."""
        return not any(part.drawn for part in self.parts)


class Judged(NamedTuple):
    """What became of one bound."""

    said: str
    met: bool


def lines(table: Table, found: Mapping[tuple[str, str], float]) -> Iterator[str]:
    """Print a table in plain text, its rows and columns in the order of the work."""
    cells = [cell for part in table.parts for cell in part.cells]
    rows = list(dict.fromkeys(cell.row for cell in cells))
    columns = list(dict.fromkeys(cell.column for cell in cells))
    first = max(map(len, rows))
    widths = {column: max(WIDTH, len(column) + 2) for column in columns}
    yield table.title
    yield f"({table.how})"
    yield " " * first + "".join(f"{column:>{widths[column]}}" for column in columns)
    for row in rows:
        figures = [
            f"{found[row, column]:.{table.decimals}f}" if (row, column) in found else ""
            for column in columns
        ]
        filled = zip(figures, columns, strict=True)
        text = "".join(f"{figure:>{widths[column]}}" for figure, column in filled)
        yield f"{row:<{first}}{text}".rstrip()


def judged(
    table: Table, found: Mapping[tuple[str, str], float], *, drawn_too: bool = True
) -> Iterator[Judged]:
    """Hold the figures to their bounds; name the one that comes closest, or is farthest out.

    Without ``drawn_too`` only exact figures are judged: too few draws prove nothing.
    """
    held: dict[Bound, list[Cell]] = {}
    for part in table.parts:
        for cell in part.cells:
            if cell.bound is not None and (drawn_too or not part.drawn):
                held.setdefault(cell.bound, []).append(cell)
    for bound, cells in held.items():
        worst = min(cells, key=lambda cell: bound.room(found[cell.place]))
        figure = found[worst.place]
        said = f"{bound.says}: {figure:.{table.decimals + 1}f} at {worst.row}, {worst.column}"
        yield Judged(said, bound.room(figure) >= 0)
