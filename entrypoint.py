"""The action's inputs as a command line: maps ``INPUT_*`` to the command, nothing else.

Which inputs there are, which of them are switches and which stand bare is read from the
commands' own options, so that the two cannot disagree. A runner keeps hyphens in the names
(``INPUT_MAX-DROP``), sets every declared input and leaves those empty that nobody set. It also
sets what nobody declared: a misspelt name is a limit that would not be in force.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Final, NoReturn

import click

from gate.adapters.environ import ANNOTATIONS, CHECK_RUN, COMMENT, COMMENT_ID, COMMIT_STATUS
from gate.cli.main import COMMANDS as MODULES
from gate.cli.main import GATING, run
from gate.cli.options import OUT
from gate.cli.own_inputs import BOOLEANS, COMMENTS, OWN, PREFIX, TOKEN, said
from gate.cli.own_inputs import problems as of_own
from gate.errors import Defect, GateError, UsageInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COMMANDS: Final = ("check", "score", "compare", "decide", "baseline promote", "publish", "demo")
"""What ``command`` may be; the first is what it is where nobody says."""
_CLEARING: Final = ("check", "score")
"""Those that take away what an older run left, even where they are refused."""
INPUTS: Final = "the README of agent-eval-gate lists the inputs of each command"
_OF_THE_RUNNER: Final = ("args", "entrypoint")
"""What a runner takes from ``with`` for itself, and sets all the same."""
_FOLDER: Final = f"{PREFIX}WORKING-DIRECTORY"
_WRITTEN: Final = ("out", "to")
_USUAL: Final = {"out": OUT}


def command_line(arguments: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """Give the command line that arguments, else inputs, ask for; with neither, the demo.

    Raises ``UsageInvalid`` naming every input that is wrong: an unknown command, a misspelt
    name, a switch that is neither true nor false, a comment without a token, an input that
    the command does not take, one that it lacks, a file to write where it would go with the
    container; and where a runner set no input at all, since a demo that ends in 0 would read as
    a verdict.
    """
    if arguments:
        return list(arguments)
    if not any(name.startswith(PREFIX) for name in environ):
        if environ.get("GITHUB_ACTIONS") == "true":
            raise UsageInvalid(
                "a workflow set no input at all; say what to do with `with:` "
                "(predictions, policy, …), or `command: demo`"
            )
        return ["demo"]
    command = said(environ, "command") or COMMANDS[0]
    if command not in COMMANDS:
        from gate.records.problems import nearest

        raise UsageInvalid(f"input 'command': no such command{nearest(command, COMMANDS)}")
    takes = parameters(command)
    problems = [*misspelt(environ), *of_own(environ, command)]
    problems += [
        f"input {name!r}: `{command}` does not take it; leave it empty"
        for name in declared()
        if name not in takes and said(environ, name)
    ]
    problems += [
        f"input {name!r}: `{command}` needs it"
        for name, parameter in takes.items()
        if parameter.required and not said(environ, name)
    ]
    problems += [text for name in _WRITTEN if name in takes for text in _lost(environ, name)]
    options, bare = _words(takes, environ, problems)
    if problems:
        raise UsageInvalid("\n".join(problems))
    return [*command.split(), *options, *(["--", *bare] if bare else [])]


def _words(
    takes: Mapping[str, click.Parameter], environ: Mapping[str, str], problems: list[str]
) -> tuple[list[str], list[str]]:
    """Spell what the inputs say: as options, and as what stands bare behind them."""
    options: list[str] = []
    bare: list[str] = []
    for name, parameter in takes.items():
        value = said(environ, name)
        if not value:
            continue
        if isinstance(parameter, click.Argument):
            bare.append(value)
        elif isinstance(parameter, click.Option) and parameter.is_flag:
            switch = BOOLEANS.get(value)
            if switch is None:
                problems.append(f"input {name!r}: expected true or false, got {value!r}")
            else:
                options.append((parameter.opts if switch else parameter.secondary_opts)[0])
        else:
            options.append(f"{parameter.opts[0]}={value}")
    return options, bare


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


def misspelt(environ: Mapping[str, str]) -> list[str]:
    """Say of each undeclared input that is nearly a declared one which that is."""
    return [
        f"input {_spelt(name)!r}: there is no such input; did you mean {near!r}?"
        for name, near in _strangers(environ)
        if near is not None
    ]


def unread(arguments: Sequence[str], environ: Mapping[str, str]) -> list[str]:
    """Say which inputs are not read, though somebody set them."""
    if not arguments:
        return [
            f"input {_spelt(name)!r} is not known, and not read"
            for name, near in _strangers(environ)
            if near is None
        ]
    if not any(name.startswith(PREFIX) for name in environ):
        return []
    names = [name for name in (*OWN, *declared()) if name != TOKEN and said(environ, name)]
    usual = said(environ, "command") == COMMANDS[0]  # action.yml sets it where nobody does
    given = ", ".join(name for name in names if not (usual and name == "command"))
    return [f"arguments are given, so that no input is read: {given}"] if given else []


def _strangers(environ: Mapping[str, str]) -> list[tuple[str, str | None]]:
    """List the inputs that nobody declared, each with the nearest that is."""
    known = (*OWN, *declared())
    ours = {PREFIX + name.upper() for name in (*known, *_OF_THE_RUNNER)}
    found = sorted(name for name in environ if name.startswith(PREFIX) and name not in ours)
    return [(name, _near(_spelt(name).replace("_", "-"), known)) for name in found]


def _near(name: str, known: Sequence[str]) -> str | None:
    from gate.records.problems import nearest_name

    return nearest_name(name, known)


def _spelt(name: str) -> str:
    return name.removeprefix(PREFIX).lower()


def _lost(environ: Mapping[str, str], name: str) -> list[str]:
    """Refuse a file outside the workspace, also by a link: no later step would see it."""
    workspace, path = environ.get("GITHUB_WORKSPACE"), said(environ, name) or _USUAL.get(name)
    if not workspace or not path:
        return []
    try:
        found = os.path.relpath(os.path.realpath(path), os.path.realpath(workspace))
    except (OSError, ValueError):  # what it is, the command says
        return []
    outside = found == os.pardir or found.startswith(os.pardir + os.sep)
    told = f"{path!r} lies outside the workspace, and would go with the container"
    return [f"input {name!r}: {told}"] if outside else []


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
    from gate.cli.place import suite_name

    _forget(environ)
    verdict = "defect" if isinstance(error, Defect) else "invalid"
    suite = suite_name(said(environ, "out") or OUT, environ)
    remedy = INPUTS if isinstance(error, UsageInvalid) else error.remedy
    complain(str(error), remedy, environ)
    reason = f"{error}\nhint: {remedy}"
    try:
        tell_failure(environ, status=error.status, verdict=verdict, reason=reason, suite=suite)
    except GateError as unwritable:
        complain(str(unwritable), unwritable.remedy, environ)
    if (said(environ, "command") or COMMANDS[0]) in GATING:
        from gate.cli.announce import announce_failure

        announce_failure(verdict=verdict, status=error.status, reason=str(error), suite=suite)
    return error.status


def _forget(environ: Mapping[str, str]) -> None:
    """Take away what an older run left, unless the command would have left it, or reads it."""
    from gate.cli.deliver import clear
    from gate.cli.place import is_ours

    out = said(environ, "out") or OUT
    if (said(environ, "command") or COMMANDS[0]) in set(COMMANDS) - set(_CLEARING):
        return
    with suppress(Exception):  # whatever goes wrong here, the refusal has its status
        if not any(is_ours(said(environ, name), out) for name in declared() if name != "out"):
            clear(out)


def _leave(status: int) -> NoReturn:
    """End with ``status``, whatever becomes of the streams."""
    from gate.cli.console import settle

    settle()
    sys.exit(status)


def main() -> None:
    """Run the command of this process, in the folder that the inputs name."""
    from gate.cli.console import warn

    arguments = sys.argv[1:]
    try:
        for line in unread(arguments, os.environ):
            warn(line, os.environ)
        if arguments:  # and then no input is read, not even by the command
            os.environ.pop(COMMENT_ID, None)
            for name in (COMMIT_STATUS, CHECK_RUN, ANNOTATIONS, _FOLDER):
                os.environ.pop(name, None)
            os.environ[COMMENT] = COMMENTS[2]
        else:
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
