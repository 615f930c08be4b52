"""What cannot be read twice as it is: a pipe, a compressed file; kept unpacked, in bounds."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Final, cast
from weakref import finalize

from gate.errors import FileUnreadable
from gate.inputs.packed import OPENING, is_damaged, packing, unpacking

if TYPE_CHECKING:
    from typing import BinaryIO

MAX_BYTES: Final = 4 * 1024**3
"""Bytes that are kept of a pipe, or of what a compressed file holds, at most."""
MAX_RATIO: Final = 250
"""How many times its own size a compressed file may hold, beyond :data:`FREE`."""
FREE: Final = 256 * 1024**2
"""Bytes that any compressed file may hold, however well it was compressed."""
_CHUNK: Final = 1 << 20
_GIB: Final = 1024**3
_HINT: Final = "unpack it first, or split it"


class Kept:
    """A temporary file without a name, which ends with this value."""

    def __init__(self, file: BinaryIO) -> None:
        """Take over what ``file`` holds; whoever opened that closes it."""
        self.descriptor: Final = os.dup(file.fileno())
        finalize(self, os.close, self.descriptor)

    def opened(self) -> BinaryIO:
        """Give it from its beginning, apart from whoever else reads it."""
        return cast("BinaryIO", io.BufferedReader(_View(self), _CHUNK))


class _View(io.RawIOBase):
    """One reader's place in a file that others read as well."""

    def __init__(self, file: Kept) -> None:
        self._file = file
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = os.pread(self._file.descriptor, len(buffer), self._at)
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_CUR:
            offset += self._at
        elif whence == io.SEEK_END:
            offset += os.fstat(self._file.descriptor).st_size
        if offset < 0:
            raise ValueError("a place before the beginning")
        self._at = offset
        return offset

    def tell(self) -> int:
        return self._at


def packing_of(file: BinaryIO) -> str | None:
    """Say how a file is compressed, if it is; it stands at its beginning before and after."""
    opening = file.read(OPENING)
    file.seek(0)
    return packing(opening)


def kept(file: BinaryIO, *, shown: str) -> Kept:
    """Keep what ``file`` holds, unpacked where it is compressed; ``shown`` names it in messages.

    Raises ``FileUnreadable`` beyond :data:`MAX_BYTES` or :data:`MAX_RATIO`, and for what cannot
    be unpacked to its end.
    """
    from tempfile import TemporaryFile

    try:
        with TemporaryFile() as raw:
            if not file.seekable():
                _copy(file, raw, shown)
                file = raw
            how = packing_of(file)
            if how is None:
                return Kept(raw)
            with TemporaryFile() as unpacked:
                _unpack(file, unpacked, how, shown)
                return Kept(unpacked)
    except OSError as error:
        raise FileUnreadable(f"{shown}: cannot be kept aside: {error.strerror or error}") from None


def _copy(source: BinaryIO, target: BinaryIO, shown: str) -> None:
    size = 0
    while chunk := source.read(_CHUNK):
        size += len(chunk)
        if size > MAX_BYTES:
            raise FileUnreadable(f"{shown}: more than {MAX_BYTES // _GIB} GiB came", hint=_HINT)
        target.write(chunk)
    target.flush()
    target.seek(0)


def _unpack(source: BinaryIO, target: BinaryIO, how: str, shown: str) -> None:
    packed = source.seek(0, io.SEEK_END)
    source.seek(0)
    size, limit = 0, min(MAX_BYTES, max(FREE, packed * MAX_RATIO))
    opened = unpacking(source, how)
    try:
        while chunk := opened.stream.read(_CHUNK):
            size += len(chunk)
            if size > limit:
                raise FileUnreadable(_too_much(shown, how, limit), hint=_HINT)
            target.write(chunk)
    except opened.damaged as error:
        raise FileUnreadable(f"{shown}: {is_damaged(how, error)}") from None
    target.flush()


def _too_much(shown: str, how: str, limit: int) -> str:
    if limit == MAX_BYTES:
        return f"{shown}: this {how} holds more than {MAX_BYTES // _GIB} GiB"
    return (
        f"{shown}: this {how} holds more than {MAX_RATIO} times its own size and more than "
        f"{FREE // 1024**2} MiB"
    )
