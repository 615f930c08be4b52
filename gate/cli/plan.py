"""``plan``: what a suite can see."""

from __future__ import annotations

import os

import click

from gate.cli.strict import Strict


@click.command("plan", cls=Strict)
@click.option("--baseline", metavar="FILE", help="A baseline: its cases, and its repeats if any.")
@click.option("--result", metavar="FILE", help="A result.json: its repeats, or its comparison.")
@click.option("--policy", metavar="FILE", help="The rules. [./gate.toml if it is there]")
@click.option("--max-drop", metavar="X", help="Fall of the metric that is still allowed. [0]")
@click.option("--metric", metavar="NAME", help="pass_rate or mean_score. [the file's headline]")
@click.option("--rule", metavar="NAME", help="significant, point or noninferior. [significant]")
@click.option("--drop", metavar="X", default="0.05", help="A drop that should be seen. [0.05]")
@click.option("--power", metavar="X", default="0.8", help="How often it should be seen. [0.8]")
@click.option("--size", type=int, metavar="N", help="Cases to plan for. [as many as there are]")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as one JSON object.")
def command(
    *,
    baseline: str | None,
    result: str | None,
    policy: str | None,
    max_drop: str | None,
    metric: str | None,
    rule: str | None,
    drop: str,
    power: str,
    size: int | None,
    as_json: bool,
) -> int:
    """Say what a suite can see: the smallest drop that the rule fails, and what more would help.

    Needs a baseline or a result. Where each case was run several times, the noise of an
    unchanged agent is measured from that, and its own runs are judged by the rule.

    \b
    Example:
      agent-eval-gate plan --baseline baselines/golden.json --max-drop 0.02 --drop 0.05
    """  # noqa: D301 - \b is for click
    from gate.cli import console, options
    from gate.cli.deliver import means
    from gate.records.figures import rounded
    from gate.records.json_text import spelled
    from gate.report.plan_page import plan_lines
    from gate.shell.plan import planned

    given = options.overrides(baseline=baseline, max_drop=max_drop, metric=metric, rule=rule)
    plan = planned(
        means(),
        given,
        result=result,
        policy=policy,
        size=options.positive("size", size),
        wanted=options.share("drop", drop),
        aim=options.share("power", power),
    )
    if as_json:
        console.show(spelled(rounded(plan.model_dump(mode="json"))))
    else:
        for line in plan_lines(plan):
            console.tell(line, os.environ)
    return 0
