"""What is asked of GitHub, what comes back, and what went wrong instead, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

JSON: Final = "application/vnd.github+json"
RAW: Final = "application/vnd.github.raw"
"""A file's bytes as they are, up to 100 MB; without it GitHub gives at most 1 MB."""
MAX_DOCUMENT: Final = 32 * 2**20
"""Bytes of a reply that is JSON: a hundred comments of full length are at most 26 MB."""

_BY_TOKEN: Final = frozenset((401, 403, 404))
"""What GitHub answers where a token is wrong or may not."""


class Call(NamedTuple):
    """One request.

    ``path`` begins below the base address and is percent-encoded; a page's is a whole address.
    ``query`` takes the place of the path's own, and is encoded as it is sent.
    ``aim`` finishes the sentence "could not …", and ``needs`` names the permission it takes as a
    workflow spells it. ``limit`` bounds the reply, in bytes. A status that is ``fine`` is a reply
    as a success is.
    """

    method: Literal["GET", "POST", "PATCH", "DELETE"]
    path: str
    aim: str
    needs: str
    body: Mapping[str, Any] | None = None
    accept: str = JSON
    limit: int = MAX_DOCUMENT
    fine: frozenset[int] = frozenset()
    query: Mapping[str, str] | None = None


class Reply(NamedTuple):
    """A success, or what the call calls fine; header names are found in any case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Trouble(NamedTuple):
    """A failure.

    ``refused`` will be refused again; ``limited`` was not done, and may be asked later; whether
    ``broken`` was done nobody knows. ``wish`` is for how many seconds the host wants peace.
    ``status`` is HTTP's, if it came to that. ``lasting`` says that no other token helps.
    """

    kind: Literal["refused", "limited", "broken"]
    message: str
    status: int | None = None
    wish: float | None = None
    hint: str | None = None
    lasting: bool = False

    @property
    def cause(self) -> Literal["token", "outage", "other"]:
        """Say whose matter it is: the token's, the host's, or neither's.

        >>> Trouble("broken", "no reply").cause, Trouble("refused", "no", 404).cause
        ('outage', 'token')
        >>> Trouble("refused", "a proxy's redirect", 302).cause
        'other'
        """
        if self.kind != "refused":
            return "outage"
        return "token" if self.status in _BY_TOKEN and not self.lasting else "other"


Outcome: TypeAlias = Reply | Trouble


def segment(text: str) -> str:
    """Give ``text`` as one segment of a path: nothing in it begins another, or a query.

    >>> segment("evals/gate one.toml"), segment("a?b#c")
    ('evals%2Fgate%20one.toml', 'a%3Fb%23c')
    """
    return quote(text, safe="")
