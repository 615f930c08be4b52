"""The two streams of a command: what a run found, and what it says about itself."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import click

from gate.errors import ResultUnwritable

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

LINE: Final = 500
"""Characters of a line with text of others that are printed."""


def show(text: str, *, end: str = "\n") -> None:
    """Print to standard output; a closed one is nobody's loss, a full disk is somebody's.

    Raises ``BrokenPipeError`` where the reader left, ``ResultUnwritable`` where it cannot be
    written.
    """
    try:
        click.echo(text + end, nl=False)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ResultUnwritable(
            f"standard output: cannot be written: {error.strerror}",
            hint="check where the output of this command goes",
        ) from None


def say(text: str) -> None:
    """Print to standard error; a log that cannot be written changes no verdict."""
    with suppress(OSError):
        click.echo(text, err=True)


def tell(text: str, environ: Mapping[str, str]) -> None:
    """Print a line that holds text of others: secrets taken out, nothing in it a command."""
    show(_harmless(text, environ))


def complain(text: str, remedy: str, environ: Mapping[str, str]) -> None:
    """Say on standard error what is wrong, line by line, and what to do about it."""
    for line in text.split("\n"):
        say(_harmless(f"error: {line}", environ))
    if remedy:
        say(_harmless(f"hint: {remedy}", environ))


def warn(text: str, environ: Mapping[str, str]) -> None:
    """Say on standard error what may not be as somebody thinks."""
    say(_harmless(f"warning: {text}", environ))


def note(text: str, environ: Mapping[str, str]) -> None:
    """Say a line on standard error that holds text of others."""
    say(_harmless(text, environ))


def annotate(lines: str, environ: Mapping[str, str]) -> None:
    """Print workflow commands of ours, whose values are escaped: the only ones there are.

    They are said where a runner listens, and nowhere else.
    """
    from gate.adapters.environ import from_environ
    from gate.report.redact import redactor

    here = from_environ(environ)
    if lines and here.on_actions:
        say(redactor(here.secrets)(lines).rstrip("\n"))


def _harmless(line: str, environ: Mapping[str, str]) -> str:
    from gate.adapters.environ import from_environ
    from gate.report.redact import redactor
    from gate.report.sanitize import excerpt, uncommanded

    redact = redactor(from_environ(environ).secrets)
    return uncommanded(excerpt(redact(line), limit=LINE))


def settle() -> bool:
    """Flush both streams; say whether the reader of standard output had left.

    A stream that fails is pointed at nothing, or the interpreter's last flush would fail once
    more and end in a status of its own.
    """
    left = False
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError as error:
            left = left or (stream is sys.stdout and isinstance(error, BrokenPipeError))
            silence(stream)
    return left


def silence(stream: TextIO) -> None:
    """Point a stream at nothing."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stream.fileno())
    os.close(nothing)
