"""Brings a gate's comment about, one call of the host at a time, in whatever order runs meet.

It is a conversation: it yields what is to be asked of the host and is sent the answer, so that
it touches nothing itself. After every change it looks again, since another run may have
changed something at the same time: two that both posted the first comment both see two, and
agree on which of them stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

from gate.publish.comment import Create, Nothing, Recreate, Update, next_step, read_stamp, stamped

if TYPE_CHECKING:
    from collections.abc import Generator

    from gate.publish.comment import Stamp, Step
    from gate.records.host import CommentMode, HostComment

ROUNDS: Final = 4
"""Looks at most: two runs settle in three."""


class Look(NamedTuple):
    """Ask for all comments, and only then for the pull request's head; answer: ``Seen``.

    In this order a comment about a newer head is never seen beside an older head.
    """


class Seen(NamedTuple):
    """The head, ``None`` where the host did not say, and all comments."""

    head: str | None
    comments: tuple[HostComment, ...]


class Post(NamedTuple):
    """Post a comment; answer: it."""

    body: str


class Edit(NamedTuple):
    """Replace a comment's text; answer: it, or ``None`` where it is gone."""

    comment: int
    body: str


class Remove(NamedTuple):
    """Take a comment away; answer: ``None``, also where it was gone."""

    comment: int


Wish: TypeAlias = Look | Post | Edit | Remove
Answer: TypeAlias = "Seen | HostComment | None"


class Posted(NamedTuple):
    """What became of it: what was done, the comment's address if one was written, and why."""

    done: str
    url: str
    because: str


def posting(
    body: str,
    *,
    mode: CommentMode,
    stamp: Stamp,
    author: str | None,
    decided: bool = True,
) -> Generator[Wish, Answer, Posted]:
    """Bring it about that one comment stands which says ``body``, and give what was done.

    ``author`` is who this token is thought to write as; a comment that it posts says who it
    really is, and what that author wrote before is then taken for ours. Without a verdict
    (``decided`` is false) nothing is posted where nothing stands.
    """
    if mode == "off":
        return Posted("nothing", "", "comments are switched off")
    text = stamped(body, stamp)
    posted = Posted("nothing", "", "")
    written: HostComment | None = None
    for _ in range(ROUNDS):
        seen = cast("Seen", (yield Look()))
        step = next_step(
            seen.comments,
            body,
            mode=mode,
            stamp=stamp,
            author=author,
            head=seen.head,
            decided=decided,
        )
        if written is not None:
            step = _once(step, written, seen, stamp)
        if isinstance(step, Nothing):
            yield from _without(step.surplus)
            return posted if written is not None else Posted("nothing", "", step.because)
        if isinstance(step, Update):
            edited = cast("HostComment | None", (yield Edit(step.comment, text)))
            if edited is not None:  # else somebody took it away meanwhile
                written, posted = edited, Posted("updated", edited.url, "")
                yield from _without(step.surplus)
            continue
        written = cast("HostComment", (yield Post(text)))
        author = written.author
        posted = Posted("created" if isinstance(step, Create) else "recreated", written.url, "")
        yield from _without(step.comments if isinstance(step, Recreate) else ())
    return posted


def _once(step: Step, written: HostComment, seen: Seen, stamp: Stamp) -> Step:
    """Give the next step of a run that has written, which needs no second try as a rule.

    What stands is about this run, whatever it says: legs of a matrix that share one id would
    otherwise overwrite each other for ever. Or nothing stands: a list may lag behind, and who
    took a comment away meant it.
    """
    if isinstance(step, Create):
        return Nothing("it does not show yet")
    if isinstance(step, Update):
        kept = next(one for one in seen.comments if one.id == step.comment)
        return Nothing("", step.surplus) if read_stamp(kept.body) == stamp else step
    if isinstance(step, Recreate) and _stands(written, seen, stamp):
        return Nothing("")
    return step


def _stands(written: HostComment, seen: Seen, stamp: Stamp) -> bool:
    return any(one.id == written.id and read_stamp(one.body) == stamp for one in seen.comments)


def _without(surplus: tuple[int, ...]) -> Generator[Wish, Answer]:
    for comment in surplus:
        yield Remove(comment)
