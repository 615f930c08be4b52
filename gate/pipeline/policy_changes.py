"""What a pull request changes in the policy: one change a key, each with its direction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.pipeline.directions import JUDGE, SCORER
from gate.pipeline.field_changes import change_of, fields
from gate.pipeline.gate_changes import gate_changes
from gate.pipeline.short_text import named, spelt
from gate.policy.effective import SAFETY, suite_options, with_usual
from gate.records.gating import FloorOptions, JudgeTrustOptions, SafetyOptions
from gate.records.policy import Overrides
from gate.records.rule_change import RuleChange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gate.pipeline.directions import Direction
    from gate.policy.file import PolicyFile
    from gate.records.base import Record
    from gate.records.policy import Policy
    from gate.records.waiver import Waiver

    Redact = Callable[[str], str]

_NAME: Final = 80


def in_force(file: PolicyFile | None) -> Policy:
    """Spell a policy file out, with its default gates and without any option.

    It serves to compare: unlike the effective policy it may lack what options say.
    """
    from gate.records.policy import Policy

    suite = suite_options(file, Overrides())
    gates = with_usual(() if file is None else file.gates, judged=True, bound=True)
    judge = None if file is None else file.judge
    trusted = any(gate.gate == "judge_trust" for gate in gates)
    if judge is not None and judge.trust is not None and not trusted:
        gates = (*gates, JudgeTrustOptions())
    scorer = None if file is None else file.scorer
    waivers = () if file is None else file.waivers
    return Policy(suite=suite, scorer=scorer, judge=judge, gates=gates, waivers=waivers)


def policy_changes(
    base: PolicyFile | None,
    head: PolicyFile | None,
    *,
    path: str,
    redact: Redact,
    options: Overrides | None = None,
) -> Iterator[RuleChange]:
    """Give the changes from ``base`` to ``head``; ``None`` where there is no such file.

    Without a file the built-in defaults are in force, so that one that comes, or goes, is
    compared with them as well. ``options`` are those of the run, which may switch on gates that
    neither file names.
    """
    if base is None and head is not None:
        yield RuleChange(kind="policy-added", subject=named(path, redact), loosens=False)
    if base is not None and head is None:
        yield RuleChange(kind="policy-removed", subject=named(path, redact), loosens=True)
    was, now = in_force(base), in_force(head)
    yield from fields(was.suite, now.suite, "[suite]", redact)
    yield from _table(was.scorer, now.scorer, "[scorer]", SCORER, redact)
    yield from _table(was.judge, now.judge, "[judge]", JUDGE, redact)
    # Without a baseline no run passes that no floor holds: then a floor lets the first one pass.
    may_lack = was.suite.allow_missing_baseline or now.suite.allow_missing_baseline
    opens = may_lack and has_floor(now) and not has_floor(was)
    yield from gate_changes(was, now, options or Overrides(), redact=redact, opens=opens)
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


def _table(
    was: Record | None, now: Record | None, where: str, whole: Direction, redact: Redact
) -> Iterator[RuleChange]:
    """Compare two tables that may be absent, or of another kind: then as wholes."""
    if was is None or now is None or type(was) is not type(now):
        if was is not now:
            yield change_of(whole.loosened, where, (_said(was), _said(now)), redact, loosens=True)
        return
    yield from fields(was, now, where, redact)


def _said(table: Record | None) -> str | None:
    """Spell what a table sets: its name alone, or with more beside it."""
    if table is None:
        return None
    said = {key: getattr(table, key) for key in table.model_fields_set}
    said = {"name": getattr(table, "name", None), **said}
    return ", ".join(f"{key} {spelt(value)}" for key, value in said.items() if value is not None)


def _waivers(was: Iterable[Waiver], now: Iterable[Waiver], redact: Redact) -> Iterator[RuleChange]:
    """Compare the waivers of each case and gate; a longer one loosens.

    Where the head has two of one case and gate its file is refused as soon as it is in force: it
    counts as one that cannot be read, and what each of the two says is told as well.
    """
    before, after = _by_case(was), _by_case(now)
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key, ()), after.get(key, ())
        subject = f"case {redact(key[0])[:_NAME]!r} from {key[1]}"
        if len(new) > 1:
            said = f"{len(new)} of it, and one is enough: such a policy is refused"
            name = f"[[waivers]] {subject}"
            yield change_of("unreadable", name, (None, said), redact, loosens=True)
        for one in new:
            if not old:
                yield change_of("waiver-added", subject, (None, _until(one)), redact, loosens=True)
            elif one not in old:
                yield from fields(old[-1], one, f"[[waivers]] {subject}", redact)
        if not new:
            gone = (_until(old[-1]), None)
            yield change_of("waiver-removed", subject, gone, redact, loosens=False)


def _by_case(waivers: Iterable[Waiver]) -> dict[tuple[str, str], tuple[Waiver, ...]]:
    found: dict[tuple[str, str], tuple[Waiver, ...]] = {}
    for one in waivers:
        key = one.case, one.gate
        found[key] = (*found.get(key, ()), one)
    return found


def _until(waiver: Waiver) -> str:
    return f"until {waiver.expires}, by {waiver.owner}"
