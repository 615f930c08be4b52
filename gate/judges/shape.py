"""Asking a JSON value for exactly what it should hold, and for nothing near it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


class WrongShape(ValueError):
    """The value is JSON and not what was asked for; the message says where, and quotes nothing."""


def exactly(value: object, keys: Sequence[str], *, place: str) -> dict[str, Any]:
    """Give ``value`` if it is an object of exactly ``keys``.

    >>> exactly({"a": 1, "b": 2}, ("a",), place="the reply")
    Traceback (most recent call last):
        ...
    gate.judges.shape.WrongShape: the reply has keys that nobody asked for (1)
    """
    if not isinstance(value, dict):
        raise WrongShape(f"{place} is no object")
    lacking = [key for key in keys if key not in value]
    if lacking:
        raise WrongShape(f"{place} lacks {', '.join(f'`{key}`' for key in lacking)}")
    if len(value) > len(keys):
        raise WrongShape(f"{place} has keys that nobody asked for ({len(value) - len(keys)})")
    return value


def text_at(found: dict[str, Any], key: str) -> str:
    """Give the string at ``key``."""
    value = found[key]
    if not isinstance(value, str):
        raise WrongShape(f"`{key}` is no text")
    return value


def flag_at(found: dict[str, Any], key: str) -> bool:
    """Give the boolean at ``key``: neither 0 nor 1 is one."""
    value = found[key]
    if not isinstance(value, bool):
        raise WrongShape(f"`{key}` is neither true nor false")
    return value


def whole_at(found: dict[str, Any], key: str) -> int:
    """Give the integer at ``key``: neither true nor 1.0 is one."""
    value = found[key]
    if isinstance(value, bool) or not isinstance(value, int):
        raise WrongShape(f"`{key}` is no whole number")
    return value


def share_at(found: dict[str, Any], key: str) -> float:
    """Give the number at ``key`` if it lies from 0 to 1; one outside is an error, not its edge.

    >>> share_at({"score": 7.5}, "score")
    Traceback (most recent call last):
        ...
    gate.judges.shape.WrongShape: `score` does not lie between 0 and 1
    """
    value = found[key]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise WrongShape(f"`{key}` is no number")
    if not 0 <= value <= 1:
        raise WrongShape(f"`{key}` does not lie between 0 and 1")
    return float(value)
