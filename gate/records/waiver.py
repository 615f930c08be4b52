"""A waiver: for this gate, this case may go wrong, says somebody, for a reason, until a day."""

from typing import Annotated, Final, Literal, get_args

from pydantic import BeforeValidator, Field

from gate.records.base import Count, Flag, Name, Record, Text
from gate.records.day import Day

WaivableGate = Literal["regression", "safety", "completeness", "trajectory", "slices", "creep"]
"""The gates that hold single cases against a run; the others judge it as a whole."""
WAIVABLE: Final[tuple[str, ...]] = get_args(WaivableGate)


def _says_something(value: object) -> object:
    if isinstance(value, str) and not any(character.isalnum() for character in value):
        raise ValueError("says nothing")
    return value


Said = Annotated[Name, BeforeValidator(_says_something)]


class Waiver(Record):
    """One ``[[waivers]]`` table: ``gate`` does not count it if ``case`` goes wrong.

    It holds up to and with the day ``expires`` (UTC). ``allow_safety`` must be true where the
    gate is ``safety``, and nowhere else.
    """

    case: Name
    gate: WaivableGate
    owner: Annotated[Said, Field(max_length=200)]
    reason: Said
    expires: Day
    allow_safety: Flag = False


class WaiverUse(Record):
    """What became of a waiver in one run: ``used`` where a gate left its case out.

    ``said`` says so in words, and why where it did not. ``days_left`` counts from the day of
    the run: 0 on the last day.
    """

    case: Name
    gate: WaivableGate
    owner: Name
    reason: Name
    expires: Day
    days_left: Count
    used: Flag
    said: Text
