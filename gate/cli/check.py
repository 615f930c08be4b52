"""``check``: the main job."""

from __future__ import annotations

from typing import Any

import click

from gate.cli import options
from gate.cli.base import based, policy_from
from gate.cli.strict import Strict


@click.command("check", cls=Strict)
@options.scoring(compared=True)
@options.gating
@options.policy
@policy_from
@options.judging
@options.delivery
def command(
    *,
    policy: str | None,
    policy_from: str | None,
    dry_run: bool,
    out: str,
    report_formats: str,
    show_expected: bool,
    **said: Any,  # noqa: ANN401 - click's
) -> int:
    """Score predictions, compare them with the baseline, and gate the change.

    The exit status is the verdict: 0 pass, 1 a gate failed, 2 invalid input, 3 undecided,
    4 a defect. An option beats the policy, which beats the default.

    \b
    Example:
      agent-eval-gate check --cases examples/golden/cases.jsonl \\
          --predictions examples/golden/good.jsonl \\
          --baseline baselines/golden.json --max-drop 0.05
    """  # noqa: D301 - \b is for click
    from gate.cli.deliver import deliver, started
    from gate.shell.score import measure

    files = ("cases", "predictions", "baseline", "judge_prompt", "judge_trust", "ledger")
    named = (policy, *map(said.get, files))
    if dry_run:
        from gate.cli.dry_run import foresee

        given = options.overrides(**said)
        return foresee(
            given, policy=policy, out=out, inputs=named, gated=True, policy_from=policy_from
        )
    with started(out, inputs=named) as made, based(policy_from, made) as means:
        formats = options.formats(report_formats)
        given = options.overrides(**said)
        report = measure(means, given, policy=policy, gated=True)
    return deliver(report, out=out, formats=formats, show_expected=show_expected)
