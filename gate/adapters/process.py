"""What a short-lived process does without, said before anything heavy is imported."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import MutableMapping

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


def leave() -> None:
    """Keep the interpreter's last sweeps away from what goes with the process anyway."""
    gc.freeze()
