"""What lies in a folder, looked at in bounds: names and beginnings, and no link followed."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from gate.errors import UsageInvalid
from gate.inputs.packed import packing
from gate.ports import Listed, Listing
from gate.report.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_ENTRIES: Final = 20_000
"""Names that are looked at, at most."""
MAX_OPENED: Final = 300
"""Files whose beginning is read, at most."""
MAX_LEVELS: Final = 4
"""Folders inside each other."""
MAX_BYTES: Final = 64 * 1024 * 1024
"""Bytes of a file that is looked at."""
OPENING: Final = 64 * 1024
"""Bytes that are read of it."""
_ENDS: Final = (".json", ".jsonl", ".ndjson", ".eval", ".xml", ".csv", ".txt", ".log")
_CONFIGS: Final = ("promptfooconfig.",)
_SHOWN: Final = (".deepeval",)
"""Hidden folders in which a tool keeps what it found."""
_PASSED_OVER: Final = frozenset(("node_modules", "__pycache__", "venv", "site-packages"))
_NO_LINK: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def listing(folder: str) -> Listing:
    """Give the files of a folder that may hold results, by their paths from there.

    Raises ``UsageInvalid`` where there is no such folder.
    """
    if not os.path.isdir(folder):  # noqa: PTH112 - pathlib costs start-up time
        raise UsageInvalid(f"{visible(folder)}: no such folder")
    found: list[Listed] = []
    configs: list[str] = []
    entries = 0
    for entries, path in enumerate(_paths(folder, "", MAX_LEVELS), start=1):
        if entries > MAX_ENTRIES or len(found) == MAX_OPENED:
            break
        name = path.rpartition("/")[2]
        if name.startswith(_CONFIGS) and name == path:
            configs.append(path)
        elif name.endswith(_ENDS):
            opening = _opening(f"{folder}/{path}")
            if opening and packing(opening) is None:
                found.append(Listed(path, opening))
    is_repository = os.path.lexists(f"{folder}/.git")
    whole = entries <= MAX_ENTRIES and len(found) < MAX_OPENED
    return Listing(tuple(found), tuple(configs), whole=whole, is_repository=is_repository)


def _paths(folder: str, below: str, levels: int) -> Iterator[str]:
    """Give the paths of files, each folder's own first, all in code-point order."""
    entries: list[os.DirEntry[str]] = []
    with suppress(OSError), os.scandir(f"{folder}/{below}") as scanned:
        entries = sorted(scanned, key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_file(follow_symlinks=False):
            yield f"{below}{entry.name}"
    for entry in entries:
        hidden = entry.name.startswith(".") and entry.name not in _SHOWN
        if hidden or entry.name in _PASSED_OVER or levels == 1:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _paths(folder, f"{below}{entry.name}/", levels - 1)


def _opening(path: str) -> bytes:
    """Give the first bytes of a regular file; none where it is large, or cannot be read."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _NO_LINK)
    except OSError:
        return b""
    with os.fdopen(descriptor, "rb", buffering=0) as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode) or about.st_size > MAX_BYTES:
            return b""
        try:
            return file.read(OPENING) or b""
        except OSError:
            return b""
