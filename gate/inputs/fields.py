"""What one field of a case or a prediction may hold, and how a refusal is worded.

Each reader gives the value, or adds to ``problems`` and gives ``None``. No message holds
more than a short piece of the input.
"""

from __future__ import annotations

from typing import Any, Final, TypeGuard

from gate.inputs.lines import Unreadable
from gate.records.json_text import JsonRefused, loads

MAX_ID_CHARACTERS: Final = 1000
"""Characters of an id, at most."""

_SHOWN: Final = 1_000
"""Characters of a name in a message. Whoever prints it takes secrets out and cuts it shorter then:
the other way round, half a secret would be left."""
_KINDS: Final = {
    bool: "true or false",
    dict: "an object",
    float: "a fraction",
    int: "a whole number",
    list: "a list",
    str: "a text",
    type(None): "null",
}


def kind(value: object) -> str:
    """Name the type of a JSON value as people do.

    >>> kind([]), kind(None), kind("x")
    ('a list', 'null', 'a text')
    """
    return _KINDS[type(value)]


def shown(text: str) -> str:
    r"""Quote ``text`` for a message: cut short, and nothing in it invisible.

    >>> shown("a\x1b[31m"), len(shown("x" * 1000))
    ("'a\\x1b[31m'", 1002)
    """
    return repr(text) if len(text) <= _SHOWN else repr(text[:_SHOWN]) + "…"


def expected(name: str, wanted: str, value: object) -> str:
    """Word the commonest refusal.

    >>> expected("labels", "a list of texts", "safety")
    '`labels`: expected a list of texts, got a text'
    """
    return f"`{name}`: expected {wanted}, got {kind(value)}"


def read_object(
    text: dict[str, Any] | str | Unreadable,
    problems: list[str],
    *,
    max_values: int | None = None,
) -> dict[str, Any] | None:
    """Parse the text of one record, a JSON object; one that is parsed already is given back.

    >>> found = []
    >>> read_object("[]", found), found
    (None, ['expected a JSON object, got a list'])
    """
    if isinstance(text, dict):
        return text
    if isinstance(text, Unreadable):
        problems.append(text)
        return None
    try:
        record = loads(text, max_values=max_values)
    except JsonRefused as error:
        problems.append(str(error))
        return None
    if type(record) is not dict:
        problems.append(f"expected a JSON object, got {kind(record)}")
        return None
    return record


def read_id(record: dict[str, object], problems: list[str]) -> str | None:
    """Read ``id``: a text as it is, code point by code point, or a whole number as its text.

    >>> read_id({"id": 7}, [])
    '7'
    """
    if "id" not in record:
        problems.append("`id`: is missing")
        return None
    return read_name("id", record["id"], problems)


def read_name(field: str, value: object, problems: list[str]) -> str | None:
    """Read what names something: a text that is not empty, or a whole number as its text.

    >>> found = []
    >>> read_name("cluster", "", found), found
    (None, ['`cluster`: is empty'])
    """
    if type(value) is int:
        value = str(value)
    if type(value) is not str:
        problems.append(expected(field, "a text or a whole number", value))
        return None
    if not value:
        problems.append(f"`{field}`: is empty")
        return None
    if len(value) > MAX_ID_CHARACTERS:
        problems.append(
            f"`{field}`: {shown(value)} has {len(value)} characters, more than {MAX_ID_CHARACTERS}"
        )
        return None
    return value


def is_usual_id(value: object) -> TypeGuard[str]:
    """Say whether ``value`` is an id as it stands, as nearly all are."""
    return type(value) is str and 0 < len(value) <= MAX_ID_CHARACTERS


def read_texts(name: str, value: object, problems: list[str]) -> tuple[str, ...] | None:
    """Read a list of texts; of several wrong elements the first is named.

    >>> found = []
    >>> read_texts("tools", ["search", None], found), found
    (None, ['`tools[1]`: expected a text, got null'])
    """
    if type(value) is not list:
        problems.append(expected(name, "a list of texts", value))
        return None
    for index, item in enumerate(value):
        if type(item) is not str:
            problems.append(expected(f"{name}[{index}]", "a text", item))
            return None
    return tuple(value)


def read_amount(name: str, value: object, problems: list[str]) -> float | None:
    """Read a finite number that is not below 0.

    >>> read_amount("cost_usd", 3, [])
    3.0
    """
    if type(value) is not float and type(value) is not int:
        problems.append(expected(name, "a number", value))
        return None
    try:
        amount = float(value)
    except OverflowError:
        problems.append(f"`{name}`: the number is beyond the range of a 64-bit float")
        return None
    if amount < 0:
        problems.append(f"`{name}`: {amount} is below 0")
        return None
    return amount + 0.0  # -0.0 becomes 0.0
