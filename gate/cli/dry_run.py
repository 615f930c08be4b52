"""``--dry-run``: what a judge would be asked and what that costs; nothing is asked or decided."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from gate.cli import console
from gate.cli.base import HEAD, based
from gate.errors import Undecided

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gate.records.policy import Overrides
    from gate.shell.gather import Means

NOTHING_JUDGED: Final = "dry run: nothing was asked, and nothing is decided"


def foresee(
    given: Overrides,
    *,
    policy: str | None,
    out: str,
    inputs: Iterable[str | None],
    gated: bool,
    policy_from: str | None = HEAD,
) -> int:
    """Print the page; what an earlier run left is taken away, lest it be read as this one's.

    A check that decides nothing never ends in 0: raises ``Undecided``.
    """
    from gate.cli.deliver import started

    with started(out, inputs=inputs) as made, based(policy_from, made) as means:
        tell_forecast(means, given, policy=policy, gated=gated)
    if gated:
        raise Undecided(NOTHING_JUDGED, hint="leave --dry-run away to ask, and to decide")
    return 0


def tell_forecast(means: Means, given: Overrides, *, policy: str | None, gated: bool) -> None:
    """Print what a judge would be asked."""
    from gate.report.forecast_page import forecast_lines
    from gate.shell.score import foreseen

    for line in forecast_lines(foreseen(means, given, policy=policy, gated=gated)):
        console.tell(line, os.environ)
