"""``decide``: replay a stored result."""

from __future__ import annotations

import click

from gate.cli import options
from gate.cli.base import based, policy_from
from gate.cli.strict import Strict


@click.command("decide", cls=Strict)
@click.argument("result", metavar="RESULT")
@click.option("--policy", metavar="FILE", help="Other rules than those that RESULT holds.")
@click.option("--baseline", metavar="FILE", help="Another baseline than RESULT was compared with.")
@click.option(
    "--ledger", metavar="FILE", help="A judge's answers: every vote is read from them again."
)
@policy_from
@options.delivery
def command(
    *,
    result: str,
    policy: str | None,
    policy_from: str | None,
    baseline: str | None,
    ledger: str | None,
    out: str,
    report_formats: str,
    show_expected: bool,
) -> int:
    """Replay RESULT, a result.json of `check`, through the gates of the policy it holds.

    Needs no other file: a result keeps what its baseline held of each unchanged case. The
    same policy gives the same bytes. On a pull request the rules of its base commit must hold
    as well.
    """
    from gate.cli.deliver import deliver, started
    from gate.shell.stored import redecide

    with (
        started(out, keep=result, inputs=(policy, baseline, ledger)) as made,
        based(policy_from, made) as means,
    ):
        formats = options.formats(report_formats)
        given = options.overrides(baseline=baseline)
        report = redecide(means, result, given, policy=policy, embedded=True, ledger=ledger)
    return deliver(report, out=out, formats=formats, show_expected=show_expected, keep=result)
