"""What follows a report: its files, a page, and what a runner is told."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from gate.adapters.environ import from_environ
from gate.adapters.files import Disk
from gate.adapters.progress import watched
from gate.adapters.runner import tell
from gate.cli.asking import asking
from gate.cli.console import say, show
from gate.cli.place import FILES, RESULT, is_ours, suite_name, within
from gate.errors import GateError, ResultUnwritable, UsageInvalid
from gate.publish.outputs import outputs
from gate.report.fit import SUMMARY, fitted
from gate.report.formats import FORMATS, USUAL, write
from gate.report.redact import redactor
from gate.report.result_json import result_chunks
from gate.report.sanitize import visible
from gate.report.terminal import render_terminal
from gate.report.without_secrets import without_secrets
from gate.shell.gather import Means

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from gate.records.report import Report

FAILED: Final = 1
_BASELINE: Final = b'"agent-eval-gate/baseline"'
_OPENING: Final = 64 * 1024
"""Bytes in which a baseline says what it is: its head, before its rows."""


def means() -> Means:
    """Give a run this process's disk, environment and standard error."""
    redact = redactor(from_environ(os.environ).secrets)
    return Means(Disk(), redact, _watch)


@contextmanager
def started(
    out: str, *, keep: str | None = None, inputs: Iterable[str | None] = ()
) -> Iterator[Means]:
    """Give a run its means, and take away what an earlier one left, lest it be read as its own.

    That happens as soon as the rules say what the run itself reads, and at the latest when it
    fails; ``keep`` stays. Where it cannot be done the run goes on: its verdict is shown, and
    then it cannot be written. Raises ``UsageInvalid`` where a file that options (``inputs``) or
    rules name would be taken away or overwritten; then all stays as it is.
    """
    spare(out, inputs)
    pending, left = True, ""
    older = within(out, RESULT)
    had = os.path.lexists(older)

    def reads(paths: Iterable[str]) -> None:
        nonlocal pending, left
        pending = False
        spare(out, paths)
        left = _taken_away(out, keep)

    try:
        given = asking(out)
        yield means()._replace(reads=reads, asking=given, day=given.day)
    except BaseException as error:
        if pending:
            left = _taken_away(out, keep)
        if left:
            say(left)
        if isinstance(error, GateError) and had and not os.path.lexists(older):
            error.remedy += f"; {removed(older)}"
        raise


def removed(path: str) -> str:
    """Say that an older result is gone, lest it be taken for this run's, and how one is kept."""
    return (
        f"{visible(path)}, which an earlier run left, was removed, since it is not this run's; "
        "one that is still to be promoted is kept by an --out of its own, such as "
        "`agent-eval-gate score --out .agent-eval-gate/accepted`"
    )


def spare(out: str, inputs: Iterable[str | None]) -> None:
    """Refuse an input that a run would take away or overwrite. Raises ``UsageInvalid``."""
    for path in inputs:
        if path and is_ours(path, out):
            raise UsageInvalid(f"--out {visible(out)} would overwrite the input {visible(path)}")


def _taken_away(out: str, keep: str | None) -> str:
    """Take the files away, or give the line to say why not."""
    try:
        clear(out, keep=keep)
    except ResultUnwritable as error:
        redact = redactor(from_environ(os.environ).secrets)
        return redact(f"error: {_of_folder(error, out)}")
    return ""


def clear(out: str, *, keep: str | None = None) -> None:
    """Take the files away, ``keep`` excepted. Raises ``ResultUnwritable`` after the last.

    A baseline that somebody keeps under the name of a result stays: it is no older answer, and
    where the rules cannot be read nobody knows whether they name it.
    """
    failed: ResultUnwritable | None = None
    for name in FILES:
        path = within(out, name)
        if Disk().opens_with(path, _BASELINE, within=_OPENING):
            continue
        if keep is None or os.path.realpath(path) != os.path.realpath(keep):
            try:
                Disk().remove(path)
            except ResultUnwritable as error:
                failed = failed or error
    if failed is not None:
        raise failed


def deliver(
    report: Report,
    *,
    out: str,
    formats: Sequence[str],
    show_expected: bool,
    keep: str | None = None,
) -> int:
    """Write ``result.json`` and the ``formats``, tell the runner, print the page; give the status.

    Where any of that fails the page is printed all the same, and the files are taken away, but
    for ``keep``: a result that says "pass" beside a status that does not would be believed.
    Raises ``ResultUnwritable``: a verdict that nobody can check is none. A failed gate stays 1.
    """
    try:
        _hand_over(report, out, formats=formats, show_expected=show_expected, keep=keep)
    except BrokenPipeError:  # the reader of the page left, and the files are whole
        raise
    except BaseException as error:
        with suppress(GateError):
            clear(out, keep=keep)
        if isinstance(error, ResultUnwritable) and report.exit_status == FAILED:
            _complain(error)  # and yet a failed gate stays one, written down or not
            _tell_alone(report, out, show_expected=show_expected)
            return FAILED
        raise
    if report.verdict is not None:
        from gate.cli.announce import announce

        announce(report, out, show_expected=show_expected)
    return report.exit_status


def _hand_over(
    report: Report, out: str, *, formats: Sequence[str], show_expected: bool, keep: str | None
) -> None:
    redact = redactor(from_environ(os.environ).secrets)
    shown = without_secrets(report, redact)
    page = render_terminal(shown, colour=_colour(), width=_width(), show_expected=show_expected)
    try:
        told = _Told(shown, redact, show_expected=show_expected)
        paths = _write(report, out, formats=formats, told=told, keep=keep)
    except ResultUnwritable:
        with suppress(BrokenPipeError, ResultUnwritable):  # the first failure is what is told
            show(redact(page), end="")
        raise
    show(redact(page), end="")
    say(redact(visible(f"written: {', '.join(paths)}")))


class _Told:
    """What others are told of a report: all of it without secrets."""

    def __init__(
        self, shown: Report, redact: Callable[[str], str], *, show_expected: bool
    ) -> None:
        self._shown = shown
        self._redact = redact
        self._show_expected = show_expected

    def written(self, name: str) -> str:
        """Give the text of the file of one format."""
        show = self._show_expected
        return write(name, self._shown, show_expected=show, redact=self._redact)

    def page(self, suite: str) -> str:
        """Give the section of the summary page, which the runner drops whole if it is too long.

        ``suite`` names it among others.
        """
        named = self._redact(suite)
        where = f"`{FORMATS[USUAL].file}` and the result file"
        return self._redact(
            fitted(
                self._shown,
                limit_bytes=SUMMARY,
                elsewhere=where,
                show_expected=self._show_expected,
                suite=named,
            )
        )

    def outputs(self, result_path: str, report_path: str) -> dict[str, str]:
        """Give the outputs of the action."""
        return outputs(self._shown, result_path=result_path, report_path=report_path)


def _write(
    report: Report, out: str, *, formats: Sequence[str], told: _Told, keep: str | None
) -> tuple[str, ...]:
    """Write the files, tell the runner of them, and give their paths.

    Raises ``ResultUnwritable`` too where a file of an older run cannot be taken away, which
    this run may not overwrite.
    """
    disk = Disk()
    texts = {name: told.written(name) for name in formats}
    paths = {name: within(out, FORMATS[name].file) for name in formats}
    result_path = within(out, RESULT)
    try:
        clear(out, keep=keep)
        disk.write(result_path, result_chunks(report))
        for name, text in texts.items():
            disk.write(paths[name], [text])
    except ResultUnwritable as error:
        raise _of_folder(error, out) from None
    named = suite_name(out, os.environ)
    summary = ""
    if from_environ(os.environ).summary_file:  # else nobody would read it
        usual = "" if named else texts.get(USUAL, "")
        summary = usual if usual and len(usual.encode()) <= SUMMARY else told.page(named)
    report_path = _seen(paths[USUAL]) if USUAL in paths else ""
    tell(os.environ, told.outputs(_seen(result_path), report_path), summary=summary)
    return (result_path, *paths.values())


def _tell_alone(report: Report, out: str, *, show_expected: bool) -> None:
    """Tell the runner of a failed gate though no file stands behind it."""
    redact = redactor(from_environ(os.environ).secrets)
    told = _Told(without_secrets(report, redact), redact, show_expected=show_expected)
    with suppress(ResultUnwritable):
        tell(os.environ, told.outputs("", ""), summary=told.page(suite_name(out, os.environ)))


def _of_folder(error: ResultUnwritable, out: str) -> ResultUnwritable:
    if os.path.isfile(out):  # noqa: PTH113 - pathlib costs start-up time
        return ResultUnwritable(f"--out {visible(out)} is a file; it must be a folder")
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
