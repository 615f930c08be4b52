"""Where what is under test begins: the checkout around the working directory."""

from __future__ import annotations

import os


def root() -> str:
    """Give the real path of the nearest folder upwards that holds ``.git``.

    Without one it is the runner's workspace if the working directory lies in it, else that itself.
    """
    here = os.path.realpath(os.curdir)
    folder = here
    while not os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118 - pathlib costs start-up
        above = os.path.dirname(folder)  # noqa: PTH120 - as above
        if above == folder:
            return _workspace(here)
        folder = above
    return folder


def is_within(path: str, folder: str) -> bool:
    """Say whether a path, links followed, lies in a folder that is a real path."""
    return os.path.commonpath((folder, os.path.realpath(path))) == folder


def _workspace(here: str) -> str:
    named = os.environ.get("GITHUB_WORKSPACE")
    if not named:
        return here
    workspace = os.path.realpath(named)
    return workspace if is_within(here, workspace) else here
