"""Posts the comment of a run, after all else: whatever becomes of it changes no verdict."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from gate.cli.console import note
from gate.cli.host import tried
from gate.cli.place import RESULT, within
from gate.errors import HostFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.ports import Host
    from gate.publish.posting import Posted
    from gate.records.host import CommentMode, Occasion

PUBLISH: Final = "docs/pull-requests.md says how"


def comment(
    where: Occasion,
    body: Callable[[], str],
    *,
    mode: CommentMode,
    comment_id: str | None,
    out: str,
    connect: Callable[[str], Host],
) -> str:
    """Post what ``body`` gives on the pull request of this run; give the comment's address.

    Nothing is raised: that it was not posted is said on standard error, with why, and what it
    takes to post it later from the files in ``out``, unless that would be refused as well.
    """
    from gate.shell.comment import commented

    later = True

    def post() -> Posted:
        nonlocal later
        try:
            return commented(where, mode=mode, comment_id=comment_id, body=body, connect=connect)
        except HostFailed as error:
            later = not error.lasting
            raise

    posted = tried("comment: not posted", post)
    if posted is not None:
        note(told(posted), os.environ)
    if where.read_only or (posted is None and later):
        _later(where, out)
    return "" if posted is None else posted.url


def outdated(
    where: Occasion,
    body: Callable[[], str],
    *,
    mode: CommentMode,
    comment_id: str | None,
    connect: Callable[[str], Host],
) -> str:
    """Let ``body`` stand where a verdict of an earlier commit does; give the comment's address.

    Where none does, nothing is posted, and nothing is said of it.
    """
    from gate.shell.comment import commented

    posted = tried(
        "comment: an older one is not brought up to date",
        lambda: commented(
            where, mode=mode, comment_id=comment_id, body=body, connect=connect, decided=False
        ),
    )
    if posted is None or not posted.url:
        return ""
    note(told(posted), os.environ)
    return posted.url


def told(posted: Posted) -> str:
    """Say in a line what became of a comment."""
    because = f" ({posted.because})" if posted.because else ""
    return f"comment: {posted.done}{because} {posted.url}".rstrip()


def without_token(where: Occasion, out: str) -> None:
    """Say why a fork's pull request gets no comment where the step has no token at all."""
    if where.kind == "pull_request" and where.read_only:
        note("comment: nothing (this step has no github-token)", os.environ)
        _later(where, out)


def _later(where: Occasion, out: str) -> None:
    if where.kind == "pull_request":
        path = within(out, RESULT)
        note(
            f"comment: the verdict stands; `publish` can post it from a workflow_run job, which "
            f"needs {path} as an artifact: {PUBLISH}",
            os.environ,
        )
