"""What is compressed as a whole: how it is recognised and read, and small data unpacked."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from gate.errors import FileUnreadable

if TYPE_CHECKING:
    from typing import BinaryIO

OPENING: Final = 4
"""Bytes by which it is recognised."""
_MAGIC: Final = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "Zstandard"}


class Unpacking(NamedTuple):
    """A stream of what is in a compressed one, and what it raises if that is damaged."""

    stream: BinaryIO
    damaged: tuple[type[Exception], ...]


def packing(opening: bytes) -> str | None:
    r"""Say how a file that begins so is compressed.

    >>> packing(b"\x1f\x8b\x08\x00"), packing(b'{"id"')
    ('gzip', None)
    """
    return next((name for magic, name in _MAGIC.items() if opening.startswith(magic)), None)


def unpacking(packed: BinaryIO, how: str) -> Unpacking:
    """Open a compressed stream; ``how`` is what :func:`packing` says."""
    if how == "gzip":
        import zlib
        from gzip import BadGzipFile, GzipFile

        found = cast("BinaryIO", GzipFile(fileobj=packed))
        return Unpacking(found, (EOFError, zlib.error, BadGzipFile))
    import sys

    if sys.version_info >= (3, 14):
        from compression.zstd import ZstdError, ZstdFile
    else:
        from backports.zstd import ZstdError, ZstdFile
    return Unpacking(cast("BinaryIO", ZstdFile(packed)), (EOFError, ZstdError))


def unpacked(data: bytes, *, source: str, limit: int) -> bytes:
    """Give what compressed data hold, ``limit`` bytes at most; other data as they are.

    ``source`` names them in messages. Raises ``FileUnreadable``.

    >>> from gzip import compress
    >>> unpacked(compress(b"[]"), source="cases.jsonl.gz", limit=100)
    b'[]'
    """
    how = packing(data[:OPENING])
    if how is None:
        return data
    with BytesIO(data) as packed:
        opened = unpacking(packed, how)
        try:
            found = opened.stream.read(limit + 1)
        except opened.damaged as error:
            raise FileUnreadable(f"{source}: {is_damaged(how, error)}") from None
    if len(found) > limit:
        raise FileUnreadable(f"{source}: this {how} holds more than {limit:,} bytes")
    return found


def is_damaged(how: str, error: Exception) -> str:
    """Say what is wrong with compressed data."""
    return f"looks like {how} and is damaged: {str(error)[:200] or type(error).__name__}"
