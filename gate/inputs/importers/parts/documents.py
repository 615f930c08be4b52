"""A file of JSON values, however they are laid out: an array, one a line, or each over several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gate.errors import PredictionsInvalid
from gate.inputs.importers.source import MAX_WHOLE, value
from gate.inputs.lines import BOM, WHITE_SPACE, Unreadable, decode
from gate.records.json_text import JsonRefused, elements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.source import Source

_OPENERS: Final = ("{", "[")


def documents(source: Source) -> Iterator[tuple[str, Any]]:
    """Give each value with its place; what cannot be read comes as an ``Unreadable``.

    An array gives its elements. Else each line is a value, unless the first line is none: then
    a value ends at a line that is ``}`` or ``]`` alone, as indented JSON does.
    Raises ``PredictionsInvalid`` where the whole file is not text or not JSON.
    """
    if source.opening().removeprefix(BOM).lstrip(WHITE_SPACE).startswith(b"["):
        yield from _in_array(source)
        return
    _, first = next(source.lines(), (0, ""))
    if isinstance(first, Unreadable):
        yield "the file", source.json()  # too long for a line, or no text: that is said there
    elif first and isinstance(_read(first), Unreadable):
        yield from _over_lines(source)
    else:
        for number, line in source.lines():
            yield f"line {number}", _read(line)


def _read(text: str) -> Any:  # noqa: ANN401 - any of six types
    if isinstance(text, Unreadable):
        return text
    try:
        return value(text)
    except JsonRefused as error:
        return Unreadable(error)


def _in_array(source: Source) -> Iterator[tuple[str, Any]]:
    # Several arrays, one a line, are no array: there each line is a value.
    lines = source.lines()
    _, first = next(lines, (0, ""))
    _, second = next(lines, (0, ""))
    if second.lstrip().startswith("[") and not isinstance(_read(first), Unreadable):
        for number, line in source.lines():
            yield f"line {number}", _read(line)
        return
    data = source.whole()
    bare = data.removeprefix(BOM)
    text = decode(bare, offset=len(data) - len(bare))
    if isinstance(text, Unreadable):
        raise PredictionsInvalid(f"{source.name}: {text}")
    try:
        for index, element in enumerate(elements(text)):
            yield f"[{index}]", _read(element)
    except JsonRefused as error:
        raise PredictionsInvalid(f"{source.name}: {error}") from None


def _over_lines(source: Source) -> Iterator[tuple[str, Any]]:
    held: list[str] = []
    start = size = 0
    for number, line in source.lines():
        if isinstance(line, Unreadable):
            yield f"line {number}", line
            return
        start = start if held else number
        held.append(line)
        size += len(line)
        if size > MAX_WHOLE:
            limit = MAX_WHOLE // (1024 * 1024)
            raise PredictionsInvalid(
                f"{source.name}:{start}: a value of more than {limit} MiB",
                hint="let the tool write one record a line (JSONL)",
            )
        if line.rstrip() in {"}", "]"}:
            yield f"line {start}", _read("".join(held))
            held, size = [], 0
    if held:
        yield f"line {start}", _read("".join(held))
