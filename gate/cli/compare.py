"""``compare``: gate a stored result against a baseline."""

from __future__ import annotations

from typing import Any

import click

from gate.cli import options
from gate.cli.base import based, policy_from
from gate.cli.strict import Strict


@click.command("compare", cls=Strict)
@click.argument("result", metavar="CURRENT")
@options.gating
@options.policy
@policy_from
@options.delivery
def command(
    *,
    result: str,
    policy: str | None,
    policy_from: str | None,
    out: str,
    report_formats: str,
    show_expected: bool,
    **said: Any,  # noqa: ANN401 - click's
) -> int:
    """Gate CURRENT, a result.json of `check` or `score`, without scoring anything again.

    Its rows count, not its aggregates: they are computed anew, and must agree.
    """
    from gate.cli.deliver import deliver, started
    from gate.shell.stored import redecide

    with (
        started(out, keep=result, inputs=(policy, said["baseline"])) as made,
        based(policy_from, made) as means,
    ):
        formats = options.formats(report_formats)
        given = options.overrides(**said)
        report = redecide(means, result, given, policy=policy, embedded=False)
    return deliver(report, out=out, formats=formats, show_expected=show_expected, keep=result)
