"""Tells a waiting person how far a long run is; silent for short ones."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TextIO

PATIENCE: Final = 2.0
"""Seconds before the first word."""
_EVERY: Final = 256
"""Lines between looks at the clock."""


def watched(
    lines: Iterable[bytes], *, stream: TextIO, live: bool, clock: float | None = None
) -> Iterator[bytes]:
    """Pass ``lines`` through and say on ``stream`` how many there were, and how fast.

    A terminal (``live``) gets one line that changes twice a second, a log a line every ten
    seconds. ``clock`` is when the run began, on the monotonic clock.
    """
    began = time.monotonic() if clock is None else clock
    period = 0.5 if live else 10.0
    due = began + PATIENCE
    count = size = 0
    spoke = False
    for line in lines:
        yield line
        count += 1
        size += len(line)
        if count % _EVERY == 0 and (now := time.monotonic()) >= due:
            _say(stream, count, size, now - began, end="\r" if live else "\n")
            due, spoke = now + period, True
    if spoke:
        _say(stream, count, size, time.monotonic() - began, end="\n")


def _say(stream: TextIO, count: int, size: int, seconds: float, *, end: str) -> None:
    rate = size / 1e6 / seconds if seconds else 0.0
    with suppress(OSError):  # a log that cannot be written changes nothing
        stream.write(f"read {count:,} predictions ({size / 1e6:,.0f} MB, {rate:,.0f} MB/s){end}")
        stream.flush()
