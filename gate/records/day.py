"""A day of the calendar, written ``YYYY-MM-DD``: counted here, since the core has no clock."""

from __future__ import annotations

import re
from typing import Annotated, Final

from pydantic import BeforeValidator, Field, Strict

_DAY: Final = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_BEFORE: Final = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)
"""Days of a year before each month, but for the leap day."""
_LENGTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def day_number(text: str) -> int:
    """Count the days of the Gregorian calendar up to one, 0001-01-01 being the first.

    Raises ``ValueError`` for what is written otherwise, and for a day that no calendar holds.

    >>> day_number("0001-01-01"), day_number("2026-03-01") - day_number("2026-02-27")
    (1, 2)
    >>> day_number("2026-02-29")
    Traceback (most recent call last):
        ...
    ValueError: no calendar holds the day 2026-02-29
    """
    found = _DAY.fullmatch(text)
    if found is None:
        raise ValueError("a date is written YYYY-MM-DD")
    year, month, day = (int(part) for part in found.groups())
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not year or not 1 <= month <= len(_LENGTHS):
        raise ValueError(f"no calendar holds the day {text}")
    if not 1 <= day <= _LENGTHS[month - 1] + (leap and month == 2):  # noqa: PLR2004 - February
        raise ValueError(f"no calendar holds the day {text}")
    years = year - 1
    return (
        365 * years
        + years // 4
        - years // 100
        + years // 400
        + _BEFORE[month - 1]
        + (leap and month > 2)  # noqa: PLR2004 - after February
        + day
    )


def _written(value: object) -> object:
    """Take a date of TOML by its text; a time of day says more than is meant."""
    if type(value).__name__ == "datetime":
        raise ValueError("a date is written YYYY-MM-DD, without a time")
    if type(value).__name__ == "date":
        value = str(value)
    if isinstance(value, str):
        day_number(value)
    return value


Day = Annotated[
    str,
    Strict(),
    BeforeValidator(_written),
    Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
]
"""A day, as TOML writes a date or in quotes."""
