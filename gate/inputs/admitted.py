"""What an importer finds, held to the rules of every file: ids, repeats, all its mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.errors import PredictionsInvalid, Problem
from gate.inputs.fields import MAX_ID_CHARACTERS, shown
from gate.inputs.importers.found import Found, Gap, Remark, Wrong
from gate.inputs.predictions import STORED
from gate.inputs.seen import MAX_REPEAT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    _Place = int | str

LISTED: Final = 20
"""Gaps and remarks that are kept of a file, at most; the rest is counted."""
SAID: Final = 300
"""Characters of one of them."""
_MESSAGE: Final = 2_000
"""Characters of what is said of a record: names may be long, and whoever prints it cuts."""
_PLACE: Final = 200
_LINE: Final = "line "
_DIGITS: Final = 15


class Admitted:
    """Gives each answer of a file with the number of its run; what is wrong is raised at the end.

    A few hundred bytes are kept of each answer: its id and where it stands.
    """

    def __init__(self, findings: Iterable[Found | Wrong | Gap | Remark], *, source: str) -> None:
        """Read nothing yet; ``source`` names the file in messages."""
        self._findings = findings
        self._source = source
        self._problems: list[Problem] = []
        self._n_problems = 0
        # Only an id with several runs costs a dict of its own.
        self._places: dict[str, _Place | dict[int, _Place]] = {}
        self._gaps = _Sayings()
        self._remarks = _Sayings()
        self.unnumbered = False
        """Whether answers of one id were only counted, since the file does not number them."""
        self.by_place: str | None = None
        """An id that is no more than a position in the file, if there is one."""

    @property
    def gaps(self) -> tuple[str, ...]:
        """Why the file may not hold all that was run."""
        return self._gaps.listed

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of the report should know."""
        return self._remarks.listed

    @property
    def n_ids(self) -> int:
        """Count the different ids so far."""
        return len(self._places)

    @property
    def runs(self) -> tuple[int, int]:
        """Give the fewest and the most runs of one id; known at the end."""
        counts = {len(at) if isinstance(at, dict) else 1 for at in self._places.values()} or {0}
        return min(counts), max(counts)

    def __iter__(self) -> Iterator[tuple[Found, int]]:
        """Give the answers in the order of the file. Raises ``PredictionsInvalid`` at the end."""
        for finding in self._findings:
            if isinstance(finding, Found):
                repeat = self._admit(finding)
                if repeat is not None:
                    yield finding, repeat
            elif isinstance(finding, Wrong):
                self.refuse(finding.place, finding.message)
            elif isinstance(finding, Gap):
                self._gaps.add(finding.message)
            else:
                self._remarks.add(finding.message)
        if self._n_problems:
            hint = "see what is read of this format in docs/importers.md"
            raise PredictionsInvalid.of(self._problems, total=self._n_problems, hint=hint)

    def refuse(self, place: str, message: str) -> None:
        """Remember that what stands at ``place`` is wrong."""
        self._n_problems += 1
        if len(self._problems) == STORED:
            return
        number = _packed(place)
        if isinstance(number, int):
            problem = Problem(self._source, number, message[:_MESSAGE])
        else:
            problem = Problem(self._source, None, f"{place[:_PLACE]}: {message[:_MESSAGE]}")
        self._problems.append(problem)

    def place(self, name: str) -> str:
        """Say where the first answer of an id stands."""
        held = self._places.get(name, "")
        return _spelt(next(iter(held.values())) if isinstance(held, dict) else held)

    def _admit(self, found: Found) -> int | None:
        """Give the number of a run, or remember what is wrong with it."""
        said = _objection(found)
        if said is not None:
            self.refuse(found.place, said)
            return None
        if found.by_place and self.by_place is None:
            self.by_place = found.id
        place, repeat, before = _packed(found.place), found.repeat, self._places.get(found.id)
        if before is None:
            number = repeat or 0
            self._places[found.id] = {number: place} if number else place
            return number
        several = before if isinstance(before, dict) else {0: before}
        self._places[found.id] = several
        self.unnumbered = self.unnumbered or repeat is None or found.counted
        if repeat is None:
            repeat = len(several)
        if repeat in several:
            self.refuse(
                found.place,
                f"id {shown(found.id)} with repeat {repeat} appears twice; the first is "
                f"{_spelt(several[repeat])[:_PLACE]}",
            )
            return None
        several[repeat] = place
        return repeat


def _packed(place: str) -> _Place:
    """Give the number of a line, which takes half the room, or the place as it is."""
    number = place.removeprefix(_LINE)
    if len(number) + len(_LINE) != len(place) or not (number.isascii() and number.isdecimal()):
        return place
    return int(number) if len(number) <= _DIGITS else place


def _spelt(place: _Place) -> str:
    return f"{_LINE}{place}" if isinstance(place, int) else place


def _objection(found: Found) -> str | None:
    if not found.id:
        return "the id is empty"
    if len(found.id) > MAX_ID_CHARACTERS:
        return (
            f"id {shown(found.id)} has {len(found.id)} characters, more than {MAX_ID_CHARACTERS}"
        )
    if found.repeat is not None and not 0 <= found.repeat <= MAX_REPEAT:
        return f"repeat {found.repeat} is not between 0 and {MAX_REPEAT}"
    if (found.output is None) is (found.error is None):
        return "there is neither an output nor an error, or both"
    for name in ("cost_usd", "latency_ms"):
        amount = getattr(found, name)
        if amount is not None and not 0 <= amount < float("inf"):
            return f"{name}: {amount} is no number of 0 or more"
    return None


class _Sayings:
    """Sentences in the order they came, each once, so many and so long at most."""

    def __init__(self) -> None:
        self._held: dict[str, None] = {}
        self._more = 0

    def add(self, text: str) -> None:
        said = " ".join(text.split())
        said = said if len(said) <= SAID else said[: SAID - 1] + "…"
        if said in self._held:
            return
        if len(self._held) < LISTED:
            self._held[said] = None
        else:
            self._more += 1

    @property
    def listed(self) -> tuple[str, ...]:
        rest = (f"and {self._more:,} more like these",) if self._more else ()
        return (*self._held, *rest)
