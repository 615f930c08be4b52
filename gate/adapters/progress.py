"""Tells a waiting person how far a long run is; silent for short ones."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TextIO

    from gate.records.judge_run import Progress

PATIENCE: Final = 2.0
"""Seconds before the first word."""
_BAR: Final = 20
_LINE: Final = 79
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


def asked(*, stream: TextIO, live: bool) -> Callable[[Progress], None]:
    """Give what says on ``stream`` how far a judge is: how many, how fast, how dear, how long yet.

    A terminal (``live``) gets one line that changes twice a second, a log a line every ten
    seconds; a short run says nothing.
    """
    began = time.monotonic()
    period = 0.5 if live else 10.0
    due, spoke = began + PATIENCE, False

    def told(now: Progress) -> None:
        nonlocal due, spoke
        at = time.monotonic()
        last = now.done == now.total
        if at < due and not (last and spoke):
            return
        due, spoke = at + period, True
        line = _progress(now, at - began)
        with suppress(OSError):
            stream.write(line.ljust(_LINE) + "\r" if live and not last else line + "\n")
            stream.flush()

    return told


def _progress(now: Progress, seconds: float) -> str:
    rate = now.done / seconds if seconds else 0.0
    left = (now.total - now.done) / rate if rate else 0.0
    bar = "#" * (_BAR * now.done // max(1, now.total))
    spent = "" if now.spent is None else f", ${now.spent:.4f}"
    return (
        f"judge [{bar:<{_BAR}}] {now.done:,} of {now.total:,}, {rate:,.1f} a second{spent}, "
        f"{left:,.0f} s left"
    )


def _say(stream: TextIO, count: int, size: int, seconds: float, *, end: str) -> None:
    rate = size / 1e6 / seconds if seconds else 0.0
    with suppress(OSError):  # a log that cannot be written changes nothing
        stream.write(f"read {count:,} predictions ({size / 1e6:,.0f} MB, {rate:,.0f} MB/s){end}")
        stream.flush()
