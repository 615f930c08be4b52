"""Carries out what a posting run wishes, against the host; see :mod:`gate.publish.posting`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.errors import HostFailed
from gate.publish.posting import Edit, Look, Post, Seen

if TYPE_CHECKING:
    from collections.abc import Generator

    from gate.ports import Host
    from gate.publish.posting import Answer, Posted, Wish


def carried_out(talk: Generator[Wish, Answer, Posted], host: Host, *, number: int) -> Posted:
    """Make every call that ``talk`` wishes for on pull request ``number``; say what was done.

    Raises ``HostFailed`` where a call fails; a comment that cannot be replaced because it is
    gone is no failure.
    """
    answer: Answer = None
    try:
        while True:
            wish = talk.send(answer)
            answer = _answer(wish, host, number)
    except StopIteration as end:
        posted: Posted = end.value
        return posted


def _answer(wish: Wish, host: Host, number: int) -> Answer:
    if isinstance(wish, Look):
        comments = host.comments(number)
        return Seen(host.pull(number).head_sha, comments)
    if isinstance(wish, Post):
        return host.create_comment(number, wish.body)
    if isinstance(wish, Edit):
        try:
            return host.update_comment(wish.comment, wish.body)
        except HostFailed:
            if any(one.id == wish.comment for one in host.comments(number)):
                raise
            return None
    host.delete_comment(wish.comment)
    return None
