"""Which judge a command line is: its words, and what stands in the files that they name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.json_text import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

VERSION: Final = 1
"""Of what is digested here: another one makes every command another judge."""


class Seen(NamedTuple):
    """A regular file that a word of a command names.

    ``content`` is the SHA-256 of its bytes in hexadecimal digits, ``None`` where it is too large
    to be read; ``size`` counts bytes. ``here`` says whether the file itself, links followed,
    lies in the working directory or below it.
    """

    size: int
    content: str | None
    here: bool


def command_digest(
    command: Sequence[str], look: Callable[[str], Seen | None], *, program: str | None = None
) -> str:
    """Digest a command so that a judge whose script changed is another judge.

    ``look`` gives the regular file that a word names, ``None`` where it names none. A word that
    is a file stands for its own last part, its size and its content: where a checkout lies makes
    no other judge. Every other word stands for itself.

    The first word names a program, found at ``program`` where it is no path itself. One that lies
    within the working directory, however it is named, is a file like any other. Else only the
    last part of its name counts: ``python3`` is the same judge from wherever it is installed, as
    is the interpreter that a virtual environment links to.

    Not seen are the files that those files read themselves, and a file named within a word
    (``--rubric=rubric.txt``).

    >>> files = {"judge.py": Seen(7, "c0ffee", here=True)}
    >>> one = command_digest(("python3", "judge.py"), files.get)
    >>> one == command_digest(("/usr/bin/python3", "judge.py"), files.get)
    True
    >>> one == command_digest(("python3", "judge.py", "--strict"), files.get)
    False
    >>> one == command_digest(("python3", "judge.py"), {"judge.py": Seen(7, "0ff", True)}.get)
    False
    """
    first, *rest = command
    path = program or (first if "/" in first else None)
    words = [
        _program(first, None if path is None else look(path)),
        *(_word(word, look(word)) for word in rest),
    ]
    return digest([VERSION, words])


def _program(word: str, seen: Seen | None) -> list[str | int | None]:
    return _word(word, seen) if seen is not None and seen.here else ["program", _last(word)]


def _word(word: str, seen: Seen | None) -> list[str | int | None]:
    if seen is None:
        return ["word", word]
    return ["file", _last(word), seen.size, seen.content]


def _last(path: str) -> str:
    return path.rpartition("/")[2]
