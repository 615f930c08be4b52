"""One row of a plain file: CSV, or JSON of any shape, read by names and by a map of fields."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.inputs.fields import read_amount, read_name, read_texts, shown
from gate.inputs.importers.found import Found, FoundCase, RecordedScore, Wrong
from gate.inputs.importers.parts.dotted import dotted, twofold
from gate.inputs.importers.parts.texts import names_in, score_in
from gate.inputs.importers.source import number
from gate.inputs.seen import MAX_REPEAT
from gate.records.json_text import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

FIELDS: Final = {
    "id": ("id",),
    "repeat": ("repeat",),
    "input": ("input", "query"),
    "output": ("output",),
    "error": ("error",),
    "reference": ("reference", "expected"),
    "tools": ("tools",),
    "expected_tools": ("expected_tools",),
    "labels": ("labels",),
    "cost_usd": ("cost_usd",),
    "latency_ms": ("latency_ms",),
}
"""What a map may fill, and the names by which each is found without one."""
_COMMA: Final = re.compile(r"[-+]?\d*,\d+")
_SHOWN: Final = 60
_LISTED: Final = 10


class Plan(NamedTuple):
    """Where each field is: ``mapped`` by somebody's word, ``usual`` by its name."""

    mapped: dict[str, str]
    scores: tuple[tuple[str, str], ...]


class Told:
    """What the rows of a file come to, for what is said at its end."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self.rows = self.failed = self.empty = self.odd = 0
        self.first = ""
        self.keys: tuple[str, ...] = ()
        self.places: set[str] = set()

    def add_odd(self, place: str, given: object) -> None:
        """Count a score that is no number; of the first it is told what it is."""
        self.odd += 1
        if not self.first:
            comma = isinstance(given, str) and _COMMA.fullmatch(given.strip())
            more = ", and a number has a decimal point" if comma else ""
            self.first = f"{place}: {shown(as_text(given)[:_SHOWN])}{more}"


def nowhere(plan: Plan, told: Told) -> Iterator[Wrong]:
    """Say which places of the map no row has: a row without an error need not name one."""
    wanted = {f"score:{name}": path for name, path in plan.scores} | plan.mapped
    for field, path in wanted.items():
        excused = field == "error" or told.failed == told.rows
        if path not in told.places and not excused:
            keys = ", ".join(shown(key[:_SHOWN]) for key in told.keys[:_LISTED])
            yield Wrong(
                "the file",
                f"no row has {shown(path[:_SHOWN])}, where a map says that {field} is (the first "
                f"row has: {keys})",
            )


class Row:
    """One row that is read: what it says, and what is wrong with it."""

    def __init__(
        self, record: dict[str, Any], plan: Plan, told: Told, place: str, *, is_csv: bool
    ) -> None:
        """Read nothing yet; ``told`` gathers what is said at the end of the file."""
        self._record = record
        self._plan = plan
        self._told = told
        self._place = place
        self._is_csv = is_csv
        self._problems: list[str] = []
        self._lacks = False

    def read(self, kinds: dict[str, bool]) -> Found | Wrong:
        """Give the answer of this row; ``kinds`` knows which ids were numbers."""
        name, place = self._id(kinds), self._place
        output, error = self._answer()
        self._told.failed += error is not None and output is None and not self._lacks
        finding = Found(
            id=name or "",
            place=place,
            repeat=self._repeat(),
            output=output,
            error=error,
            tools=self._names("tools"),
            scores=() if error is not None else self._scores(),
            case=self._case(),
            cost_usd=self._amount("cost_usd"),
            latency_ms=self._amount("latency_ms"),
        )
        return Wrong(place, "; ".join(self._problems)) if self._problems else finding

    def _value(self, field: str) -> Any:  # noqa: ANN401 - any of six types
        """Give what the row holds for ``field``: ``None`` where nothing, or null, is there."""
        path = self._plan.mapped.get(field)
        if path is not None:
            return self._at(path)
        usual = (self._record[name] for name in FIELDS[field] if name in self._record)
        empty = ("", None) if self._is_csv else (None,)
        found = next((one for one in usual if one not in empty), None)
        if found is None and field == "output" and self._is_csv:
            return self._record.get("output")
        return found

    def _at(self, path: str) -> Any:  # noqa: ANN401 - any of six types
        try:
            value = dotted(self._record, path)
        except KeyError:
            return None
        self._told.places.add(path)
        if twofold(self._record, path):
            self._problems.append(
                f"{shown(path[:_SHOWN])} is there twice, as a name and as a path: nothing says "
                "which is meant"
            )
        return value

    def _id(self, kinds: dict[str, bool]) -> str | None:
        path = self._plan.mapped.get("id", "id")
        given = self._value("id")
        if given is None:
            self._problems.append(f"`{path}`: is missing, and the id is there")
            return None
        name = read_name(path, given, self._problems)
        numeric = type(given) is int
        if name is not None and kinds.setdefault(name, numeric) != numeric:
            self._problems.append(f"id {shown(name)} stands there as a number and as a text")
        return name

    def _answer(self) -> tuple[str | None, str | None]:
        output, error = self._value("output"), self._value("error")
        if error is not None and (not isinstance(error, str) or error.strip()):
            said = as_text(error)
            if output is not None and output != "":
                self._problems.append("expected either `output` or `error`, got both")
            return None, said
        if output is None:
            path = self._plan.mapped.get("output", "output")
            self._lacks = True
            return None, f"the row holds no output: `{path}` is null, or is not there"
        if self._is_csv and output == "":
            self._told.empty += 1
        return as_text(output), None

    def _text(self, field: str) -> str | None:
        value = self._value(field)
        return None if value is None or (self._is_csv and value == "") else as_text(value)

    def _case(self) -> FoundCase | None:
        asked, reference = self._text("input"), self._text("reference")
        tools, labels = self._names("expected_tools") or (), self._labels()
        if asked is None and reference is None and not tools and not labels:
            return None
        return FoundCase(asked or "", reference, tools, labels)

    def _repeat(self) -> int | None:
        value = self._value("repeat")
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:  # noqa: PLR2004
            value = int(value)
        if value is None or value == "":
            return None
        if type(value) is not int or not 0 <= value <= MAX_REPEAT:
            self._problems.append(f"`repeat`: expected a whole number from 0 to {MAX_REPEAT}")
            return None
        return value

    def _names(self, field: str) -> tuple[str, ...] | None:
        value = self._value(field)
        if value is None:
            return None
        if isinstance(value, str) and self._is_csv:
            return names_in(value)
        if isinstance(value, list):
            value = [
                one["name"] if isinstance(one, dict) and isinstance(one.get("name"), str) else one
                for one in value
            ]
        return read_texts(field, value, self._problems)

    def _labels(self) -> tuple[str, ...]:
        value = self._value("labels")
        if value is None:
            return ()
        if isinstance(value, str):
            found = names_in(value) if self._is_csv else (value,)
        else:
            found = read_texts("labels", value, self._problems) or ()
        return tuple(sorted({one for one in found if one}))

    def _amount(self, field: str) -> float | None:
        value = self._value(field)
        if isinstance(value, str) and self._is_csv:
            value = score_in(value) if value.strip() else None
            if value is None:
                return None
        return None if value is None else read_amount(field, value, self._problems)

    def _scores(self) -> tuple[RecordedScore, ...]:
        found: list[RecordedScore] = []
        for name, path in self._plan.scores:
            given = self._at(path)
            value = score_in(given) if isinstance(given, str) and self._is_csv else number(given)
            if value is None and given is not None and given != "":
                self._told.add_odd(self._place, given)
            found.append(RecordedScore(name, value))
        return tuple(found)
