"""An accepted result, reduced to what a comparison needs."""

from typing import Literal

from gate.records.base import (
    Digest,
    Flag,
    Metric,
    Name,
    ObjectText,
    Positive,
    Record,
    Share,
    StoredThreshold,
    Text,
    TrajectoryMode,
    row,
)
from gate.records.result import CaseDigest, ScorerIdentity


@row
class BaselineRow:
    """One accepted case: ``scores`` and ``passes`` hold one entry per repeat, in order.

    ``earlier`` holds its value, by the headline metric, in each run of the history, oldest
    first: ``None`` where the case was another one then. Empty says so of all of them.
    """

    id: Name
    labels: tuple[Name, ...]
    digest: CaseDigest
    scores: tuple[Share | None, ...]
    passes: tuple[Flag, ...]
    trajectory: Share
    declares_path: Flag
    cluster: Name | None = None
    earlier: tuple[Share | None, ...] = ()


class AcceptedSummary(Record):
    """What one accepted run measured, kept when a later one replaces it.

    In the history ``reason`` is the one that baseline carried, and ``knowingly`` says that it was
    accepted although it had not passed.
    """

    n_cases: Positive
    pass_rate: Share
    mean_score: Share
    trajectory_mean: Share
    predictions: Digest
    metric: Metric
    repeats: Positive
    reason: Text | None = None
    knowingly: Flag = False


class Baseline(Record):
    """The file ``baselines/<suite>.json``; ``history`` holds earlier summaries, oldest first.

    ``metric`` is the headline that was judged. ``reason`` is what somebody said on accepting it;
    ``knowingly`` says that it had not passed, so that without a reason it had been refused.
    ``waived`` are the cases that a gate had left out by a waiver: their rows say that they failed.
    """

    kind: Literal["agent-eval-gate/baseline"] = "agent-eval-gate/baseline"
    schema_version: Literal[1] = 1
    scorer: ScorerIdentity
    judge_config: ObjectText | None = None
    metric: Metric
    pass_threshold: StoredThreshold
    trajectory_mode: TrajectoryMode
    repeats: Positive
    summary: AcceptedSummary
    cases_digest: Digest
    reason: Text | None = None
    knowingly: Flag = False
    waived: tuple[Name, ...] = ()
    history: tuple[AcceptedSummary, ...] = ()
    rows: tuple[BaselineRow, ...]
