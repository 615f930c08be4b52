"""The runner's command files, where the environment names them; without them, nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import uuid4

from gate.adapters.environ import from_environ
from gate.adapters.files import Disk
from gate.errors import ResultUnwritable
from gate.publish.outputs import command_file, done_outputs, failed_outputs, failed_summary

if TYPE_CHECKING:
    from collections.abc import Mapping

HINT: Final = "check the files that GITHUB_OUTPUT and GITHUB_STEP_SUMMARY name"


def tell(environ: Mapping[str, str], values: dict[str, str], *, summary: str) -> None:
    """Hand outputs and summary to the runner. Raises ``ResultUnwritable``."""
    here, disk = from_environ(environ), Disk()
    try:
        if here.output_file:
            text = command_file(values, delimiter=f"gate_{uuid4().hex}")
            disk.append(here.output_file, text)
        if here.summary_file:
            disk.append(here.summary_file, summary)
    except ResultUnwritable as error:
        raise ResultUnwritable(str(error), hint=HINT) from None


def tell_done(environ: Mapping[str, str], verdict: str) -> None:
    """Hand over that a command that gates nothing did its work. Raises ``ResultUnwritable``."""
    tell(environ, done_outputs(verdict), summary="")


def tell_failure(
    environ: Mapping[str, str], *, status: int, verdict: str, reason: str, suite: str = ""
) -> None:
    """Hand over that nothing was decided, and why. Raises ``ResultUnwritable``.

    ``suite`` tells this run from others on the same page, if anything does.
    """
    from gate.report.bounds import USUAL, code
    from gate.report.redact import redactor

    here = from_environ(environ)
    if not (here.output_file or here.summary_file):
        return
    redact = redactor(here.secrets)
    shown = code(redact(suite), USUAL.suite) if suite else ""
    summary = failed_summary(verdict, redact(reason), suite=shown)
    tell(environ, failed_outputs(status, verdict), summary=summary)
