"""The comment on the pull request: where a run belongs, and what it says there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.publish.comment import ACTIONS_BOT, stamp_of
from gate.publish.occasion import pull_of, with_pull
from gate.publish.posting import Posted, posting
from gate.shell.posting import carried_out

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.ports import Host
    from gate.records.host import CommentMode, Occasion

_NOTHING = "nothing"


def commented(
    where: Occasion,
    *,
    mode: CommentMode,
    comment_id: str | None,
    body: Callable[[], str],
    connect: Callable[[str], Host],
) -> Posted:
    """See to it that the pull request of this run, if it has one, bears the comment ``body``.

    ``body`` is made only where it is posted; ``connect`` gives the host of a repository. Raises
    ``HostFailed`` where the host does not do what it is asked, and ``UsageInvalid`` for an event
    that is not what it must be.
    """
    refused = _without(where)
    if refused is not None:
        return Posted(_NOTHING, "", refused)
    assert where.repository is not None  # noqa: S101 - what has a pull request has one
    host = connect(where.repository)
    found = _looked_up(where, host)
    stamp = None if found is None else stamp_of(found, comment_id)
    if found is None or found.number is None or stamp is None:
        return Posted(_NOTHING, "", "this run belongs to no open pull request")
    talk = posting(body(), mode=mode, stamp=stamp, author=ACTIONS_BOT)
    return carried_out(talk, host, number=found.number)


def _without(where: Occasion) -> str | None:
    """Say why there is nothing to comment on, or why it may not be; ``None`` where there is."""
    if where.refusal is not None:
        return where.refusal
    if where.kind == "local":
        return "no runner started this run"
    if where.read_only:
        return "the token of a run for a fork or for Dependabot may not write comments"
    if where.lookup == "pull":
        return f"the event {where.kind} does not say which commit was judged"
    if where.number is None and where.lookup is None:
        return f"the event {where.kind} has no pull request"
    return None


def _looked_up(where: Occasion, host: Host) -> Occasion | None:
    if where.lookup == "pulls_of_commit" and where.head_sha is not None:
        pull = pull_of(where, host.pulls_of(where.head_sha))
        return None if pull is None else with_pull(where, pull)
    return where
