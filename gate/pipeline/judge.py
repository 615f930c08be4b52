"""Rows and their baseline become verdict, status, gates and comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gate.gates.decide import decide, exit_status
from gate.gates.evidence import evidence_for
from gate.gates.table import judge_all
from gate.pipeline.comparison import comparison
from gate.records.gating import RegressionOptions
from gate.records.json_text import canonical

if TYPE_CHECKING:
    from gate.records.alignment import Alignment
    from gate.records.policy import Policy
    from gate.records.result import CaseResult, SuiteResult


def judged(
    rows: tuple[CaseResult, ...],
    suite: SuiteResult,
    policy: Policy,
    alignment: Alignment | None,
    *,
    pinned: bool,
    gated: bool = True,
) -> dict[str, Any]:
    """Give the fields of a report that the gates of ``policy`` decide.

    Where nothing is to be gated there is no verdict, and the status is 0.
    """
    if not gated:
        return {"verdict": None, "exit_status": 0}
    evidence = evidence_for(policy, rows, suite, alignment, pinned=pinned)
    verdicts = judge_all(policy.gates, evidence)
    verdict = decide(verdicts)
    rule = next(
        (gate for gate in policy.gates if isinstance(gate, RegressionOptions)), RegressionOptions()
    )
    return {
        "verdict": verdict,
        "exit_status": exit_status(verdict, advisory=policy.suite.advisory),
        "advisory": policy.suite.advisory,
        "gates": verdicts,
        "comparison": comparison(evidence, rule),
    }


def shown_policy(policy: Policy) -> str:
    """Spell the policy in force, without the paths of this machine, as canonical JSON."""
    paths = {"suite": {"cases", "predictions", "baseline"}}
    return canonical(policy.model_dump(mode="json", exclude=paths))
