"""Says a verdict elsewhere, last of all: annotations, the comment, statuses that were asked for.

Nothing here changes a verdict, an exit status or a file of the run.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from gate.adapters.environ import from_environ
from gate.adapters.runner import tell
from gate.cli.console import annotate, note
from gate.cli.host import connecting, tried
from gate.cli.place import suite_name
from gate.errors import ResultUnwritable
from gate.report.redact import redactor
from gate.report.sanitize import visible
from gate.report.without_secrets import without_secrets

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.adapters.environ import Environment
    from gate.ports import Host
    from gate.publish.statuses import Mark
    from gate.records.host import Occasion
    from gate.records.report import Report

_AFTER: Final = "after the verdict"
_ELSEWHERE: Final = "the summary of this run and the result file"


def _nothing(where: Occasion) -> None:
    del where


def announce(report: Report, out: str, *, show_expected: bool) -> None:
    """Say what became of a gated run wherever its step asked for that."""
    here = from_environ(os.environ)
    if here.token or here.on_actions:
        tried(_AFTER, lambda: _announced(report, here, out, show_expected=show_expected))


def _announced(report: Report, here: Environment, out: str, *, show_expected: bool) -> None:
    redact = redactor(here.secrets)
    shown = without_secrets(report, redact)
    if here.annotations:
        from gate.publish.annotations import annotation_lines

        lines = tried(
            "annotations: none",
            lambda: annotation_lines(shown, visible=visible, show_expected=show_expected),
        )
        annotate(lines or "", os.environ)

    def body() -> str:
        from gate.report.fit import COMMENT, fitted

        named = redact(suite_name(out, os.environ))
        return redact(
            fitted(
                shown,
                limit_bytes=COMMENT,
                elsewhere=_ELSEWHERE,
                show_expected=show_expected,
                suite=named,
            )
        )

    def found() -> Mark:
        from gate.report.outcome import headline

        return _found(str(report.verdict), report.exit_status, redact(headline(shown)))

    def comment(where: Occasion, connect: Callable[[str], Host]) -> None:
        from gate.cli.comment import comment

        mode, name = here.comment, here.comment_id
        url = comment(where, body, mode=mode, comment_id=name, out=out, connect=connect)
        _tell_url(url, here)

    _at_the_host(
        here,
        summary=body,
        found=found,
        comment=None if here.comment == "off" else comment,
        without_token=lambda where: _without_token(where, out),
    )


def announce_failure(*, verdict: str, status: int, reason: str, suite: str) -> None:
    """Say of a run that decided nothing what would else be taken for its own.

    The commit is marked, if marks were asked for, lest an earlier mark stand for it; and a comment
    with a verdict of an earlier commit is brought up to date. ``suite`` names the run.
    """
    here = from_environ(os.environ)
    stale = bool(here.token) and here.comment != "off"
    if stale or here.commit_status or here.check_run:
        tried(
            _AFTER,
            lambda: _announced_failure(here, verdict, status=status, reason=reason, suite=suite),
        )


def _announced_failure(
    here: Environment, verdict: str, *, status: int, reason: str, suite: str
) -> None:
    from gate.publish.outputs import failed_summary

    redact = redactor(here.secrets)
    told = redact(reason)

    def comment(where: Occasion, connect: Callable[[str], Host]) -> None:
        from gate.cli.comment import outdated
        from gate.report.no_verdict import no_verdict

        def body() -> str:
            return redact(no_verdict(verdict, told, suite=redact(suite)))

        mode, name = here.comment, here.comment_id
        _tell_url(outdated(where, body, mode=mode, comment_id=name, connect=connect), here)

    _at_the_host(
        here,
        summary=lambda: failed_summary(verdict, told),
        found=lambda: _found(verdict, status, told.partition("\n")[0]),
        comment=comment if here.token and here.comment != "off" else None,
    )


def _found(verdict: str, status: int, reason: str) -> Mark:
    from gate.publish.statuses import mark

    return mark(verdict, exit_status=status, reason=reason, visible=visible)


def _at_the_host(
    here: Environment,
    *,
    summary: Callable[[], str],
    found: Callable[[], Mark],
    comment: Callable[[Occasion, Callable[[str], Host]], None] | None,
    without_token: Callable[[Occasion], None] = _nothing,
) -> None:
    """Say it to the host, one thing after another, within one total time."""
    marks = bool(here.commit_status or here.check_run)
    if not (comment or marks):
        return
    what = "comment: not posted" if comment else "commit-status, check-run: not set"
    where = tried(what, _occasion)
    if where is None:
        return
    if not here.token:
        if comment:
            without_token(where)
        if marks:
            note("commit-status, check-run: not set (this step has no github-token)", os.environ)
        return
    with connecting(here.token) as connect:
        if comment:
            comment(where, connect)
        if marks:
            _mark(where, here, found(), summary=summary, connect=connect)


def _tell_url(url: str, here: Environment) -> None:
    if url:
        with suppress(ResultUnwritable):
            tell(os.environ, {"comment-url": redactor(here.secrets)(url)}, summary="")


def _mark(
    where: Occasion,
    here: Environment,
    found: Mark,
    *,
    summary: Callable[[], str],
    connect: Callable[[str], Host],
) -> None:
    from gate.shell.statuses import add_check, set_status

    context, name = here.commit_status, here.check_run
    if context:
        what, done = "commit-status", found.state
        _tried(what, done, lambda: set_status(where, found, context=context, connect=connect))
    if name:
        what, done = "check-run", found.conclusion
        _tried(
            what,
            done,
            lambda: add_check(where, found, name=name, summary=summary, connect=connect),
        )


def _tried(what: str, done: str, do: Callable[[], str | None]) -> None:
    def said() -> str:
        refused = do()
        return f"{what}: {done}" if refused is None else f"{what}: nothing ({refused})"

    line = tried(f"{what}: not set", said)
    if line is not None:
        note(line, os.environ)


def _without_token(where: Occasion, out: str) -> None:
    from gate.cli.comment import without_token

    without_token(where, out)


def _occasion() -> Occasion:
    from gate.cli.event import payload
    from gate.publish.occasion import occasion

    return occasion(os.environ, payload())
