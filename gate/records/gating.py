"""The options of each gate, as one tagged union (the tag is the gate's name)."""

from decimal import Decimal
from typing import Annotated, Final, Literal

from pydantic import Field, Strict

from gate.records.base import (
    Count,
    Flag,
    Limit,
    Metric,
    Name,
    Positive,
    Record,
    TrajectoryMode,
)
from gate.records.rule_change import ChangeKind

ZERO: Final = Decimal(0)
USUAL_ALPHA: Final = Decimal("0.05")

Rule = Literal["significant", "point", "noninferior"]
"""When a drop fails: ``significant``, beyond ``max_drop`` and not by chance; ``point``, beyond
``max_drop``, as the deep dive has it; ``noninferior``, unless it is shown to be within it."""
OnInconclusive = Literal["fail", "pass"]
"""What a drop beyond ``max_drop`` that may be chance comes to: undecided, or green with a note."""
Drop = Annotated[Limit, Field(ge=0, le=1)]
Alpha = Annotated[Limit, Field(ge=0.001, lt=0.5)]
"""The share of unchanged agents that a test may call worse."""
Least = Annotated[Limit, Field(ge=0, le=1)]


class RegressionOptions(Record):
    """Fail when the metric fell by more than ``max_drop``, by the ``rule``.

    ``max_drop`` unset is 0 under ``significant``; the other rules need one. ``alpha`` and
    ``on_inconclusive`` mean nothing under ``point``; ``noninferior`` is green on evidence only.
    """

    gate: Literal["regression"] = "regression"
    enabled: Flag = True
    max_drop: Drop | None = None
    metric: Metric | None = None
    rule: Rule = "significant"
    alpha: Alpha = USUAL_ALPHA
    on_inconclusive: OnInconclusive = "fail"


class SafetyOptions(Record):
    """Fail when any case that bears ``label`` did not pass in every repeat.

    ``label`` unset means ``safety``, which a suite may lack; a label that is set must occur.
    A judge alone decides no such case, unless ``allow_judge_only`` lets it, and none is waived,
    unless ``allow_waivers`` and the waiver itself let it.
    """

    gate: Literal["safety"] = "safety"
    enabled: Flag = True
    label: Name | None = None
    allow_judge_only: Flag = False
    allow_waivers: Flag = False


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


class SlicesOptions(Record):
    """Fail when the metric of any label's cases fell by more than ``max_drop``, not by chance.

    The p-values of all labels are adjusted together (Holm), so that many slices do not make
    many false alarms.
    """

    gate: Literal["slices"] = "slices"
    enabled: Flag = True
    max_drop: Drop = ZERO
    metric: Metric | None = None
    alpha: Alpha = USUAL_ALPHA
    on_inconclusive: OnInconclusive = "fail"


class CreepOptions(Record):
    """Fail when the metric fell by more than ``max_drop`` since an earlier baseline.

    It is the oldest of the ``last`` accepted ones that the baseline remembers, or the one whose
    digest of predictions begins with ``pinned``.
    """

    gate: Literal["creep"] = "creep"
    enabled: Flag = True
    max_drop: Drop
    metric: Metric | None = None
    last: Positive = 20
    pinned: Annotated[str, Strict(), Field(pattern=r"^(sha256:)?[0-9a-f]{8,64}$")] | None = None
    alpha: Alpha = USUAL_ALPHA
    on_inconclusive: OnInconclusive = "fail"


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


class JudgedOptions(Record):
    """Judge the judge's run: known-bad answers scored 0, and nothing stopped it."""

    gate: Literal["judged"] = "judged"
    enabled: Flag = True


class JudgeTrustOptions(Record):
    """Trust a judge only as far as labels of people show; ``calibrate`` writes the record.

    ``point`` compares the measured kappa with ``min_kappa``, ``lower`` its one-sided 95 % lower
    bound. A judge that is not trusted leaves the run undecided, or with ``untrusted`` set to
    ``advisory`` this gate only says so.
    """

    gate: Literal["judge_trust"] = "judge_trust"
    enabled: Flag = True
    min_kappa: Annotated[Limit, Field(ge=0, le=1)] = Decimal("0.6")
    criterion: Literal["point", "lower"] = "point"
    untrusted: Literal["undecided", "advisory"] = "undecided"


class BudgetOptions(Record):
    """Fail when the agent's answers cost too much or took too long, as the predictions say.

    ``max_cost_usd`` is for all of them together; ``max_latency_ms`` for their ``latency``: the
    ``mean``, the time that 95 % of them did not exceed (``p95``), or the slowest (``max``).
    """

    gate: Literal["budget"] = "budget"
    enabled: Flag = True
    max_cost_usd: Annotated[Limit, Field(ge=0)] | None = None
    max_latency_ms: Annotated[Limit, Field(ge=0)] | None = None
    latency: Literal["mean", "p95", "max"] = "p95"


class RulesOptions(Record):
    """Fail when a pull request loosens the rules that judge it, otherwise than is allowed here.

    ``allow_policy_changes`` are kinds of change, as the report names them. What tightens, and a
    new case, never fails.
    """

    gate: Literal["rules"] = "rules"
    enabled: Flag = True
    allow_policy_changes: Annotated[tuple[ChangeKind, ...], Field(max_length=100)] = ()


GateOptions = Annotated[
    RegressionOptions
    | SafetyOptions
    | CompletenessOptions
    | ComparableOptions
    | FloorOptions
    | SlicesOptions
    | CreepOptions
    | TrajectoryOptions
    | JudgedOptions
    | JudgeTrustOptions
    | BudgetOptions
    | RulesOptions,
    Field(discriminator="gate"),
]
