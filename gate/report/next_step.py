"""What can be done about a verdict that blocks, in one sentence or two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.json_text import loads
from gate.report import judge_outage
from gate.report.rule_page import rule_step

if TYPE_CHECKING:
    from gate.records.report import Report

_DROPS: Final = frozenset(("regression", "slices"))
_WORSE: Final = (
    "mend the cases that newly fail or got worse. If the drop is meant, accept it: promote this "
    "result by `baseline promote --reason`, in a change of its own, or waive single cases "
    "(`[[waivers]]`) until a day."
)
_WORSE_HERE: Final = (
    "mend the cases that newly fail or got worse. If the drop is meant, it is accepted on the "
    "base branch, not in this pull request: by a waiver there (`[[waivers]]`), or by the baseline "
    "that `baseline promote --reason` makes."
)
_UNSURE: Final = (
    "look at the cases that got worse; run each case several times, here and in the baseline; "
    "allow a drop that you can live with (`max_drop`); or let such a drop pass with a warning "
    '(`on_inconclusive = "pass"`).'
)
_UNSURE_HERE: Final = (
    "look at the cases that got worse; run each case several times, here and in the baseline, or "
    "have more cases there: less is left to chance then. `max_drop` and `on_inconclusive` are "
    "changed on the base branch first: loosened in this pull request, they fail the gate `rules`."
)
_COMPLETE: Final = (
    "see what became of the cases without an answer or without a score, mend that and run again. "
    'Under `[[gates]] gate = "completeness"`, `max_missing` and `max_errors` say how many may be '
    "so, and those count as not passed all the same; a waiver lets a single case through."
)
_SAFE: Final = (
    "mend what the safety cases show: each must pass in every run, and no pass rate and no "
    "baseline excuses one. Only a waiver with `allow_safety` does, until a day, where its gate "
    "says `allow_waivers = true`."
)
_SAFE_ADDED: Final = (
    "mend what the safety cases show, or the cases themselves, which only this pull request has: "
    "each must pass in every run, and no pass rate excuses one."
)
_FLOOR: Final = '`[[gates]] gate = "floor"` with a `min` above 0'
_ADOPTED: Final = (
    "the base commit has no baseline, so nothing can be compared, and a floor decides instead: "
    "put `allow_missing_baseline = true` under `[suite]` and "
    f"{_FLOOR} into the policy that this change brings. The first baseline counts once it is on "
    "the base branch."
)
_BOUND: Final = (
    "the base commit has no baseline, so nothing can be compared: land one on the base branch; or "
    f"let a floor decide, {_FLOOR}, in the policy there."
)
_ALONE: Final = (
    "there is no baseline, so nothing can be compared: promote one of a run that you accept; or "
    f"let a floor decide, `--min-pass-rate` or {_FLOOR}."
)
_AT_THE_BASE: Final = " Rules are changed on the base branch, before this."


def next_step(report: Report) -> str | None:
    """Say what can be done about a verdict that blocks; ``None`` where the gates say it."""
    if report.verdict in {None, "pass"}:
        return None
    names = {gate.gate for gate in report.gates if gate.outcome == report.verdict}
    if report.verdict == "fail" and names and names <= _DROPS:
        return _WORSE_HERE if _is_held(report) else _WORSE
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
    if not unsure or not names <= unsure:
        return None
    return _UNSURE_HERE if _is_held(report) else _UNSURE


def _is_held(report: Report) -> bool:
    """Say whether a pull request is held to rules that it cannot change."""
    found = report.rules_from
    return found is not None and found.source == "base" and not found.brings_policy


def _failed(report: Report, names: set[str]) -> str | None:
    """Say it of what leads the page: cases that gave no answer may fail the safety gate, too."""
    safety = [one for one in report.gates if one.gate == "safety" and one.outcome == "fail"]
    absent = {case.id for case in report.cases if case.standing != "scored"}
    said = any(name not in absent for one in safety for name in one.case_ids)
    added = frozenset(report.rules_from.added if report.rules_from else ())
    if "completeness" in names and not said:
        step = _COMPLETE
    elif safety and _is_held(report) and added.issuperset(*(one.case_ids for one in safety)):
        return _SAFE_ADDED
    elif safety:
        step = _SAFE
    else:
        return None
    return step + (_AT_THE_BASE if _is_held(report) else "")


def _without_baseline(report: Report) -> str:
    found = report.rules_from
    if found is None or found.source != "base":
        return _ALONE
    return _ADOPTED if found.brings_policy else _BOUND
