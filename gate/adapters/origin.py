"""Whose a checkout is, as its own configuration says: read, never asked of git."""

from __future__ import annotations

import os
import re
from typing import Final, NamedTuple

MAX_CONFIG: Final = 64 * 1024
"""Bytes of a checkout's configuration; of a larger one nothing is known."""
_SECTION: Final = re.compile(r'\s*\[\s*([\w.-]+)(?:\s+"([^"]*)")?\s*\]\s*(?:[#;].*)?')
_URL: Final = re.compile(r'\s*url\s*=\s*"?([^"\s]+)"?\s*', re.IGNORECASE)
_NAME: Final = r"([A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+?)(?:\.git)?/?"
_ADDRESS: Final = re.compile(
    rf"(?:https?|ssh|git)://(?:[^/@\s]*@)?([^/:@\s]+)(?::[0-9]+)?/{_NAME}", re.IGNORECASE
)
_BY_SSH: Final = re.compile(rf"(?:[^/:@\s]+@)([^/:@\s]+):{_NAME}")


class Origin(NamedTuple):
    """Where a checkout was cloned from: a host, and ``owner/name`` there, in lower case."""

    host: str
    repository: str


def origin_of(folder: str) -> Origin | None:
    """Give where the checkout in ``folder`` came from; ``None`` where that cannot be told.

    Only a ``.git`` that is a folder is looked into. That of a worktree or a submodule is a file,
    which leads anywhere.
    """
    place = os.path.join(folder, ".git")  # noqa: PTH118 - pathlib costs start-up time
    path = os.path.join(place, "config")  # noqa: PTH118 - as above
    if any(map(os.path.islink, (place, path))) or not os.path.isfile(path):  # noqa: PTH113
        return None
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            text = file.read(MAX_CONFIG + 1)
    except OSError:
        return None
    return None if len(text) > MAX_CONFIG else read_origin(text.decode("utf-8", "replace"))


def read_origin(config: str) -> Origin | None:
    r"""Read the first address of the remote ``origin`` out of a configuration.

    >>> read_origin('[remote "origin"]\n\turl = https://github.com/Octo/agent.git\n')
    Origin(host='github.com', repository='octo/agent')
    >>> read_origin('[remote "origin"]\n\turl = git@github.com:octo/agent').repository
    'octo/agent'
    >>> read_origin('[remote "fork"]\n\turl = https://github.com/octo/agent\n') is None
    True
    """
    here = False
    for line in config.splitlines():
        section = _SECTION.fullmatch(line)
        if section is not None:
            here = section[1].lower() == "remote" and section[2] == "origin"
            continue
        found = _URL.fullmatch(line) if here else None
        if found is not None:
            said = _ADDRESS.fullmatch(found[1]) or _BY_SSH.fullmatch(found[1])
            return said and Origin(said[1].lower(), said[2].lower())
    return None
