"""Read ``gate.toml``: strict TOML, every error named by its key and nearest right name."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from gate.errors import PolicyInvalid, Problem
from gate.records.gating import GateOptions
from gate.records.policy import SuiteOptions
from gate.records.problems import explain, members, nearest
from gate.records.scoring import ScorerOptions

TABLES: Final = ("suite", "scorer", "gates")


class PolicyText:
    """The text and its name: tells in which line a key of a table stands, for messages."""

    __slots__ = ("_lines", "_source")

    def __init__(self, text: str, source: str) -> None:
        """Keep the lines; nothing is parsed a second time."""
        self._lines = [line.strip() for line in text.split("\n")]
        self._source = source

    def problem(self, header: str, number: int, key: str, said: str) -> Problem:
        """Place ``said`` at ``key`` in the ``number``-th table under ``header``."""
        return Problem(self._source, self._line(header, number, key), f"{header}: {said}")

    def _line(self, header: str, number: int, key: str) -> int | None:
        at: int | None = None
        for position, line in enumerate(self._lines, start=1):
            if line.startswith(header):
                number -= 1
                at = position if number == 0 else at
            elif line.startswith("[") and number == 0:
                break
            elif number == 0 and key and line.split("=")[0].strip().strip("\"'") == key:
                return position
        return at


class PolicyFile:
    """What a policy file says, each part validated by itself and none merged yet."""

    __slots__ = ("gates", "scorer", "suite")

    def __init__(
        self,
        suite: SuiteOptions,
        scorer: ScorerOptions | None,
        gates: tuple[GateOptions, ...],
    ) -> None:
        """Keep the three parts."""
        self.suite = suite
        self.scorer = scorer
        self.gates = gates


def read_policy(text: str, *, source: str) -> PolicyFile:
    """Parse a policy file.

    Raises :class:`gate.errors.PolicyInvalid` listing every problem: what TOML refuses
    (duplicate keys among it), ``inf`` and ``nan``, unknown keys with the nearest known one,
    wrong types and values out of range.
    """
    document = _parse(text, source)
    placed = PolicyText(text, source)
    problems: list[Problem] = [
        placed.problem(f"[{key}]", 1, key, f"unknown table {key!r}{nearest(key, TABLES)}")
        for key in document
        if key not in TABLES
    ]
    suite = _suite(document.get("suite", {}), placed, problems)
    scorer = _scorer(document["scorer"], placed, problems) if "scorer" in document else None
    gates = _gates(document.get("gates", []), placed, problems)
    if problems:
        raise PolicyInvalid.of(sorted(problems, key=lambda problem: problem.line or 0))
    return PolicyFile(suite, scorer, gates)


def _parse(text: str, source: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text, parse_float=_finite)
    except tomllib.TOMLDecodeError as error:
        raise PolicyInvalid(f"{source}: not TOML: {error}") from None
    except RecursionError:
        raise PolicyInvalid(f"{source}: not TOML: nested too deeply") from None
    except ValueError as error:
        raise PolicyInvalid(f"{source}: {error}") from None


def _finite(text: str) -> Decimal:
    number = Decimal(text)
    if not number.is_finite():
        raise ValueError(f"{text} is no number a policy can mean")
    return number


def _suite(table: object, text: PolicyText, problems: list[Problem]) -> SuiteOptions:
    try:
        return SuiteOptions.model_validate(table)
    except ValidationError as error:
        known = tuple(SuiteOptions.model_fields)
        for key, said in explain(error, known=lambda _: known):
            problems.append(text.problem("[suite]", 1, key, said))
        return SuiteOptions()


def _scorer(table: object, text: PolicyText, problems: list[Problem]) -> ScorerOptions | None:
    try:
        found: ScorerOptions = TypeAdapter(ScorerOptions).validate_python(table)
    except ValidationError as error:
        for key, said in explain(error, known=partial(members, ScorerOptions)):
            problems.append(text.problem("[scorer]", 1, key, said))
        return None
    return found


def _gates(tables: object, text: PolicyText, problems: list[Problem]) -> tuple[GateOptions, ...]:
    if not isinstance(tables, list):
        said = "gates are written [[gates]], one table each"
        problems.append(text.problem("[gates]", 1, "", said))
        return ()
    adapter: TypeAdapter[GateOptions] = TypeAdapter(GateOptions)
    found: list[GateOptions] = []
    for number, table in enumerate(tables, start=1):
        try:
            found.append(adapter.validate_python(table))
        except ValidationError as error:
            for key, said in explain(error, known=partial(members, GateOptions)):
                problems.append(text.problem("[[gates]]", number, key, said))
    return tuple(found)
