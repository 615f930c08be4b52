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

    New cases of a pull request dilute no mean and no share of the slow ones: the limit must hold
    without the answers to them as well. A total and the slowest they can only raise.

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
        if evidence.brought and not over and not silent and options.latency != "max":
            over, silent, text = _without_new(effort, options, text, len(evidence.brought))
        exceeded, untold = exceeded or over, untold or silent
        said.append(text)
    return GateVerdict(
        gate="budget",
        outcome="fail" if exceeded else "undecided" if untold else "pass",
        because="; ".join(said),
        numbers=canonical(effort.model_dump(mode="json", exclude={"of_base"})),
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


def _without_new(
    effort: Effort, options: BudgetOptions, whole: str, n_new: int
) -> tuple[bool, bool, str]:
    """Ask again of the answers to the base commit's own cases; ``whole`` is said of all."""
    others = f"without the {count(n_new, 'new case')}"
    if effort.of_base is None:
        return False, True, f"{whole}; how long the answers took {others} is not known"
    over, silent, text = _latency(effort.of_base, options)
    return over, silent, f"{text} {others}" if over or silent else whole


def _silent(untold: int, effort: Effort) -> str:
    verb = "does" if untold == 1 else "do"
    return f"{untold:,} of {count(effort.n_answers, 'answer')} {verb}"


def _it(untold: int) -> str:
    return "it" if untold == 1 else "they"
