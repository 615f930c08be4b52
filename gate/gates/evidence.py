"""What every gate is shown: values, nothing that reads or asks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.gates.paired import Paired
from gate.records.gating import ComparableOptions, FloorOptions
from gate.records.rule_change import OWN

if TYPE_CHECKING:
    from collections.abc import Collection

    from gate.records.alignment import Alignment
    from gate.records.base import Metric, TrajectoryMode
    from gate.records.judge_run import JudgeRun
    from gate.records.policy import Policy
    from gate.records.result import CaseResult, Effort, SuiteResult
    from gate.records.rule_change import Origin
    from gate.records.trust import TrustRecord


class Circumstances(NamedTuple):
    """What is known besides rows and baseline: of a judge, what the answers took, and the day.

    ``gaps`` say why the predictions may not hold all that was run. ``day`` is there where the
    policy has waivers, which end. ``origin`` is whose rules these are,
    and what a pull request changes in them.
    """

    judge_config: str | None = None
    judge_run: JudgeRun | None = None
    judge_trust: TrustRecord | None = None
    effort: Effort | None = None
    day: str | None = None
    origin: Origin = OWN
    gaps: tuple[str, ...] = ()


NO_OTHERS: Final = Circumstances()


def brought_cases(origin: Origin) -> frozenset[str]:
    """Name the cases that only a pull request has, where its base commit says which there are."""
    found = origin.rules_from
    return frozenset(found.added) if found is not None and found.source == "base" else frozenset()


class Setting(NamedTuple):
    """What is known before anything is scored: enough to refuse a policy that cannot work."""

    has_baseline: bool
    labels: frozenset[str]
    trajectory_mode: TrajectoryMode
    judged_alone: frozenset[str] = frozenset()
    """Labels of cases that nothing but a judge decides."""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """The rows, their summary and their baseline.

    ``alignment`` is ``None`` where there is no baseline; ``has_floor`` says whether a floor
    gate is in force, which then decides alone: one above 0, since no run lies below that.
    ``pinned`` is false where neither a case file nor a baseline says which cases there should
    be. ``comparable`` is false where the two measurements differ as a whole and the policy has
    not switched that check off: then a drop between them means nothing. What begins with
    ``judge_`` is there where a judge was asked, and a record of its trust where there is one;
    ``effort`` where predictions say what they took. ``origin`` is whose rules these are,
    and what a pull request changes in them. ``gaps`` say why the predictions may not hold all
    that was run.
    """

    rows: tuple[CaseResult, ...]
    suite: SuiteResult
    alignment: Alignment | None
    has_floor: bool
    pinned: bool
    comparable: bool
    judge_config: str | None = None
    judge_run: JudgeRun | None = None
    judge_trust: TrustRecord | None = None
    effort: Effort | None = None
    origin: Origin = OWN
    gaps: tuple[str, ...] = ()

    def paired(self, metric: Metric) -> Paired | None:
        """Give the compared cases by ``metric``; ``None`` where a drop would mean nothing."""
        return self.beside(metric) if self.comparable else None

    def beside(self, metric: Metric) -> Paired | None:
        """Give them even where the two were measured differently: to be shown, not judged."""
        if self.alignment is None or not self.alignment.pairs:
            return None
        if metric not in self._paired:
            pairs = self.alignment.pairs
            self._paired[metric] = Paired.of_rows(pairs, metric)
        return self._paired[metric]

    def without(self, ids: Collection[str]) -> Evidence:
        """Give the same without some cases, on both sides; the suite's own figures stay."""
        held = self.alignment
        if held is not None:
            held = held._replace(pairs=tuple(row for row in held.pairs if row.id not in ids))
        rows = tuple(row for row in self.rows if row.id not in ids)
        return replace(self, rows=rows, alignment=held)

    @cached_property
    def _paired(self) -> dict[Metric, Paired]:
        return {}

    @cached_property
    def brought(self) -> frozenset[str]:
        """Name the cases that only a pull request has, and its base commit lacks."""
        return brought_cases(self.origin)

    @cached_property
    def views(self) -> tuple[tuple[CaseResult, ...], ...]:
        """Give all rows, and then those without new cases: a floor must hold over each.

        Where none but new ones would be left there is nothing more to give. New are those that
        only a pull request has, and those that the baseline lacks. The run without the change is
        held to all of its cases and to those that the baseline knows, so each kind is left out
        alone, and both together.
        """
        unknown = frozenset(() if self.alignment is None else self.alignment.added)
        kinds = dict.fromkeys((self.brought, unknown, self.brought | unknown))
        parts = [tuple(row for row in self.rows if row.id not in new) for new in kinds if new]
        return (self.rows, *(part for part in parts if part and len(part) < len(self.rows)))

    @property
    def why_unpaired(self) -> str:
        """Say why there is nothing to compare."""
        if self.alignment is None:
            return "no baseline, so nothing was compared"
        if not self.alignment.pairs:
            return "no case stands unchanged in this run and in the baseline"
        return "the two runs were measured differently: a drop would mean nothing"

    @property
    def nothing_scored(self) -> bool:
        """Say that no run of any case has a score: whatever is allowed, that proves nothing.

        A case that only a pull request has proves nothing of the others.
        """
        others = tuple(row for row in self.rows if row.id not in self.brought) or self.rows
        return all(run.score is None for row in others for run in (row.repeats or (row,)))


def evidence_for(
    policy: Policy,
    rows: tuple[CaseResult, ...],
    suite: SuiteResult,
    alignment: Alignment | None,
    *,
    pinned: bool,
    others: Circumstances = NO_OTHERS,
) -> Evidence:
    """Put together what the gates of ``policy`` may know of each other."""
    gates = [gate for gate in policy.gates if gate.enabled]
    strict = any(isinstance(gate, ComparableOptions) for gate in gates)
    return Evidence(
        rows=rows,
        suite=suite,
        alignment=alignment,
        has_floor=any(isinstance(gate, FloorOptions) and gate.min > 0 for gate in gates),
        pinned=pinned,
        comparable=alignment is not None and not (alignment.differences and strict),
        judge_config=others.judge_config,
        judge_run=others.judge_run,
        judge_trust=others.judge_trust,
        effort=others.effort,
        origin=others.origin,
        gaps=others.gaps,
    )
