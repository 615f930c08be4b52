"""Gate ``regression``: the metric may not fall by more than ``max_drop``."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import PolicyInvalid
from gate.gates.change import change_numbers, fallen, over, units
from gate.records.base import exact_decimal
from gate.records.figures import p_value, percent, score, score_change
from gate.records.gating import ZERO
from gate.records.json_text import canonical
from gate.records.values import case_value
from gate.records.verdict import GateVerdict
from gate.statistics.exact import mean_drop_exceeds

if TYPE_CHECKING:
    from decimal import Decimal

    from gate.gates.evidence import Evidence, Setting
    from gate.gates.paired import Paired
    from gate.records.gating import RegressionOptions
    from gate.records.result import SuiteRun
    from gate.records.verdict import Outcome


def objection(options: RegressionOptions, setting: Setting) -> str | None:
    """Refuse a rule without the limit that it is about, and one that contradicts itself."""
    where = 'pass --max-drop, or set it under [[gates]] gate = "regression"'
    if options.rule == "noninferior":
        if options.on_inconclusive == "pass":
            return (
                "the rule 'noninferior' passes on evidence only, so it cannot have "
                'on_inconclusive = "pass"'
            )
        if options.max_drop is not None and not options.max_drop:
            return (
                "`max_drop` is the margin of the rule 'noninferior' and must be above 0: no run "
                f"can show that nothing at all was lost; {where}"
            )
    if options.max_drop is None and options.rule != "significant" and setting.has_baseline:
        return f"`max_drop` is required under the rule {options.rule!r}: {where}"
    return None


def judge(options: RegressionOptions, evidence: Evidence) -> GateVerdict:
    """Compare pair by pair, exactly: a drop equal to ``max_drop`` never fails.

    ``significant``: a greater drop fails if the one-sided paired p-value is at most ``alpha``,
    and is undecided if it is above (green with a note under ``on_inconclusive = "pass"``).
    ``point``: a greater drop fails. ``noninferior``: it fails too, and the gate passes only if
    the upper end of the one-sided interval of the drop lies below ``max_drop``.

    Without a baseline the gate is ``off`` where a floor decides, else undecided. Without a
    case that stands unchanged in both it is undecided: nothing was compared.
    """
    if evidence.alignment is None:
        said = evidence.why_unpaired + (
            "; the floor decides alone" if evidence.has_floor else " and no floor decides instead"
        )
        outcome: Outcome = "off" if evidence.has_floor else "undecided"
        return GateVerdict(gate="regression", outcome=outcome, because=said)
    paired = evidence.paired(options.metric or evidence.suite.metric)
    if paired is None:
        return GateVerdict(gate="regression", outcome="undecided", because=evidence.why_unpaired)
    limit = options.max_drop
    if limit is None:
        if options.rule != "significant":
            raise PolicyInvalid(
                f"gate 'regression': `max_drop` is required under the rule {options.rule!r}"
            )
        limit = ZERO
    found = _RULES[options.rule](paired, limit, options)
    numbers = {
        "rule": options.rule,
        **change_numbers(paired),
        "max_drop": float(limit),
        **({} if options.rule == "point" else {"alpha": float(options.alpha)}),
        **found.numbers,
    }
    return GateVerdict(
        gate="regression",
        outcome=found.outcome,
        because=fallen(paired, limit) + found.said,
        numbers=canonical(numbers),
        case_ids=paired.worse,
    )


class _Found(NamedTuple):
    """What one rule says: the end of the sentence, and numbers that only it has."""

    outcome: Outcome
    said: str
    numbers: dict[str, object]


def _point(paired: Paired, limit: Decimal, options: RegressionOptions) -> _Found:
    del options
    outcome: Outcome = "fail" if paired.exceeds(limit) else "pass"
    return _Found(outcome, over(paired), {})


def _significant(paired: Paired, limit: Decimal, options: RegressionOptions) -> _Found:
    p = paired.test.p_value
    said = f", p {p_value(p)}"
    if not paired.exceeds(limit):
        return _Found("pass", said + over(paired), {})
    if p <= options.alpha:
        return _Found("fail", said + over(paired), {})
    said += f": not distinguishable from noise with {units(paired)}"
    if options.on_inconclusive == "pass":
        return _Found("pass", f"{said}, which the policy lets pass", {"inconclusive": True})
    return _Found("undecided", said, {"inconclusive": True})


def _noninferior(paired: Paired, limit: Decimal, options: RegressionOptions) -> _Found:
    level = float(1 - 2 * options.alpha)
    bound = paired.interval_at(level).high
    numbers: dict[str, object] = {"upper_bound": bound, "inconclusive": False}
    most = score_change(bound).replace("+", "")
    said = f"; with {percent(float(1 - options.alpha))} confidence it fell by less than {most}"
    if paired.exceeds(limit):
        return _Found("fail", said + over(paired), numbers)
    if bound < limit:
        return _Found("pass", said + over(paired), numbers)
    numbers["inconclusive"] = True
    return _Found("undecided", f"{said}: not shown to be within what is allowed", numbers)


_RULES: Final = {"significant": _significant, "point": _point, "noninferior": _noninferior}


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
    fails = mean_drop_exceeds(before, now, limit)
    was, is_now = fsum(before) / len(before), fsum(now) / len(now)
    numbers = {"baseline": was, "current": is_now, "drop": was - is_now, "max_drop": float(limit)}
    return GateVerdict(
        gate="regression",
        outcome="fail" if fails else "pass",
        because=(
            f"pass rate {score(is_now)}, {score(was)} in the baseline "
            f"(allowed drop {score(float(limit))})"
        ),
        numbers=canonical({"metric": "pass_rate", "rule": "point", **numbers}),
        case_ids=tuple(row.id for row in current.case_results if not row.passed),
    )
