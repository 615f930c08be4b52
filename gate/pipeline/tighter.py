"""Options of a pull request's workflow may tighten the base commit's policy, and no more.

The workflow is the pull request's own to edit, so whatever an option says is held against what
the policy of the base commit says, or its defaults, or the baseline there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.errors import UsageInvalid
from gate.pipeline.directions import direction
from gate.pipeline.policy_changes import has_floor, in_force
from gate.pipeline.short_text import spelt
from gate.policy.judge import OPTIONS as OF_JUDGES
from gate.records.base import exact_decimal
from gate.records.gating import FloorOptions, JudgeTrustOptions, RegressionOptions
from gate.records.json_text import loads
from gate.records.judge_options import JudgeOptions
from gate.records.policy import SuiteOptions
from gate.scorers.table import identity, is_graded

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.policy.toml import PolicyFile
    from gate.records.baseline import Baseline
    from gate.records.policy import Overrides, Policy

HINT: Final = (
    "on a pull request the policy of its base commit decides, and an option may only tighten "
    "that: take the option out, or change gate.toml on the base branch"
)
FREE: Final = frozenset(("predictions", "seed", "n_boot", "concurrency"))
"""Options that decide nothing, and predictions, which are the change's own whatever they hold."""
_SHOWN: Final = 80


class _Base(NamedTuple):
    """What the base commit says: the policy spelt out, and the baseline if it has one."""

    policy: Policy
    baseline: Baseline | None


_Said = str | None
"""What is wrong with an option, after its name and value; ``None`` if nothing is."""


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
    base = _Base(in_force(file), baseline)
    found = []
    for name, check in CHECKS.items():
        value = getattr(options, name)
        if value is None:
            continue
        said = check(base, value)
        if said is not None:
            shown = (spelt(value) or "")[:_SHOWN]
            found.append(f"--{name.replace('_', '-')} {shown}: {said}")
    return tuple(found)


def _suite(key: str) -> Callable[[_Base, Any], _Said]:
    """Hold an option against a key of ``[suite]``, else against the baseline's."""

    def check(base: _Base, value: object) -> _Said:
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


def _threshold(base: _Base, value: object) -> _Said:
    """Hold it as any other; where none is set it may not come in place of the mean score."""
    if base.policy.suite.pass_threshold is None and _is_led_by_mean(base):
        return (
            "makes the pass rate the headline; the base commit's policy sets none, so there "
            "it is the mean score"
        )
    return _suite("pass_threshold")(base, value)


def _is_led_by_mean(base: _Base) -> bool:
    scorer, baseline = base.policy.scorer, base.baseline
    if baseline is not None and (scorer is None or identity(scorer) == baseline.scorer):
        return baseline.metric == "mean_score"
    return scorer is not None and is_graded(scorer)


_IN_BASELINE: Final = {
    "pass_threshold": "pass_threshold",
    "trajectory": "trajectory_mode",
    "repeats": "repeats",
}
_UNSET: Final = {"pass_threshold": exact_decimal(1), "trajectory": "exact", "repeats": None}
"""What is in force where neither policy nor baseline says anything."""


def _switch(key: str) -> Callable[[_Base, Any], _Said]:
    def check(base: _Base, value: object) -> _Said:
        own = getattr(base.policy.suite, key)
        if own == value or not direction(SuiteOptions, key).loosens(own, value):
            return None
        return f"the base commit's policy does not say {key} = true under [suite]"

    return check


def _file(key: str) -> Callable[[_Base, Any], _Said]:
    """Refuse another file than the policy names; one that it leaves open may be named."""

    def check(base: _Base, value: str) -> _Said:
        own = getattr(base.policy.suite, key)
        if own is None or _path(own) == _path(value):
            return None
        return f"is another file than [suite] {key} of the base commit's policy: {own[:_SHOWN]}"

    return check


def _reading(key: str) -> Callable[[_Base, Any], _Said]:
    """Refuse another way to read the predictions than the policy says."""

    def check(base: _Base, value: object) -> _Said:
        own = getattr(base.policy.suite, key)
        if own in {None, ()} or own == value:
            return None
        return f"is not what the base commit's policy says of [suite] {key}"

    return check


def _path(text: str) -> tuple[str, ...]:
    """Split a path, so that ``./a`` and ``a`` are one."""
    parts = tuple(part for part in text.split("/") if part not in {"", "."})
    return ("/", *parts) if text.startswith("/") else parts


def _regression(key: str) -> Callable[[_Base, Any], _Said]:
    """Hold an option against every regression gate, which it would override."""

    def check(base: _Base, value: object) -> _Said:
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


def _floor(base: _Base, value: Any) -> _Said:  # noqa: ANN401 - an option's
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


def _scorer(base: _Base, value: str) -> _Said:
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


def _tolerance(base: _Base, value: Any) -> _Said:  # noqa: ANN401 - an option's
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
    by_rate = base.baseline is not None and base.baseline.metric == "pass_rate"
    unset = base.policy.suite.pass_threshold is None
    if value < own and unset and by_rate and "tolerance_ratio" in tables:
        return (
            "makes another scorer than the baseline's, led by the mean score; the base commit's "
            "headline is the pass rate, by its baseline alone"
        )
    return None


def _judge(option: str) -> Callable[[_Base, Any], _Said]:
    """Hold an option about a judge against the key of ``[judge]`` that it would beat."""
    key = OF_JUDGES[option]

    def check(base: _Base, value: object) -> _Said:
        judge = base.policy.judge or JudgeOptions()
        own = getattr(judge, key)
        if value in (own, ()) or not direction(JudgeOptions, key).loosens(own, value):
            return None
        shown = "unset" if own is None else (spelt(own) or "")[:_SHOWN]
        return f"is not what the base commit's policy says of [judge] {key}: {shown}"

    return check


def _trust(base: _Base, value: str) -> _Said:
    """Allow a record where the policy names none: it only adds a gate that holds the judge.

    Where the policy has that gate already, it is undecided without a record, and not with one.
    """
    own = base.policy.judge and base.policy.judge.trust
    gates = base.policy.gates
    held = any(isinstance(gate, JudgeTrustOptions) and gate.enabled for gate in gates)
    return _judge("judge_trust")(base, value) if own is not None or held else None


def _nothing(base: _Base, value: object) -> _Said:
    del base, value
    return None


CHECKS: Final[dict[str, Callable[[_Base, Any], _Said]]] = {
    **dict.fromkeys(sorted(FREE), _nothing),
    "cases": _file("cases"),
    "baseline": _file("baseline"),
    **{key: _reading(key) for key in ("format", "id_field", "map")},
    "scorer": _scorer,
    "tolerance": _tolerance,
    "pass_threshold": _threshold,
    "trajectory": _suite("trajectory"),
    "repeats": _suite("repeats"),
    **{key: _regression(key) for key in ("max_drop", "metric", "rule", "on_inconclusive")},
    "min_pass_rate": _floor,
    "allow_missing_baseline": _switch("allow_missing_baseline"),
    "advisory": _switch("advisory"),
    # A ledger holds a judge's answers: one that the change brings would be the judge.
    **{option: _judge(option) for option in OF_JUDGES if option not in {*FREE, "judge_trust"}},
    "judge_trust": _trust,
}
"""Every option that beats a key of the policy, and what may be said by it."""
