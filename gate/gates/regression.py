"""Gate ``regression``: the metric may not fall by more than ``max_drop``."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Final

from gate.errors import PolicyInvalid
from gate.records.base import exact_decimal
from gate.records.figures import count, score
from gate.records.json_text import canonical
from gate.records.values import case_value, paired_values
from gate.records.verdict import GateVerdict
from gate.statistics.exact import mean_drop_exceeds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from gate.gates.evidence import Evidence, Setting
    from gate.records.base import Metric
    from gate.records.gating import RegressionOptions
    from gate.records.result import CaseResult, SuiteRun

NAMES: Final[dict[Metric, str]] = {"pass_rate": "pass rate", "mean_score": "mean score"}


def objection(options: RegressionOptions, setting: Setting) -> str | None:
    """Refuse the rule ``point`` without the limit that it is about."""
    if options.max_drop is not None or not setting.has_baseline:
        return None
    return (
        "`max_drop` is required under the rule 'point': pass --max-drop, or set it under "
        '[[gates]] gate = "regression"'
    )


def judge(options: RegressionOptions, evidence: Evidence) -> GateVerdict:
    """Compare pair by pair, exactly: a drop equal to ``max_drop`` passes.

    Without a baseline the gate is ``off`` where a floor decides, else undecided. Without a
    case that stands unchanged in both it is undecided: nothing was compared.
    """
    alignment = evidence.alignment
    if alignment is None:
        outcome = "off" if evidence.has_floor else "undecided"
        said = "no baseline, so nothing was compared" + (
            "; the floor decides alone" if evidence.has_floor else " and no floor decides instead"
        )
        return GateVerdict(gate="regression", outcome=outcome, because=said)
    if not alignment.pairs:
        return _undecided("no case stands unchanged in this run and in the baseline")
    if not evidence.comparable:
        return _undecided("the two runs were measured differently: a drop would mean nothing")
    if options.max_drop is None:
        raise PolicyInvalid("gate 'regression': `max_drop` is required under the rule 'point'")
    return _compare(alignment.pairs, options.metric or evidence.suite.metric, options.max_drop)


def _undecided(said: str) -> GateVerdict:
    return GateVerdict(gate="regression", outcome="undecided", because=said)


def regression_gate(current: SuiteRun, baseline: SuiteRun, max_drop: float | str) -> GateVerdict:
    """Fail when the pass rate fell by more than ``max_drop``, as the deep dive has it.

    The two runs are compared as wholes, by their rates; an improvement passes. ``max_drop``
    is read as its decimal text, and compared exactly. Raises ``ValueError`` if it is negative.
    """
    limit = exact_decimal(max_drop)
    if limit < 0:
        raise ValueError(f"max_drop is a size, not {max_drop}")
    before = [case_value(row, "pass_rate") for row in baseline.case_results]
    now = [case_value(row, "pass_rate") for row in current.case_results]
    failing = [row.id for row in current.case_results if not row.passed]
    return _verdict(before, now, "pass_rate", limit, tuple(failing))


def _compare(pairs: Sequence[CaseResult], metric: Metric, limit: Decimal) -> GateVerdict:
    before, now = paired_values(pairs, metric)
    worse = [row.id for row, was, is_now in zip(pairs, before, now, strict=True) if is_now < was]
    return _verdict(before, now, metric, limit, tuple(worse))


def _verdict(
    before: list[float], now: list[float], metric: Metric, limit: Decimal, worse: tuple[str, ...]
) -> GateVerdict:
    was, is_now = fsum(before) / len(before), fsum(now) / len(now)
    fails = mean_drop_exceeds(before, now, limit)
    name, drop = NAMES[metric], was - is_now
    numbers = {
        "metric": metric,
        "rule": "point",
        "baseline": was,
        "current": is_now,
        "drop": drop,
        "max_drop": float(limit),
        "n_compared": len(now),
    }
    moved = f"fell {score(drop)}" if drop > 0 else f"rose {score(-drop)}" if drop < 0 else "held"
    said = (
        f"{name} {moved} (allowed drop {score(float(limit))}): {score(was)} in the baseline, "
        f"{score(is_now)} now, over {count(len(now), 'case')}"
    )
    return GateVerdict(
        gate="regression",
        outcome="fail" if fails else "pass",
        because=said,
        numbers=canonical(numbers),
        case_ids=worse,
    )
