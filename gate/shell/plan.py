"""Say what a suite can see: ``plan``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.errors import UsageInvalid
from gate.policy.effective import effective_policy
from gate.shell.gather import Names, baseline_at, gather_rules, result_at

if TYPE_CHECKING:
    from gate.records.plan import Plan
    from gate.records.policy import Overrides
    from gate.shell.gather import Means


def planned(
    means: Means,
    options: Overrides,
    *,
    result: str | None,
    policy: str | None,
    size: int | None,
    wanted: float,
    aim: float,
) -> Plan:
    """Say what a suite can see, from a baseline or a stored result of it."""
    from gate.pipeline.foresee import foresee, seen_in_baseline, seen_in_result
    from gate.records.gating import RegressionOptions

    rules = gather_rules(means.files, options, policy)
    with rules.placing():
        gates = effective_policy(rules.file, options, gated=True).gates
    rule = next(one for one in gates if isinstance(one, RegressionOptions))
    if result is not None:
        seen = seen_in_result(result_at(means.files, result), rule.metric)
    else:
        if rules.suite.baseline is None:
            raise UsageInvalid("nothing to plan with: pass --baseline FILE or --result FILE")
        with Names(options).around("baseline"):
            seen = seen_in_baseline(baseline_at(means.files, rules.suite.baseline), rule.metric)
    return foresee(seen, rule, size=size, wanted=wanted, aim=aim)
