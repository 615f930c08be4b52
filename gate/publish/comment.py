"""The one comment of a gate: which is ours, what is to be done, and in which order.

A comment begins with the marker at byte 0, and below it a hidden line with what it is about:
the gate's id, the run's number and attempt, and the head. Nothing else is ever read back from a
comment, and nothing at all from one that another author wrote. For people the head stands below
the heading.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from gate.records.marker import MARKER

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gate.records.host import CommentMode, HostComment, Occasion

ACTIONS_BOT: Final = "github-actions[bot]"
"""Who writes with the token of a workflow, which may not ask who it is."""
SHORT: Final = 12
"""Digits of a commit that people see: more than anybody makes two commits share."""
USUAL_ID: Final = "default"
"""The id of a gate that has none of its own."""
_OUTDATED: Final = "the pull request has a newer commit"
_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,100}")
_STAMP: Final = re.compile(
    re.escape(MARKER) + r"\r?\n<!-- agent-eval-gate id=([A-Za-z0-9._-]{1,100}) run=([0-9]{1,19})"
    r" attempt=([0-9]{1,19}) head=([0-9a-f]{40}|[0-9a-f]{64}) -->(?:\r?\n|\Z)"
)


class Stamp(NamedTuple):
    """What a comment is about: which gate's, which run's (from 1), and which commit's."""

    comment_id: str
    run: int
    attempt: int
    head: str


class Ours(NamedTuple):
    """A comment of this gate, and what it is about."""

    comment: HostComment
    stamp: Stamp


class Nothing(NamedTuple):
    """Leave what stands; take ``surplus`` away, which are older duplicates."""

    because: str
    surplus: tuple[int, ...] = ()


class Create(NamedTuple):
    """Post the first comment."""


class Update(NamedTuple):
    """Replace the text of a comment, and take ``surplus`` away."""

    comment: int
    surplus: tuple[int, ...] = ()


class Recreate(NamedTuple):
    """Post anew, and only then take the old ones away."""

    comments: tuple[int, ...]


Step: TypeAlias = Nothing | Create | Update | Recreate


def stamp_of(occasion: Occasion, comment_id: str | None) -> Stamp | None:
    """Say what a comment of this run is about; ``None`` where no run or head has a number.

    Raises ``ValueError`` for an id that is no short name.

    >>> from gate.records.host import Occasion
    >>> stamp_of(Occasion(kind="local"), None) is None
    True
    """
    name = comment_id or USUAL_ID
    if not _ID.fullmatch(name):
        raise ValueError("a comment's id is a short name: letters, digits, '.', '_' and '-'")
    if occasion.run is None or occasion.head_sha is None:
        return None
    return Stamp(name, occasion.run, occasion.attempt, occasion.head_sha)


def stamped(body: str, stamp: Stamp) -> str:
    r"""Give ``body``, which begins with the marker, with the hidden line below that.

    Its next line is the heading; below it stands the commit, to be seen. Raises ``ValueError``
    where it does not begin so.

    >>> stamp = Stamp("default", 7, 1, "0" * 40)
    >>> stamped(f"{MARKER}\n## FAIL", stamp).splitlines()[1][:44]
    '<!-- agent-eval-gate id=default run=7 attemp'
    >>> stamped(f"{MARKER}\n## FAIL", stamp).splitlines()[2:]
    ['## FAIL', '', 'Commit `000000000000`']
    """
    first, _, rest = body.partition("\n")
    if first != MARKER:
        raise ValueError("a comment begins with the marker")
    line = (
        f"<!-- agent-eval-gate id={stamp.comment_id} run={stamp.run} attempt={stamp.attempt} "
        f"head={stamp.head} -->"
    )
    heading, _, more = rest.partition("\n")
    return f"{first}\n{line}\n{heading}\n\nCommit `{stamp.head[:SHORT]}`\n{more}"


def read_stamp(body: str) -> Stamp | None:
    """Read what a text that begins with the marker is about; ``None`` where it does not say."""
    found = _STAMP.match(body)
    return found and Stamp(found[1], int(found[2]), int(found[3]), found[4])


def ours(
    comments: Iterable[HostComment], *, comment_id: str, author: str | None
) -> tuple[Ours, ...]:
    """Find the comments of this gate: by the marker at byte 0, the id, and the author.

    ``author`` is the login that this token writes under; where nobody knows it, nothing is
    ours. Hidden comments are left alone: who hid one wants it no more.
    """
    if author is None:
        return ()
    return tuple(
        Ours(comment, stamp)
        for comment in comments
        if comment.author.lower() == author.lower() and not comment.minimized
        if (stamp := read_stamp(comment.body)) is not None and stamp.comment_id == comment_id
    )


def next_step(
    comments: Sequence[HostComment],
    body: str,
    *,
    mode: CommentMode,
    stamp: Stamp,
    author: str | None,
    head: str | None,
    decided: bool = True,
) -> Step:
    """Say what is to be done so that one comment stands, the newest head's.

    ``body`` is the report without its stamp; ``head`` is the pull request's head as the host has
    it now, ``None`` where that is not known. A run of another head has nothing to say any more.
    A comment of a later run is left alone unless it is about a commit that is no longer the head
    (runs of another workflow are numbered anew); so is one that says the same of the same commit.
    A run that is not ``decided`` has no verdict: it only takes the place of what was said of
    another commit, and is never the first to speak.

    Of several comments of ours the first stays, and the latest run's text comes into it; where
    each is posted anew the latest run's stays. Whatever other runs do meanwhile, that one is
    never taken away: a comment goes only where the one that stays says all that it said.
    """
    if mode == "off":
        return Nothing("comments are switched off")
    mine = sorted(
        ours(comments, comment_id=stamp.comment_id, author=author), key=lambda one: one.comment.id
    )
    if not mine and not decided:
        return Nothing("there is none that could be out of date")
    if not mine:
        return Create() if head in {None, stamp.head} else Nothing(_OUTDATED)
    latest = max(mine, key=lambda one: (_order(one.stamp), one.comment.id))
    kept = latest if mode == "recreate" else mine[0]
    others = tuple(one.comment.id for one in mine if one is not kept)
    because = _settled(kept, latest, stamp=stamp, head=head, body=body)
    if because is None and not decided and latest.stamp.head == stamp.head:
        because = "it is about this commit already"
    if because is not None:
        return Nothing(because, others if _order(kept.stamp) == _order(latest.stamp) else ())
    if mode == "recreate":
        return Recreate(tuple(one.comment.id for one in mine))
    return Update(kept.comment.id, others)


def _settled(kept: Ours, latest: Ours, *, stamp: Stamp, head: str | None, body: str) -> str | None:
    """Say why what stands may stand; ``None`` where it must give way."""
    if head not in {None, stamp.head}:
        return _OUTDATED
    if head in {None, latest.stamp.head} and _order(latest.stamp) > _order(stamp):
        return "a later run has spoken already"
    if kept.stamp.head == stamp.head and _text(kept.comment.body) == _text(stamped(body, stamp)):
        return "it says so already"
    return None


def _order(stamp: Stamp) -> tuple[int, int]:
    return stamp.run, stamp.attempt


def _text(body: str) -> str:
    """Give what a comment says, without its stamp, however the host keeps line ends."""
    return _STAMP.sub("", body, count=1).replace("\r\n", "\n").strip()
