"""What a suite can see, before anything is run: the answer of ``plan``."""

from typing import Annotated, Literal

from pydantic import Field, Strict

from gate.records.base import Count, Flag, Metric, Positive, Record, Share
from gate.records.gating import Alpha, Drop, Rule


class Sight(Record):
    """What is seen under one assumption about noise.

    ``noise`` is the share of cases that flip with nothing changed (``flips``), or the standard
    deviation of a case's change (``spread``). The drops are seen with the plan's power: by the
    test alone, and by the whole rule, which can only fail what exceeds ``max_drop``; both made of
    cases that lose all they have, which is the hardest to see, and ``even_by_rule`` of all
    graded cases losing alike. ``None`` where no drop is seen. ``cases_needed`` is for the wanted
    drop, ``None`` where no number of cases would do.
    """

    kind: Literal["flips", "spread"]
    noise: Share
    measured: Flag
    by_test: Share | None
    by_rule: Share | None
    even_by_rule: Share | None = None
    cases_needed: Positive | None


class Certification(Record):
    """How often an unchanged agent passes the rule ``noninferior``, under one noise.

    ``cases_needed`` lets it pass with the plan's power; ``None`` if no number of cases does.
    """

    kind: Literal["flips", "spread"]
    noise: Share
    measured: Flag
    passes: Share
    cases_needed: Positive | None


class RepeatedSight(Record):
    """The drop that the whole rule sees with so many runs of each case on both sides."""

    repeats: Positive
    by_rule: Share | None


class Unchanged(Record):
    """One agent's own full runs, each taken once as the baseline of each other."""

    n_pairs: Positive
    n_failed: Count
    n_undecided: Count


class Plan(Record):
    """What ``n_cases`` can see under a rule, and what more cases or repeats would.

    Where cases name clusters everything is about clusters: ``clustered`` says so, and
    ``n_cases`` counts them.

    ``source`` says where the measured noise comes from: ``repeats`` of one agent, the ``pairs``
    of a result and its baseline, or nowhere, and then every row is an assumption.
    ``at_max_drop`` is how often a true drop equal to ``max_drop`` fails; ``repeats_needed`` is
    how many runs of each case, on both sides, let the rule see ``wanted`` in these cases,
    ``None`` where none do. The rule ``noninferior`` looks for no drop: then there are
    ``certifications`` in place of all that.
    """

    kind: Literal["agent-eval-gate/plan"] = "agent-eval-gate/plan"
    schema_version: Annotated[int, Strict(), Field(ge=1, le=1)] = 1
    n_cases: Positive
    clustered: Flag = False
    metric: Metric
    mean: Share
    rule: Rule
    max_drop: Drop
    alpha: Alpha
    power: Share
    wanted: Share
    repeats: Positive
    source: Literal["repeats", "pairs"] | None
    sights: tuple[Sight, ...] = ()
    at_max_drop: Share | None = None
    by_repeats: tuple[RepeatedSight, ...] = ()
    repeats_needed: Positive | None = None
    unchanged: Unchanged | None = None
    certifications: tuple[Certification, ...] = ()
