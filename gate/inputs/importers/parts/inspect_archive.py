"""The zip archive that an Inspect log is: its members, read one at a time and in bounds."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, BinaryIO, Final

from gate.errors import PredictionsInvalid

if TYPE_CHECKING:
    from collections.abc import Iterator
    from zipfile import ZipInfo

MAX_MEMBERS: Final = 100_000
"""Members of an archive, at most."""
MAX_DIRECTORY: Final = 8 * 1024 * 1024
"""Bytes of the list of members, at most."""
MAX_MEMBER: Final = 128 * 1024 * 1024
"""Bytes of one member once unpacked, at most."""
MAX_TOTAL: Final = 32 * 1024**3
"""Bytes of all members once unpacked, at most."""
MAX_RATIO: Final = 1_000
"""How many times its packed size a member of more than a MiB may have, at most."""
_MIB: Final = 1024 * 1024
_CHUNK: Final = 256 * 1024
_STORED: Final = 0
_DEFLATED: Final = 8
_ZSTANDARD: Final = 93
_ENCRYPTED: Final = 0x1
_KIND: Final = 0o170000
_LINK: Final = 0o120000
_LOCAL_HEADER: Final = 30


class MemberRefused(ValueError):
    """A member cannot be read, or is not to be; the message says why."""


class Archive:
    """The live members of a zip archive: of several with one name the last, as Inspect has it.

    No name is used as a path, nothing is unpacked to disk and no link is followed.
    """

    def __init__(self, file: BinaryIO, *, name: str) -> None:
        """Read the list of members, not the members.

        Raises ``PredictionsInvalid`` where there is none, or one beyond the limits.
        """
        from zipfile import BadZipFile, ZipFile

        self._file = file
        try:
            self._zip = ZipFile(_Bounded(file, name))
        except (BadZipFile, OSError, ValueError, EOFError, NotImplementedError) as error:
            raise PredictionsInvalid(
                f"{name}: this zip archive has no readable list of members at its end ({error})",
                hint="the file was cut, or the run was killed while it wrote: copy it again, or "
                "see `inspect log recover`",
            ) from None
        every = self._zip.infolist()
        if len(every) > MAX_MEMBERS:
            raise PredictionsInvalid(
                f"{name}: {len(every)} members, more than {MAX_MEMBERS}, the limit of an archive"
            )
        _refuse_overlaps(every, name)
        self._live = {info.filename: info for info in every}
        self.superseded = len(every) - len(self._live)
        """Members that a later one of the same name replaces."""
        total = sum(info.file_size for info in self._live.values())
        if total > MAX_TOTAL:
            raise PredictionsInvalid(
                f"{name}: unpacks to {total} bytes, more than {MAX_TOTAL // 1024**3} GiB, "
                "the limit of an archive"
            )

    def __contains__(self, name: str) -> bool:
        """Say whether there is a member of this name."""
        return name in self._live

    def __iter__(self) -> Iterator[str]:
        """Give the names in the order of the archive, folders left out."""
        return (name for name in self._live if not name.endswith("/"))

    def read(self, name: str) -> bytearray:
        """Unpack one member and compare its checksum. Raises ``MemberRefused``."""
        from zlib import crc32

        info = self._live[name]
        _refuse_what_is_no_plain_member(info)
        unpack = _UNPACK[info.compress_type]
        try:
            data = unpack(self._packed(info), info.file_size)
        except (OSError, ValueError, OverflowError) as error:
            raise MemberRefused(f"damaged: {error}") from None
        if len(data) != info.file_size:
            raise MemberRefused(f"damaged: {len(data)} bytes where {info.file_size} are declared")
        if crc32(data) != info.CRC:
            raise MemberRefused("damaged: its checksum differs")
        return data

    def _packed(self, info: ZipInfo) -> Iterator[bytes]:
        self._file.seek(info.header_offset)
        header = self._file.read(_LOCAL_HEADER)
        if len(header) != _LOCAL_HEADER or not header.startswith(b"PK\x03\x04"):
            raise ValueError("it does not begin where the list of members says")
        skipped = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
        at = info.header_offset + _LOCAL_HEADER + skipped
        left = info.compress_size
        while left:
            self._file.seek(at)
            chunk = self._file.read(min(left, _CHUNK))
            if not chunk:
                raise ValueError("the file ends before it")
            at += len(chunk)
            left -= len(chunk)
            yield chunk


def _refuse_overlaps(every: list[ZipInfo], name: str) -> None:
    """Refuse members that share bytes: a few packed bytes would be unpacked again and again."""
    end = 0
    for info in sorted(every, key=lambda one: one.header_offset):
        if info.header_offset < end:
            raise PredictionsInvalid(f"{name}: members of this zip archive overlap each other")
        end = info.header_offset + _LOCAL_HEADER + info.compress_size


class _Bounded:
    """A file that gives no more than :data:`MAX_DIRECTORY` bytes at once."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        self._name = name
        self.seek = file.seek
        self.tell = file.tell
        self.seekable = file.seekable

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(MAX_DIRECTORY + 1 if size < 0 else min(size, MAX_DIRECTORY + 1))
        if len(data) > MAX_DIRECTORY:
            limit = MAX_DIRECTORY // _MIB
            raise PredictionsInvalid(
                f"{self._name}: its list of members is larger than {limit} MiB, the limit of one"
            )
        return data


def _stored(packed: Iterator[bytes], size: int) -> bytearray:
    data = bytearray()
    for chunk in packed:
        data += chunk
        _refuse_more(data, size)
    return data


def _deflated(packed: Iterator[bytes], size: int) -> bytearray:
    import zlib

    data = bytearray()
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        for packed_chunk in packed:
            chunk = packed_chunk
            while chunk and not stream.eof:
                data += stream.decompress(chunk, size + 1 - len(data))
                _refuse_more(data, size)
                chunk = stream.unconsumed_tail
        data += stream.flush()
    except zlib.error as error:
        raise ValueError(str(error)) from None
    _refuse_more(data, size)
    if not stream.eof:
        raise ValueError(_CUT)
    return data


def _zstandard(packed: Iterator[bytes], size: int) -> bytearray:
    # Not by zipfile, which knows this method from Python 3.14 on only, and there lets a few
    # packed bytes grow into any number at once.
    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdDecompressor, ZstdError
    else:
        from backports.zstd import ZstdDecompressor, ZstdError

    data = bytearray()
    frame = None  # Inspect splits a large member into several frames
    try:
        for packed_chunk in packed:
            chunk, fed = packed_chunk, False
            while chunk or (frame and not frame.needs_input and fed):
                frame = frame or ZstdDecompressor()
                data += frame.decompress(chunk, max_length=size + 1 - len(data))
                _refuse_more(data, size)
                chunk, fed = b"", True
                if frame.eof:
                    chunk, frame = frame.unused_data, None
    except ZstdError as error:
        raise ValueError(str(error)) from None
    if frame:
        raise ValueError(_CUT)
    return data


def _refuse_more(data: bytearray, size: int) -> None:
    if len(data) > size:
        raise ValueError(f"unpacks to more than the {size} bytes that are declared")


_CUT: Final = "its packed bytes end in the middle"
_UNPACK: Final = {_STORED: _stored, _DEFLATED: _deflated, _ZSTANDARD: _zstandard}


def _refuse_what_is_no_plain_member(info: ZipInfo) -> None:
    if info.flag_bits & _ENCRYPTED:
        raise MemberRefused("is encrypted")
    if (info.external_attr >> 16) & _KIND == _LINK:
        raise MemberRefused("is a link; links are not followed")
    if info.compress_type not in _UNPACK:
        raise MemberRefused(
            f"is packed by method {info.compress_type}: stored, deflated and zstd are read"
        )
    if info.file_size > MAX_MEMBER:
        raise MemberRefused(f"unpacks to more than {MAX_MEMBER // _MIB} MiB, the limit of one")
    if info.file_size > _MIB and info.file_size > MAX_RATIO * info.compress_size:
        raise MemberRefused(f"unpacks to more than {MAX_RATIO} times its size, the limit of one")
