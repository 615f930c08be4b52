"""What a run of a stranger's code left, and what may be said of it on the pull request.

The artifact says nothing of where it belongs: pull request, commit and run are the event's and
the host's. What it does say is one run's word, and that is written above it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.errors import UsageInvalid
from gate.publish.event_payload import Payload
from gate.publish.occasion import occasion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gate.records.host import Occasion

JUDGING: Final = ("pull_request", "pull_request_review", "pull_request_review_comment")
"""Events whose runs judge a pull request; a run of any other has none to post on."""
_HERE: Final = (
    "run `publish` in a workflow of the default branch with `on: workflow_run`, which no pull "
    "request can edit"
)

_UNVERIFIED: Final = (
    "Not verified: this was written by a run of the pull request's own code, which can write any "
    "result, verdict and rules included; one that is forged throughout looks just like this. "
    "Provenance: unverified."
)
_DECIDES_NOTHING: Final = (
    "This comment decides nothing: the check of that run does, as far as its workflow can be "
    "trusted."
)


class Finished(NamedTuple):
    """A run that ended: where it belongs, and what had started it."""

    where: Occasion
    event: str


def finished(environ: Mapping[str, str], payload: Mapping[str, Any] | None) -> Finished:
    """Say which run ended, by the event that its end is. Raises ``UsageInvalid`` for another."""
    where = occasion(environ, payload)
    if where.kind != "workflow_run":
        started = "no runner" if where.kind == "local" else f"the event {where.kind}"
        raise UsageInvalid(
            f"{started} started this, and only workflow_run leads to another run's artifact",
            hint=_HERE,
        )
    event = Payload(payload, event="workflow_run").find("workflow_run.event")
    return Finished(where, event if isinstance(event, str) else "")


def notice(run: Finished) -> tuple[str, ...]:
    """Say, above a result, whose word it is and which commit it is about."""
    where = run.where
    return (_UNVERIFIED, f"About commit {where.head_sha}, by run {where.run}. {_DECIDES_NOTHING}")
