"""The command: starts in a blink, and ends in a status that always means the same.

Subcommands are imported when they are called, so ``--help`` loads none of what they need.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, Final

import click

from gate import __version__
from gate.cli.console import complain
from gate.errors import Defect, GateError, UsageInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

INTERRUPTED: Final = 130
TERMINATED: Final = 143
CLOSED_PIPE: Final = 141
COMMANDS: Final = {
    "check": (
        "gate.cli.check",
        "Score, compare with the baseline, gate: the main job.",
    ),
    "score": ("gate.cli.score", "Score predictions without a baseline and without gates."),
    "compare": ("gate.cli.compare", "Gate a stored result against a baseline, without rescoring."),
    "decide": ("gate.cli.decide", "Replay a stored result through the gates of its policy."),
    "import": (
        "gate.cli.import_file",
        "Turn another tool's file into cases and predictions, or look what it holds.",
    ),
    "plan": ("gate.cli.plan", "Say what a suite can see: the smallest drop, cases, repeats."),
    "calibrate": (
        "gate.cli.calibrate",
        "Hold a judge against labels of people; audit its biases.",
    ),
    "baseline": ("gate.cli.baseline", "Promote a result to a baseline, show one, compare two."),
    "publish": ("gate.cli.publish", "Comment what another run found, such as a fork's."),
    "init": (
        "gate.cli.init",
        "Write a first policy, workflow and cases for what lies in a folder.",
    ),
    "demo": ("gate.cli.demo", "Show a good and a regressed agent; needs no files."),
}
GATING: Final = ("check", "compare", "decide")
"""Commands that end in a verdict."""
_BELOW: Final = {name: f"baseline {name}" for name in ("promote", "show", "diff")}
"""Commands below another, which people look for at the top."""
_EPILOG: Final = """\b
Exit status of check, compare and decide:
  0  every gate passed (or --advisory)
  1  a gate failed
  2  invalid input, policy or usage: nothing was decided
  3  undecided: not enough evidence
  4  a defect of this program
\b
First steps:
  agent-eval-gate demo
  agent-eval-gate score --cases cases.jsonl --predictions predictions.jsonl \\
      --scorer contains --out .agent-eval-gate/accepted
  agent-eval-gate baseline promote --result .agent-eval-gate/accepted/result.json \\
      --to baselines/suite.json
  agent-eval-gate check --cases cases.jsonl --predictions predictions.jsonl \\
      --baseline baselines/suite.json --max-drop 0.02
"""


class _Commands(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Give the commands in the order of a first day's work."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command, or make the line that the overview shows of it."""
        if cmd_name not in COMMANDS:
            return None
        module, summary = COMMANDS[cmd_name]
        if ctx.resilient_parsing or _overview(ctx):
            return click.Command(cmd_name, short_help=summary)
        command: click.Command = import_module(module).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest the nearest command for one that does not exist."""
        ctx.meta["resolving"] = True
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from gate.records.problems import nearest_name

            names = {**{name: name for name in COMMANDS}, **_BELOW}
            found = nearest_name(args[0], names)
            near = f"; did you mean {names[found]!r}?" if found else ""
            ctx.fail(f"no such command {args[0]!r}{near}")
        return super().resolve_command(ctx, args)


def _overview(ctx: click.Context) -> bool:
    return "resolving" not in ctx.meta


@click.group(
    cls=_Commands,
    epilog=_EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=False,
    invoke_without_command=False,
)
@click.version_option(__version__, prog_name="agent-eval-gate")
@click.option("-v", "--verbose", is_flag=True, help="Show tracebacks of our own defects.")
def cli(*, verbose: bool) -> None:
    """Say whether a change to an AI agent may merge.

    Cases (the golden set), predictions (what the agent answered) and a baseline (what was
    accepted before) go in; a verdict with its reasons comes out, as an exit status, a
    result.json, a Markdown report and this page.
    """
    del verbose  # read by `main`, which has to know it also where no command is reached


def run() -> None:
    """Run the command of this process and end with its status."""
    from gate.adapters.process import (
        Terminated,
        end_undisturbed,
        end_when_asked,
        leave,
        lighten,
    )

    lighten(os.environ)
    try:
        end_when_asked()
        status = _run()
        end_undisturbed()
    except Terminated:
        status = TERMINATED
    leave()
    sys.exit(status)


def _run() -> int:
    """Run it, and give its status whatever becomes of the streams."""
    from gate.cli.console import settle, silence

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a locale that lacks a character is no defect
            stream.reconfigure(errors="backslashreplace")
    status = main(sys.argv[1:], os.environ)
    if settle():
        status = CLOSED_PIPE
    if status == CLOSED_PIPE and sys.stdout is not None:
        silence(sys.stdout)
    return status


def main(args: Sequence[str], environ: Mapping[str, str]) -> int:
    """Run the command ``args`` and give its exit status; never raises."""
    from gate.adapters.process import Terminated

    said = _without_verbose(args)
    verbose = environ.get("RUNNER_DEBUG") == "1" or len(said) < len(args)
    try:
        status = cli.main(said, prog_name="agent-eval-gate", standalone_mode=False)
    except click.ClickException as error:
        return _misused(error, said, environ)
    except (click.Abort, KeyboardInterrupt, Terminated) as error:
        asked = isinstance(error, Terminated)
        complain("terminated" if asked else "interrupted", "", environ)
        return TERMINATED if asked else INTERRUPTED
    except (BrokenPipeError, SystemExit):  # click ends the process itself on a closed pipe
        return CLOSED_PIPE
    except GateError as error:
        remedy = error.remedy.replace("COMMAND --help", f"{_called(said)} --help".strip())
        complain(str(error), remedy, environ)
        verdict = "undecided" if error.status == 3 else "invalid"  # noqa: PLR2004 - see errors
        status = error.status
        if error.advisory:
            status = 0
            complain(f"advisory: the verdict is {verdict}, yet nothing is blocked", "", environ)
        return _told(environ, status, verdict, (str(error), remedy), said)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is ours, and has its status
        return _defect(error, said, environ, verbose=verbose)
    return status if isinstance(status, int) else 0


def _without_verbose(args: Sequence[str]) -> list[str]:
    """Take ``--verbose`` away wherever it stands before ``--``, since every command takes it."""
    end = args.index("--") if "--" in args else len(args)
    return [word for at, word in enumerate(args) if at >= end or word not in {"-v", "--verbose"}]


def _called(args: Sequence[str]) -> str:
    """Name the command that was meant, as far as there is one.

    >>> _called(["baseline", "promote", "--to", "x"]), _called(["chekc"])
    ('baseline promote', '')
    """
    if not args or args[0] not in COMMANDS:
        return ""
    if args[0] != "baseline" or args[1:2] == [] or args[1] not in _BELOW:
        return args[0]
    return f"baseline {args[1]}"


def _misused(error: click.ClickException, args: Sequence[str], environ: Mapping[str, str]) -> int:
    said = error.format_message()
    said = said[:1].lower() + said[1:]
    if next((word for word in args if not word.startswith("-")), "") in {"check", "score"}:
        _forget(args)
    context = getattr(error, "ctx", None)
    if context is not None and tuple(args) in {(), ("baseline",)}:
        _show_help(context)
    remedy = " ".join(f"run `agent-eval-gate {_called(args)} --help`".split())
    complain(said, remedy, environ)
    return _told(environ, UsageInvalid.status, "invalid", (said, remedy), args)


def _show_help(context: click.Context) -> None:
    from gate.cli.console import show

    with suppress(GateError, BrokenPipeError):  # the status stays that of the usage
        show(context.get_help() + "\n")


def _forget(args: Sequence[str]) -> None:
    """Take away an older result though the options could not be read, but for the folder.

    Where one of the words names a file that would go, nothing does: it may be an input.
    """
    from gate.cli.deliver import clear
    from gate.cli.place import is_ours, out_of

    out = out_of(args)
    words = [value for word in args for value in (word, word.partition("=")[2]) if value]
    with suppress(GateError):
        if not any(is_ours(word, out) for word in words):
            clear(out)


def _defect(
    error: Exception, args: Sequence[str], environ: Mapping[str, str], *, verbose: bool
) -> int:
    if verbose:
        import traceback

        text = "".join(traceback.format_exception(error))
        complain(text, "", environ)
    summary = f"a defect of agent-eval-gate: {type(error).__name__}: {str(error)[:500]}"
    complain(summary, Defect.hint, environ)
    return _told(environ, Defect.status, "defect", (summary, Defect.hint), args)


def _told(
    environ: Mapping[str, str],
    status: int,
    verdict: str,
    reason: tuple[str, str],
    args: Sequence[str],
) -> int:
    """Tell a runner, if one listens, of an error and its remedy; give ``status``."""
    from gate.adapters.runner import tell_failure
    from gate.cli.place import out_of, suite_name

    told = "\nhint: ".join(reason)
    suite = suite_name(out_of(args), environ)
    try:
        tell_failure(environ, status=status, verdict=verdict, reason=told, suite=suite)
    except GateError as error:
        if str(error) != reason[0]:  # it is what went wrong in the first place
            complain(str(error), error.remedy, environ)
    if args[:1] and args[0] in GATING:
        from gate.cli.announce import announce_failure

        announce_failure(verdict=verdict, status=status, reason=told, suite=suite)
    return status
