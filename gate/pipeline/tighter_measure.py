"""What an option may say of the measure: scorer, counting, and the files that tell of both.

Each check holds a value against what the base commit says, and says what is wrong with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.pipeline.directions import direction
from gate.pipeline.short_text import spelt
from gate.records.base import exact_decimal
from gate.records.json_text import loads
from gate.records.policy import SuiteOptions
from gate.scorers.table import identity, is_graded

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.records.baseline import Baseline
    from gate.records.policy import Policy

SHOWN: Final = 80


class Base(NamedTuple):
    """What the base commit says: the policy spelt out, and the baseline if it has one."""

    policy: Policy
    baseline: Baseline | None


Said = str | None
"""What is wrong with an option, after its name and value; ``None`` if nothing is."""


def of_suite(key: str) -> Callable[[Base, Any], Said]:
    """Hold an option against a key of ``[suite]``, else against the baseline's."""

    def check(base: Base, value: object) -> Said:
        own = getattr(base.policy.suite, key)
        where = f"[suite] {key} of the base commit's policy"
        if own is None and base.baseline is not None:
            own = getattr(base.baseline, _IN_BASELINE[key])
            where = f"the base commit's baseline ({_IN_BASELINE[key]})"
        if own is None:
            own, where = _UNSET[key], f"{key}, which the base commit's policy leaves unset,"
        if own is None or own == value or not direction(SuiteOptions, key).loosens(own, value):
            return None
        return f"loosens {where}: {spelt(own)}"

    return check


def of_threshold(base: Base, value: object) -> Said:
    """Hold it as any other; where none is set it may not come in place of the mean score."""
    if base.policy.suite.pass_threshold is None and _is_led_by_mean(base):
        return (
            "makes the pass rate the headline; the base commit's policy sets none, so there "
            "it is the mean score"
        )
    return of_suite("pass_threshold")(base, value)


def _is_led_by_mean(base: Base) -> bool:
    scorer, baseline = base.policy.scorer, base.baseline
    if baseline is not None and _is_of_the_scorer(base):
        return baseline.metric == "mean_score"
    return scorer is not None and is_graded(scorer)


def _is_of_the_scorer(base: Base) -> bool:
    """Say whether there is a baseline, by the very scorer that is in force."""
    scorer, baseline = base.policy.scorer, base.baseline
    return baseline is not None and (scorer is None or identity(scorer) == baseline.scorer)


_IN_BASELINE: Final = {
    "pass_threshold": "pass_threshold",
    "trajectory": "trajectory_mode",
    "repeats": "repeats",
}
_UNSET: Final = {"pass_threshold": exact_decimal(1), "trajectory": "exact", "repeats": None}
"""What is in force where neither policy nor baseline says anything."""


def of_file(key: str) -> Callable[[Base, Any], Said]:
    """Refuse another file than the policy names; one that it leaves open may be named."""

    def check(base: Base, value: str) -> Said:
        own = getattr(base.policy.suite, key)
        if own is None or _path(own) == _path(value):
            return None
        return f"is another file than [suite] {key} of the base commit's policy: {own[:SHOWN]}"

    return check


def of_baseline(base: Base, value: str) -> Said:
    """Allow one where the policy names none.

    What the policy leaves open of the counting is the baseline's. So where the run may do without
    one, it must count as is usual.
    """
    suite, named = base.policy.suite, base.baseline
    said = of_file("baseline")(base, value)
    if said is not None or suite.baseline is not None or named is None:
        return said
    if not suite.allow_missing_baseline:
        return None  # without it nothing would be decided
    for key in ("pass_threshold", "trajectory"):
        own, usual = getattr(named, _IN_BASELINE[key]), _UNSET[key]
        if getattr(suite, key) is None and own != usual:
            return f"would set {key} {spelt(own)}, and without it {spelt(usual)} is in force"
    scorer = base.policy.scorer
    if suite.pass_threshold is None and scorer and _is_led_by_mean(base) != is_graded(scorer):
        return f"makes another headline than is in force without it: {named.metric}"
    return None


def _path(text: str) -> tuple[str, ...]:
    """Split a path, so that ``./a`` and ``a`` are one."""
    parts = tuple(part for part in text.split("/") if part not in {"", "."})
    return ("/", *parts) if text.startswith("/") else parts


def of_scorer(base: Base, value: str) -> Said:
    """Refuse another scorer, and of recorded scores another one (``recorded:NAME``)."""
    name, _, score = value.partition(":")
    if base.policy.scorer is not None:
        table, where = dict(base.policy.scorer), "policy"
    elif base.baseline is not None:
        table, where = loads(base.baseline.scorer.params), "baseline"
        table["name"] = base.baseline.scorer.name
    else:
        return None
    if name == table["name"] and (not score or score == table.get("score")):
        return None
    own = f"{table['name']}:{table['score']}" if table.get("score") else table["name"]
    return f"is another scorer than the base commit's {where} says: {own}"


def of_tolerance(base: Base, value: Any) -> Said:  # noqa: ANN401 - an option's
    """Allow a smaller one, unless the baseline's cases would not compare any more."""
    if base.policy.scorer is not None:
        tables = dict(base.policy.scorer)
    elif base.baseline is not None:
        tables = loads(base.baseline.scorer.params)
    else:
        tables = {}
    said = tables.get("tolerance", tables.get("tolerance_ratio"))
    if said is None:
        return None
    own = exact_decimal(said)
    if value > own:
        return f"loosens the base commit's tolerance: {spelt(own)}"
    if value < own and _is_of_the_scorer(base):
        return "makes another scorer than the baseline's, so that its cases would not compare"
    return None
