"""What follows a report: two files, a page, and what a runner is told."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from gate.adapters.environ import from_environ
from gate.adapters.files import Disk
from gate.adapters.progress import watched
from gate.adapters.runner import tell
from gate.publish.outputs import outputs
from gate.report.markdown import render_markdown
from gate.report.redact import redactor
from gate.report.result_json import result_chunks
from gate.report.terminal import render_terminal
from gate.shell import Means

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gate.records.report import Report

RESULT: Final = "result.json"
REPORT: Final = "report.md"


def means() -> Means:
    """Give a run this process's disk, environment and standard error."""
    redact = redactor(from_environ(os.environ).secrets)
    return Means(Disk(), redact, _watch)


def clear(out: str, *, keep: str | None = None) -> None:
    """Take away what an earlier run left, so that nobody reads it as this run's answer."""
    for name in (RESULT, REPORT):
        path = _join(out, name)
        if keep is None or os.path.abspath(path) != os.path.abspath(keep):  # noqa: PTH100 - speed
            Disk().remove(path)


def deliver(report: Report, *, out: str, show_expected: bool) -> int:
    """Write the two files, tell the runner, print the page; give the exit status.

    Raises ``ResultUnwritable``: a verdict that nobody can check is none.
    """
    disk, here = Disk(), from_environ(os.environ)
    redact = redactor(here.secrets)
    markdown = redact(render_markdown(report, show_expected=show_expected))
    result_path, report_path = _join(out, RESULT), _join(out, REPORT)
    disk.write(result_path, result_chunks(report))
    disk.write(report_path, [markdown])
    values = outputs(report, result_path=result_path, report_path=report_path)
    tell(os.environ, values, summary=markdown)
    page = render_terminal(report, colour=_colour(), width=_width(), show_expected=show_expected)
    click.echo(redact(page), nl=False)
    click.echo(f"written: {result_path}, {report_path}", err=True)
    return report.exit_status


def _watch(lines: Iterable[bytes]) -> Iterable[bytes]:
    return watched(lines, stream=sys.stderr, live=sys.stderr.isatty())


def _colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def _width() -> int:
    if not sys.stdout.isatty():
        return 100
    return max(60, min(120, os.get_terminal_size().columns))


def _join(folder: str, name: str) -> str:
    return os.path.join(folder, name)  # noqa: PTH118 - pathlib costs start-up time
