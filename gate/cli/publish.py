"""``publish``: comment what another run found."""

from __future__ import annotations

import os

import click

from gate.cli import console, options
from gate.cli.strict import Strict


@click.command("publish", cls=Strict)
@click.option(
    "--artifact",
    metavar="PATH",
    required=True,
    help="The run's artifact: a zip archive, or a folder that holds its result.json.",
)
@options.show_expected
def command(*, artifact: str, show_expected: bool) -> int:
    """Comment a finished run's result on its pull request, from a workflow_run job.

    For runs whose token may not write, such as a fork's. The artifact is a stranger's: its
    result.json alone is read, in memory and within limits, must hold together, and is rendered
    anew. Which pull request and commit it is about is asked of the host. The comment says that
    nobody verified it, and no status is set.

    Ends in 0 if the comment stands or there is none to post (no open pull request with that
    head, or several of it, a newer run has spoken), in 2 for an artifact that is refused, and in
    3 if the host did not do it. It is no verdict.
    """
    from gate.adapters.artifact import from_artifact
    from gate.adapters.environ import from_environ
    from gate.adapters.runner import tell
    from gate.cli.comment import told
    from gate.cli.event import payload
    from gate.cli.host import connecting
    from gate.cli.place import RESULT, within
    from gate.publish.outputs import done_outputs
    from gate.publish.untrusted import finished
    from gate.report.redact import redactor
    from gate.report.sanitize import visible
    from gate.shell.publish import Shown, published, untrusted_result

    here = from_environ(os.environ)
    redact = redactor(here.secrets)
    _require(here.token, marked=bool(here.commit_status or here.check_run or here.annotations))
    run = finished(os.environ, payload())
    data = from_artifact(artifact, RESULT)
    report = untrusted_result(data, source=visible(within(artifact, RESULT)))
    shown = Shown(here.comment_id, show_expected, redact)
    with connecting(here.token) as connect:
        posted = published(run, report, shown, mode=here.comment, connect=connect)
    console.tell(told(posted), os.environ)
    outputs = {**done_outputs("published"), "comment-url": redact(posted.url)}
    tell(os.environ, outputs, summary="")
    return 0


def _require(token: str, *, marked: bool) -> None:
    """Refuse to go on without a token, or with a mark that nobody verified.

    Raises ``UsageInvalid``.
    """
    from gate.errors import UsageInvalid

    if marked:
        raise UsageInvalid(
            "`publish` sets no commit-status, no check-run and no annotations: the result is a "
            "stranger's, and such a mark could satisfy a required check"
        )
    if not token:
        raise UsageInvalid(
            "`publish` comments, and there is no token",
            hint="pass `github-token: ${{ github.token }}`, with `pull-requests: write`",
        )
