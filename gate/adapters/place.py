"""Where a path of the checkout lies in its repository, as the host spells it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gate.errors import BaseUnreadable, FileUnreadable
from gate.ports import ReadFiles
from gate.report.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Iterator


class Place:
    """The folder in which the repository lies, or is: the runner's workspace.

    How that itself is reached is nobody's business but the runner's; below it every path counts
    as it is written, and no link of the checkout leads anywhere.
    """

    def __init__(self, workspace: str) -> None:
        """Look at nothing yet."""
        self._named = os.path.abspath(workspace)  # noqa: PTH100 - pathlib costs start-up time
        self._folder = os.path.realpath(workspace)

    def name(self, path: str) -> str:
        """Give a path below the repository's root. Raises ``BaseUnreadable`` for one outside."""
        whole = self._whole(path)
        name = os.path.relpath(whole, self._root(whole))
        if name.partition(os.sep)[0] == os.pardir or name == os.curdir:
            raise BaseUnreadable(
                f"{visible(path)}: lies outside of the workspace, and the rules of a pull request "
                "are read from its base commit"
            )
        return name.replace(os.sep, "/")

    def detour(self, path: str) -> str | None:
        """Give the first folder below the root on the way to a path that is none of this commit.

        A link is not, and no more is a repository of its own: the host finds nothing below them.
        """
        whole = self._whole(path)
        folder = self._root(whole)
        for part in self.name(path).split("/")[:-1]:
            folder = os.path.join(folder, part)  # noqa: PTH118 - as above
            if os.path.islink(folder) or _is_repository(folder):  # noqa: PTH114 - as above
                return os.path.relpath(folder, self._root(whole))
        return None

    def _whole(self, path: str) -> str:
        """Give the whole path as written, below the workspace's real place."""
        if "\0" in path:
            raise BaseUnreadable(f"{visible(path)}: is no path that a commit can hold")
        whole = os.path.abspath(path)  # noqa: PTH100 - as above
        below = os.path.relpath(whole, self._named)
        if below.partition(os.sep)[0] == os.pardir:
            return whole
        return os.path.normpath(os.path.join(self._folder, below))  # noqa: PTH118 - as above

    def _root(self, whole: str) -> str:
        """Give the outermost checkout around a path: what a job plants further in counts not."""
        return next(filter(_is_repository, self._folders(whole)), self._folder)

    def _folders(self, whole: str) -> Iterator[str]:
        """Give the folders from the workspace down to the one that holds a path."""
        folder = self._folder
        below = os.path.relpath(whole, folder).split(os.sep)  # noqa: PTH206 - as above
        for part in () if below[0] == os.pardir else below:
            yield folder
            folder = os.path.join(folder, part)  # noqa: PTH118 - as above


def _is_repository(folder: str) -> bool:
    return os.path.lexists(os.path.join(folder, ".git"))  # noqa: PTH118 - pathlib costs time


class Straight(ReadFiles):
    """Files of the checkout that lie where their paths say, as a commit would hold them.

    A file below a link, or in a repository of its own, raises ``FileUnreadable``: once merged it
    would be nowhere for the host, and the next pull request free of it.
    """

    def __init__(self, files: ReadFiles, *, workspace: str) -> None:
        """Read nothing yet."""
        self._files = files
        self._place = Place(workspace)

    def exists(self, path: str) -> bool:
        """Say whether something is at ``path``, however it is reached."""
        return self._files.exists(path)

    def read(self, path: str, *, limit: int) -> bytes:
        """Give the bytes of a file."""
        detour = self._place.detour(path)
        if detour is not None:
            raise FileUnreadable(
                f"{visible(path)}: {visible(detour)} is a link, or a repository of its own: below "
                "it a commit holds no file",
                hint="keep the rules where their paths say",
            )
        return self._files.read(path, limit=limit)
