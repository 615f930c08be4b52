"""What a short-lived process does without, said before anything heavy is imported."""

from __future__ import annotations

import gc
import signal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from types import FrameType

SPARED: Final = {
    "OPENBLAS_NUM_THREADS": "1",
    "PYDANTIC_DISABLE_PLUGINS": "__all__",
}
"""Variables that importers read. No matrix is multiplied here, but numpy's library starts a
thread a processor, which spin: a third of the start-up. And no plugin that happens to be
installed has a say in what a record accepts; looking for some reads every installed package."""

_OBJECTS: Final = 500_000


def lighten(environ: MutableMapping[str, str]) -> None:
    """Spare this process threads, plugins and most sweeps of its memory.

    A variable that is set already stays as it is. Rows, cases and answers hold no cycles and
    there are a great many of them, so the collector is let in once for every half million.
    """
    for name, value in SPARED.items():
        environ.setdefault(name, value)
    gc.set_threshold(_OBJECTS, 20, 20)


class Terminated(BaseException):
    """Somebody asked this process to end; nothing but its end catches that."""


def end_when_asked() -> None:
    """Raise ``Terminated`` at the first SIGTERM.

    A container's first process does not die of one by itself, and a runner that stops a job
    would wait for it, and then kill it.
    """
    signal.signal(signal.SIGTERM, _asked)


def end_undisturbed() -> None:
    """Take no notice of a SIGTERM any more: the status is known, and the end is near."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _asked(number: int, frame: FrameType | None) -> None:
    del number, frame
    end_undisturbed()
    raise Terminated


def leave() -> None:
    """Keep the interpreter's last sweeps away from what goes with the process anyway."""
    gc.freeze()
