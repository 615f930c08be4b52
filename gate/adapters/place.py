"""Where a path of the checkout lies in its repository, as the host spells it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from gate.adapters.origin import origin_of
from gate.errors import BaseUnreadable, FileUnreadable
from gate.ports import ReadFiles
from gate.report.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Iterator


GITHUB: Final = "https://github.com"
_ELSEWHERE: Final = (
    "the base commit holds what its own repository holds: keep the rules there, and run in its "
    "checkout (`working-directory`); or say policy-from: head, by which the files at hand judge, "
    "those of the change among them"
)


class Repository(NamedTuple):
    """What a pull request is of: ``names`` are that repository's and its head's (a fork's).

    ``server`` is the address under which the host shows both.
    """

    names: tuple[str, ...] = ()
    server: str = GITHUB


class Place:
    """The folder in which the repository lies, or is: the runner's workspace.

    How that itself is reached is nobody's business but the runner's; below it every path counts
    as it is written, and no link of the checkout leads anywhere.
    """

    def __init__(self, workspace: str, *, of: Repository = Repository()) -> None:  # noqa: B008
        """Look at nothing yet; ``of`` says whose checkouts count besides the one at hand."""
        self._named = os.path.abspath(workspace)  # noqa: PTH100 - pathlib costs start-up time
        self._folder = os.path.realpath(workspace)
        self._server = _host(of.server)
        self._ours = frozenset(name.lower() for name in of.names)
        self._known: dict[tuple[str, str], str | None] = {}

    def name(self, path: str) -> str:
        """Give a path below the repository's root.

        Raises ``BaseUnreadable`` for one outside, or in a checkout that may be another's.
        """
        whole = self._whole(path)
        root = self._root(whole)
        name = os.path.relpath(whole, root)
        if name.partition(os.sep)[0] == os.pardir or name == os.curdir:
            raise BaseUnreadable(
                f"{visible(path)}: lies outside of the workspace, and the rules of a pull request "
                "are read from its base commit"
            )
        why = self._anothers(root)
        if why is not None:
            raise BaseUnreadable(f"{visible(path)}: {why}", hint=_ELSEWHERE)
        return name.replace(os.sep, "/")

    def detour(self, path: str) -> str | None:
        """Give the first part below the root of a path that leads away from this commit.

        A link does, the file itself among them, and so does a repository of its own: the host
        finds nothing below them, and for a link that is the file it gives what it leads to, or
        the link's own text.
        """
        whole = self._whole(path)
        root = found = self._root(whole)
        for part in self.name(path).split("/"):
            found = os.path.join(found, part)  # noqa: PTH118 - as above
            if os.path.islink(found) or (found != whole and _is_repository(found)):  # noqa: PTH114
                return os.path.relpath(found, root).replace(os.sep, "/")
        return None

    def link(self, path: str) -> bytes | None:
        """Give the text of the link that stands at a path; ``None`` where none does."""
        try:
            return os.readlink(os.fsencode(self._whole(path)))  # noqa: PTH115 - as above
        except OSError:
            return None

    def _anothers(self, root: str) -> str | None:
        """Say why a checkout may be of another repository; ``None`` where it counts as ours.

        The one around the working directory does, unless it is seen to be another's; any other
        has to be seen to be ours.
        """
        here = self._root(self._whole(os.path.join(os.curdir, ".git")))  # noqa: PTH118 - as above
        if (root, here) not in self._known:
            self._known[root, here] = self._judged(root, at_hand=root == here)
        return self._known[root, here]

    def _judged(self, root: str, *, at_hand: bool) -> str | None:
        found = origin_of(root)
        if found is not None and found.host == self._server:
            if found.repository in self._ours:
                return None
            if self._ours:
                return f"lies in a checkout of {found.repository}, another repository"
        if at_hand:
            return None
        shown = visible(os.path.relpath(root, self._folder))
        return f"lies in another checkout ({shown}), which nothing shows to be of this repository"

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


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:  # then no checkout is seen to be of this repository
        return None


def _is_repository(folder: str) -> bool:
    return os.path.lexists(os.path.join(folder, ".git"))  # noqa: PTH118 - pathlib costs time


class Straight(ReadFiles):
    """Files of the checkout that lie where their paths say, as a commit would hold them.

    A file that is a link, lies below one, or in a repository of its own, raises
    ``FileUnreadable``: once merged the host would give something else for it, or nothing, and
    the next pull request would be judged by that.
    """

    def __init__(self, files: ReadFiles, *, place: Place) -> None:
        """Read nothing yet."""
        self._files = files
        self._place = place

    def exists(self, path: str) -> bool:
        """Say whether something is at ``path``, however it is reached."""
        return self._files.exists(path)

    def read(self, path: str, *, limit: int) -> bytes:
        """Give the bytes of a file."""
        detour = self._place.detour(path)
        if detour is not None and detour == self._place.name(path):
            raise FileUnreadable(
                f"{visible(path)}: is a link, and what a commit holds of it is where it leads to",
                hint="commit the file itself in place of the link",
            )
        if detour is not None:
            raise FileUnreadable(
                f"{visible(path)}: {visible(detour)} is a link, or a repository of its own: below "
                "it a commit holds no file",
                hint="keep the rules where their paths say",
            )
        return self._files.read(path, limit=limit)
