"""The files that the words of a command name, read for the command's identity."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Final

from gate.adapters.checkout import is_within, root
from gate.judges.command import Seen, command_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST: Final = 64_000_000
"""Bytes of a file that is read; of a larger one, a model's weights say, only the size counts."""
_LONGEST: Final = 4096
"""Bytes that a path can have; longer words are prompts, or code."""
_AT_ONCE: Final = getattr(os, "O_NONBLOCK", 0)


def digest_of(command: Sequence[str]) -> str:
    """Digest ``command`` with the files it names, as they are now."""
    from shutil import which

    return command_digest(command, look, program=which(command[0]))


def look(word: str) -> Seen | None:
    """Give the regular file that ``word`` names; ``None`` if it names none that can be read."""
    from hashlib import file_digest

    if not word or "\0" in word or len(word) > _LONGEST:
        return None
    try:
        # A pipe that nobody writes would be waited for, and a device never ends.
        with open(word, "rb", opener=_opened) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                return None
            whole = found.st_size <= LARGEST
            content = file_digest(file, "sha256").hexdigest() if whole else None
    except (OSError, ValueError):
        return None
    return Seen(found.st_size, content, here=is_within(word, root()))


def _opened(path: str, flags: int) -> int:
    return os.open(path, flags | _AT_ONCE)


def names_a_file(command: Sequence[str]) -> bool:
    """Say whether any word of ``command`` is a file whose content is part of its identity."""
    from shutil import which

    program = look(which(command[0]) or command[0])
    return (program is not None and program.here) or any(map(look, command[1:]))
