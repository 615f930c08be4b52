"""What the core needs from outside, as shapes; ``adapters`` and the tests' fakes fill them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from typing import BinaryIO

    from gate.records.host import HostComment, Pull
    from gate.records.judging import Answer, Attempt, Question


class ReadFiles(ABC):
    """Reads whole files; every failure is a :class:`gate.errors.GateError`."""

    @abstractmethod
    def exists(self, path: str) -> bool:
        """Say whether something is at ``path``."""

    @abstractmethod
    def read(self, path: str, *, limit: int) -> bytes:
        """Give the bytes of a file of at most ``limit`` bytes.

        Raises ``FileAbsent`` and ``FileUnreadable``.
        """


class Files(ReadFiles):
    """Reads and writes files; every failure is a :class:`gate.errors.GateError`."""

    @abstractmethod
    def open(self, path: str) -> BinaryIO:
        """Give a file from its beginning, in which one can seek; whoever opens it closes it.

        The standard input (``-``) may be opened again and again. What is compressed as a whole
        (gzip, Zstandard) is given unpacked, in bounds. Raises ``FileAbsent`` and
        ``FileUnreadable``.
        """

    @abstractmethod
    def lines(self, path: str, *, limit: int) -> Iterator[bytes]:
        r"""Stream a file line by line, split at ``\n`` only, with the line ends.

        A line longer than ``limit`` bytes is given cut to ``limit + 1`` bytes, so that the
        reader can refuse it by its number. What is compressed is unpacked, as in :meth:`open`.
        Raises ``FileAbsent`` and ``FileUnreadable``.
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
    def keep(self, path: str, text: str) -> None:
        """Add ``text`` to a file of this product's own (the ledger), made with its folders.

        It is a regular file, and no link is followed to it. Raises ``ResultUnwritable``.
        """

    @abstractmethod
    def remove(self, path: str) -> None:
        """See to it that nothing is at ``path``. Raises ``ResultUnwritable``."""


class Listed(NamedTuple):
    """A file of a folder: its path from there, and its first bytes."""

    path: str
    opening: bytes


class Listing(NamedTuple):
    """What lies in a folder, as far as it may be of use: files, and names of configurations.

    ``whole`` says that no bound was reached.
    """

    files: tuple[Listed, ...]
    configs: tuple[str, ...] = ()
    whole: bool = True
    is_repository: bool = True


class Provider(ABC):
    """One judge: is asked one question at a time, by many threads at once."""

    concurrency: int | None = None
    """How many questions it takes at once; ``None`` sets no bound of its own."""

    @abstractmethod
    def ask(self, question: Question, *, timeout: float) -> Attempt:
        """Ask once, within ``timeout`` seconds in all; whatever fails is an answer's status.

        Never raises for anything that the other side does.
        """

    @abstractmethod
    def close(self) -> None:
        """Give back what it holds: connections, processes."""


class Asker(ABC):
    """Asks many questions, patiently, and says why it stopped before the last, if it did."""

    stopped: str | None = None

    @abstractmethod
    def ask(
        self,
        questions: Sequence[Question],
        *,
        settle: Callable[[Question, Answer], Answer],
        go_on: Callable[[], bool],
    ) -> Generator[tuple[Question, Answer]]:
        """Give each question with its last answer, as they come; some may never be asked.

        ``settle`` says what an answer is worth: one whose status is of its content is asked for
        again. ``go_on`` is asked before each question whether to ask it.
        """


class Host(ABC):
    """The host of pull requests, as far as a run speaks to it; one repository at a time.

    Every failure is a :class:`gate.errors.HostFailed`; none of them changes a verdict.
    """

    @abstractmethod
    def pull(self, number: int) -> Pull:
        """Give a pull request as it is now."""

    @abstractmethod
    def pulls_of(self, commit: str) -> tuple[Pull, ...]:
        """Give the pull requests that a commit belongs to; the host may know none of a fork's."""

    @abstractmethod
    def pulls_from(self, owner: str, branch: str) -> tuple[Pull, ...]:
        """Give the open pull requests whose head is this branch of a repository of ``owner``."""

    @abstractmethod
    def comments(self, number: int) -> tuple[HostComment, ...]:
        """Give all comments of a pull request, over all pages, oldest first."""

    @abstractmethod
    def create_comment(self, number: int, body: str) -> HostComment:
        """Post a comment."""

    @abstractmethod
    def update_comment(self, comment: int, body: str) -> HostComment:
        """Replace a comment's text."""

    @abstractmethod
    def delete_comment(self, comment: int) -> None:
        """Take a comment away; that it is gone already is fine."""

    @abstractmethod
    def file_at(self, path: str, commit: str, *, limit: int) -> bytes | None:
        """Give a file as a commit holds it; ``None`` where a readable repository has none."""

    @abstractmethod
    def create_status(self, commit: str, *, state: str, context: str, description: str) -> None:
        """Set a commit status: ``success``, ``failure``, ``error`` or ``pending``."""

    @abstractmethod
    def create_check(self, commit: str, *, name: str, conclusion: str, summary: str) -> None:
        """Add a check run that is completed."""
