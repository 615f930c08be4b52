"""Files of one JSON object a line: whose they are by their first line, and their objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gate.inputs.lines import Unreadable
from gate.records.json_text import JsonRefused, loads

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

    from gate.inputs.importers.source import Source

MAX_VALUES: Final = 500_000
"""JSON values of one line, at most."""


def first_has(opening: bytes, keys: Iterable[re.Pattern[bytes]]) -> bool:
    """Say whether a file begins with an object in whose line every one of ``keys`` is found."""
    first = opening.split(b"\n", 1)[0]
    starts = first.lstrip(b"\xef\xbb\xbf \t").startswith(b"{")
    return starts and all(key.search(first) for key in keys)


def object_lines(source: Source) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Give the number of each line that is not blank, and its object, or why it is none."""
    for line, text in source.lines():
        if isinstance(text, Unreadable):
            yield line, str(text)
            continue
        try:
            record = loads(text, max_values=MAX_VALUES, lenient=True)
        except JsonRefused as error:
            yield line, str(error)
            continue
        yield line, record if isinstance(record, dict) else "expected a JSON object"
