"""The host of pull requests, as commands speak to it: one line a repository, one total time."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from gate.cli.console import note
from gate.errors import GateError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gate.adapters.github.client import GitHub

_T = TypeVar("_T")


@contextmanager
def connecting(token: str) -> Iterator[Callable[[str], GitHub]]:
    """Give what leads to a repository's host: the same line each time, closed at the end.

    So all that a run asks there shares one total time.
    """
    opened: dict[str, GitHub] = {}

    def connected(repository: str) -> GitHub:
        from gate.adapters.github.client import connect

        if repository not in opened:
            opened[repository] = connect(os.environ, token=token, repository=repository)
        return opened[repository]

    try:
        yield connected
    finally:
        for host in opened.values():
            host.close()


def tried(what: str, do: Callable[[], _T]) -> _T | None:
    """Give what ``do`` gives; whatever goes wrong is said of ``what``, and the verdict stands."""
    try:
        return do()
    except GateError as error:
        note(f"{what}: {error}", os.environ)
        note(f"hint: {error.remedy}", os.environ)
    except Exception as error:  # noqa: BLE001 - as above
        note(f"{what}: a defect of ours: {type(error).__name__}", os.environ)
    return None
