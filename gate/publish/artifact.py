"""One member of an archive that a stranger may have made: by name, in memory, within limits.

An archive of which any part is odd is refused whole, since an honest run makes none that is:
nothing is ever unpacked, and no name of a member becomes a path.
"""

from __future__ import annotations

import stat
from io import BytesIO
from typing import TYPE_CHECKING, Final

from gate.errors import ArtifactRefused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from zipfile import ZipFile, ZipInfo

MAX_ARCHIVE: Final = 64 * 2**20
"""Bytes of the archive."""
MAX_MEMBERS: Final = 200
MAX_DIRECTORY: Final = 256 * 2**10
"""Bytes of its list of members, which is read before they can be counted."""
MAX_RATIO: Final = 500
"""Times that a member may be larger than what it is packed into, beyond the first mebibyte.

A result of 100,000 rows that are all alike makes 120; a bomb makes a thousand."""
_FREE: Final = 2**20
_SHOWN: Final = 80
_TAIL: Final = 22
_LOCATOR: Final = 20
_ENCRYPTED: Final = 0x1 | 0x40 | 0x2000
_METHODS: Final = frozenset((0, 8))
"""Stored and deflated."""


def member(data: bytes, name: str, *, source: str, limit: int) -> bytes:
    """Give the bytes of the member ``name``, at most ``limit`` of them.

    ``source`` names the archive in errors. Raises ``ArtifactRefused``: for what is no archive,
    has more members or bytes than the limits allow or swells beyond them, repeats a name, is
    encrypted, or holds a link or a name that leads out of it; and where there is no such member.
    """
    import zlib
    from zipfile import BadZipFile

    _small_directory(data, source)
    try:
        return _member(data, name, source=source, limit=limit)
    except (BadZipFile, EOFError, KeyError, NotImplementedError, RuntimeError) as error:
        raise _refused(source, f"it is damaged ({str(error)[:_SHOWN]})") from None
    except (OSError, ValueError, zlib.error) as error:
        raise _refused(source, f"it is damaged ({type(error).__name__})") from None


def _member(data: bytes, name: str, *, source: str, limit: int) -> bytes:
    from zipfile import ZipFile

    with ZipFile(BytesIO(data)) as archive:
        members = archive.infolist()
        for problem in _problems(members):
            raise _refused(source, problem)
        found = next((one for one in members if one.filename == name), None)
        if found is None:
            raise _refused(source, f"it holds no {name} at its top")
        if found.file_size > limit:
            raise _refused(source, f"{name} has more than {limit:,} bytes")
        return _read(archive, found, source=source, limit=limit)


def _read(archive: ZipFile, found: ZipInfo, *, source: str, limit: int) -> bytes:
    """Read to the end, where its checksum is compared, whatever its size is said to be."""
    with archive.open(found) as file:
        data = file.read(limit + 1)
        if len(data) > limit or file.read(1):
            raise _refused(source, f"{found.filename} has more than {limit:,} bytes")
    return data


def _small_directory(data: bytes, source: str) -> None:
    """Refuse a list of members that would be long to read, before anything reads it.

    The archive must end with its end record, as those of the host do: a comment behind it, or
    the records of archives beyond four gigabytes, would say something else to another reader.
    """
    if len(data) > MAX_ARCHIVE:
        raise _refused(source, f"it has more than {MAX_ARCHIVE:,} bytes")
    tail = data[-_TAIL:]
    if len(tail) < _TAIL or tail[:4] != b"PK\x05\x06" or tail[-2:] != b"\0\0":
        raise _refused(source, "it is no zip archive, or something stands behind its end")
    if data[-_TAIL - _LOCATOR : -_TAIL].startswith(b"PK\x06\x07"):
        raise _refused(source, "it is an archive for more than four gigabytes")
    if int.from_bytes(tail[12:16], "little") > MAX_DIRECTORY:
        raise _refused(source, f"its list of members has more than {MAX_DIRECTORY:,} bytes")


def _problems(members: Sequence[ZipInfo]) -> Iterator[str]:
    if len(members) > MAX_MEMBERS:
        yield f"it has {len(members):,} members, and {MAX_MEMBERS} are allowed"
    seen: set[str] = set()
    for one in members:
        shown = ascii(one.orig_filename[:_SHOWN])
        if one.filename in seen:
            yield f"the member {shown} appears twice"
        seen.add(one.filename)
        if _leads_out(one):
            yield f"the member {shown} has a name that leads out of it"
        kind = stat.S_IFMT(one.external_attr >> 16)
        if kind not in {0, stat.S_IFDIR if one.is_dir() else stat.S_IFREG}:
            yield f"the member {shown} is a link, or another thing that is no file"
        if one.flag_bits & _ENCRYPTED:
            yield f"the member {shown} is encrypted"
        if one.compress_type not in _METHODS:
            yield f"the member {shown} is packed in a way that is not known"
        if one.file_size > max(_FREE, MAX_RATIO * one.compress_size):
            yield f"the member {shown} swells to more than {MAX_RATIO} times its size"


def _leads_out(one: ZipInfo) -> bool:
    name = one.orig_filename
    parts = name.removesuffix("/").split("/")
    return (
        name != one.filename  # what stands behind a NUL, or a second name
        or not name.isprintable()
        or "\\" in name
        or ":" in name
        or any(part in {"", ".", ".."} for part in parts)
    )


def _refused(source: str, why: str) -> ArtifactRefused:
    return ArtifactRefused(f"{source}: {why}")
