"""What every gate is shown: values, nothing that reads or asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gate.records.gating import ComparableOptions, FloorOptions

if TYPE_CHECKING:
    from gate.records.alignment import Alignment
    from gate.records.base import TrajectoryMode
    from gate.records.policy import Policy
    from gate.records.result import CaseResult, SuiteResult


class Setting(NamedTuple):
    """What is known before anything is scored: enough to refuse a policy that cannot work."""

    has_baseline: bool
    labels: frozenset[str]
    trajectory_mode: TrajectoryMode


class Evidence(NamedTuple):
    """The rows, their summary and their baseline.

    ``alignment`` is ``None`` where there is no baseline; ``has_floor`` says whether a floor
    gate is in force, which then decides alone. ``pinned`` is false where neither a case file
    nor a baseline says which cases there should be. ``comparable`` is false where the two
    measurements differ as a whole and the policy has not switched that check off: then a drop
    between them means nothing.
    """

    rows: tuple[CaseResult, ...]
    suite: SuiteResult
    alignment: Alignment | None
    has_floor: bool
    pinned: bool
    comparable: bool

    @property
    def nothing_scored(self) -> bool:
        """Say that no run of any case has a score: whatever is allowed, that proves nothing."""
        return all(run.score is None for row in self.rows for run in (row.repeats or (row,)))


def evidence_for(
    policy: Policy,
    rows: tuple[CaseResult, ...],
    suite: SuiteResult,
    alignment: Alignment | None,
    *,
    pinned: bool,
) -> Evidence:
    """Put together what the gates of ``policy`` may know of each other."""
    gates = [gate for gate in policy.gates if gate.enabled]
    strict = any(isinstance(gate, ComparableOptions) for gate in gates)
    return Evidence(
        rows=rows,
        suite=suite,
        alignment=alignment,
        has_floor=any(isinstance(gate, FloorOptions) for gate in gates),
        pinned=pinned,
        comparable=alignment is not None and not (alignment.differences and strict),
    )
