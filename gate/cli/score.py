"""``score``: numbers without a verdict."""

from __future__ import annotations

from typing import Any

import click

from gate.cli import options
from gate.cli.strict import Strict


@click.command("score", cls=Strict)
@options.scoring(compared=False)
@options.policy
@options.judging
@options.delivery
def command(
    *,
    policy: str | None,
    dry_run: bool,
    out: str,
    report_formats: str,
    show_expected: bool,
    **said: Any,  # noqa: ANN401 - click's
) -> int:
    """Score predictions and summarise them: overall, per label, per K. Nothing is gated.

    \b
    Example:
      agent-eval-gate score --cases examples/geo/cases.jsonl \\
          --predictions examples/geo/good.jsonl --scorer structured
    """  # noqa: D301 - \b is for click
    from gate.cli.deliver import deliver, started
    from gate.shell.score import measure

    files = ("cases", "predictions", "baseline", "judge_prompt", "judge_trust", "ledger")
    named = (policy, *map(said.get, files))
    if dry_run:
        from gate.cli.dry_run import foresee

        given = options.overrides(**said)
        return foresee(given, policy=policy, out=out, inputs=named, gated=False)
    with started(out, inputs=named) as means:
        formats = options.formats(report_formats)
        given = options.overrides(**said)
        report = measure(means, given, policy=policy, gated=False)
    return deliver(report, out=out, formats=formats, show_expected=show_expected)
