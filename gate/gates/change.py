"""One paired comparison in words and numbers, the same in every gate that makes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.figures import count, score

if TYPE_CHECKING:
    from decimal import Decimal

    from gate.gates.paired import Paired
    from gate.records.base import Metric

NAMES: Final[dict[Metric, str]] = {"pass_rate": "pass rate", "mean_score": "mean score"}


def fallen(paired: Paired, limit: Decimal) -> str:
    """Say how far the metric fell, and how far it may."""
    drop = paired.drop
    moved = f"fell {score(drop)}" if drop > 0 else f"rose {score(-drop)}" if drop < 0 else "held"
    return f"{NAMES[paired.metric]} {moved} (allowed drop {score(float(limit))})"


def over(paired: Paired, *, before: str = "the baseline") -> str:
    """Say between which values, and over how many cases."""
    values = f"{score(paired.baseline)} in {before}, {score(paired.current)} now"
    return f": {values}, over {count(len(paired), 'case')}"


def units(paired: Paired) -> str:
    """Count what the test counts: cases, or the clusters that they come in."""
    cases = count(len(paired), "case")
    if paired.clusters is None:
        return cases
    return f"{count(len(set(paired.clusters)), 'cluster')} of {cases}"


def change_numbers(paired: Paired) -> dict[str, object]:
    """Give what a reader needs to make the comparison again."""
    test, interval = paired.test, paired.interval
    return {
        "metric": paired.metric,
        "n_compared": len(paired),
        "baseline": paired.baseline,
        "current": paired.current,
        "drop": paired.drop,
        "interval": [interval.low, interval.high],
        "test": test.method,
        "p_value": test.p_value,
        "n_worse": len(paired.worse),
        "n_better": paired.n_better,
    }
