"""``init``: a first suite for what lies in a folder."""

from __future__ import annotations

import os

import click

from gate.cli.strict import Strict


@click.command("init", cls=Strict)
@click.argument("folder", metavar="[FOLDER]", required=False, default=".")
@click.option(
    "--predictions", metavar="FILE", help="The results to begin with, from FOLDER on. [found]"
)
def command(*, folder: str, predictions: str | None) -> int:
    """Write a first policy, workflow and cases for what lies in FOLDER, and say what to run next.

    Results of evaluation tools are recognised by their content, and their cases become the golden
    set; where there is nothing, it begins with an example. What is there already stays as it is,
    and then this ends in 2.

    \b
    Example:
      agent-eval-gate init
    """  # noqa: D301 - \b is for click
    from gate.adapters.files import Disk
    from gate.adapters.folder import listing
    from gate.cli import console
    from gate.errors import UsageInvalid
    from gate.shell.starting import begun

    found = begun(Disk(), folder, listing(folder), results=predictions)
    for line in found.said:
        console.tell(line, os.environ)
    for word, paths in (("written", found.written), ("is so already", found.unchanged)):
        for path in paths:
            console.tell(f"{word}: {path}", os.environ)
    console.tell("next:", os.environ)
    for step in (() if folder == "." else (f"cd {folder}",)) + found.steps:
        console.tell(f"  {step}", os.environ)
    out = " and ".join(found.uncommitted)
    console.tell(f"then commit all of it, but for {out}, which .gitignore should name", os.environ)
    first = (
        "passes by the floor in gate.toml if its answers reach that and its safety cases pass"
        if found.is_sound
        else "does not pass with such a file: mend first what is said of it above"
    )
    console.tell(
        f"the first pull request is compared with no baseline, and {first}; once it is merged "
        "take allow_missing_baseline out there",
        os.environ,
    )
    if found.kept:
        raise UsageInvalid(
            f"already there, and left as they are: {', '.join(found.kept)}",
            hint="see that they agree with the rest, or take them away and run this again",
        )
    return 0
