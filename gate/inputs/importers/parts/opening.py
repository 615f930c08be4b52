"""Which keys a JSON file begins with, though its beginning may be cut in the middle."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from gate.inputs.lines import BOM

LEVELS: Final = 4
"""Objects and arrays inside each other whose keys are told."""
_TOKEN: Final = re.compile(rb'"((?:[^"\\]|\\.)*+)(?:"(\s*:)?|\\?\Z)|[{}\[\]]', re.DOTALL)


@lru_cache(maxsize=1)
def paths(opening: bytes) -> frozenset[str]:
    r"""Give the dotted paths of the keys of the first JSON value, ``[]`` for elements.

    What stands within texts is not looked at. Keys with escapes come as they are written. One
    importer after another asks, and it looks once.

    >>> sorted(paths(b'{"cases": [{"name": "{\\"x\\": 1}", "inp'))
    ['cases', 'cases[].name']
    >>> sorted(paths(b'{"a": 1}\n{"b": 2}'))
    ['a']
    """
    found: set[str] = set()
    open_: list[str | None] = []
    name: str | None = ""
    for token in _TOKEN.finditer(opening.removeprefix(BOM)):
        text = token.group()
        if text in {b"{", b"["}:
            here = name if len(open_) < LEVELS else None
            if here is not None:
                here = f"{here}[]" if text == b"[" else f"{here}." if here else ""
            open_.append(here)
            name = here
        elif text in {b"}", b"]"}:
            if open_:
                open_.pop()
            if not open_:
                break
            name = open_[-1]
        elif not open_:
            break
        elif token.group(2) is not None and open_[-1] is not None:
            name = open_[-1] + token.group(1).decode("utf-8", "replace")
            found.add(name)
    return frozenset(found)
