"""A file that an importer reads: as lines, as one JSON text, or as an archive; all in bounds."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from gate.errors import PredictionsInvalid
from gate.inputs.lines import BOM, MAX_LINE_BYTES, Unreadable, decode, numbered
from gate.records.json_text import JsonRefused, loads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_WHOLE: Final = 128 * 1024 * 1024
"""Bytes of a file that is one JSON text (or one XML text), at most."""
MAX_VALUES: Final = 4_000_000
"""JSON values of a whole file, at most."""
OPENING: Final = 64 * 1024
"""Bytes by which a file is recognised."""


class Source(NamedTuple):
    """A file, opened as often as wanted.

    ``name`` is its path as the user gave it, for messages (and for the few tools that keep
    something in the file's name). ``open`` gives a stream of bytes from the beginning, in which
    one can seek; whoever opens it closes it.
    """

    name: str
    open: Callable[[], BinaryIO]

    def opening(self) -> bytes:
        """Give the first :data:`OPENING` bytes, by which a tool's file is recognised."""
        with self.open() as file:
            return file.read(OPENING)

    def lines(self) -> Iterator[tuple[int, str | Unreadable]]:
        """Give each line that is not blank with its number: its text, or why it has none."""
        with self.open() as file:
            yield from numbered(_lines(file))

    def whole(self) -> bytes:
        """Give all bytes. Raises ``PredictionsInvalid`` beyond :data:`MAX_WHOLE`."""
        with self.open() as file:
            data = file.read(MAX_WHOLE + 1)
        if len(data) > MAX_WHOLE:
            limit = MAX_WHOLE // (1024 * 1024)
            raise PredictionsInvalid(
                f"{self.name}: larger than {limit} MiB, the limit of a file that is read whole",
                hint="let the tool write one record a line (JSONL), or split the file",
            )
        return data

    def json(self) -> Any:  # noqa: ANN401 - any of six types
        """Give the JSON value that the file is; see :func:`value`.

        Raises ``PredictionsInvalid``.
        """
        data = self.whole()
        bare = data.removeprefix(BOM)
        text = decode(bare, offset=len(data) - len(bare))
        if isinstance(text, Unreadable):
            raise PredictionsInvalid(f"{self.name}: {text}")
        try:
            return value(text)
        except JsonRefused as error:
            raise PredictionsInvalid(f"{self.name}: {error}") from None


def value(text: str) -> Any:  # noqa: ANN401 - any of six types
    """Parse JSON as other tools write it: ``NaN`` and infinities are ``None``, no number.

    Else as strict as :func:`gate.records.json_text.loads`. Raises ``JsonRefused``.

    >>> value('{"score": NaN}')
    {'score': None}
    """
    return loads(text, max_values=MAX_VALUES, lenient=True)


def number(found: object) -> float | None:
    """Give a score as a number: true is 1.0; ``None`` for what is none.

    >>> number(True), number(0.5), number("0.5"), number(None)
    (1.0, 0.5, None, None)
    """
    if isinstance(found, bool | int | float):
        try:
            as_float = float(found)
        except OverflowError:
            return None
        return as_float if isfinite(as_float) else None
    return None


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(MAX_LINE_BYTES + 1):
        yield line
        while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE_BYTES + 1)
