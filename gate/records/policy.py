"""The rules of one run: what a file may say, what options may override, what is in force."""

from typing import Annotated

from pydantic import Field

from gate.records.base import (
    Count,
    Flag,
    Limit,
    Metric,
    Name,
    Positive,
    Record,
    Resamples,
    TrajectoryMode,
)
from gate.records.gating import Drop, GateOptions, Least, OnInconclusive, Rule
from gate.records.judge_options import (
    CommandLine,
    Concurrency,
    Cost,
    Date,
    JudgeOptions,
    Mode,
    Runs,
)
from gate.records.judge_words import Provider
from gate.records.scoring import ScorerOptions

Threshold = Annotated[Limit, Field(gt=0, le=1)]
"""A run passes at this score or above; at 0 every wrong answer would, a safety case's too."""


class SuiteOptions(Record):
    """The ``[suite]`` table: where the files are and how a case is counted.

    Unset keys fall back to the baseline's (``pass_threshold``, ``trajectory``, ``repeats``)
    and then to the defaults of the README. ``dataset`` is what you call this version of the
    golden set; the report shows it.
    """

    cases: Name | None = None
    predictions: Name | None = None
    baseline: Name | None = None
    dataset: Annotated[Name, Field(max_length=100)] | None = None
    pass_threshold: Threshold | None = None
    trajectory: TrajectoryMode | None = None
    repeats: Positive | None = None
    seed: Count = 0
    n_boot: Resamples = 10_000
    allow_missing_baseline: Flag = False
    advisory: Flag = False


class Policy(Record):
    """What decides: the policy file and the options, merged, every default gate spelt out."""

    suite: SuiteOptions
    scorer: ScorerOptions | None = None
    judge: JudgeOptions | None = None
    gates: tuple[GateOptions, ...] = ()


class Overrides(Record):
    """What the command line or the action's inputs say; ``None`` says nothing."""

    cases: Name | None = None
    predictions: Name | None = None
    baseline: Name | None = None
    scorer: Name | None = None
    tolerance: Annotated[Limit, Field(ge=0)] | None = None
    pass_threshold: Threshold | None = None
    trajectory: TrajectoryMode | None = None
    max_drop: Drop | None = None
    metric: Metric | None = None
    rule: Rule | None = None
    on_inconclusive: OnInconclusive | None = None
    min_pass_rate: Least | None = None
    repeats: Positive | None = None
    seed: Count | None = None
    n_boot: Resamples | None = None
    allow_missing_baseline: Flag | None = None
    advisory: Flag | None = None
    judge: Provider | None = None
    judge_model: Name | None = None
    judge_command: CommandLine | None = None
    judge_mode: Mode | None = None
    judge_base_url: Name | None = None
    judge_prompt: Name | None = None
    judge_runs: Runs | None = None
    judge_date: Date | None = None
    judge_trust: Name | None = None
    concurrency: Concurrency | None = None
    max_calls: Count | None = None
    max_cost: Cost | None = None
    ledger: Name | None = None
