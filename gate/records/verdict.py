"""What the gates say."""

from typing import Literal

from gate.records.base import (
    Count,
    Flag,
    Metric,
    Name,
    ObjectText,
    Positive,
    Real,
    Record,
    Share,
    Text,
)
from gate.records.baseline import AcceptedSummary
from gate.records.gating import Rule

Outcome = Literal["pass", "fail", "undecided", "off"]
Verdict = Literal["pass", "fail", "undecided"]


class GateVerdict(Record):
    """One gate's answer, explained in numbers.

    ``off`` means that the gate did not judge: the policy switched it off, there is no
    baseline and a floor decides instead, or no case is of the kind that it is about;
    ``because`` says which. ``waived`` are cases that went wrong and were left out, since a
    waiver says so; ``case_ids`` are without them.
    """

    gate: Name
    outcome: Outcome
    because: Text
    numbers: ObjectText = "{}"
    case_ids: tuple[Name, ...] = ()
    waived: tuple[Name, ...] = ()

    @property
    def passed(self) -> bool:
        """Say whether this gate lets the change through: nothing but a pass does."""
        return self.outcome == "pass"


class ChangedCase(Record):
    """A case that is not what it was in the baseline, and in which fields."""

    id: Name
    fields: tuple[Name, ...]


class DropInterval(Record):
    """An interval on a drop, from -1 (all got better) to 1 (all got worse)."""

    method: Literal["newcombe", "wilson_effective", "wilson_clustered"]
    level: Share
    low: Real
    high: Real


class Noise(Record):
    """How much an unchanged agent moves, as far as these runs show it.

    ``flips`` is the share of cases that flip, ``spread`` the standard deviation of the change of
    a case, or of a cluster's mean; ``n_units`` is how many of them there are. ``source`` says
    whether repeats of one agent show it, or the two runs compared.
    """

    kind: Literal["flips", "spread"]
    value: Share
    source: Literal["repeats", "pairs"]
    n_units: Positive


class MetricChange(Record):
    """One metric over the compared cases; ``label`` where only those that bear it."""

    metric: Metric
    label: Name | None = None
    n_compared: Positive
    baseline: Share
    current: Share
    drop: Real


class Comparison(Record):
    """This run against the baseline, case by case.

    ``drop`` is baseline minus current over the ``n_compared`` cases that stand unchanged in
    both; positive is worse. It, its ``interval``, the one-sided ``p_value`` of ``test`` and what
    follows from them are ``None`` where there is no such case, or where the two measurements
    are not comparable. ``minimum_detectable_drop`` is what the rule in force sees four times in
    five, made of cases that lose all they have, which is the hardest to see; the even one, for
    graded values, of all cases losing alike; ``None`` where no drop is seen so often. Under
    ``noninferior`` there is ``certification`` instead: how often an unchanged agent passes.
    ``changes`` hold both metrics over all compared
    cases, and the headline's per label; ``fallen_slices`` are the labels that fell by more than
    ``max_drop`` and beyond chance among all of them, the worst first. ``history`` are the
    baselines before, oldest first.
    """

    metric: Metric
    rule: Rule
    n_compared: Count
    baseline: Share | None
    current: Share | None
    drop: Real | None
    interval: DropInterval | None = None
    p_value: Share | None = None
    test: Name | None = None
    n_worse: Count = 0
    n_better: Count = 0
    noise: Noise | None = None
    minimum_detectable_drop: Share | None = None
    minimum_detectable_even_drop: Share | None = None
    certification: Share | None = None
    changes: tuple[MetricChange, ...] = ()
    history: tuple[AcceptedSummary, ...] = ()
    fallen_slices: tuple[Name, ...] = ()
    newly_failing: tuple[Name, ...] = ()
    newly_passing: tuple[Name, ...] = ()
    added: tuple[Name, ...] = ()
    removed: tuple[Name, ...] = ()
    changed: tuple[ChangedCase, ...] = ()
    differences: tuple[Text, ...] = ()
    baseline_reason: Text | None = None
    baseline_best_of: Count = 0
    baseline_knowingly: Flag = False
    baseline_waived: tuple[Name, ...] = ()
    baseline_repeats: Positive = 1
