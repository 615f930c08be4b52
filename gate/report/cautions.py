"""What may make a verdict mean less than it seems to: one loud sentence each."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.figures import count

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from gate.records.result import CaseResult

_LISTED: Final = 5
_NAME: Final = 80


class Numbered(NamedTuple):
    """The least repeat number, and the case whose greatest alone says how many runs there are.

    ``case_id`` is ``None`` where more than that one says so; ``repeats`` are expected, and
    ``came`` is the most that any case has.
    """

    least: int
    case_id: str | None
    repeats: int
    came: int


def cautions(
    rows: Sequence[CaseResult],
    *,
    misspelt: Sequence[tuple[str, str, int]],
    watched: Collection[str],
    numbered: Numbered,
    gaps: Sequence[str] = (),
) -> tuple[str, ...]:
    """Give the sentences; none where nothing looks like a mistake.

    ``misspelt`` are names of case fields, what each may have meant, and in how many cases;
    ``watched`` are the labels that safety gates look at; ``gaps`` say why the predictions may not
    hold all that was run.
    """
    return (
        *(f"The predictions may not hold all that was run: {gap}." for gap in gaps),
        *_about_fields(misspelt),
        *_about_labels(rows, watched),
        *_about_repeats(numbered),
    )


def _about_fields(fields: Sequence[tuple[str, str, int]]) -> Iterator[str]:
    for name, meant, number in fields[:_LISTED]:
        yield (
            f"The field {name[:_NAME]!r} of {count(number, 'case')} was kept as metadata and not "
            f"read; did you mean {meant!r}?"
        )


def _about_labels(rows: Sequence[CaseResult], watched: Collection[str]) -> Iterator[str]:
    meant = {_folded(label): label for label in watched}
    counts = Counter(chain.from_iterable([row.labels for row in rows]))
    found = {
        label: number
        for label, number in counts.items()
        if label not in watched and _folded(label) in meant
    }
    for label, number in sorted(found.items())[:_LISTED]:
        yield (
            f"The label {label[:_NAME]!r} of {count(number, 'case')} is not "
            f"{meant[_folded(label)][:_NAME]!r}: the safety gate does not look at "
            f"{'it' if number == 1 else 'them'}."
        )


def _folded(label: str) -> str:
    return "".join(label.split()).casefold()


def _about_repeats(numbered: Numbered) -> Iterator[str]:
    if numbered.least > 0:
        yield (
            "Repeats count from 0, and no prediction has repeat 0: the first run of every case "
            "is missing."
        )
    if 0 < numbered.came < numbered.repeats:
        yield (
            f"The predictions hold {count(numbered.came, 'run')} of each case at most, and "
            f"{numbered.repeats:,} are expected: the others count as failed. Run the agent "
            f"{numbered.repeats:,} times, or pass --repeats {numbered.came}."
        )
    if numbered.case_id is not None:
        yield (
            f"Repeat {numbered.repeats - 1} stands in one case alone, "
            f"{numbered.case_id[:_NAME]!r}, and makes {numbered.repeats} runs of every case "
            "expected: number repeats from 0, or say how many there are with --repeats."
        )
