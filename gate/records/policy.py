"""The rules of one run: what the policy file may say, and what is in force after merging."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from gate.records.base import Count, Flag, Limit, Name, Positive, Record, TrajectoryMode
from gate.records.gating import GateOptions
from gate.records.scoring import ScorerOptions

Threshold = Annotated[Limit, Field(ge=0, le=1)]


class SuiteOptions(Record):
    """The ``[suite]`` table: where the files are and how a case is counted.

    Unset keys fall back to the baseline's (``pass_threshold``, ``trajectory``, ``repeats``)
    and then to the defaults of the README.
    """

    cases: Name | None = None
    predictions: Name | None = None
    baseline: Name | None = None
    pass_threshold: Threshold | None = None
    trajectory: TrajectoryMode | None = None
    repeats: Positive | None = None
    seed: Count = 0
    n_boot: Annotated[Positive, Field(le=1_000_000)] = 10_000
    allow_missing_baseline: Flag = False
    advisory: Flag = False


class Policy(Record):
    """What decides: the policy file and the options, merged, every default gate spelt out."""

    suite: SuiteOptions = SuiteOptions.model_construct()
    scorer: ScorerOptions | None = None
    gates: tuple[GateOptions, ...] = ()
