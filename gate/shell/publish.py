"""Comments what another run found: its result is read, held together, and rendered anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.publish.posting import Posted
from gate.publish.untrusted import JUDGING, notice
from gate.report.fit import COMMENT, fitted
from gate.report.result_json import read_result
from gate.report.without_secrets import without_secrets
from gate.shell.comment import commented
from gate.shell.stored import require_genuine

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.ports import Host
    from gate.publish.untrusted import Finished
    from gate.records.host import CommentMode
    from gate.records.report import Report

MAX_VALUES: Final = 4_000_000
"""JSON values of a result that a stranger may have written."""
_ELSEWHERE: Final = "the summary of the run that was judged, and its artifact"


def untrusted_result(data: bytes, *, source: str) -> Report:
    """Read the bytes of a stranger's ``result.json``; ``source`` names it in errors.

    Raises ``ResultInvalid`` for one that is not of the form, was never gated, or does not hold
    together.
    """
    from gate.pipeline.replay import unfit_refused

    report = read_result(data, source=source, max_values=MAX_VALUES)
    with unfit_refused(source):
        require_genuine(report, source=source)
    return report


class Shown(NamedTuple):
    """How a result is shown: as which gate's comment, and without what."""

    comment_id: str | None
    show_expected: bool
    redact: Callable[[str], str]


def published(
    run: Finished,
    report: Report,
    shown: Shown,
    *,
    mode: CommentMode,
    connect: Callable[[str], Host],
) -> Posted:
    """Post ``report`` on the pull request whose head the run was about, if it has one still.

    Nothing but a comment is ever posted: a status could satisfy a required check. Raises
    ``HostFailed``.
    """
    if run.event not in JUDGING:
        return Posted("nothing", "", "no pull request had started the run")
    name = shown.comment_id

    def body() -> str:
        return shown.redact(
            fitted(
                without_secrets(report, shown.redact),
                limit_bytes=COMMENT,
                elsewhere=_ELSEWHERE,
                show_expected=shown.show_expected,
                suite=shown.redact(name or ""),
                notice=notice(run),
            )
        )

    return commented(run.where, mode=mode, comment_id=name, body=body, connect=connect)
