"""A CI gate for AI agents: it answers whether a change may merge.

The pure functions of the method are importable from here, loaded when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

__version__ = "0.1.0"

_HOMES: Final = {
    "AgentFn": "gate.records.case",
    "AgentResult": "gate.records.case",
    "EvalCase": "gate.records.case",
    "RubricCheck": "gate.records.scoring",
    "SuiteResult": "gate.records.result",
    "cohens_kappa": "gate.statistics.agreement",
    "compute_confidence_intervals": "gate.statistics.bootstrap",
    "contains": "gate.metrics.text",
    "deterministic_judge": "gate.metrics.overlap",
    "exact_match": "gate.metrics.text",
    "judge_is_trustworthy": "gate.statistics.agreement",
    "judge_with_bias": "gate.statistics.bias",
    "numeric_within": "gate.metrics.numbers",
    "precision_recall_f1": "gate.metrics.trajectory",
    "regression_gate": "gate.gates.regression",
    "rouge_l_f1": "gate.metrics.rouge",
    "rubric_score": "gate.metrics.rubric",
    "run_suite": "gate.suite.run",
    "safety_gate": "gate.gates.safety",
    "score_structured_answer": "gate.metrics.structured",
    "trajectory_score": "gate.metrics.trajectory",
}

__all__ = ["__version__", *sorted(_HOMES)]  # noqa: PLE0604 - names of a table, all strings


def __getattr__(name: str) -> object:
    """Import a public name from its home when it is first asked for (PEP 562)."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    """List the public names without importing their homes."""
    return sorted(__all__)
