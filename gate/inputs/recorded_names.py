"""The scores that a tool recorded, by their names, and which of them is gated on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.errors import PredictionsInvalid
from gate.inputs.fields import shown

if TYPE_CHECKING:
    from gate.inputs.importers.found import RecordedScore

MAX_NAMES: Final = 1_000
"""Names of scores in one file, at most."""
_LISTED: Final = 10
_NAME: Final = 80


class Scores:
    """The names of the scores that a tool recorded, and which is its own verdict."""

    def __init__(self) -> None:
        """Know none yet."""
        self._counts: dict[str, int] = {}
        self._headlines: dict[str, None] = {}

    def add(self, score: RecordedScore) -> None:
        """Take note of one."""
        if score.name not in self._counts and len(self._counts) == MAX_NAMES:
            return
        self._counts[score.name] = self._counts.get(score.name, 0) + 1
        if score.headline:
            self._headlines[score.name] = None

    @property
    def names(self) -> tuple[str, ...]:
        """Give the names in the order in which they came."""
        return tuple(self._counts)

    @property
    def listed(self) -> tuple[tuple[str, int, bool], ...]:
        """Give each name in code-point order, how often it came, and whether it is a headline."""
        return tuple(
            (name, self._counts[name], name in self._headlines) for name in sorted(self._counts)
        )

    def chosen(self, wanted: str | None, *, source: str) -> str:
        """Give the name of the score to gate on: the one that is ``wanted``, else the only one.

        One with which the tool itself says whether a case passed comes first. Raises
        ``PredictionsInvalid`` where there is none, or several and nobody says which.
        """
        names = sorted(self._counts)
        listed = ", ".join(shown(name[:_NAME]) for name in names[:_LISTED])
        listed += ", …" if len(names) > _LISTED else ""
        if not names:
            raise PredictionsInvalid(
                f"{source}: no answer has a score that the tool recorded",
                hint="score its outputs: pass another --scorer, such as contains; in plain CSV or "
                "JSONL --map score=PLACE says where a score is",
            )
        if wanted is not None:
            if wanted in self._counts:
                return wanted
            raise PredictionsInvalid(
                f"{source}: no answer has a score {shown(wanted[:_NAME])} (there are: {listed})",
                hint="pass --scorer recorded:NAME with one of these names",
            )
        first = [*self._headlines] or names
        if len(first) == 1:
            return first[0]
        raise PredictionsInvalid(
            f"{source}: the tool recorded several scores ({listed})",
            hint="say which one counts: --scorer recorded:NAME",
        )
