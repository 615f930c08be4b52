"""One element as a number: the whole text is a quantity, or it is no number at all."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, NamedTuple

from gate.metrics.units import PERCENT, read_unit

MAX_LENGTH: Final = 200
"""Characters a quantity may have: exact arithmetic on more is slow and means nothing."""
MAX_EXPONENT: Final = 400
"""The largest power of ten, either way: just beyond the range of binary64."""


class Quantity(NamedTuple):
    """An exact number and the one spelling of its unit, ``""`` where it bears none."""

    value: Fraction
    unit: str


def read_quantity(text: str) -> Quantity | None:
    """Read a text that is wholly one quantity, exactly; ``None`` for every other text.

    Read are: a sign (``+``, ``-``, U+2212, and an en dash right before a digit); digits 0-9
    and no others; thousands separated by commas, no-break or thin spaces; a decimal point;
    an exponent (``1e3``, ``1.5 × 10^3``); ``thousand``, ``million``, ``billion`` and
    ``trillion``; a currency before or a unit after the number, from the closed table of
    :mod:`gate.metrics.units`; a compass letter after degrees (``33.9° S`` is -33.9); a
    hedge before it (``about``, ``~``); parentheses around it; sentence punctuation after it.

    Not read, so texts: dates, times, ranges and ratios (``2018-01-26``, ``10:30``, ``0-1``,
    ``1/2``); ``1.234,56`` and ``1,23``; integers with leading zeros, which are identifiers
    (``00501``); digits of other scripts; ``nan`` and ``inf``; whatever is longer than
    :data:`MAX_LENGTH` or beyond ten to the power of :data:`MAX_EXPONENT`.

    >>> read_quantity("$80,000").value, read_quantity("−1.5e3 km")
    (Fraction(80000, 1), Quantity(value=Fraction(-1500, 1), unit='km'))
    >>> read_quantity("2018-01-26"), read_quantity("12 Angry Men"), read_quantity("1e999999999")
    (None, None, None)
    """
    if len(text) > MAX_LENGTH:
        return None
    found = _QUANTITY.fullmatch(_trimmed(text))
    if found is None:
        return None
    unit = _unit(found)
    value = _value(found)
    return None if unit is None or value is None else Quantity(value, unit)


def relative_credit(actual: Fraction, expected: Fraction, *, tolerance: Fraction) -> Fraction:
    """Credit a number: 1 up to a relative error of ``tolerance``, then what it falls short of 1.

    The limit belongs to the inside. From a relative error of 1 on nothing is left. Nothing
    is relative to an expected zero: there only a zero counts.

    >>> tenth = Fraction(1, 10)
    >>> relative_credit(Fraction(110), Fraction(100), tolerance=tenth)
    Fraction(1, 1)
    >>> relative_credit(Fraction(-50), Fraction(-100), tolerance=tenth)
    Fraction(1, 2)
    >>> relative_credit(Fraction(1, 1000), Fraction(0), tolerance=tenth)
    Fraction(0, 1)
    """
    if actual == expected:
        return Fraction(1)
    if not expected:
        return Fraction(0)
    error = abs((actual - expected) / expected)
    return Fraction(1) if error <= tolerance else max(1 - error, Fraction(0))


def quantity_credit(
    actual: Quantity, expected: Quantity, *, tolerance: Fraction
) -> Fraction | None:
    """Credit a quantity against the expected one, or ``None`` where their units differ.

    A unit on one side only is not looked at. A percent sign on one side only may stand for
    the number itself or for hundredths (69.75 and 0.6975 are both 69.75 %): the nearer
    reading counts.

    >>> percent, bare = Quantity(Fraction("101.4"), "%"), Quantity(Fraction("1.015"), "")
    >>> quantity_credit(percent, bare, tolerance=Fraction(1, 10))
    Fraction(1, 1)
    >>> quantity_credit(Quantity(Fraction(5), "km"), Quantity(Fraction(5), "mi"),
    ...                 tolerance=Fraction(1, 10)) is None
    True
    """
    units = {actual.unit, expected.unit}
    if len(units - {""}) > 1:
        return None
    credit = relative_credit(actual.value, expected.value, tolerance=tolerance)
    if units != {PERCENT, ""}:
        return credit
    as_share = relative_credit(
        actual.value / 100 if actual.unit else actual.value,
        expected.value / 100 if expected.unit else expected.value,
        tolerance=tolerance,
    )
    return max(credit, as_share)


_THIN: Final = "\u00a0\u202f\u2009"
_WITHOUT_SEPARATORS: Final = dict.fromkeys(map(ord, f",{_THIN}"))
_SCALES: Final = {"": 0, "thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_SPACE: Final = rf"[\s{_THIN}]"
_MINUS: Final = r"[+\-−]|–(?=[0-9.])"
_QUANTITY: Final = re.compile(
    rf"""
    (?:(?:about|approximately|approx\.?|around|roughly|circa|ca\.|c\.){_SPACE}*|[~≈]{_SPACE}*)?
    (?P<sign>{_MINUS})?
    {_SPACE}?
    (?P<currency>US\$|[$€£¥]|(?:USD|EUR|GBP|JPY)(?![a-z]))?
    {_SPACE}?
    (?P<inner_sign>(?(sign)(?!)|(?:{_MINUS})))?
    (?P<whole>
        [1-9][0-9]{{0,2}}(?P<separator>[,{_THIN}])[0-9]{{3}}(?:(?P=separator)[0-9]{{3}})*
        | 0 | [1-9][0-9]* | (?=\.[0-9])
    )
    (?:\.(?P<part>[0-9]*))?
    (?:
        e(?P<e>[+\-−]?[0-9]{{1,9}})
        | {_SPACE}?[×x*]{_SPACE}?10(?:\^|\*\*)(?P<ten>[+\-−]?[0-9]{{1,9}})
    )?
    (?:{_SPACE}?(?P<scale>thousand|million|billion|trillion)\b)?
    (?:{_SPACE}?(?:°|deg(?:rees?)?){_SPACE}?(?P<compass>N(?:orth)?|S(?:outh)?|E(?:ast)?|W(?:est)?)\b)?
    {_SPACE}{{0,3}}
    (?P<unit>[^0-9.\s{_THIN}].*)?
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII | re.DOTALL,
)


def _trimmed(text: str) -> str:
    bare = text.strip().rstrip(".!?;:").rstrip()
    if bare.startswith("(") and bare.endswith(")"):
        bare = bare[1:-1].strip()
    return bare


def _unit(found: re.Match[str]) -> str | None:
    before, after = read_unit(found["currency"] or ""), read_unit(found["unit"] or "")
    if before is None or after is None or (before and after and before != after):
        return None
    if not found["compass"]:
        return before or after
    return None if before or after else "°"


def _value(found: re.Match[str]) -> Fraction | None:
    sign = found["sign"] or found["inner_sign"] or ""
    compass = (found["compass"] or " ")[0].upper()
    if sign and compass in "SW":
        return None  # minus south: nobody knows which
    exponent = int((found["e"] or found["ten"] or "0").replace("−", "-"))
    exponent += _SCALES[(found["scale"] or "").lower()]
    if abs(exponent) > MAX_EXPONENT:
        return None
    whole, part = found["whole"].translate(_WITHOUT_SEPARATORS), found["part"] or ""
    number, power = int(whole + part), exponent - len(part)
    if sign not in {"", "+"} or compass in "SW":
        number = -number
    return Fraction(number * 10**power) if power >= 0 else Fraction(number, 10**-power)
