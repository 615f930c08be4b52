"""What a pull request changes in the gates: those of one name beside each other.

A gate may also be on because an input of the workflow says so. Then a table of its own replaces
it, so that one which comes is held against what it replaces.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from gate.pipeline.field_changes import change_of, fields
from gate.pipeline.short_text import spelt
from gate.policy.effective import BY_INPUTS, SAFETY, with_inputs
from gate.records.gating import (
    CreepOptions,
    FloorOptions,
    SafetyOptions,
    SlicesOptions,
    TrajectoryOptions,
)
from gate.records.rule_change import RuleChange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gate.records.gating import GateOptions
    from gate.records.policy import Overrides, Policy
    from gate.records.rule_change import ChangeKind

    Redact = Callable[[str], str]

_METRICS: Final = (FloorOptions, SlicesOptions, CreepOptions)
_NAME: Final = 80


def gate_changes(
    was: Policy, now: Policy, options: Overrides, *, redact: Redact, opens: bool
) -> Iterator[RuleChange]:
    """Give the changes of the gates of two policies that are spelt out.

    ``opens`` says that a floor which comes lets a run pass that none could before. With the
    ``options`` of this run the gates that inputs switch on, or set, are compared once more, as
    they are then: what loosens there and nowhere else is a change, too.
    """
    listed = set()
    for change in _named_alike(was.gates, now.gates, redact, opens=opens):
        listed.add(change)
        yield change
    before, after = (tuple(_by_inputs(one.gates, options)) for one in (was, now))
    for change in _named_alike(before, after, redact, opens=False):
        if change.loosens and change not in listed:
            subject = f"{change.subject}, by the inputs of this run"
            yield RuleChange(**{**dict(change), "subject": subject})


def _by_inputs(gates: Sequence[GateOptions], options: Overrides) -> Iterator[GateOptions]:
    """Give the gates that inputs switch on, as they are in force with these."""
    for gate in with_inputs(gates, options, trust=options.judge_trust is not None):
        bare = isinstance(gate, TrajectoryOptions) and gate.min is None and gate.max_drop is None
        if bare and options.trajectory == "exact":
            yield TrajectoryOptions(**{**dict(gate), "min": Decimal(1)})
        elif gate.gate in BY_INPUTS:
            yield gate


def _named_alike(
    was: Sequence[GateOptions], now: Sequence[GateOptions], redact: Redact, *, opens: bool
) -> Iterator[RuleChange]:
    """Compare the gates name by name."""
    for name in dict.fromkeys(gate.gate for gate in (*was, *now)):
        before, after = ([gate for gate in side if gate.gate == name] for side in (was, now))
        for old, new in matched(before, after):
            for change in _gate(old, new, redact):
                loosens = change.loosens or (opens and name == "floor")
                yield RuleChange(**{**dict(change), "loosens": loosens})


def matched(
    before: Sequence[GateOptions], after: Sequence[GateOptions]
) -> Iterator[tuple[GateOptions | None, GateOptions | None]]:
    """Pair the gates of one name: equal ones, then those about the same, then in their order.

    Whatever is left on either side stands beside ``None``.
    """
    old, new = list(before), list(after)
    for alike in (_equal, _about_the_same, _any_two):
        for one in tuple(old):
            other = next((gate for gate in new if alike(one, gate)), None)
            if other is not None:
                old.remove(one)
                new.remove(other)
                yield one, other
    yield from ((one, None) for one in old)
    yield from ((None, one) for one in new)


def _equal(one: GateOptions, other: GateOptions) -> bool:
    return one == other


def _any_two(one: GateOptions, other: GateOptions) -> bool:
    del one, other
    return True


def _about_the_same(one: GateOptions, other: GateOptions) -> bool:
    return _about(one) == _about(other)


def _about(gate: GateOptions) -> str | None:
    """Say what tells a gate from another one of its name."""
    if isinstance(gate, SafetyOptions):
        return gate.label or SAFETY
    return gate.metric if isinstance(gate, _METRICS) else None


def _named(gate: GateOptions, redact: Redact) -> str:
    about = _about(gate)
    return gate.gate if about in {None, gate.gate} else f"{gate.gate} ({redact(about)[:_NAME]})"


def _gate(
    was: GateOptions | None, now: GateOptions | None, redact: Redact
) -> Iterator[RuleChange]:
    if was is None or now is None:
        yield from _alone(was, now, redact)
    elif was.enabled and now.enabled:
        yield from fields(was, now, f"[[gates]] {_named(was, redact)}", redact)
    elif was.enabled != now.enabled:
        kind: ChangeKind = "gate-off" if was.enabled else "gate-on"
        yield RuleChange(kind=kind, subject=_named(now, redact), loosens=was.enabled)
    elif was != now:  # both are off, and nothing asks them
        subject = f"[[gates]] {_named(was, redact)}, which is off"
        yield RuleChange(kind="other-changed", subject=subject, loosens=False)


def _alone(
    was: GateOptions | None, now: GateOptions | None, redact: Redact
) -> Iterator[RuleChange]:
    """Say that a gate came or went; one that is off does neither."""
    kind: ChangeKind
    if was is not None:
        kind = "gate-removed" if was.enabled else "other-changed"
        yield change_of(
            kind, _named(was, redact), (_options(was), None), redact, loosens=was.enabled
        )
    if now is not None:
        kind = "gate-added" if now.enabled else "other-changed"
        yield change_of(kind, _named(now, redact), (None, _options(now)), redact, loosens=False)


def _options(gate: GateOptions) -> str | None:
    said = {key: getattr(gate, key) for key in sorted(gate.model_fields_set - {"gate"})}
    return ", ".join(f"{key} {spelt(value)}" for key, value in said.items()) or None
