"""``import``: another tool's file becomes cases and predictions."""

from __future__ import annotations

import os
from typing import Any

import click

from gate.cli import options
from gate.cli.strict import Strict


@click.command("import", cls=Strict)
@click.argument("file", metavar="FILE")
@options.reading
@click.option("--cases-to", metavar="FILE", help="Where the cases go; - is the output.")
@click.option("--predictions-to", metavar="FILE", help="Where the answers go; - is the output.")
@click.option("--force", is_flag=True, help="Overwrite what is there.")
@click.option("--allow-gaps", is_flag=True, help="Take a file that may not hold all that was run.")
def command(
    *,
    file: str,
    cases_to: str | None,
    predictions_to: str | None,
    force: bool,
    allow_gaps: bool,
    **said: Any,  # noqa: ANN401 - click's
) -> int:
    """Turn another tool's file into cases and predictions, or look what it holds.

    FILE is read as `check --predictions` reads it; - is the standard input. Without a file to
    write this only looks, and ends in 0. A file that is there stays, unless it is the same.
    Ends in 3 where something is to be written and FILE may not hold all that was run. The scores
    that a tool recorded stay in its own file.

    \b
    Example:
      agent-eval-gate import logs/run.eval --cases-to evals/cases.jsonl \\
          --predictions-to predictions.jsonl
    """  # noqa: D301 - \b is for click
    from gate.adapters.files import Disk
    from gate.cli import console
    from gate.report.import_page import found_lines, written_lines
    from gate.shell.converting import CASES, PREDICTIONS, STREAM, Target, looked_at, written

    wanted = {PREDICTIONS: predictions_to, CASES: cases_to}
    targets = [Target(what, path) for what, path in wanted.items() if path is not None]
    _apart(file, targets)
    tell = console.note if STREAM in wanted.values() else console.tell
    disk = Disk()
    only_answers = predictions_to is not None and cases_to is None
    look = looked_at(disk, file, options.overrides(**said), cases=not only_answers)
    for line in found_lines(look.found):
        tell(line, os.environ)
    done = written(
        disk,
        look,
        targets,
        show=lambda text: console.show(text, end=""),
        force=force,
        allow_gaps=allow_gaps,
    )
    for line in written_lines(look.found, done):
        tell(line, os.environ)
    return 0


def _apart(file: str, targets: list[Any]) -> None:
    """Refuse to write over what is read, or two files into one."""
    from gate.errors import UsageInvalid
    from gate.report.sanitize import visible

    seen = {} if file == "-" else {os.path.realpath(file): "FILE"}
    for one in targets:
        option = f"--{one.what}-to"
        place = one.path if one.path == "-" else os.path.realpath(one.path)
        if place in seen:
            raise UsageInvalid(f"{option} {visible(one.path)} is {seen[place]}, too")
        seen[place] = option
