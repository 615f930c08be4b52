"""``demo``: the embedded example."""

from __future__ import annotations

import os

import click

from gate.cli.console import show
from gate.cli.strict import Strict


@click.command("demo", cls=Strict)
def command() -> int:
    """Show the gate at work on six embedded cases: a good agent, then a regressed one.

    Needs no files, writes none, and ends in 0: the verdicts are what is shown.
    """
    from gate.adapters.runner import tell_done
    from gate.cli.demonstration import pages

    for page in pages():
        show(page)
    tell_done(os.environ, "shown")
    return 0
