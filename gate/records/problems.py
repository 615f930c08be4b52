"""Say what a validation found in words a user can act on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_WANTED: Final = {
    "bool_type": "expected true or false",
    "finite_number": "expected a finite number",
    "float_type": "expected a number",
    "int_type": "expected a whole number",
    "missing": "is required",
    "string_type": "expected a text",
    "tuple_type": "expected a list",
}
_CHOICES: Final = re.compile(r", | or ")
FINDINGS: Final = 50
"""Findings that are spelt out, at most: a suggestion costs time, and hostile files hold many."""
_NAME_SHOWN: Final = 80


class Finding(NamedTuple):
    """One finding: the key it is about (empty for the whole) and what to say of it."""

    key: str
    text: str


def _nothing(_: tuple[int | str, ...]) -> tuple[str, ...]:
    return ()


def explain(
    error: ValidationError,
    *,
    known: Callable[[tuple[int | str, ...]], Iterable[str]] = _nothing,
) -> list[Finding]:
    """Turn each problem of ``error`` into one line: the field, then what is wrong with it.

    No line echoes the input except the name of an unknown field, cut short; ``known`` gives
    the names that could stand where an unknown one was found, so that one can be suggested.
    """
    found: list[Finding] = []
    items = error.errors(include_url=False, include_input=True)
    for item in items[:FINDINGS]:
        kind, place, loc = item["type"], _place(item["loc"]), item["loc"]
        key = str(loc[-1])[:_NAME_SHOWN] if loc else ""
        if kind in {"extra_forbidden", "unexpected_keyword_argument"}:
            said = f"unknown key {key!r}{nearest(key, known(loc[:-1]))}"
        elif kind == "union_tag_invalid":
            context = item.get("ctx", {})
            key = str(context.get("discriminator", "")).strip("'")
            tag = str(context.get("tag", ""))[:_NAME_SHOWN]
            choices = str(context.get("expected_tags", "")).replace("'", "").split(", ")
            said = f"unknown {key} {tag!r}{nearest(tag, choices)} (known: {', '.join(choices)})"
        elif kind == "union_tag_not_found":
            key = str(item.get("ctx", {}).get("discriminator", "")).strip("'")
            said = f"`{key}` is required"
        elif kind == "literal_error":
            choices = [one.strip("' ") for one in _CHOICES.split(item["ctx"]["expected"])]
            said = f"`{place}` is none of {', '.join(choices)}"
            said += nearest(str(item["input"])[:_NAME_SHOWN], choices)
        else:
            said = (_WANTED.get(kind) or _decapitalised(item["msg"])) + _as_share(item)
            said = f"`{place}` {said}" if place else said
        found.append(Finding(key, said))
    if len(items) > FINDINGS:
        found.append(Finding("", f"and {len(items) - FINDINGS:,} more problems like these"))
    return found


def members(union: object, loc: tuple[int | str, ...]) -> tuple[str, ...]:
    """Give the fields of the member of a tagged ``union`` that an error's place names.

    >>> from gate.records.gating import GateOptions
    >>> members(GateOptions, ("floor",))
    ('gate', 'enabled', 'min', 'metric')
    """
    from typing import get_args

    for model in get_args(get_args(union)[0]):
        fields = model.model_fields
        if loc and any(field.default == loc[0] for field in fields.values()):
            return tuple(fields)
    return ()


def nearest(name: str, names: Iterable[str]) -> str:
    """Suggest the nearest of ``names``, as the end of a sentence; empty where none is near.

    >>> nearest("max_dorp", ("max_drop", "metric"))
    "; did you mean 'max_drop'?"
    >>> nearest("colour", ("max_drop", "metric"))
    ''
    """
    found = nearest_name(name, names)
    return f"; did you mean {found!r}?" if found else ""


def nearest_name(name: str, names: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Give the nearest of ``names``, ``None`` where none is alike (``cutoff`` of 0 to 1).

    >>> nearest_name("lables", ("labels", "scorer")), nearest_name("source", ("labels",))
    ('labels', None)
    """
    from difflib import get_close_matches

    found = get_close_matches(name, list(names), n=1, cutoff=cutoff)
    return found[0] if found else None


def _as_share(item: ErrorDetails) -> str:
    """Show how a percentage is written, where a share of more than 1 was."""
    beyond = item["type"] == "less_than_equal" and item.get("ctx", {}).get("le") == 1
    percent = item["type"] == "value_error" and str(item["input"]).rstrip().endswith("%")
    return " (2 % is written 0.02)" if beyond or percent else ""


def _place(loc: tuple[int | str, ...]) -> str:
    return ".".join(str(part)[:_NAME_SHOWN] for part in loc)


def _decapitalised(message: str) -> str:
    said = message.removeprefix("Value error, ").removeprefix("Input ")
    return said[:1].lower() + said[1:]
