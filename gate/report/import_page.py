"""What was found in a file that is to become ours, as lines of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.figures import count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_NAMES: Final = 20
_CASES: Final = "cases"


class Found(NamedTuple):
    """The figures of one file. ``n_bare`` counts cases of which it tells no more than the id.

    ``scores`` are the names of what the tool recorded, how often, and whether it is the one with
    which the tool itself says that a case passed.
    """

    source: str
    read_as: str
    n_cases: int
    n_bare: int = 0
    n_answers: int = 0
    n_errors: int = 0
    runs: tuple[int, int] = (0, 0)
    scores: tuple[tuple[str, int, bool], ...] = ()
    gaps: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    by_place: str | None = None


class Written(NamedTuple):
    """A file of ours; ``unchanged`` says that it lay there just so already."""

    path: str
    what: str
    unchanged: bool


def found_lines(found: Found) -> Iterator[str]:
    """Say what a file holds: cases, answers, runs, scores, and what to mind."""
    yield f"{found.source}: read as {found.read_as}"
    bare = f", {found.n_bare:,} of them known by their ids alone" if found.n_bare else ""
    yield f"  cases     {found.n_cases:,}{bare}"
    if found.n_answers:
        yield f"  answers   {found.n_answers:,}, {count(found.n_errors, 'error')} among them"
        few, many = found.runs
        yield f"  runs      {few:,}{'' if few == many else f' to {many:,}'} of each case"
    if found.scores:
        listed = [_score(*one) for one in found.scores[:_NAMES]]
        more = len(found.scores) - _NAMES
        yield f"  scores    {'; '.join(listed)}{f'; and {more:,} more' if more > 0 else ''}"
    for said in found.gaps:
        yield f"  gap       {said}"
    if found.by_place is not None:
        yield (
            f"  mind      some ids are positions in the file (such as {found.by_place!r}): name "
            "the cases, or pass --id-field"
        )
    for said in found.remarks:
        yield f"  mind      {said}"


def written_lines(found: Found, done: Sequence[Written]) -> Iterator[str]:
    """Say which files of ours there are now, and what of the file is not in them."""
    for one in done:
        n_of = found.n_cases if one.what == _CASES else found.n_answers
        said = "is so already" if one.unchanged else "written"
        yield f"{said}: {one.path} ({count(n_of, 'case' if one.what == _CASES else 'answer')})"
    if found.gaps and not done:
        yield (
            "warning: the file may not hold all that was run: nothing of it would be written "
            "without --allow-gaps, and no verdict on it is a pass"
        )
    if found.scores and any(one.what != _CASES for one in done):
        yield (
            "note: the recorded scores are not in it, since no score of a prediction is ever "
            "read; for them, score the tool's own file with --scorer recorded"
        )
    if found.n_bare and any(one.what == _CASES for one in done):
        have = "has" if found.n_bare == 1 else "have"
        yield (
            f"note: {count(found.n_bare, 'case')} {have} an empty `input`, since the file does "
            "not tell what was asked"
        )


def _score(name: str, n_of: int, headline: bool) -> str:  # noqa: FBT001 - a row of a table
    return f"{name} ({n_of:,}{', says whether a case passed' if headline else ''})"
