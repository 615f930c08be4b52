"""``calibrate``: how far a judge agrees with people."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from gate.cli import options
from gate.cli.strict import Strict

if TYPE_CHECKING:
    from gate.records.gating import JudgeTrustOptions
    from gate.records.trust import TrustRecord


@click.command("calibrate", cls=Strict)
@click.option("--labels", metavar="FILE", required=True, help="What people say of answers: JSONL.")
@click.option(
    "--result", metavar="FILE", help="A judged result.json; without it a judge is asked."
)
@click.option("--to", "target", metavar="FILE", help="The trust record to write.")
@click.option(
    "--audit/--no-audit",
    default=False,
    help="Also ask what shows bias: length, order, notes to the grader. [no]",
)
@click.option("--agent-model", metavar="NAME", help="The model that answered, for the audit.")
@click.option(
    "--min-kappa",
    metavar="X",
    help="Say whether a gate of this limit would trust the judge. [0.6]",
)
@click.option("--criterion", metavar="NAME", help="What must reach it: point or lower. [point]")
@options.scoring(compared=False)
@options.policy
@options.judging
def command(
    *,
    labels: str,
    result: str | None,
    target: str | None,
    audit: bool,
    agent_model: str | None,
    min_kappa: str | None,
    criterion: str | None,
    policy: str | None,
    dry_run: bool,
    **said: Any,  # noqa: ANN401 - click's
) -> int:
    """Hold a judge against labels of people: kappa, its interval, who said what.

    Takes the votes from a stored result, or scores predictions by asking the judge as `score`
    does. The record it writes is what the gate judge_trust reads; it is of this judge alone.

    \b
    Example:
      agent-eval-gate calibrate --labels human.jsonl \\
          --result .agent-eval-gate/result.json --to trust.json
    """  # noqa: D301 - \b is for click
    from gate.adapters.files import Disk
    from gate.cli import console
    from gate.errors import UsageInvalid
    from gate.gates.judge_trust import assess
    from gate.judges.trust_store import write_trust
    from gate.report.trust_page import trust_lines

    if said["judge_trust"] is not None:
        raise UsageInvalid("--judge-trust: calibrate makes that record; name it with --to")
    if agent_model is not None and not audit:
        raise UsageInvalid("--agent-model means nothing without --audit")
    wanted = _wanted(min_kappa, criterion)
    _spare(target, (labels, result, policy, *_files(said)))
    given = {name: value for name, value in said.items() if value is not None}
    if result is not None:
        _refuse_with_result({**given, "audit": audit, "dry_run": dry_run, "policy": policy})
        record = _stored(result, labels)
    elif dry_run:
        return _foreseen(said, policy=policy, audit=audit)
    else:
        record = _asked(said, policy=policy, labels=labels, audit=audit, agent_model=agent_model)
    if target is not None:
        Disk().write(target, [write_trust(record)])
    found = assess(record, wanted)
    verdict = f"{'Trusted' if found.trusted else 'Not trusted'}: {found.said}."
    for line in trust_lines(record, verdict=verdict):
        console.tell(line, os.environ)
    if target is not None:
        console.note(f"written: {target}", os.environ)
    return 0


def _stored(result: str, labels: str) -> TrustRecord:
    from gate.cli.deliver import means
    from gate.shell.calibrate import calibrated_result

    return calibrated_result(means(), result, labels=labels)


def _foreseen(said: dict[str, Any], *, policy: str | None, audit: bool) -> int:
    from gate.cli import console
    from gate.cli.asking import asking
    from gate.cli.deliver import means
    from gate.cli.dry_run import tell_forecast
    from gate.records.figures import count
    from gate.shell.score import planned_audit

    given = options.overrides(**said)
    to_ask = means()._replace(asking=asking(options.OUT))
    tell_forecast(to_ask, given, policy=policy, gated=False)
    if audit:
        plan, _ = planned_audit(to_ask, given, policy=policy, agent_model=None)
        price = "" if plan.cost is None else f", about ${plan.cost:.4f}"
        console.show(f"audit: {count(len(plan.questions), 'question')} besides{price}")
    return 0


def _asked(
    said: dict[str, Any],
    *,
    policy: str | None,
    labels: str,
    audit: bool,
    agent_model: str | None,
) -> TrustRecord:
    from gate.cli.asking import asking
    from gate.cli.deliver import means
    from gate.shell.calibrate import calibrated_run

    return calibrated_run(
        means()._replace(asking=asking(options.OUT)),
        options.overrides(**said),
        policy=policy,
        labels=labels,
        audit=audit,
        agent_model=agent_model,
    )


def _wanted(min_kappa: str | None, criterion: str | None) -> JudgeTrustOptions:
    from pydantic import ValidationError

    from gate.errors import UsageInvalid
    from gate.records.gating import JudgeTrustOptions
    from gate.records.problems import explain

    said = {"min_kappa": min_kappa, "criterion": criterion}
    try:
        return JudgeTrustOptions(
            **{key: value for key, value in said.items() if value is not None}
        )
    except ValidationError as error:
        lines = [
            text.replace("`" + key, "`--" + key.replace("_", "-")) for key, text in explain(error)
        ]
        raise UsageInvalid("\n".join(lines)) from None


def _files(said: dict[str, Any]) -> tuple[str | None, ...]:
    named = ("cases", "predictions", "judge_prompt", "ledger")
    return tuple(said.get(name) for name in named)


def _spare(target: str | None, inputs: tuple[str | None, ...]) -> None:
    """Refuse to write over what is read."""
    from gate.errors import UsageInvalid
    from gate.report.sanitize import visible

    if target is None:
        return
    real = os.path.realpath(target)
    for path in inputs:
        if path and os.path.realpath(path) == real:
            raise UsageInvalid(f"--to {visible(target)} would overwrite the input {visible(path)}")


def _refuse_with_result(given: dict[str, Any]) -> None:
    """Refuse what would ask a judge, where a stored result already says what it said."""
    from gate.errors import UsageInvalid

    names = [f"--{name.replace('_', '-')}" for name, value in given.items() if value]
    if names:
        raise UsageInvalid(
            f"--result asks nobody, so it takes no {', '.join(sorted(names))}",
            hint="leave --result away to ask the judge: --cases, --predictions, --scorer, --judge",
        )
