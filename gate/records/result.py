"""What was measured: rows per case, their summary, and how it was measured."""

from typing import Annotated, Literal

from pydantic import Field

from gate.records.base import (
    Count,
    Digest,
    Flag,
    Metric,
    Name,
    ObjectText,
    Positive,
    Real,
    Record,
    Resamples,
    Share,
    Standing,
    StoredThreshold,
    Text,
    TrajectoryMode,
    row,
)
from gate.records.judge_run import Judgement


@row
class CaseDigest:
    """What a case was when it was scored; its labels stand openly in the row.

    ``whole`` decides whether two cases are the same; the short parts only name what
    changed when they are not.
    """

    whole: Digest
    input: Text
    reference: Text
    expected_tools: Text
    scorer: Text


@row
class RepeatResult:
    """One run of one case. ``score`` is ``None`` exactly when it is not ``scored``."""

    repeat: Count
    standing: Standing
    score: Share | None
    passed: Flag
    trajectory: Share
    judgement: Judgement | None = None


@row
class Evidence:
    """A bounded, redacted excerpt of what was expected and what came.

    ``reasons`` are what a judge said for its votes.
    """

    repeat: Count
    expected: Text | None
    output: Text | None
    error: Text | None
    expected_tools: tuple[Text, ...]
    tools: tuple[Text, ...] | None
    reasons: tuple[Text, ...] = ()


@row
class Accepted:
    """What the baseline holds for the same, unchanged case: one entry per repeat, in order.

    ``earlier`` has one value for each baseline before it, oldest first: ``None`` where the case
    was another one then; empty where no earlier one knew it.
    """

    scores: Annotated[tuple[Share | None, ...], Field(min_length=1)]
    passes: Annotated[tuple[Flag, ...], Field(min_length=1)]
    trajectory: Share
    earlier: tuple[Share | None, ...] = ()


@row
class CaseResult:
    """One golden case, whatever became of it: |results| = |cases|, always.

    With one repeat ``repeats`` is empty and the row itself is that run. With several,
    ``score`` is their mean (a run without a score counts 0; ``None`` if none has one),
    ``passed`` says that all passed, ``standing`` is the worst of theirs.
    ``trajectory`` is 1.0, vacuously, where no path is declared (``declares_path``).
    ``accepted`` is there where the case stands unchanged in the baseline, so that a stored
    result can be decided again from itself alone. Cases of one ``cluster`` are no independent
    evidence; one without is a cluster of its own. ``judgement`` is there with one repeat, where a
    judge was asked or would have been.
    """

    id: Name
    labels: tuple[Name, ...]
    digest: CaseDigest
    standing: Standing
    score: Share | None
    passed: Flag
    trajectory: Share
    declares_path: Flag
    accepted: Accepted | None = None
    cluster: Name | None = None
    repeats: tuple[RepeatResult, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    judgement: Judgement | None = None


class ScorerIdentity(Record):
    """Which arithmetic made the scores; another one is not comparable."""

    name: Name
    version: Positive
    params: ObjectText


class Interval(Record):
    """An interval on a share; ``n_boot`` and ``seed`` only where it was to be resampled.

    ``computed`` is there where the limit of ever more resamples was computed and none was
    drawn, so that ``n_boot`` and ``seed`` changed nothing: ``ideal`` exactly, ``ideal_binned``
    to a small part of the noise that ten thousand drawn ones have.
    """

    method: Literal[
        "wilson",
        "wilson_effective",
        "wilson_clustered",
        "percentile_bootstrap",
        "bayesian_bootstrap",
        "cluster_bootstrap",
    ]
    level: Share
    low: Share
    high: Share
    n_boot: Resamples | None = None
    seed: Count | None = None
    computed: Literal["ideal", "ideal_binned"] | None = None


class SliceResult(Record):
    """The cases that bear one label; ``k:<K>`` labels are the protocol's strata."""

    label: Name
    n_cases: Positive
    n_passed: Count
    pass_rate: Share
    mean_score: Share
    interval: Interval
    protocol_interval: Interval


class RunsSummary(Record):
    """The headline metric of each full run (the i-th repeat of every case), mean and s.d.

    ``sd`` is the sample standard deviation (n - 1).
    """

    metric: Metric
    values: tuple[Share, ...]
    mean: Share
    sd: Annotated[Real, Field(ge=0)]


class PassAt(Record):
    """Of ``k`` runs of a case: that one passes (pass@k), that all pass (pass^k); case means."""

    k: Positive
    any_passes: Share
    all_pass: Share


class SuiteResult(Record):
    """The whole suite in numbers.

    ``metric`` is the headline: what ``interval`` is about and what the regression gate
    compares unless told otherwise. ``protocol_interval`` is always about ``mean_score``,
    the mean over cases of their scores (the protocol's macro-average accuracy).
    ``n_passed`` counts cases whose every repeat passed; ``k_macro_average`` is the
    unweighted mean of the K strata's mean scores, ``None`` without strata. ``pass_at`` is there
    where repeats are; ``n_clusters`` and ``cluster_interval`` (of the headline, by bootstrap of
    whole clusters) where cases say which belong together.
    """

    n_cases: Positive
    n_passed: Count
    pass_rate: Share
    mean_score: Share
    trajectory_mean: Share
    k_macro_average: Share | None
    metric: Metric
    pass_threshold: StoredThreshold
    trajectory_mode: TrajectoryMode
    repeats: Positive
    standings: ObjectText
    interval: Interval
    protocol_interval: Interval
    runs: RunsSummary | None
    slices: tuple[SliceResult, ...]
    pass_at: tuple[PassAt, ...] = ()
    n_clusters: Positive | None = None
    cluster_interval: Interval | None = None


class Effort(Record):
    """What the agent's answers took, as the predictions say: nothing of it is measured here.

    ``n_answers`` counts all, errors among them; ``n_costs`` and ``n_latencies`` those that tell.
    The figures are 0 where none does. ``p95_latency_ms`` is by nearest rank. ``of_base`` is the
    same of the answers to the base commit's own cases, where a pull request brings others and
    those answers say anything.
    """

    n_answers: Count
    n_costs: Count
    cost_usd: Annotated[Real, Field(ge=0)]
    n_latencies: Count
    mean_latency_ms: Annotated[Real, Field(ge=0)]
    p95_latency_ms: Annotated[Real, Field(ge=0)]
    max_latency_ms: Annotated[Real, Field(ge=0)]
    of_base: "Effort | None" = None


class SuiteRun(Record):
    """A suite and its rows: what :func:`gate.run_suite` gives and the two plain gates read."""

    suite: SuiteResult
    case_results: tuple[CaseResult, ...]

    @property
    def pass_rate(self) -> float:
        """The mean over cases of their share of passing runs."""
        return self.suite.pass_rate

    @property
    def mean_score(self) -> float:
        """The mean over cases of their scores."""
        return self.suite.mean_score

    @property
    def n_passed(self) -> int:
        """How many cases passed in every run."""
        return self.suite.n_passed

    @property
    def n_total(self) -> int:
        """How many golden cases there are."""
        return self.suite.n_cases
