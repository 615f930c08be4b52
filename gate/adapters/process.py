"""What a short-lived process does without, said before anything heavy is imported."""

from __future__ import annotations

import gc
import signal
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import MutableMapping
    from types import FrameType

_ALL: Final = "__all__"
SPARED: Final = {
    "OPENBLAS_NUM_THREADS": "1",
    "PYDANTIC_DISABLE_PLUGINS": _ALL,
}
"""Variables that importers read. No matrix is multiplied here, but numpy's library starts a
thread a processor, which spin: a third of the start-up. And no plugin that happens to be
installed has a say in what a record accepts; looking for some reads every installed package."""

_OBJECTS: Final = 500_000
_FINDER: Final = "pydantic.plugin._loader"


def lighten(environ: MutableMapping[str, str]) -> None:
    """Spare this process threads, plugins and most sweeps of its memory.

    A variable that is set already stays as it is. Rows, cases and answers hold no cycles and
    there are a great many of them, so the collector is let in once for every half million.
    """
    for name, value in SPARED.items():
        environ.setdefault(name, value)
    if environ["PYDANTIC_DISABLE_PLUGINS"] == _ALL:
        sys.modules.setdefault(_FINDER, _finder_of_none())
    gc.set_threshold(_OBJECTS, 20, 20)


def _finder_of_none() -> ModuleType:
    """Stand in for the module that would look for plugins and, told not to, finds none.

    It loads all that reads what packages say of themselves, mail headers and archives among it:
    a twentieth of a small run. Whatever else is asked of it, the module itself answers.
    """
    found = ModuleType(_FINDER)

    def otherwise(name: str) -> object:
        from importlib import import_module

        if name.startswith("__"):  # what the import itself asks: it is no package
            raise AttributeError(name)
        if sys.modules.get(_FINDER) is found:
            del sys.modules[_FINDER]
        return getattr(import_module(_FINDER), name)

    vars(found).update(get_plugins=tuple, __getattr__=otherwise)
    return found


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
