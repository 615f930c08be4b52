"""The comment on the pull request: where a run belongs, and what it says there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.publish.comment import ACTIONS_BOT, stamp_of
from gate.publish.occasion import undecided
from gate.publish.posting import Posted, posting
from gate.shell.lookup import looked_up
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
    decided: bool = True,
) -> Posted:
    """See to it that the pull request of this run, if it has one, bears the comment ``body``.

    A run that is not ``decided`` only replaces what its gate said of an earlier commit. ``body``
    is made only where it is posted; ``connect`` gives the host of a repository. Raises
    ``HostFailed`` where the host does not do what it is asked, and ``UsageInvalid`` for an event
    that is not what it must be.
    """
    refused = _without(where)
    if refused is not None:
        return Posted(_NOTHING, "", refused)
    assert where.repository is not None  # noqa: S101 - what has a pull request has one
    host = connect(where.repository)
    found = looked_up(where, host)
    if isinstance(found, str):
        return Posted(_NOTHING, "", found)
    stamp = stamp_of(found, comment_id)
    if found.number is None or stamp is None:
        return Posted(_NOTHING, "", undecided(()))
    talk = posting(body(), mode=mode, stamp=stamp, author=ACTIONS_BOT, decided=decided)
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
