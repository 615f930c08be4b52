"""The host of a pull request: what started a run there, and what it keeps of comments."""

from typing import Annotated, Literal

from pydantic import Field, Strict

from gate.records.base import Count, Flag, Name, Positive, Record, Text

Sha = Annotated[str, Strict(), Field(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]
Repository = Annotated[
    str, Strict(), Field(pattern=r"^[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}$")
]
EventKind = Literal[
    "pull_request",
    "pull_request_target",
    "workflow_run",
    "merge_group",
    "push",
    "schedule",
    "issue_comment",
    "other",
    "local",
]
"""What started a run; ``other`` is an event without a pull request, ``local`` no runner at all."""
CommentMode = Literal["update", "recreate", "off"]


class Occasion(Record):
    """What kind of run this is.

    ``head_sha`` is the commit under test, which for a pull request is not the merge commit that
    the runner checked out. ``base_sha`` and ``base_ref`` are what it would be merged into.
    ``number`` is the pull request's, ``None`` where there is none or where only the host can say
    (``workflow_run`` of a fork, ``issue_comment``): then ``lookup`` says what to ask it, and
    ``listed`` are the numbers that the event tells besides.
    ``fork`` says that the head lies in another repository, or in none any more;
    ``head_repository`` is which, where the event says so, and ``head_branch`` the branch there,
    where it is needed to look up the pull request. ``read_only`` says that such a run's
    token may not write comments. ``run`` and ``attempt`` number the run that was judged, so that
    an older one never overwrites a newer one's comment. ``refusal`` says why nothing may be
    judged on this occasion, where that is so.
    """

    kind: EventKind
    repository: Repository | None = None
    number: Positive | None = None
    head_sha: Sha | None = None
    base_sha: Sha | None = None
    base_ref: Name | None = None
    fork: Flag = False
    head_repository: Repository | None = None
    head_branch: Name | None = None
    read_only: Flag = False
    lookup: Literal["pulls_of_commit", "pull"] | None = None
    listed: tuple[Positive, ...] = ()
    run: Positive | None = None
    attempt: Positive = 1
    actor: Text | None = None
    refusal: Text | None = None


class Pull(Record):
    """A pull request as the host has it now."""

    number: Positive
    state: Literal["open", "closed"]
    head_sha: Sha
    base_sha: Sha
    base_ref: Name
    base_repository: Repository
    head_repository: Repository | None


class HostComment(Record):
    """A comment on a pull request. ``author`` is the login; ``minimized`` ones are hidden."""

    id: Positive
    body: Text
    author: Text
    author_id: Count
    by_app: Flag
    url: Text
    minimized: Flag = False
