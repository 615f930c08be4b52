"""What a pull request changes in the policy: one change a key, each with its direction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.pipeline.directions import JUDGE, SCORER, direction
from gate.pipeline.short_text import pair, spelt
from gate.policy.effective import SAFETY, suite_options, with_usual
from gate.records.gating import (
    CreepOptions,
    FloorOptions,
    JudgeTrustOptions,
    SafetyOptions,
    SlicesOptions,
)
from gate.records.policy import Overrides
from gate.records.rule_change import RuleChange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from gate.pipeline.directions import Direction
    from gate.policy.toml import PolicyFile
    from gate.records.base import Record
    from gate.records.gating import GateOptions
    from gate.records.policy import Policy
    from gate.records.rule_change import ChangeKind
    from gate.records.waiver import Waiver

    Redact = Callable[[str], str]

_OUTSIDE: Final = {"gate", "enabled"}
_NAME: Final = 80
_METRICS: Final = (FloorOptions, SlicesOptions, CreepOptions)


def in_force(file: PolicyFile | None) -> Policy:
    """Spell a policy file out, with its default gates and without any option.

    It serves to compare: unlike the effective policy it may lack what options say.
    """
    from gate.records.policy import Policy

    suite = suite_options(file, Overrides())
    gates = with_usual(() if file is None else file.gates, judged=True, bound=True)
    judge = None if file is None else file.judge
    named = {gate.gate for gate in gates}
    if judge is not None and judge.trust is not None and "judge_trust" not in named:
        gates = (*gates, JudgeTrustOptions())
    scorer = None if file is None else file.scorer
    waivers = () if file is None else file.waivers
    return Policy(suite=suite, scorer=scorer, judge=judge, gates=gates, waivers=waivers)


def policy_changes(
    base: PolicyFile | None, head: PolicyFile | None, *, path: str, redact: Redact
) -> Iterator[RuleChange]:
    """Give the changes from ``base`` to ``head``; ``None`` where there is no such file.

    Without a file the built-in defaults are in force, so that one that comes, or goes, is
    compared with them as well.
    """
    if base is None and head is not None:
        yield RuleChange(kind="policy-added", subject=redact(path), loosens=False)
    if base is not None and head is None:
        yield RuleChange(kind="policy-removed", subject=redact(path), loosens=True)
    was, now = in_force(base), in_force(head)
    yield from _fields(was.suite, now.suite, "[suite]", redact)
    yield from _table(was.scorer, now.scorer, "[scorer]", SCORER, redact)
    yield from _table(was.judge, now.judge, "[judge]", JUDGE, redact)
    yield from _gates(was, now, redact)
    yield from _waivers(was.waivers, now.waivers, redact)


def watched_labels(policy: Policy) -> frozenset[str]:
    """Give the labels that safety gates in force look at."""
    return frozenset(
        gate.label or SAFETY
        for gate in policy.gates
        if isinstance(gate, SafetyOptions) and gate.enabled
    )


def has_floor(policy: Policy) -> bool:
    """Say whether a floor is in force, one above 0, since no run lies below that."""
    return any(
        isinstance(gate, FloorOptions) and gate.enabled and gate.min > 0 for gate in policy.gates
    )


def _change(
    kind: ChangeKind,
    subject: str,
    values: tuple[object, object],
    redact: Redact,
    *,
    loosens: bool,
) -> RuleChange:
    before, after = pair(spelt(values[0]), spelt(values[1]), redact)
    return RuleChange(kind=kind, subject=subject, before=before, after=after, loosens=loosens)


def _fields(was: Record, now: Record, where: str, redact: Redact) -> Iterator[RuleChange]:
    """Compare two tables of one kind key by key."""
    kind = type(was)
    for key in kind.model_fields:
        before, after = getattr(was, key), getattr(now, key)
        if key in _OUTSIDE or before == after:
            continue
        way = direction(kind, key)
        if not way.moved(before, after):
            continue
        yield _change(
            way.kind(before, after),
            f"{where} {key}",
            (before, after),
            redact,
            loosens=way.loosens(before, after),
        )


def _table(
    was: Record | None, now: Record | None, where: str, whole: Direction, redact: Redact
) -> Iterator[RuleChange]:
    """Compare two tables that may be absent, or of another kind: then as wholes."""
    if was is None or now is None or type(was) is not type(now):
        if was is not now:
            yield _change(whole.loosened, where, (_said(was), _said(now)), redact, loosens=True)
        return
    yield from _fields(was, now, where, redact)


def _said(table: Record | None) -> str | None:
    """Spell what a table sets: its name alone, or with more beside it."""
    if table is None:
        return None
    said = {key: getattr(table, key) for key in table.model_fields_set}
    said = {"name": getattr(table, "name", None), **said}
    return ", ".join(f"{key} {spelt(value)}" for key, value in said.items() if value is not None)


def _gates(was: Policy, now: Policy, redact: Redact) -> Iterator[RuleChange]:
    # Without a baseline no run passes that no floor holds: then a floor lets the first one pass.
    may_lack = was.suite.allow_missing_baseline or now.suite.allow_missing_baseline
    opens = may_lack and has_floor(now) and not has_floor(was)
    names = dict.fromkeys(gate.gate for gate in (*was.gates, *now.gates))
    for name in names:
        before = [gate for gate in was.gates if gate.gate == name]
        after = [gate for gate in now.gates if gate.gate == name]
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


def _named(gate: GateOptions) -> str:
    about = _about(gate)
    return gate.gate if about in {None, gate.gate} else f"{gate.gate} ({about})"


def _gate(
    was: GateOptions | None, now: GateOptions | None, redact: Redact
) -> Iterator[RuleChange]:
    if was is None or now is None:
        yield from _alone(was, now, redact)
    elif was.enabled and now.enabled:
        yield from _fields(was, now, f"[[gates]] {redact(_named(was))}", redact)
    elif was.enabled != now.enabled:
        kind: ChangeKind = "gate-off" if was.enabled else "gate-on"
        yield RuleChange(kind=kind, subject=redact(_named(now)), loosens=was.enabled)
    elif was != now:  # both are off, and nothing asks them
        subject = f"[[gates]] {redact(_named(was))}, which is off"
        yield RuleChange(kind="other-changed", subject=subject, loosens=False)


def _alone(
    was: GateOptions | None, now: GateOptions | None, redact: Redact
) -> Iterator[RuleChange]:
    """Say that a gate came or went; one that is off does neither."""
    kind: ChangeKind
    if was is not None:
        kind = "gate-removed" if was.enabled else "other-changed"
        yield _change(
            kind, redact(_named(was)), (_options(was), None), redact, loosens=was.enabled
        )
    if now is not None:
        kind = "gate-added" if now.enabled else "other-changed"
        yield _change(kind, redact(_named(now)), (None, _options(now)), redact, loosens=False)


def _options(gate: GateOptions) -> str | None:
    said = {key: getattr(gate, key) for key in sorted(gate.model_fields_set - {"gate"})}
    return ", ".join(f"{key} {spelt(value)}" for key, value in said.items()) or None


def _waivers(was: Iterable[Waiver], now: Iterable[Waiver], redact: Redact) -> Iterator[RuleChange]:
    """Compare the waivers of each case and gate; a longer one loosens."""
    before = {(one.case, one.gate): one for one in was}
    after = {(one.case, one.gate): one for one in now}
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key), after.get(key)
        case_id, gate = key
        subject = f"case {redact(case_id)[:_NAME]!r} from {gate}"
        if old is None and new is not None:
            until = f"until {new.expires}, by {new.owner}"
            yield _change("waiver-added", subject, (None, until), redact, loosens=True)
        elif new is None and old is not None:
            until = f"until {old.expires}, by {old.owner}"
            yield _change("waiver-removed", subject, (until, None), redact, loosens=False)
        elif old is not None and new is not None:
            yield from _fields(old, new, f"[[waivers]] {subject}", redact)
