"""Options of a pull request's workflow may tighten the base commit's policy, and no more.

The workflow is the pull request's own to edit, so whatever an option says is held against what
the policy of the base commit says, or its defaults, or the baseline there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gate.errors import UsageInvalid
from gate.pipeline.directions import direction
from gate.pipeline.policy_changes import has_floor, in_force
from gate.pipeline.short_text import spelt
from gate.pipeline.tighter_measure import (
    SHOWN,
    Base,
    of_baseline,
    of_file,
    of_scorer,
    of_suite,
    of_threshold,
    of_tolerance,
)
from gate.policy.judge import OPTIONS as OF_JUDGES
from gate.records.gating import FloorOptions, JudgeTrustOptions, RegressionOptions
from gate.records.judge_options import JudgeOptions
from gate.records.policy import SuiteOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.pipeline.tighter_measure import Said
    from gate.policy.file import PolicyFile
    from gate.records.baseline import Baseline
    from gate.records.policy import Overrides

HINT: Final = (
    "on a pull request the policy of its base commit decides, and an option may only tighten "
    "that: take the option out, or change gate.toml on the base branch"
)
FREE: Final = frozenset(("predictions", "seed", "n_boot", "concurrency"))
"""Options that decide nothing, and predictions, which are the change's own whatever they hold."""


def refuse_looser(
    file: PolicyFile | None, options: Overrides, *, baseline: Baseline | None
) -> None:
    """Raise ``UsageInvalid`` naming every option that loosens the base commit's rules."""
    said = looser_options(file, options, baseline=baseline)
    if said:
        raise UsageInvalid("\n".join(said), hint=HINT)


def looser_options(
    file: PolicyFile | None, options: Overrides, *, baseline: Baseline | None
) -> tuple[str, ...]:
    """Say of each option that loosens what it loosens.

    ``file`` and ``baseline`` are the base commit's. Where it has no policy file there is nothing
    to tighten: options decide alone, and the report says so.
    """
    if file is None:
        return ()
    base = Base(in_force(file), baseline)
    found = []
    for name, check in CHECKS.items():
        value = getattr(options, name)
        if value is None:
            continue
        said = check(base, value)
        if said is not None:
            shown = (spelt(value) or "")[:SHOWN]
            found.append(f"--{name.replace('_', '-')} {shown}: {said}")
    return tuple(found)


def _switch(key: str) -> Callable[[Base, Any], Said]:
    def check(base: Base, value: object) -> Said:
        own = getattr(base.policy.suite, key)
        if own == value or not direction(SuiteOptions, key).loosens(own, value):
            return None
        return f"the base commit's policy does not say {key} = true under [suite]"

    return check


def _reading(key: str) -> Callable[[Base, Any], Said]:
    """Refuse another way to read the predictions than the policy says."""

    def check(base: Base, value: object) -> Said:
        own = getattr(base.policy.suite, key)
        if own in {None, ()} or own == value:
            return None
        return f"is not what the base commit's policy says of [suite] {key}"

    return check


def _regression(key: str) -> Callable[[Base, Any], Said]:
    """Hold an option against every regression gate, which it would override."""

    def check(base: Base, value: object) -> Said:
        way = direction(RegressionOptions, key)
        for gate in base.policy.gates:
            if not isinstance(gate, RegressionOptions):
                continue
            own = getattr(gate, key)
            if own != value and way.loosens(own, value):
                shown = spelt(own) or ("0" if key == "max_drop" else "unset")
                return f"loosens {key} of the regression gate in the base commit's policy: {shown}"
        return None

    return check


def _floor(base: Base, value: Any) -> Said:  # noqa: ANN401 - an option's
    floors = [
        gate.min
        for gate in base.policy.gates
        if isinstance(gate, FloorOptions) and gate.enabled and gate.metric == "pass_rate"
    ]
    if floors and value < max(floors):
        return f"loosens the floor in the base commit's policy: {spelt(max(floors))}"
    if base.baseline is None and not has_floor(base.policy):
        return (
            "where there is no baseline a floor decides alone, and the base commit's policy has "
            "none"
        )
    return None


def _judge(option: str) -> Callable[[Base, Any], Said]:
    """Hold an option about a judge against the key of ``[judge]`` that it would beat."""
    key = OF_JUDGES[option]

    def check(base: Base, value: object) -> Said:
        judge = base.policy.judge or JudgeOptions()
        own = getattr(judge, key)
        if value in (own, ()) or not direction(JudgeOptions, key).loosens(own, value):
            return None
        shown = "unset" if own is None else (spelt(own) or "")[:SHOWN]
        return f"is not what the base commit's policy says of [judge] {key}: {shown}"

    return check


def _trust(base: Base, value: str) -> Said:
    """Allow a record where the policy names none: it only adds a gate that holds the judge.

    Where the policy has that gate already, it is undecided without a record, and not with one.
    """
    own = base.policy.judge and base.policy.judge.trust
    gates = base.policy.gates
    held = any(isinstance(gate, JudgeTrustOptions) and gate.enabled for gate in gates)
    return _judge("judge_trust")(base, value) if own is not None or held else None


def _nothing(base: Base, value: object) -> Said:
    del base, value
    return None


CHECKS: Final[dict[str, Callable[[Base, Any], Said]]] = {
    **dict.fromkeys(sorted(FREE), _nothing),
    "cases": of_file("cases"),
    "baseline": of_baseline,
    **{key: _reading(key) for key in ("format", "id_field", "map")},
    "scorer": of_scorer,
    "tolerance": of_tolerance,
    "pass_threshold": of_threshold,
    "trajectory": of_suite("trajectory"),
    "repeats": of_suite("repeats"),
    **{key: _regression(key) for key in ("max_drop", "metric", "rule", "on_inconclusive")},
    "min_pass_rate": _floor,
    "allow_missing_baseline": _switch("allow_missing_baseline"),
    "advisory": _switch("advisory"),
    # A ledger holds a judge's answers: one that the change brings would be the judge.
    **{option: _judge(option) for option in OF_JUDGES if option not in {*FREE, "judge_trust"}},
    "judge_trust": _trust,
}
"""Every option that beats a key of the policy, and what may be said by it."""
