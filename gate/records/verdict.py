"""What the gates say."""

from typing import Literal

from gate.records.base import Count, Metric, Name, ObjectText, Positive, Real, Record, Share, Text
from gate.records.gating import Rule
from gate.records.result import Interval

Outcome = Literal["pass", "fail", "undecided", "off"]
Verdict = Literal["pass", "fail", "undecided"]


class GateVerdict(Record):
    """One gate's answer, explained in numbers.

    ``off`` means that the gate did not judge: the policy switched it off, there is no
    baseline and a floor decides instead, or no case is of the kind that it is about;
    ``because`` says which.
    """

    gate: Name
    outcome: Outcome
    because: Text
    numbers: ObjectText = "{}"
    case_ids: tuple[Name, ...] = ()

    @property
    def passed(self) -> bool:
        """Say whether this gate lets the change through: nothing but a pass does."""
        return self.outcome == "pass"


class ChangedCase(Record):
    """A case that is not what it was in the baseline, and in which fields."""

    id: Name
    fields: tuple[Name, ...]


class Comparison(Record):
    """This run against the baseline, case by case.

    ``drop`` is baseline minus current over the ``n_compared`` cases that stand unchanged in
    both; positive is worse; ``None`` where there is no such case. The two statistics that
    only a paired rule computes are ``None`` under ``point``.
    """

    metric: Metric
    rule: Rule
    n_compared: Count
    baseline: Share | None
    current: Share | None
    drop: Real | None
    interval: Interval | None = None
    p_value: Share | None = None
    minimum_detectable_drop: Share | None = None
    newly_failing: tuple[Name, ...] = ()
    newly_passing: tuple[Name, ...] = ()
    added: tuple[Name, ...] = ()
    removed: tuple[Name, ...] = ()
    changed: tuple[ChangedCase, ...] = ()
    differences: tuple[Text, ...] = ()
    baseline_reason: Text | None = None
    baseline_repeats: Positive = 1
