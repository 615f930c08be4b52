"""Recognise from its beginning a file of this product that stands in another one's place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_BASELINE: Final = '{"cases_digest":"sha256:'
_RESULT: Final = '"advisory":'
_KINDS: Final = "agent-eval-gate/"
_SWAPPED: Final = "are --cases and --predictions swapped?"


def mistaken_object(record: dict[str, Any], *, wanted: str) -> str | None:
    """Say what a file holds whose first object is ``record``, if not what is ``wanted``.

    ``wanted`` is ``cases`` or ``predictions``. What could be either is neither's fault: then it
    is ``None``, and the fields are named that are wrong.

    >>> mistaken_object({"id": "a", "output": "x"}, wanted="cases")
    'holds predictions (`output`): are --cases and --predictions swapped?'
    >>> mistaken_object({"id": "a", "inptu": "x"}, wanted="cases")
    """
    kind = str(record.get("kind"))
    if kind.startswith(_KINDS) and "id" not in record:
        return f"is a {kind.removeprefix(_KINDS)}, and {wanted} are wanted here"
    asks = next((name for name in ("input", "query") if name in record), None)
    answers = next((name for name in ("output", "error") if name in record), None)
    if wanted == "cases" and answers and not asks:
        return f"holds predictions (`{answers}`): {_SWAPPED}"
    if wanted == "predictions" and asks and not answers:
        return f"holds cases (`{asks}`): {_SWAPPED}"
    return None


def mistaken_text(first: str, second: Callable[[], object], *, wanted: str) -> str | None:
    """Say what a file is by its first line, if it is a baseline or a result.

    ``second`` gives the next line and is asked only where the first leaves it open. Both
    files are known by how they are written here.

    >>> mistaken_text("{", lambda: '"advisory": false', wanted="cases")
    'is a result, and cases are wanted here'
    """
    if first.startswith(_BASELINE):
        return f"is a baseline, and {wanted} are wanted here"
    if first.strip() == "{" and str(second()).startswith(_RESULT):
        return f"is a result, and {wanted} are wanted here"
    return None
