"""The units that an answer may write after or before a number, and their one spelling.

A closed table: a word that is not in it makes a text of the whole ("12 Angry Men" is no
number). Nothing is converted: kilometres and miles are simply different units.
"""

from __future__ import annotations

from typing import Final

PERCENT: Final = "%"

_SPELLINGS: Final = {
    PERCENT: "% percent|per cent|pct",
    "mm": "mm millimeter|millimeters|millimetre|millimetres",
    "cm": "cm centimeter|centimeters|centimetre|centimetres",
    "m": "m meter|meters|metre|metres|m a.s.l|m asl|m above sea level",
    "km": "km kilometer|kilometers|kilometre|kilometres|kms",
    "ft": "ft foot|feet",
    "yd": "yd yard|yards",
    "mi": "mi mile|miles",
    "nmi": "nmi nautical mile|nautical miles",
    "m2": "m² m2|m^2|sq m|sqm|square meter|square meters|square metre|square metres",
    "km2": "km² km2|km^2|sq km|sqkm|sq. km|square kilometer|square kilometers"
    "|square kilometre|square kilometres",
    "ha": "ha hectare|hectares",
    "ac": "acre acres",
    "mi2": "mi² mi2|mi^2|sq mi|sq. mi|square mile|square miles",
    "m3": "m³ m3|m^3|cubic meter|cubic meters|cubic metre|cubic metres",
    "km3": "km³ km3|km^3|cubic kilometer|cubic kilometers|cubic kilometre|cubic kilometres",
    "m3/s": "m³/s m3/s|m^3/s|cubic meters per second|cubic metres per second",
    "l": "liter liters|litre|litres",
    "kg": "kg kilogram|kilograms",
    "t": "tonne tonnes|metric tons",
    "°": "° degree|degrees|deg",
    "°c": "°c ° c|degrees c|degrees celsius|celsius|℃",
    "°f": "°f ° f|degrees f|degrees fahrenheit|fahrenheit|℉",
    "s": "s sec|second|seconds",
    "min": "min minute|minutes",
    "h": "h hr|hrs|hour|hours",
    "d": "day days",
    "wk": "week weeks",
    "mo": "month months",
    "yr": "yr yrs|year|years",
    "m/s": "m/s meters per second|metres per second",
    "km/h": "km/h kph|kmh|kilometers per hour|kilometres per hour",
    "mph": "mph miles per hour",
    "/km2": "/km² /km2|/km^2|per km²|per km2|per square kilometer|per square kilometre"
    "|people/km²|people/km2|people per km²|people per square kilometer"
    "|people per square kilometre|inhabitants per square kilometer"
    "|inhabitants per square kilometre",
    "people": "people persons|inhabitants|residents",
    "countries": "country countries",
    "usd": "$ us$|usd|dollar|dollars|us dollars",
    "eur": "€ eur|euro|euros",
    "gbp": "£ gbp|pound sterling|pounds sterling",
    "jpy": "¥ jpy|yen",
}
_UNITS: Final = {
    spelling: unit
    for unit, line in _SPELLINGS.items()
    for first, _, rest in [line.partition(" ")]
    for spelling in (first, *rest.split("|"))
}


def read_unit(text: str) -> str | None:
    """Give the one spelling of a unit; ``""`` for none, ``None`` for words that are no unit.

    Case does not matter, except that one letter is a unit only in lower case: ``5 M`` may
    be five million.

    >>> read_unit("square  kilometres"), read_unit("Km"), read_unit("")
    ('km2', 'km', '')
    >>> read_unit("M"), read_unit("Angry Men")
    (None, None)
    """
    words = " ".join(text.split())
    if not words:
        return ""
    return _UNITS.get(words if len(words) == 1 else words.lower())
