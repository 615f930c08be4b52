"""What another run left: an archive as the host gives it, or the folder made of one."""

from __future__ import annotations

import os
import stat
from typing import Final

from gate.adapters.files import Disk
from gate.errors import ArtifactRefused, FileAbsent
from gate.publish.artifact import MAX_ARCHIVE, member
from gate.report.sanitize import visible

MAX_RESULT: Final = 64 * 2**20
"""Bytes of a result that a stranger may have written."""


def from_artifact(path: str, name: str) -> bytes:
    """Give the file ``name`` of the artifact at ``path``, of at most :data:`MAX_RESULT` bytes.

    Of a folder it is read if it is a regular file, and nothing else of it is looked at. Raises
    ``FileAbsent``, ``FileUnreadable``, and ``ArtifactRefused`` for what no honest run leaves.
    """
    if not os.path.isdir(path):  # noqa: PTH112 - pathlib costs start-up time
        data = Disk().read(path, limit=MAX_ARCHIVE)
        return member(data, name, source=visible(path), limit=MAX_RESULT)
    held = os.path.join(path, name)  # noqa: PTH118 - as above
    try:
        found = os.lstat(held)
    except (OSError, ValueError):
        raise FileAbsent(f"{visible(held)}: no such file") from None
    if not stat.S_ISREG(found.st_mode):
        raise ArtifactRefused(f"{visible(held)}: it is a link, or another thing that is no file")
    return Disk().read(held, limit=MAX_RESULT)
