"""Files on a disk."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from uuid import uuid4

from gate.adapters.kept import Kept, kept, packing_of
from gate.errors import FileAbsent, FileUnreadable, ResultUnwritable
from gate.ports import Files
from gate.report.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

BUFFER: Final = 1 << 20
_WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0)
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0)
_STDIN: Final = 0
_INPUT: Final = "-"
_INPUT_FILE: Final = "/dev/stdin"


class Disk(Files):
    """The working directory and everything that can be named from it.

    Regular files are read, and the standard input by its names (``-``, ``/dev/stdin``). No other
    pipe is: one that nobody writes would be waited for until somebody ends the job.
    """

    def __init__(self) -> None:
        """Keep nothing yet."""
        self._kept: dict[str, Kept] = {}

    def exists(self, path: str) -> bool:
        """Say whether something is at ``path``: a link that leads nowhere is something."""
        try:
            return os.path.lexists(path)
        except ValueError:
            return False

    def read(self, path: str, *, limit: int) -> bytes:
        """Give the bytes of a file; one byte more than ``limit`` refuses it."""
        with self.open(path) if path == _INPUT else _opened(path) as file:
            try:
                data = file.read(limit + 1)
            except OSError as error:
                raise FileUnreadable(f"{visible(path)}: {error.strerror}") from None
        if len(data) > limit:
            raise FileUnreadable(f"{visible(path)}: larger than the limit of {limit:,} bytes")
        return data

    def open(self, path: str) -> BinaryIO:
        """Give the file itself, or what came through a pipe or was unpacked, kept aside."""
        name = _INPUT_FILE if path == _INPUT else path
        if name in self._kept:
            return self._kept[name].opened()
        file = _opened(name)
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode) and packing_of(file) is None:
            return file
        with file:
            self._kept[name] = kept(file, shown=visible(path))
        return self._kept[name].opened()

    def lines(self, path: str, *, limit: int) -> Iterator[bytes]:
        """Stream the lines; what lies beyond ``limit`` in one line is skipped, not kept."""
        with self.open(path) as file:
            try:
                while line := file.readline(limit + 1):
                    yield line
                    while len(line) > limit and not line.endswith(b"\n"):
                        line = file.readline(limit + 1)
            except OSError as error:
                raise FileUnreadable(f"{visible(path)}: {error.strerror}") from None

    def write(self, path: str, chunks: Iterable[str]) -> None:
        """Write beside ``path``, flush to the disk, then take its place in one step."""
        folder = os.path.dirname(path) or "."  # noqa: PTH120 - as above
        beside = os.path.join(folder, f".{uuid4().hex}.part")  # noqa: PTH118 - as above
        try:
            _make(folder)
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
            with os.fdopen(descriptor, "wb", buffering=BUFFER) as file:
                _hand_over(descriptor, folder)
                for chunk in chunks:
                    file.write(chunk.encode("utf-8", "backslashreplace"))
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, path)  # noqa: PTH105 - as above
        except (OSError, ValueError) as error:
            raise _unwritable(path, error) from None
        finally:
            with suppress(OSError):
                os.unlink(beside)  # noqa: PTH108 - as above

    def append(self, path: str, text: str) -> None:
        """Add to the end of a file, which is made where it is not there."""
        folder = os.path.dirname(path) or "."  # noqa: PTH120 - as above
        try:
            if not os.path.isdir(folder):  # noqa: PTH112 - as above
                _make(folder)
            with open(path, "ab", opener=_at_once) as file:
                if _WITHOUT_WAITING:
                    os.set_blocking(file.fileno(), True)  # somebody reads it, or it is no pipe
                file.write(text.encode("utf-8", "backslashreplace"))
        except (OSError, ValueError) as error:
            raise _unwritable(path, error) from None

    def keep(self, path: str, text: str) -> None:
        """Add to the end of a regular file that is no link; its folders may be reached by one."""
        folder = os.path.dirname(path) or "."  # noqa: PTH120 - as above
        try:
            if not os.path.isdir(folder):  # noqa: PTH112 - as above
                _make(folder)
            with open(path, "ab", opener=_itself) as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode):
                    raise _unwritable(path, ValueError("it is no regular file"))
                if found.st_size == 0:
                    _hand_over(file.fileno(), folder)
                file.write(text.encode("utf-8", "backslashreplace"))
        except (OSError, ValueError) as error:
            raise _unwritable(path, error) from None

    def opens_with(self, path: str, words: bytes, *, within: int) -> bool:
        """Say whether ``words`` stand in the first bytes of a regular file; no if unreadable."""
        try:
            with _opened(path) as file:
                return words in file.read(within)
        except (FileAbsent, FileUnreadable):
            return False

    def remove(self, path: str) -> None:
        """Unlink a file; that it is not there is fine."""
        try:
            os.unlink(path)  # noqa: PTH108 - as above
        except (FileNotFoundError, NotADirectoryError):
            return
        except (OSError, ValueError) as error:
            raise _unwritable(path, error) from None


def _opened(path: str) -> BinaryIO:
    shown = visible(path)
    try:
        file = open(path, "rb", buffering=BUFFER, opener=_at_once)  # noqa: SIM115 - closed by the caller
    except (FileNotFoundError, NotADirectoryError):
        raise FileAbsent(f"{shown}: no such file") from None
    except IsADirectoryError:
        raise FileUnreadable(f"{path!r} is a folder, and a file is needed") from None
    except OSError as error:
        raise FileUnreadable(f"{shown}: {error.strerror}") from None
    except ValueError as error:
        raise FileUnreadable(f"{path!r}: {error}") from None
    if not _is_read(file.fileno()):
        file.close()
        raise FileUnreadable(
            f"{shown}: neither a regular file nor the standard input",
            hint="save it as a file first, or pipe it in and name /dev/stdin",
        )
    if _WITHOUT_WAITING:
        os.set_blocking(file.fileno(), True)
    return file


def _at_once(path: str, flags: int) -> int:
    """Open without waiting for whoever may hold the other end."""
    return os.open(path, flags | _WITHOUT_WAITING, 0o666)


def _itself(path: str, flags: int) -> int:
    """Open what is there under that name, and nothing that it leads to."""
    try:
        return _at_once(path, flags | _NO_LINK)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise ValueError("it is a link, which may lead anywhere") from None
        if error.errno == errno.ENXIO:
            raise ValueError("it is no regular file") from None
        raise


def _is_read(descriptor: int) -> bool:
    found = os.fstat(descriptor)
    if stat.S_ISREG(found.st_mode):
        return True
    try:
        given = os.fstat(_STDIN)
    except OSError:  # the caller closed it
        return False
    return stat.S_ISFIFO(found.st_mode) and os.path.samestat(found, given)


def _make(folder: str) -> None:
    """Make a folder and those above it that are not there."""
    missing = []
    above = folder
    while above and not os.path.isdir(above):  # noqa: PTH112 - pathlib costs start-up time
        missing.append(above)
        above = os.path.dirname(above)  # noqa: PTH120 - as above
    os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - as above
    for made in reversed(missing):
        _hand_over(made, os.path.dirname(made.rstrip("/")) or ".")  # noqa: PTH120 - as above


def _hand_over(made: str | int, folder: str) -> None:
    """Give what root made to the owner of the folder it stands in; anybody else keeps it.

    In a container this is root, and the workspace belongs to somebody who could not delete the
    files otherwise. Not every file system lets root do so: that changes no verdict.
    """
    if sys.platform == "win32" or os.geteuid() != 0:
        return
    with suppress(OSError):
        owner = os.stat(folder)  # noqa: PTH116 - as above
        os.chown(made, owner.st_uid, owner.st_gid)


def _unwritable(path: str, error: OSError | ValueError) -> ResultUnwritable:
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return ResultUnwritable(f"{visible(path)}: cannot be written: {reason}")
