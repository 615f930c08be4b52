"""What the core needs from outside, as shapes; ``adapters`` and the tests' fakes fill them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Files(ABC):
    """Reads and writes whole files; every failure is a :class:`gate.errors.GateError`."""

    @abstractmethod
    def exists(self, path: str) -> bool:
        """Say whether something is at ``path``."""

    @abstractmethod
    def read(self, path: str, *, limit: int) -> bytes:
        """Give the bytes of a file of at most ``limit`` bytes.

        Raises ``FileAbsent`` and ``FileUnreadable``.
        """

    @abstractmethod
    def lines(self, path: str, *, limit: int) -> Iterator[bytes]:
        r"""Stream a file line by line, split at ``\n`` only, with the line ends.

        A line longer than ``limit`` bytes is given cut to ``limit + 1`` bytes, so that the
        reader can refuse it by its number. Raises ``FileAbsent`` and ``FileUnreadable``.
        """

    @abstractmethod
    def write(self, path: str, chunks: Iterable[str]) -> None:
        """Write a file as UTF-8 so that it holds all of ``chunks``, or what it held before.

        Raises ``ResultUnwritable``.
        """

    @abstractmethod
    def append(self, path: str, text: str) -> None:
        """Add ``text`` to a file (the runner's command files). Raises ``ResultUnwritable``."""

    @abstractmethod
    def remove(self, path: str) -> None:
        """See to it that nothing is at ``path``. Raises ``ResultUnwritable``."""
