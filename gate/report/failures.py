"""The cases a reader wants to see: what was expected, what came, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.figures import score

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gate.records.report import Report
    from gate.records.result import CaseResult, Evidence

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
    """Give the cases worth a look by title: newly failing, other failing, newly passing.

    ``most`` of each are shown.
    """
    compared = report.comparison
    failing = compared.newly_failing if compared else ()
    passing = compared.newly_passing if compared else ()
    wanted = frozenset((*failing[:most], *passing[:most]))
    found = {case.id: case for case in report.cases if case.id in wanted}
    known = frozenset(failing)
    others = tuple(case for case in report.cases if not case.passed and case.id not in known)

    def shown(cases: Iterable[CaseResult | None], total: int) -> Failures:
        return Failures(
            tuple(_failure(case, show_expected=show_expected) for case in cases if case), total
        )

    return (
        ("Newly failing", shown(map(found.get, failing[:most]), len(failing))),
        ("Other failing cases" if failing else "Failing cases", shown(others[:most], len(others))),
        ("Newly passing", shown(map(found.get, passing[:most]), len(passing))),
    )


def _failure(case: CaseResult, *, show_expected: bool) -> Failure:
    evidence = next(iter(case.evidence), None)
    details = () if evidence is None else _details(evidence, show_expected=show_expected)
    return Failure(case.id, case.labels, _became(case, evidence), details)


def _became(case: CaseResult, evidence: Evidence | None) -> str:
    said = _BECAME.get(case.standing) or f"score {score(case.score or 0.0)}"
    if not case.repeats:
        return said
    failed = sum(not run.passed for run in case.repeats)
    shown = f", run {evidence.repeat} shown" if evidence is not None else ""
    return f"{said}, {failed:,} of {len(case.repeats):,} runs failed{shown}"


def _details(evidence: Evidence, *, show_expected: bool) -> tuple[tuple[str, str], ...]:
    found = []
    if evidence.expected is not None and show_expected:
        found.append(("expected", evidence.expected))
    if evidence.output is not None:
        found.append(("got", evidence.output))
    if evidence.error is not None:
        found.append(("error", evidence.error))
    if evidence.expected_tools and evidence.tools != evidence.expected_tools:
        if show_expected:
            found.append(("expected tools", _path(evidence.expected_tools)))
        if evidence.tools is not None:
            found.append(("called tools", _path(evidence.tools)))
    return tuple(found)


def _path(tools: Sequence[str]) -> str:
    return " → ".join(tools) if tools else "(none)"
