"""What follows a report: two files, a page, and what a runner is told."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from gate.adapters.environ import from_environ
from gate.adapters.files import Disk
from gate.adapters.progress import watched
from gate.adapters.runner import tell
from gate.cli.console import say, show
from gate.errors import GateError, ResultUnwritable, UsageInvalid
from gate.publish.outputs import outputs
from gate.report.markdown import render_markdown
from gate.report.redact import redactor
from gate.report.result_json import result_chunks
from gate.report.sanitize import visible
from gate.report.terminal import render_terminal
from gate.shell.gather import Means

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gate.records.report import Report

FAILED: Final = 1
RESULT: Final = "result.json"
REPORT: Final = "report.md"
_RUNNER: Final = "check the files that GITHUB_OUTPUT and GITHUB_STEP_SUMMARY name"


def means() -> Means:
    """Give a run this process's disk, environment and standard error."""
    redact = redactor(from_environ(os.environ).secrets)
    return Means(Disk(), redact, _watch)


def start(out: str, *, keep: str | None = None, inputs: Iterable[str | None] = ()) -> None:
    """Take away what an earlier run left, so that nobody reads it as this run's answer.

    Where that fails the run goes on: its verdict is shown, and then it cannot be written.
    Raises ``UsageInvalid`` where one of ``inputs`` would be taken away or overwritten.
    """
    ours = {os.path.realpath(_join(out, name)) for name in (RESULT, REPORT)}
    for path in inputs:
        if path and os.path.realpath(path) in ours:
            raise UsageInvalid(f"--out {out} would overwrite the input {path}")
    try:
        clear(out, keep=keep)
    except ResultUnwritable as error:
        _complain(_of_folder(error, out))


def clear(out: str, *, keep: str | None = None) -> None:
    """Take both files away, ``keep`` excepted. Raises ``ResultUnwritable`` after the second."""
    failed: ResultUnwritable | None = None
    for name in (RESULT, REPORT):
        path = _join(out, name)
        if keep is None or os.path.realpath(path) != os.path.realpath(keep):
            try:
                Disk().remove(path)
            except ResultUnwritable as error:
                failed = failed or error
    if failed is not None:
        raise failed


def deliver(report: Report, *, out: str, show_expected: bool, keep: str | None = None) -> int:
    """Write the two files, tell the runner, print the page; give the exit status.

    Where any of that fails the page is printed all the same, and the files are taken away, but
    for ``keep``: a result that says "pass" beside a status that does not would be believed.
    Raises ``ResultUnwritable``: a verdict that nobody can check is none. A failed gate stays 1.
    """
    try:
        _hand_over(report, out, show_expected=show_expected)
    except BrokenPipeError:  # the reader of the page left, and the files are whole
        raise
    except BaseException as error:
        with suppress(GateError):
            clear(out, keep=keep)
        if isinstance(error, ResultUnwritable) and report.exit_status == FAILED:
            _complain(error)  # and yet a failed gate stays one, written down or not
            _tell_alone(report, show_expected=show_expected)
            return FAILED
        raise
    return report.exit_status


def _hand_over(report: Report, out: str, *, show_expected: bool) -> None:
    redact = redactor(from_environ(os.environ).secrets)
    markdown = redact(render_markdown(report, show_expected=show_expected))
    page = render_terminal(report, colour=_colour(), width=_width(), show_expected=show_expected)
    try:
        _write(report, markdown, out)
    except ResultUnwritable:
        with suppress(BrokenPipeError, ResultUnwritable):  # the first failure is what is told
            show(redact(page), end="")
        raise
    show(redact(page), end="")
    say(redact(visible(f"written: {_join(out, RESULT)}, {_join(out, REPORT)}")))


def _write(report: Report, markdown: str, out: str) -> None:
    disk = Disk()
    result_path, report_path = _join(out, RESULT), _join(out, REPORT)
    try:
        disk.write(result_path, result_chunks(report))
        disk.write(report_path, [markdown])
    except ResultUnwritable as error:
        raise _of_folder(error, out) from None
    values = outputs(report, result_path=_seen(result_path), report_path=_seen(report_path))
    try:
        tell(os.environ, values, summary=markdown)
    except ResultUnwritable as error:
        raise ResultUnwritable(str(error), hint=_RUNNER) from None


def _tell_alone(report: Report, *, show_expected: bool) -> None:
    """Tell the runner of a failed gate though no file stands behind it."""
    redact = redactor(from_environ(os.environ).secrets)
    values = outputs(report, result_path="", report_path="")
    summary = redact(render_markdown(report, show_expected=show_expected))
    with suppress(ResultUnwritable):
        tell(os.environ, values, summary=summary)


def _of_folder(error: ResultUnwritable, out: str) -> ResultUnwritable:
    if os.path.isfile(out):  # noqa: PTH113 - pathlib costs start-up time
        return ResultUnwritable(f"--out {out} is a file; it must be a folder")
    return ResultUnwritable(f"--out: {error}")


def _complain(error: ResultUnwritable) -> None:
    redact = redactor(from_environ(os.environ).secrets)
    say(redact(visible(f"error: {error}")))
    say(f"hint: {error.remedy}")


def _seen(path: str) -> str:
    """Give ``path`` as later steps of a workflow find it: from the workspace, if inside it."""
    workspace = os.environ.get("GITHUB_WORKSPACE")
    if not workspace:
        return path
    found = os.path.relpath(path, workspace)
    return os.path.abspath(path) if found.startswith(os.pardir) else found  # noqa: PTH100


def _watch(lines: Iterable[bytes]) -> Iterable[bytes]:
    if sys.stderr is None:  # the caller closed it
        return lines
    return watched(lines, stream=sys.stderr, live=sys.stderr.isatty())


def _colour() -> bool:
    return _on_terminal() and "NO_COLOR" not in os.environ


def _on_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _width() -> int:
    if not _on_terminal():
        return 100
    return max(60, min(120, os.get_terminal_size().columns))


def _join(folder: str, name: str) -> str:
    return os.path.join(folder, name)  # noqa: PTH118 - pathlib costs start-up time
