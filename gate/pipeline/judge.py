"""Rows and their baseline become verdict, status, gates and comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gate.gates.decide import decide, exit_status
from gate.gates.evidence import NO_OTHERS, evidence_for
from gate.gates.table import judge_all
from gate.gates.waivers import waiver_uses
from gate.pipeline.comparison import comparison
from gate.pipeline.unscored import asked_runs, at_best, either, open_runs
from gate.records.gating import RegressionOptions
from gate.records.json_text import canonical

if TYPE_CHECKING:
    from gate.gates.evidence import Circumstances
    from gate.records.alignment import Alignment
    from gate.records.policy import Policy
    from gate.records.result import CaseResult, SuiteResult


_LOCAL: Final = {
    "suite": {"cases", "predictions", "baseline"},
    "judge": {
        *("command", "base_url", "key_env", "env", "prompt", "tools", "ledger", "trust"),
        *("concurrency", "timeout", "deadline", "max_calls", "max_cost"),
    },
}
"""Paths, and how a judge is reached and for how long: the same verdict from anywhere."""


def judged(
    rows: tuple[CaseResult, ...],
    suite: SuiteResult,
    policy: Policy,
    alignment: Alignment | None,
    *,
    pinned: bool,
    gated: bool = True,
    others: Circumstances = NO_OTHERS,
) -> dict[str, Any]:
    """Give the fields of a report that the gates of ``policy`` decide.

    Where nothing is to be gated there is no verdict, and the status is 0. What a judge left
    unscored is decided both ways. Where the policy has waivers, ``others`` has the day.
    """
    if not gated:
        return {"verdict": None, "exit_status": 0}
    evidence = evidence_for(policy, rows, suite, alignment, pinned=pinned, others=others)
    waivers = policy.waivers if others.day else ()  # one that may have ended does not hold
    verdicts = judge_all(policy.gates, evidence, waivers)
    best = at_best(rows, suite, alignment)
    if best is not None:
        other = evidence_for(policy, *best, pinned=pinned, others=others)
        verdicts = either(
            verdicts,
            judge_all(policy.gates, other, waivers),
            n_open=open_runs(rows),
            n_asked=asked_runs(rows),
        )
    verdict = decide(verdicts)
    rule = next(
        (gate for gate in policy.gates if isinstance(gate, RegressionOptions)), RegressionOptions()
    )
    return {
        "verdict": verdict,
        "exit_status": exit_status(verdict, advisory=policy.suite.advisory),
        "advisory": policy.suite.advisory,
        "gates": verdicts,
        "waivers": waiver_uses(waivers, verdicts, evidence, others.day) if others.day else (),
        "waived_on": others.day,
        "comparison": comparison(evidence, rule),
    }


def shown_policy(policy: Policy) -> str:
    """Spell the policy in force as canonical JSON, without what is of this machine alone."""
    return canonical(policy.model_dump(mode="json", exclude=_LOCAL))
