"""What a text that is not UTF-8 says of itself by its first bytes."""

from __future__ import annotations

from typing import Final

MARKS: Final = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
    (b"{\x00\x00\x00", "UTF-32LE"),
    (b"[\x00\x00\x00", "UTF-32LE"),
    (b"\x00\x00\x00{", "UTF-32BE"),
    (b"\x00\x00\x00[", "UTF-32BE"),
    (b"{\x00", "UTF-16LE"),
    (b"[\x00", "UTF-16LE"),
    (b"\x00{", "UTF-16BE"),
    (b"\x00[", "UTF-16BE"),
)
"""Byte order marks, and the first character of JSON without one; the longer ones first."""


def other_encoding(data: bytes) -> str | None:
    """Say which encoding a text is in, if it shows another than UTF-8, and what to do.

    >>> other_encoding("{".encode("utf-16"))
    'this looks like UTF-16; convert first (`iconv -f UTF-16 -t UTF-8`)'
    >>> other_encoding(b"{}")
    """
    for mark, name in MARKS:
        if data.startswith(mark):
            kind = name.removesuffix("LE").removesuffix("BE")
            return f"this looks like {kind}; convert first (`iconv -f {name} -t UTF-8`)"
    return None


def undecoded(data: bytes, error: UnicodeDecodeError) -> str:
    """Say why a whole file is not UTF-8, where ``error`` is what decoding it raised."""
    return other_encoding(data) or f"not UTF-8 at byte {error.start}"
