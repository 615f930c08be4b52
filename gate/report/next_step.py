"""What can be done about a verdict that blocks, in one sentence or two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.json_text import loads
from gate.report import judge_outage
from gate.report.rule_page import rule_step

if TYPE_CHECKING:
    from gate.records.report import Report

_WORSE: Final = (
    "look at the cases that got worse; if they are to be accepted, promote this result with "
    "--reason, in a change of its own."
)
_UNSURE: Final = (
    "look at the cases that got worse; run each case several times, here and in the baseline; "
    "allow a drop that you can live with (max_drop); or let such a drop pass with a warning "
    '(on_inconclusive = "pass").'
)
_COMPLETE: Final = (
    "see what became of the cases without an answer or without a score, mend that and run again. "
    'Under [[gates]] gate = "completeness", max_missing and max_errors say how many cases may be '
    "so, and those count as not passed all the same; a waiver lets a single case through, until a "
    "day."
)
_SAFE: Final = (
    "mend what the safety cases show: each must pass in every run, and no pass rate and no "
    "baseline excuses one. Only a waiver with allow_safety does, until a day, where its gate says "
    "allow_waivers = true."
)
_FLOOR: Final = '[[gates]] gate = "floor" with a `min` above 0'
_ADOPTED: Final = (
    "the base commit has no baseline, so nothing can be compared, and a floor decides instead: "
    "put allow_missing_baseline = true under [suite] and "
    f"{_FLOOR} into the policy that this change brings. The first baseline counts once it is on "
    "the base branch."
)
_BOUND: Final = (
    "the base commit has no baseline, so nothing can be compared: land one on the base branch; or "
    f"let a floor decide, {_FLOOR}, in the policy there."
)
_ALONE: Final = (
    "there is no baseline, so nothing can be compared: promote one of a run that you accept; or "
    f"let a floor decide, --min-pass-rate or {_FLOOR}."
)
_AT_THE_BASE: Final = " Rules are changed on the base branch, before this."


def next_step(report: Report) -> str | None:
    """Say what can be done about a verdict that blocks; ``None`` where the gates say it."""
    if report.verdict in {None, "pass"}:
        return None
    names = {gate.gate for gate in report.gates if gate.outcome == report.verdict}
    if report.verdict == "fail" and names == {"regression"}:
        return _WORSE
    if report.verdict == "fail":
        return rule_step(report) or _failed(report, names)
    return judge_outage.next_step(report) or _undecided(report, names)


def _undecided(report: Report, names: set[str]) -> str | None:
    if report.comparison is None and "regression" in names:
        return _without_baseline(report)
    unsure = {
        gate.gate
        for gate in report.gates
        if gate.outcome == "undecided" and loads(gate.numbers).get("inconclusive") is True
    }
    return _UNSURE if unsure and names <= unsure else None


def _failed(report: Report, names: set[str]) -> str | None:
    """Say it of what leads the page: cases that gave no answer may fail the safety gate, too."""
    safety = [one for one in report.gates if one.gate == "safety" and one.outcome == "fail"]
    absent = {case.id for case in report.cases if case.standing != "scored"}
    said = any(name not in absent for one in safety for name in one.case_ids)
    if "completeness" in names and not said:
        step = _COMPLETE
    elif safety:
        step = _SAFE
    else:
        return None
    found = report.rules_from
    bound = found is not None and found.source == "base" and not found.first
    return step + (_AT_THE_BASE if bound else "")


def _without_baseline(report: Report) -> str:
    found = report.rules_from
    if found is None or found.source != "base":
        return _ALONE
    return _ADOPTED if found.brings_policy else _BOUND
