"""What single fields of a span hold: ids, times and OTLP's tagged values."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as NotBase64
from typing import Any, Final

_HEX: Final = re.compile(r"(?:0x)?([0-9a-fA-F]{16}|[0-9a-fA-F]{32})")
_TIME: Final = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[T ]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]{1,9}))?"
    r"(?:Z|\+00:?00)?"
)
_DIGITS: Final = 24
"""Of a time in nanoseconds, at most."""
_SCALARS: Final = ("stringValue", "boolValue", "doubleValue", "bytesValue")


class OddSpan(ValueError):
    """A span that is not as OpenTelemetry has it; says which field."""


def span_id(found: object, what: str, digits: int) -> str:
    """Give an id in hexadecimal, as OTLP's JSON has it; protobuf's JSON has base64.

    >>> span_id("0x64f6017931ad511c", "it", 16) == span_id("ZPYBeTGtURw=", "it", 16)
    True
    """
    if isinstance(found, str):
        spelt = _HEX.fullmatch(found)
        if spelt and len(spelt[1]) == digits:
            return spelt[1].lower()
        try:
            raw = b64decode(found, validate=True)
        except (NotBase64, ValueError):
            raw = b""
        if len(raw) * 2 == digits:
            return raw.hex()
    raise OddSpan(f"{what}: expected {digits} hexadecimal digits, or their bytes in base64")


def span_time(found: object, what: str) -> int:
    """Give a time in nanoseconds, which OTLP has as a number or its text, and the SDKs as a date.

    >>> span_time("1970-01-01T00:00:01.5Z", "the start")
    1500000000
    """
    if type(found) is int and found >= 0:
        return found
    if isinstance(found, str):
        if found.isascii() and found.isdigit() and len(found) <= _DIGITS:
            return int(found)
        spelt = _TIME.fullmatch(found)
        if spelt:
            from calendar import timegm

            year, month, day, hour, minute, second = (int(part) for part in spelt.groups()[:6])
            try:
                whole = timegm((year, month, day, hour, minute, second))
            except ValueError:
                pass
            else:
                return whole * 10**9 + int((spelt[7] or "0").ljust(9, "0"))
    raise OddSpan(f"{what}: expected nanoseconds, or a time of UTC like 2026-01-31T12:00:00.5Z")


def otlp_attributes(listed: object) -> dict[str, Any]:
    """Turn OTLP's list of keys and tagged values into what the SDK was given."""
    found: dict[str, Any] = {}
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, dict) and isinstance(one.get("key"), str):
            found[one["key"]] = _plain(one.get("value"))
    return found


def _plain(tagged: object) -> Any:  # noqa: ANN401 - any of six types
    if not isinstance(tagged, dict):
        return None
    for tag in _SCALARS:
        if tag in tagged:
            return tagged[tag]
    if "intValue" in tagged:
        number = tagged["intValue"]
        is_text = isinstance(number, str) and re.fullmatch(r"-?[0-9]{1,20}", number)
        return int(number) if is_text else number
    array, members = tagged.get("arrayValue"), tagged.get("kvlistValue")
    if isinstance(array, dict):
        listed = array.get("values")
        return [_plain(one) for one in listed] if isinstance(listed, list) else []
    if isinstance(members, dict):
        return otlp_attributes(members.get("values"))
    return None
