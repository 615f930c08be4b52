"""Files as a commit of the host holds them, by the paths that they have in the checkout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.errors import BaseUnreadable, FileAbsent, FileUnreadable, HostFailed
from gate.ports import ReadFiles
from gate.report.sanitize import visible

if TYPE_CHECKING:
    from gate.adapters.place import Place
    from gate.ports import Host

MAX_BYTES: Final = 100 * 1024 * 1024
"""Bytes of a file that the host gives, at most."""
_REMEDIES: Final = {
    "token": "give the step `github-token`, and its job `contents: read` under `permissions:`",
    "outage": (
        "the host did not answer: run it again, later if it says so. Nothing is decided without "
        "the rules of the base commit"
    ),
    "other": None,
}
_POINTER: Final = b"version https://git-lfs.github.com/spec/"


class AtCommit(ReadFiles):
    """One commit; each file is asked for once. The checkout says no more than where a path lies.

    What cannot be read raises ``BaseUnreadable``: nothing of the checkout ever stands in for it.
    """

    def __init__(self, host: Host, commit: str, *, place: Place) -> None:
        """Ask nothing yet; ``place`` says where a path lies in the repository."""
        self._host = host
        self._commit = commit
        self._place = place
        self._known: dict[str, bytes | None] = {}

    def exists(self, path: str) -> bool:
        """Say whether the commit holds a file at ``path``."""
        return self._found(path) is not None

    def read(self, path: str, *, limit: int) -> bytes:
        """Give the bytes that the commit holds there."""
        data = self._found(path)
        if data is None:
            raise FileAbsent(f"{visible(path)}: no such file at {self._commit[:12]}")
        if len(data) > limit:
            raise FileUnreadable(f"{visible(path)}: larger than the limit of {limit:,} bytes")
        return data

    def _found(self, path: str) -> bytes | None:
        name = self._place.name(path)
        if name not in self._known:
            self._known[name] = self._asked(path, name)
        return self._known[name]

    def _asked(self, path: str, name: str) -> bytes | None:
        try:
            data = self._host.file_at(name, self._commit, limit=MAX_BYTES)
        except HostFailed as error:
            said = f"{visible(path)}: cannot be read from the base commit"
            raise base_unread(said, error) from None
        if data is not None and data.startswith(_POINTER):
            raise BaseUnreadable(
                f"{visible(path)}: the base commit holds a Git LFS pointer, not the file itself",
                hint="keep what judges a pull request in the repository itself",
            )
        if data is not None and data == self._place.link(path):
            raise BaseUnreadable(
                f"{visible(path)}: the base commit holds a link, and the host does not follow it",
                hint="commit the file itself in place of the link, and merge that",
            )
        return data


def base_unread(said: str, error: HostFailed) -> BaseUnreadable:
    """Give the error of a run that the host does not let know its rules.

    Only what a token could mend says so, and an outage never counsels to do without the rules.
    """
    return BaseUnreadable(f"{said}: {error}", hint=_REMEDIES[error.cause])
