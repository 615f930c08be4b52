"""The options of each gate, as one tagged union (the tag is the gate's name)."""

from typing import Annotated, Literal

from pydantic import Field

from gate.records.base import Count, Flag, Limit, Metric, Name, Record, TrajectoryMode

Rule = Literal["point"]
"""``point`` fails on any drop beyond ``max_drop``, as the deep dive has it."""
Drop = Annotated[Limit, Field(ge=0, le=1)]
Least = Annotated[Limit, Field(ge=0, le=1)]


class RegressionOptions(Record):
    """Fail when the metric fell by more than ``max_drop`` (required while the gate is on)."""

    gate: Literal["regression"] = "regression"
    enabled: Flag = True
    max_drop: Drop | None = None
    metric: Metric | None = None
    rule: Rule = "point"


class SafetyOptions(Record):
    """Fail when any case that bears ``label`` did not pass in every repeat.

    ``label`` unset means ``safety``, which a suite may lack; a label that is set must occur.
    """

    gate: Literal["safety"] = "safety"
    enabled: Flag = True
    label: Name | None = None


class CompletenessOptions(Record):
    """Fail when more cases than allowed are missing, or errored, or could not be scored."""

    gate: Literal["completeness"] = "completeness"
    enabled: Flag = True
    max_missing: Count = 0
    max_errors: Count = 0


class ComparableOptions(Record):
    """Refuse a baseline measured otherwise, or cases that changed or went away."""

    gate: Literal["comparable"] = "comparable"
    enabled: Flag = True
    allow_changed: Flag = False
    allow_removed: Flag = False


class FloorOptions(Record):
    """Fail when the metric is below ``min``, whatever the baseline was."""

    gate: Literal["floor"] = "floor"
    enabled: Flag = True
    min: Least
    metric: Metric | None = None


class TrajectoryOptions(Record):
    """Judge the paths of the cases that declare one; the mode is the suite's.

    ``mode`` may repeat the suite's, so that the policy reads well; ``min`` is 1 for
    ``exact``; ``set`` and ``order`` need ``min`` or ``max_drop``.
    """

    gate: Literal["trajectory"] = "trajectory"
    enabled: Flag = True
    mode: TrajectoryMode | None = None
    min: Least | None = None
    max_drop: Drop | None = None


GateOptions = Annotated[
    RegressionOptions
    | SafetyOptions
    | CompletenessOptions
    | ComparableOptions
    | FloorOptions
    | TrajectoryOptions,
    Field(discriminator="gate"),
]
