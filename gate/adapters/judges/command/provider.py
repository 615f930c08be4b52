"""A program of the user's as the judge: ``--judge command``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from gate.adapters.judges.command.process import scrubbed
from gate.adapters.judges.command.words import words_of
from gate.errors import JudgeUnusable, UsageInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gate.ports import Provider
    from gate.records.judge_options import JudgeOptions


def connect(
    options: JudgeOptions, environ: Mapping[str, str], *, model: str, params: str
) -> Provider:
    """Start ``options.command`` (a worker), or see that it can be started (one that is oneshot).

    A worker is told the parameters with each question; ``model`` is a name for people, which no
    command is told. A command sees of ``environ`` its place, its language and what
    ``options.env`` names, and no shell ever sees the command.

    Raises ``UsageInvalid`` for a command that cannot be asked so, ``JudgeUnusable`` for one that
    is not there, does not start, or starts with anything but a hello.
    """
    del model
    command = options.command
    if command is None or not command[0].strip():
        raise UsageInvalid(
            "the judge is a command, and none is given",
            hint="say which with --judge-command 'python judge.py'",
        )
    if any("\0" in word for word in command):
        raise UsageInvalid("the judge's command holds a NUL character")
    if options.mode == "oneshot" and params != "{}":
        raise UsageInvalid(
            "a oneshot command is told no temperature, seed or max_tokens",
            hint="write them into its command line, or make it a worker (--judge-mode worker)",
        )
    given = scrubbed(environ, options.env)
    words = words_of(command, given)
    _see_that_it_is_there(command[0], given.get("PATH", os.defpath), shown=words.told(command[0]))
    if options.mode == "oneshot":
        from gate.adapters.judges.command.oneshot import Oneshot

        return Oneshot(command, given, words=words)
    from gate.adapters.judges.command.worker import Worker

    return Worker(command, given, words=words, patience=float(options.timeout))


def _see_that_it_is_there(program: str, path: str, *, shown: str) -> None:
    from shutil import which

    if which(program, path=path) is None:
        place = "no such program can be executed" if "/" in program else "it is not on the PATH"
        raise JudgeUnusable(
            f"the judge's command {shown}: {place}",
            hint="name a program by its path, or with its interpreter: 'python judge.py'",
        )
