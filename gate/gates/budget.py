"""Gate ``budget``: what the agent's own answers cost, and how long they took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.records.figures import count
from gate.records.json_text import canonical
from gate.records.verdict import GateVerdict

if TYPE_CHECKING:
    from decimal import Decimal

    from gate.gates.evidence import Evidence, Setting
    from gate.records.gating import BudgetOptions
    from gate.records.result import Effort


def objection(options: BudgetOptions, setting: Setting) -> str | None:
    """Refuse a budget without a limit: it could not be exceeded."""
    del setting
    if options.max_cost_usd is None and options.max_latency_ms is None:
        return "`max_cost_usd` or `max_latency_ms` is required"
    return None


def judge(options: BudgetOptions, evidence: Evidence) -> GateVerdict:
    """Fail beyond a limit, exactly; be undecided where answers do not say what they took.

    A known excess fails whatever is not known: more could only be added to a total, and for a
    latency the answers that tell it are judged by themselves only if all do.
    """
    effort = evidence.effort
    if effort is None or not effort.n_answers:
        return GateVerdict(gate="budget", outcome="undecided", because="there are no answers")
    said: list[str] = []
    exceeded = untold = False
    if options.max_cost_usd is not None:
        over, silent, text = _cost(effort, options.max_cost_usd)
        exceeded, untold = exceeded or over, untold or silent
        said.append(text)
    if options.max_latency_ms is not None:
        over, silent, text = _latency(effort, options)
        exceeded, untold = exceeded or over, untold or silent
        said.append(text)
    return GateVerdict(
        gate="budget",
        outcome="fail" if exceeded else "undecided" if untold else "pass",
        because="; ".join(said),
        numbers=canonical(effort.model_dump(mode="json")),
    )


def _cost(effort: Effort, limit: Decimal) -> tuple[bool, bool, str]:
    untold = effort.n_answers - effort.n_costs
    over = effort.n_costs > 0 and effort.cost_usd > limit
    if untold and not over:
        return False, True, f"{_silent(untold, effort)} not say what {_it(untold)} cost"
    return over, False, f"the answers cost ${effort.cost_usd:.4f} (allowed ${limit})"


def _latency(effort: Effort, options: BudgetOptions) -> tuple[bool, bool, str]:
    untold = effort.n_answers - effort.n_latencies
    if untold:
        return False, True, f"{_silent(untold, effort)} not say how long {_it(untold)} took"
    found = {
        "mean": effort.mean_latency_ms,
        "p95": effort.p95_latency_ms,
        "max": effort.max_latency_ms,
    }[options.latency]
    limit = options.max_latency_ms
    name = {"mean": "mean latency", "p95": "95 % took at most", "max": "slowest answer"}
    said = f"{name[options.latency]} {found:,.0f} ms (allowed {limit} ms)"
    return limit is not None and found > limit, False, said


def _silent(untold: int, effort: Effort) -> str:
    verb = "does" if untold == 1 else "do"
    return f"{untold:,} of {count(effort.n_answers, 'answer')} {verb}"


def _it(untold: int) -> str:
    return "it" if untold == 1 else "they"
