"""How far a judge agrees with people: what ``calibrate`` found, tied to one judge."""

from itertools import pairwise
from typing import Annotated, Final, Literal, Self

from pydantic import Field, Strict, model_validator

from gate.records.base import (
    Count,
    Digest,
    Flag,
    Name,
    ObjectText,
    Positive,
    Real,
    Record,
    Share,
    Text,
    row,
)

MOST_CATEGORIES: Final = 20
Kappa = Annotated[Real, Field(ge=-1, le=1)]
Weighting = Literal["none", "linear", "quadratic"]


@row
class Label:
    """What a person said of one response: a number on the judge's scale."""

    id: Name
    repeat: Count = 0
    label: Real


class KappaBounds(Record):
    """The 95 % interval of a kappa, and the one-sided 95 % lower bound that trust may need."""

    method: Name
    low: Kappa
    high: Kappa
    lower_bound: Kappa


class LabelAgreement(Record):
    """Agreement on the cases that bear one label."""

    label: Name
    n_items: Positive
    agreement: Share
    kappa: Kappa | None


class Probe(Record):
    """One question of the audit: a figure, what it should be, and whether it is.

    ``figure`` is ``None`` where nobody answered, or where the probe has none. ``n`` is how many
    responses it rests on. ``held`` is ``None`` where nothing can be said; ``because`` says what
    the figure does not.
    """

    name: Name
    n: Count
    figure: Real | None
    wanted: Text
    held: Flag | None
    because: Text | None = None


class TrustRecord(Record):
    """Kappa between a judge and people, and what it was measured on.

    ``judge_config`` is the judge's identity and ``judge`` its digest: a record of another one
    says nothing. ``categories`` are the classes that were compared, in order, spelt as numbers:
    ratings, or 0 and 1 for fail and pass; ``confusion`` counts items by human label (rows) and
    judge's (columns). ``threshold`` is where scores became two classes, ``None`` where ratings
    were compared as they are. ``kappa`` is ``None`` where it is undefined: labels of one class
    alone show no agreement. Of the labels, ``n_items`` were compared; ``unscored`` had no verdict,
    ``not_asked`` were scored without this judge, ``unknown`` are of no response of the run.
    """

    kind: Literal["agent-eval-gate/trust"] = "agent-eval-gate/trust"
    schema_version: Annotated[int, Strict(), Field(ge=1, le=1)] = 1
    scorer: Name
    judge_config: ObjectText
    judge: Digest
    labels_digest: Digest
    n_items: Count
    unscored: Count
    not_asked: Count = 0
    unknown: Count = 0
    threshold: Share | None
    weighting: Weighting
    categories: Annotated[tuple[Real, ...], Field(min_length=2, max_length=MOST_CATEGORIES)]
    confusion: tuple[tuple[Count, ...], ...]
    human_counts: tuple[Count, ...]
    judge_counts: tuple[Count, ...]
    agreement: Share | None
    kappa: Kappa | None
    unweighted_kappa: Kappa | None
    interval: KappaBounds | None
    per_label: tuple[LabelAgreement, ...] = ()
    probes: tuple[Probe, ...] = ()

    @model_validator(mode="after")
    def _is_a_table(self) -> Self:
        size = len(self.categories)
        if any(before >= after for before, after in pairwise(self.categories)):
            raise ValueError("`categories` must rise")
        if {len(self.confusion), *map(len, self.confusion)} != {size}:
            raise ValueError(f"`confusion` must be a table of {size} by {size}")
        return self
