"""Values that a file can only hold as texts: numbers, and lists of names."""

from __future__ import annotations

import re
from math import isfinite
from typing import Final

_NUMBER: Final = re.compile(
    r"[+-]?(?:[0-9]{1,300}(?:\.[0-9]{0,300})?|\.[0-9]{1,300})(?:[eE][+-]?[0-9]{1,3})?"
)
_WORDS: Final = {"true": 1.0, "false": 0.0}
_QUOTED: Final = re.compile(r"'([^']*)'|\"([^\"]*)\"")
_BETWEEN: Final = re.compile(r"[,;|]")


def score_in(said: str) -> float | None:
    """Read a score: a finite number with a decimal point, or ``true`` or ``false``.

    >>> score_in("0.75"), score_in(" TRUE "), score_in("nan"), score_in("0,75")
    (0.75, 1.0, None, None)
    """
    bare = said.strip()
    if _NUMBER.fullmatch(bare):
        number = float(bare)
        return number if isfinite(number) else None
    return _WORDS.get(bare.lower())


def names_in(said: str) -> tuple[str, ...]:
    """Read names: a list as JSON or Python writes it, or with ``,``, ``;`` or ``|`` between.

    >>> names_in("['search', 'calc']"), names_in("search; calc"), names_in("")
    (('search', 'calc'), ('search', 'calc'), ())
    """
    bare = said.strip()
    if bare.startswith("[") and bare.endswith("]"):
        return tuple(one or other for one, other in _QUOTED.findall(bare) if one or other)
    return tuple(name for part in _BETWEEN.split(bare) if (name := part.strip()))
