"""Which way each key of a policy is strict: what a change of it does to who may pass.

Every field of every option model has its line here, which a test holds. What is not known to
tighten loosens: a key that nobody thought about is no way around a gate.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.records import gating, scoring
from gate.records.judge_options import JudgeOptions
from gate.records.policy import SuiteOptions
from gate.records.waiver import Waiver

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gate.records.base import Record
    from gate.records.rule_change import ChangeKind

_MOST: Final = Decimal("Infinity")
"""What an absent upper limit comes to."""


class Direction(NamedTuple):
    """How a change of one key is read; it is asked of values that differ.

    ``loosens(before, after)`` says whether a run could pass after it that did not before, as far
    as it can be known. The kinds name a change that loosens, and any other. ``unset`` is what is
    in force where the key is not set, if that is known.
    """

    loosens: Callable[[Any, Any], bool]
    loosened: ChangeKind = "rule-loosened"
    tightened: ChangeKind = "rule-tightened"
    unset: Decimal | None = None

    def moved(self, before: object, after: object) -> bool:
        """Say whether another value is in force."""
        if self.unset is None:
            return before != after
        return (self.unset if before is None else before) != (
            self.unset if after is None else after
        )

    def kind(self, before: object, after: object) -> ChangeKind:
        """Name the change."""
        return self.loosened if self.loosens(before, after) else self.tightened


def lower(unset: Decimal | None = None) -> Direction:
    """Give the direction of a limit, or a day, that is tighter the lower it is.

    ``unset`` is the limit in force where the key is not set; without it nobody knows, so that
    setting the key, and leaving it out, loosens.

    >>> lower().loosens(Decimal("0.02"), Decimal("0.5")), lower().loosens(None, Decimal("0.5"))
    (True, True)
    >>> lower(unset=Decimal(1)).loosens(None, Decimal("0.5"))
    False
    """

    def loosens(before: Decimal | None, after: Decimal | None) -> bool:
        old = unset if before is None else before
        new = unset if after is None else after
        return old is None or new is None or new > old

    return Direction(loosens, "limit-loosened", "limit-tightened", unset)


def higher(
    loosened: ChangeKind = "limit-loosened", tightened: ChangeKind = "limit-tightened"
) -> Direction:
    """Give the direction of a limit that is tighter the higher it is; unset, nobody knows it.

    >>> higher().loosens(Decimal("0.9"), Decimal("0.5")), higher().loosens(None, Decimal("0.5"))
    (True, True)
    """

    def loosens(before: Decimal | None, after: Decimal | None) -> bool:
        return before is None or after is None or after < before

    return Direction(loosens, loosened, tightened)


def ranked(*values: object) -> Direction:
    """Give the direction of a choice among ``values``, from the loosest to the strictest.

    >>> ranked("pass", "fail").loosens("fail", "pass")
    True
    """

    def loosens(before: object, after: object) -> bool:
        return values.index(after) < values.index(before)

    return Direction(loosens)


def strictest(value: object) -> Direction:
    """Give the direction of a choice of which one is the strictest, and the others have no order.

    >>> [strictest("exact").loosens(*two) for two in (("set", "exact"), ("set", "order"))]
    [False, True]
    """
    return Direction(lambda _, after: bool(after != value))


def _always(before: object, after: object) -> bool:
    del before, after
    return True


def _never(before: object, after: object) -> bool:
    del before, after
    return False


def _wider(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    return not set(after) <= set(before)


OFF: Final = strictest(value=False)
"""Of a switch that lets more pass where it is on."""
ON: Final = strictest(value=True)
"""Of a switch that lets less pass where it is on."""
ANY: Final = Direction(_always)
"""Of what makes another measurement, of which nobody knows whether it is stricter."""
HARMLESS: Final = Direction(_never, "other-changed", "other-changed")
"""Of what no verdict depends on."""
SCORER: Final = Direction(_always, "scorer-changed", "scorer-changed")
JUDGE: Final = Direction(_always, "judge-changed", "judge-changed")
WAIVER: Final = Direction(_never, "waiver-changed", "waiver-changed")
MOVED: Final = Direction(_always, "file-moved", "file-moved")

_UNSURE: Final = ranked("pass", "fail")
_COMPARED: Final = {
    "max_drop": lower(),
    "metric": ANY,
    # A test that calls more runs worse lets fewer of them through.
    "alpha": higher(),
    "on_inconclusive": _UNSURE,
}
DIRECTIONS: Final[Mapping[type[Record], Mapping[str, Direction]]] = {
    SuiteOptions: {
        "cases": MOVED,
        "predictions": HARMLESS,  # whatever they are, they are the change's own
        "format": ANY,
        "id_field": ANY,
        "map": ANY,
        "baseline": MOVED,
        "dataset": HARMLESS,
        "pass_threshold": higher("threshold-lowered", "threshold-raised"),
        # Paths score 1 under `exact` only where they do under the others.
        "trajectory": strictest("exact"),
        "repeats": higher(),
        "seed": HARMLESS,  # drawn are intervals that are shown and that no gate reads
        "n_boot": HARMLESS,
        "allow_missing_baseline": OFF,
        "advisory": OFF._replace(loosened="advisory-on", tightened="advisory-off"),
    },
    gating.RegressionOptions: {
        **_COMPARED,
        "max_drop": lower(unset=gating.ZERO),
        "rule": ranked("significant", "point", "noninferior"),
        "alpha": ANY,  # a larger one fails more under `significant`, and less under `noninferior`
    },
    gating.SafetyOptions: {"label": ANY, "allow_judge_only": OFF, "allow_waivers": OFF},
    gating.CompletenessOptions: {"max_missing": lower(), "max_errors": lower()},
    gating.ComparableOptions: {"allow_changed": OFF, "allow_removed": OFF},
    gating.FloorOptions: {"min": higher(), "metric": ANY},
    gating.SlicesOptions: _COMPARED,
    gating.CreepOptions: {**_COMPARED, "last": ANY, "pinned": ANY},
    # Each of the two limits is another one where the other is not set.
    gating.TrajectoryOptions: {"mode": strictest("exact"), "min": higher(), "max_drop": lower()},
    gating.JudgedOptions: {},
    gating.JudgeTrustOptions: {
        "min_kappa": higher(),
        "criterion": ranked("point", "lower"),
        "untrusted": ranked("advisory", "undecided"),
    },
    gating.BudgetOptions: {
        "max_cost_usd": lower(unset=_MOST),
        "max_latency_ms": lower(unset=_MOST),
        "latency": strictest("max"),
    },
    gating.RulesOptions: {
        "allow_policy_changes": Direction(_wider, "allowance-widened", "allowance-narrowed")
    },
    Waiver: {
        "owner": WAIVER,
        "reason": WAIVER,
        "expires": lower()._replace(loosened="waiver-changed", tightened="waiver-changed"),
        "allow_safety": OFF._replace(loosened="waiver-changed", tightened="waiver-changed"),
    },
    scoring.ExactMatchOptions: {},
    scoring.ContainsOptions: {},
    scoring.NumericWithinOptions: {
        "tolerance": lower(),
        **dict.fromkeys(("numbers", "percent", "parentheses"), SCORER),
    },
    scoring.RubricOptions: {"checks": SCORER},
    scoring.JaccardOptions: {},
    scoring.RougeLOptions: {"use_stemmer": SCORER, "tokenizer": SCORER},
    scoring.StructuredOptions: {"tolerance_ratio": lower()},
    scoring.GeoktoolsOptions: {},
    scoring.AutoraterOptions: {"prompt": SCORER},
    scoring.JudgeScorerOptions: {"rubric": SCORER},
    scoring.RecordedOptions: {"score": SCORER, "tool": SCORER, "at": SCORER},
    JudgeOptions: {
        **dict.fromkeys(
            (
                *("provider", "model", "command", "mode", "base_url", "key_env", "env"),
                *("prompt", "tools", "runs", "date", "temperature", "seed", "max_tokens"),
                *("price", "ledger", "canary", "trust"),
            ),
            JUDGE,
        ),
        "canaries": ON._replace(loosened="judge-changed", tightened="judge-changed"),
        # What time or patience leaves open is decided both ways, so none of them makes a pass.
        **dict.fromkeys(("concurrency", "timeout", "deadline"), HARMLESS),
        "max_calls": lower(unset=_MOST),
        "max_cost": lower(unset=_MOST),
    },
}
"""Option models, and the direction of each of their fields: but for the tag, ``enabled``, and what
a waiver is of."""


def direction(model: type[Record], key: str) -> Direction:
    """Give the direction of one key."""
    return DIRECTIONS[model][key]
