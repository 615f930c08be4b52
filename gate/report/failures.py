"""The cases a reader wants to see: what was expected, what came, and what became of it."""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.figures import score
from gate.records.values import accepted_value, is_open, paired_values
from gate.report.judge_outage import open_cases
from gate.report.measures import is_comparable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gate.records.report import Report
    from gate.records.result import CaseResult, Evidence

    _Ranked = tuple[float, str, CaseResult]

UNJUDGED: Final = "Without a verdict of the judge"
_BECAME: Final = {
    "missing": "no prediction",
    "agent_error": "the agent reported an error",
    "unscored": "not scored by the judge",
    "unscorable": "could not be scored",
}


class Failure(NamedTuple):
    """One case; every text but ``became`` is untrusted, and empty where there is none.

    ``details`` are pairs of a name and a text, such as ``("expected", "Paris")``.
    """

    id: str
    labels: tuple[str, ...]
    became: str
    details: tuple[tuple[str, str], ...]


class Failures(NamedTuple):
    """The first few of ``total`` cases."""

    shown: tuple[Failure, ...]
    total: int

    @property
    def hidden(self) -> int:
        """How many are not shown."""
        return self.total - len(self.shown)


def groups(report: Report, *, most: int, show_expected: bool) -> tuple[tuple[str, Failures], ...]:
    """Give the cases worth a look by title: failing ones, newly passing ones, wrong paths.

    ``most`` of each are shown. Wrong paths are there while a trajectory gate judges. Where the
    headline is the mean score nobody said what passes: those that fell most are shown instead.
    """
    if report.suite.metric == "mean_score":
        return _of_scores(report, most=most, show_expected=show_expected)
    compared = report.comparison
    failing = compared.newly_failing if compared else ()
    passing = compared.newly_passing if compared else ()
    wanted = frozenset((*failing[:most], *passing[:most]))
    found = {case.id: case for case in report.cases if case.id in wanted}
    left = open_cases(report)
    known = frozenset((*failing, *(case.id for case in left)))
    others = tuple(case for case in report.cases if not case.passed and case.id not in known)
    comparable = is_comparable(report)

    def shown(cases: Iterable[CaseResult | None], total: int) -> Failures:
        made = (
            case_failure(case, show_expected=show_expected, comparable=comparable)
            for case in cases
            if case
        )
        return Failures(tuple(made), total)

    return (
        ("Newly failing", shown(map(found.get, failing[:most]), len(failing))),
        ("Other failing cases" if failing else "Failing cases", shown(others[:most], len(others))),
        (UNJUDGED, shown(left[:most], len(left))),
        ("Newly passing", shown(map(found.get, passing[:most]), len(passing))),
        ("Wrong paths", _wrong_paths(report, most=most, show_expected=show_expected)),
    )


def _of_scores(
    report: Report, *, most: int, show_expected: bool
) -> tuple[tuple[str, Failures], ...]:
    """Give the cases that fell most, or where none did those that scored least."""
    comparable = is_comparable(report)
    left = open_cases(report)
    known = [case for case in report.cases if not is_open(case)] if left else report.cases
    title, ranked = "Fell most", _by_loss(known) if comparable else []
    if not ranked:
        title, ranked = "Lowest scores", _by_lack(known)
    shown = (
        case_failure(case, show_expected=show_expected, comparable=comparable)
        for _, _, case in nsmallest(most, ranked)
    )
    wrong = _wrong_paths(report, most=most, show_expected=show_expected)
    unjudged = (
        case_failure(case, show_expected=show_expected, comparable=comparable)
        for case in left[:most]
    )
    return (
        (title, Failures(tuple(shown), len(ranked))),
        (UNJUDGED, Failures(tuple(unjudged), len(left))),
        ("Wrong paths", wrong),
    )


def _by_loss(cases: Sequence[CaseResult]) -> list[_Ranked]:
    """Give the cases that lost some of their score, each after what it gained and its id."""
    compared = [case for case in cases if case.accepted is not None]
    values = zip(compared, *paired_values(compared, "mean_score"), strict=True)
    return [(now - was, case.id, case) for case, was, now in values if now < was]


def _by_lack(cases: Iterable[CaseResult]) -> list[_Ranked]:
    """Give the cases whose score is not full in the same way."""
    scores = ((case, case.score or 0.0) for case in cases)
    return [(now - 1.0, case.id, case) for case, now in scores if now < 1.0]


def case_failure(case: CaseResult, *, show_expected: bool, comparable: bool) -> Failure:
    """Give one case; its score stands after the accepted one where both are ``comparable``."""
    evidence = _shown(case)
    details = () if evidence is None else _details(evidence, show_expected=show_expected)
    became = _became(case, evidence, comparable=comparable)
    return Failure(case.id, case.labels, became, details)


def _shown(case: CaseResult) -> Evidence | None:
    """Give the first excerpt that shows something: an error where the case ended in one."""
    found = case.evidence
    errors = [one for one in found if one.error is not None]
    answers = [one for one in found if one.output is not None]
    preferred = errors if case.standing == "agent_error" else answers
    return next(iter(preferred or errors or answers or found), None)


def _became(case: CaseResult, evidence: Evidence | None, *, comparable: bool) -> str:
    said = _BECAME.get(case.standing)
    total, failed = len(case.repeats), sum(not run.passed for run in case.repeats)
    if said is None:
        said = f"score {_score(case, comparable=comparable)}"
        if total:
            said += (
                f", {failed:,} of {total:,} runs failed" if failed else f", {total:,} runs passed"
            )
    elif total:
        such = sum(run.standing == case.standing for run in case.repeats)
        said += f" in {such:,} of {total:,} runs"
        said += f", {failed:,} of {total:,} runs failed" if failed != such else ""
    return said + (_run(evidence) if total else "")


def _run(evidence: Evidence | None) -> str:
    """Say which run is shown, where one is: of a missing one there is nothing to show."""
    if evidence is None or (evidence.output is None and evidence.error is None):
        return ""
    return f", run {evidence.repeat} shown"


def _score(case: CaseResult, *, comparable: bool) -> str:
    """Spell the score, after the accepted one where it moved."""
    now = score(case.score or 0.0)
    if case.accepted is None or not comparable:
        return now
    was = score(accepted_value(case.accepted, "mean_score"))
    return now if was == now else f"{was} → {now}"


def _details(evidence: Evidence, *, show_expected: bool) -> tuple[tuple[str, str], ...]:
    found = []
    if evidence.expected is not None and show_expected:
        found.append(("expected", evidence.expected))
    if evidence.output is not None:
        found.append(("got", evidence.output))
    if evidence.error is not None:
        found.append(("error", evidence.error))
    if show_expected:  # whoever explains a score quotes what was expected
        found += [("why", reason) for reason in dict.fromkeys(evidence.reasons)]
    answered = evidence.output is not None or evidence.tools is not None
    if answered and evidence.expected_tools and evidence.tools != evidence.expected_tools:
        found += _tools(evidence, show_expected=show_expected)
    return tuple(found)


def _tools(evidence: Evidence, *, show_expected: bool) -> list[tuple[str, str]]:
    found = [("expected tools", _path(evidence.expected_tools))] if show_expected else []
    if evidence.tools is not None:
        found.append(("called tools", _path(evidence.tools)))
    return found


def _path(tools: Sequence[str]) -> str:
    return " → ".join(tools) if tools else "(none)"


def _wrong_paths(report: Report, *, most: int, show_expected: bool) -> Failures:
    if not any(gate.gate == "trajectory" and gate.outcome != "off" for gate in report.gates):
        return Failures((), 0)
    wrong = [case for case in report.cases if case.declares_path and case.trajectory < 1.0]
    made = (_wrong_path(case, show_expected=show_expected) for case in wrong[:most])
    return Failures(tuple(made), len(wrong))


def _wrong_path(case: CaseResult, *, show_expected: bool) -> Failure:
    runs = {run.repeat: run for run in case.repeats}
    astray = {at for at, run in runs.items() if run.trajectory < 1.0} if runs else {0}
    evidence = next((one for one in case.evidence if one.repeat in astray), None)
    became = f"path score {score(case.trajectory)}"
    if runs:
        became += f", wrong in {len(astray):,} of {len(runs):,} runs"
    if evidence is None or evidence.output is None:
        became += f": {_BECAME[case.standing]}" if case.standing in _BECAME else ""
        return Failure(case.id, case.labels, became, ())
    if runs:
        became += _run(evidence)
    if evidence.tools is None:
        became += ": the prediction does not say which tools were called"
    tools = _tools(evidence, show_expected=show_expected)
    return Failure(case.id, case.labels, became, tuple(tools))
