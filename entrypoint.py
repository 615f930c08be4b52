"""The action's inputs as a command line: maps ``INPUT_*`` to the command, nothing else.

Which inputs there are, which of them are switches and which stand bare is read from the
commands' own options, so that the two cannot disagree. A runner keeps hyphens in the names
(``INPUT_MAX-DROP``), sets every declared input and leaves those empty that nobody set.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Final, NoReturn

import click

from gate.cli.main import COMMANDS as MODULES
from gate.cli.main import run
from gate.errors import Defect, GateError, UsageInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PREFIX: Final = "INPUT_"
COMMANDS: Final = ("check", "score", "compare", "decide", "baseline promote", "demo")
"""What ``command`` may be; the first is what it is where nobody says."""
INPUTS: Final = "the README of agent-eval-gate lists the inputs of each command"
_BOOLEANS: Final = {
    word: value
    for value, words in ((True, "true True TRUE"), (False, "false False FALSE"))
    for word in words.split()
}


def command_line(arguments: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """Give the command line that arguments, else inputs, ask for; with neither, the demo.

    Raises ``UsageInvalid`` naming every input that is wrong: an unknown command, a switch that
    is neither true nor false, an input that the command does not take.
    """
    if arguments:
        return list(arguments)
    if not any(name.startswith(PREFIX) for name in environ):
        return ["demo"]
    command = said(environ, "command") or COMMANDS[0]
    if command not in COMMANDS:
        from gate.records.problems import nearest

        raise UsageInvalid(f"input 'command': no such command{nearest(command, COMMANDS)}")
    takes = parameters(command)
    problems = [
        f"input {name!r}: `{command}` does not take it; leave it empty"
        for name in declared()
        if name not in takes and said(environ, name)
    ]
    options: list[str] = []
    bare: list[str] = []
    for name, parameter in takes.items():
        value = said(environ, name)
        if not value:
            continue
        if isinstance(parameter, click.Argument):
            bare.append(value)
        elif isinstance(parameter, click.Option) and parameter.is_flag:
            switch = _BOOLEANS.get(value)
            if switch is None:
                problems.append(f"input {name!r}: expected true or false")
            else:
                options.append((parameter.opts if switch else parameter.secondary_opts)[0])
        else:
            options.append(f"{parameter.opts[0]}={value}")
    if problems:
        raise UsageInvalid("\n".join(problems))
    return [*command.split(), *options, *(["--", *bare] if bare else [])]


def said(environ: Mapping[str, str], name: str) -> str:
    """Give what an input says, without the white space that YAML's blocks bring; or nothing."""
    return environ.get(PREFIX + name.upper(), "").strip()


def parameters(command: str) -> dict[str, click.Parameter]:
    """Give the parameters of a command by the names of their inputs."""
    module, *below = command.split()
    found: click.Command = import_module(MODULES[module][0]).command
    for word in below:
        found = found.commands[word]  # type: ignore[attr-defined]
    return {_input_name(parameter): parameter for parameter in found.params}


def declared() -> tuple[str, ...]:
    """Name every input that some command takes, in the order of the commands."""
    return tuple(dict.fromkeys(name for command in COMMANDS for name in parameters(command)))


def _input_name(parameter: click.Parameter) -> str:
    if isinstance(parameter, click.Argument):
        return str(parameter.name)
    return parameter.opts[0].removeprefix("--")


def _enter(environ: Mapping[str, str]) -> None:
    """Go to the working directory, which starts at the workspace wherever this process did."""
    for folder, source in (
        (environ.get("GITHUB_WORKSPACE"), "the variable GITHUB_WORKSPACE"),
        (said(environ, "working-directory"), "input 'working-directory'"),
    ):
        try:
            if folder:
                os.chdir(folder)
        except (OSError, ValueError):
            raise UsageInvalid(f"{source}: no such folder") from None


def _refused(error: GateError, environ: Mapping[str, str]) -> int:
    from gate.adapters.runner import tell_failure
    from gate.cli.console import complain

    verdict = "defect" if isinstance(error, Defect) else "invalid"

    remedy = INPUTS if isinstance(error, UsageInvalid) else error.remedy
    complain(str(error), remedy, environ)
    reason = f"{error}\nhint: {remedy}"
    try:
        tell_failure(environ, status=error.status, verdict=verdict, reason=reason)
    except GateError as unwritable:
        complain(str(unwritable), unwritable.remedy, environ)
    return error.status


def _leave(status: int) -> NoReturn:
    """End with ``status``, whatever becomes of the streams."""
    from gate.cli.console import settle

    settle()
    sys.exit(status)


def main() -> None:
    """Run the command of this process, in the folder that the inputs name."""
    arguments = sys.argv[1:]
    try:
        if not arguments:
            _enter(os.environ)
        sys.argv[1:] = command_line(arguments, os.environ)
    except UsageInvalid as error:
        _leave(_refused(error, os.environ))
    except Exception as error:  # noqa: BLE001 - Python's bare 1 would read as "a gate failed"
        defect = Defect(f"a defect of agent-eval-gate: {type(error).__name__}")
        _leave(_refused(defect, os.environ))
    run()


if __name__ == "__main__":
    main()
