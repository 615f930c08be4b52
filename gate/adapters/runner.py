"""The runner's command files, where the environment names them; without them, nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

from gate.adapters.environ import from_environ
from gate.adapters.files import Disk
from gate.publish.outputs import command_file, failed_outputs, failed_summary

if TYPE_CHECKING:
    from collections.abc import Mapping


def tell(environ: Mapping[str, str], values: dict[str, str], *, summary: str) -> None:
    """Hand outputs and summary to the runner. Raises ``ResultUnwritable``."""
    here, disk = from_environ(environ), Disk()
    if here.output_file:
        text = command_file(values, delimiter=f"gate_{uuid4().hex}")
        disk.append(here.output_file, text)
    if here.summary_file:
        disk.append(here.summary_file, summary)


def tell_failure(environ: Mapping[str, str], *, status: int, verdict: str, reason: str) -> None:
    """Hand over that nothing was decided, and why. Raises ``ResultUnwritable``."""
    from gate.report.redact import redactor

    here = from_environ(environ)
    if not (here.output_file or here.summary_file):
        return
    hidden = redactor(here.secrets)(reason)
    tell(environ, failed_outputs(status, verdict), summary=failed_summary(verdict, hidden))
