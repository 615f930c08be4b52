"""What kind of run this is: which pull request, which commit, whose head, by what right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gate.errors import UsageInvalid
from gate.publish.event_payload import (
    HINT,
    Payload,
    number_in,
    repository_in,
    sha_in,
    wrong,
)
from gate.records.host import Occasion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gate.records.host import Pull

PRIVILEGED: Final = (
    "pull_request_target hands the rights and secrets of the base to what a pull request brings: "
    "judge on pull_request, and post from a workflow_run job with the command `publish`"
)
_DEPENDABOT: Final = "dependabot[bot]"
"""Its runs get a token that may only read, though its branches lie in the repository itself."""
_LONGEST_NAME: Final = 200
_NAMED: Final = 5


def occasion(environ: Mapping[str, str], payload: Mapping[str, Any] | None) -> Occasion:
    """Say what started a run, by its variables and its event's payload.

    ``payload`` is the object in the file that ``GITHUB_EVENT_PATH`` names, ``None`` where there
    is none: events without a pull request need none. Without ``GITHUB_EVENT_NAME`` the run is a
    local one, and nothing else is looked at. Raises ``UsageInvalid`` where a variable or the
    payload is not what the event's must be.
    """
    event = environ.get("GITHUB_EVENT_NAME")
    if not event:
        return Occasion(kind="local")
    return _EVENTS.get(event, _without_pull)(environ, payload)


def pulls_of(occasion: Occasion, pulls: Iterable[Pull]) -> tuple[Pull, ...]:
    """Find the pull requests that an occasion may be of, among those that the host tells.

    Such a one is open, asks to be merged into this very repository, and its head is the commit
    that was judged, in the repository that the event names, or in none any more where the event
    names none: an older commit of it, a merged pull request and one of a fork's own do not
    count. Where the event names a number it is that one. Of several (one branch, two bases) those
    that the event lists; if several are left, nobody can say which it was.
    """
    found = [
        pull
        for pull in pulls
        if pull.state == "open"
        and pull.head_sha == occasion.head_sha
        and _same(pull.base_repository, occasion.repository)
        and _same_head(pull.head_repository, occasion.head_repository)
        and occasion.number in {None, pull.number}
    ]
    listed = [pull for pull in found if pull.number in occasion.listed]
    if len(found) > 1 and listed:
        found = listed
    return tuple(sorted(found, key=lambda pull: pull.number))


def undecided(pulls: Sequence[Pull], *, asked: Sequence[str] = ()) -> str:
    """Say why an occasion belongs to none of ``pulls``, of which there is not exactly one.

    ``asked`` says by what the host was asked for them, in vain.
    """
    if not pulls:
        how = f" (asked for {'; '.join(asked)})" if asked else ""
        return f"this run belongs to no open pull request{how}"
    named = ", ".join(f"#{pull.number}" for pull in pulls[:_NAMED])
    return (
        f"this run's commit is the head of {len(pulls)} open pull requests ({named}), and the "
        "event does not say which of them it was for"
    )


def with_pull(occasion: Occasion, pull: Pull) -> Occasion:
    """Fill in what only the host could say of an occasion's pull request.

    Raises ``UsageInvalid`` where the pull request is to be merged into another repository.
    """
    if not _same(pull.base_repository, occasion.repository):
        raise UsageInvalid(
            f"pull request {pull.number} belongs to another repository than this run", hint=HINT
        )
    known = {
        "number": pull.number,
        "head_sha": pull.head_sha,
        "base_sha": pull.base_sha,
        "base_ref": pull.base_ref,
        "head_repository": pull.head_repository,
        "fork": not _same(pull.head_repository, pull.base_repository),
        "lookup": None,
    }
    return Occasion(**{**dict(occasion), **known})


def _common(environ: Mapping[str, str]) -> dict[str, Any]:
    """Read what every run's variables say."""
    actor = environ.get("GITHUB_ACTOR", "")[:_LONGEST_NAME]
    return {
        "repository": repository_in(environ, "GITHUB_REPOSITORY"),
        "run": number_in(environ, "GITHUB_RUN_NUMBER"),
        "attempt": number_in(environ, "GITHUB_RUN_ATTEMPT") or 1,
        "actor": actor or None,
    }


def _here(environ: Mapping[str, str], read: Payload) -> dict[str, Any]:
    """As ``_common``, and the payload must be of the repository in which the run is."""
    common = _common(environ)
    told = read.repository("repository.full_name")
    if common["repository"] is None:
        raise UsageInvalid("GITHUB_REPOSITORY is not set, and this event needs it", hint=HINT)
    if not _same(told, common["repository"]):
        raise wrong("repository.full_name is not that of GITHUB_REPOSITORY")
    return common


def _pull_request(environ: Mapping[str, str], payload: Mapping[str, Any] | None) -> Occasion:
    """Take the head from the payload: ``GITHUB_SHA`` is a merge commit that nobody sees."""
    read = Payload(payload, event="a pull request's event")
    common, known = _here(environ, read), _of_pull(read)
    read_only = known["fork"] or common["actor"] == _DEPENDABOT
    return Occasion(kind="pull_request", read_only=read_only, **common, **known)


def _pull_request_target(
    environ: Mapping[str, str], payload: Mapping[str, Any] | None
) -> Occasion:
    """Refuse: ``GITHUB_SHA`` is the base, the token may write, and the files are the head's."""
    read = Payload(payload, event="a pull request's event")
    return Occasion(
        kind="pull_request_target",
        refusal=PRIVILEGED,
        **_here(environ, read),
        **_of_pull(read),
    )


def _of_pull(read: Payload) -> dict[str, Any]:
    base = read.repository("pull_request.base.repo.full_name")
    if not _same(base, read.repository("repository.full_name")):
        raise wrong("pull_request.base.repo.full_name is not that of the repository")
    head = None
    if read.find("pull_request.head.repo") is not None:  # null once a fork is deleted
        head = read.repository("pull_request.head.repo.full_name")
    return {
        "number": read.whole("pull_request.number"),
        "head_sha": read.sha("pull_request.head.sha"),
        "base_sha": read.sha("pull_request.base.sha"),
        "base_ref": read.ref("pull_request.base.ref"),
        "head_repository": head,
        "fork": not _same(head, base),
    }


def _workflow_run(environ: Mapping[str, str], payload: Mapping[str, Any] | None) -> Occasion:
    """Take the run that completed for what was judged; ``GITHUB_SHA`` is the default branch.

    Its ``pull_requests`` are empty for forks, and otherwise list whatever has the same branch,
    at whatever commit: which pull request it was is asked of the host by the commit, or by the
    branch of the head, and the list only tells several of that commit apart.
    """
    read = Payload(payload, event="workflow_run")
    common = _here(environ, read)
    head = None
    if read.find("workflow_run.head_repository") is not None:
        head = read.repository("workflow_run.head_repository.full_name")
    attempt = read.find("workflow_run.run_attempt")
    judged = {
        "run": read.whole("workflow_run.run_number"),
        "attempt": 1 if attempt is None else read.whole("workflow_run.run_attempt"),
    }
    return Occasion(
        kind="workflow_run",
        head_sha=read.sha("workflow_run.head_sha"),
        head_repository=head,
        head_branch=read.branch("workflow_run.head_branch"),
        fork=not _same(head, common["repository"]),
        lookup="pulls_of_commit",
        listed=read.numbers("workflow_run.pull_requests"),
        **{**common, **judged},
    )


def _merge_group(environ: Mapping[str, str], payload: Mapping[str, Any] | None) -> Occasion:
    """Take a queue's commit, which may hold several pull requests: none is commented on."""
    read = Payload(payload, event="merge_group")
    return Occasion(
        kind="merge_group",
        head_sha=read.sha("merge_group.head_sha"),
        base_sha=read.sha("merge_group.base_sha"),
        base_ref=read.ref("merge_group.base_ref"),
        **_here(environ, read),
    )


def _issue_comment(environ: Mapping[str, str], payload: Mapping[str, Any] | None) -> Occasion:
    """Take the number, all that a comment tells of its pull request; ``GITHUB_SHA`` is not its."""
    read = Payload(payload, event="issue_comment")
    common = _here(environ, read)
    asked = read.find("issue.pull_request")
    if asked is None:
        return Occasion(kind="issue_comment", head_sha=sha_in(environ, "GITHUB_SHA"), **common)
    if not isinstance(asked, dict):
        raise wrong("issue.pull_request is not an object")
    number = read.whole("issue.number")
    return Occasion(kind="issue_comment", number=number, lookup="pull", **common)


def _push(environ: Mapping[str, str], _payload: Mapping[str, Any] | None) -> Occasion:
    return Occasion(kind="push", head_sha=sha_in(environ, "GITHUB_SHA"), **_common(environ))


def _schedule(environ: Mapping[str, str], _payload: Mapping[str, Any] | None) -> Occasion:
    return Occasion(kind="schedule", head_sha=sha_in(environ, "GITHUB_SHA"), **_common(environ))


def _without_pull(environ: Mapping[str, str], _payload: Mapping[str, Any] | None) -> Occasion:
    """Take any other event, ``workflow_dispatch`` too: no pull request is no error."""
    return Occasion(kind="other", head_sha=sha_in(environ, "GITHUB_SHA"), **_common(environ))


def _same(one: str | None, other: str | None) -> bool:
    """Compare repositories as the host does, which does not tell cases apart."""
    return one is not None and other is not None and one.lower() == other.lower()


def _same_head(one: str | None, other: str | None) -> bool:
    """Compare heads: one whose repository is gone is only ever another such one."""
    return one is other or _same(one, other)


_EVENTS: Final[dict[str, Callable[[Mapping[str, str], Mapping[str, Any] | None], Occasion]]] = {
    "pull_request": _pull_request,
    "pull_request_review": _pull_request,
    "pull_request_review_comment": _pull_request,
    "pull_request_target": _pull_request_target,
    "workflow_run": _workflow_run,
    "merge_group": _merge_group,
    "issue_comment": _issue_comment,
    "push": _push,
    "schedule": _schedule,
}
