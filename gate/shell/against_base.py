"""A pull request's rules beside those of its base commit: what differs, and what is in force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from gate.baseline.store import MAX_BYTES as MAX_BASELINE
from gate.baseline.store import read_baseline
from gate.errors import GateError
from gate.judges.trust_store import MAX_BYTES as MAX_TEXT
from gate.pipeline.case_changes import cases_in_force
from gate.pipeline.once_merged import refused_once_merged
from gate.pipeline.policy_changes import in_force, watched_labels
from gate.pipeline.rule_changes import Kept, RuleFiles, rule_changes
from gate.pipeline.short_text import named
from gate.pipeline.tighter import refuse_looser
from gate.records.gating import RulesOptions
from gate.records.rule_change import Origin, RulesFrom
from gate.shell.base import AgainstBase
from gate.shell.gather import MAX_CASES, MAX_POLICY, POLICY, cases_of, policy_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gate.pipeline.rule_changes import Role
    from gate.policy.file import PolicyFile
    from gate.records.case import EvalCase
    from gate.records.policy import Overrides
    from gate.records.rule_change import ChangeKind
    from gate.records.waiver import Waiver
    from gate.shell.base import Base
    from gate.shell.gather import Means, Rules

_T = TypeVar("_T")


def against_base(means: Means, base: Base, rules: Rules, options: Overrides) -> AgainstBase:
    """Read the rules of both commits, refuse options that loosen those of the base, and compare.

    Raises ``UsageInvalid`` for such options, ``BaseUnreadable``, and what a file of the base
    raises that cannot be read; one of the pull request's that cannot is a change.
    """
    files = _files(base, rules, options)
    policy, cases, baseline = files.policy, files.cases, files.baseline
    files = files._replace(refused=_refused_once_merged(policy, cases, options, means))
    refuse_looser(
        None if policy is None else policy.base,
        options,
        baseline=None if baseline is None else baseline.base,
    )
    kept = (policy, cases, *(text for _, text in files.texts))
    brought = [one.path for one in kept if one is not None and _is_brought(one)]
    origin = Origin(
        RulesFrom(
            source="base",
            commit=base.commit,
            file=None if rules.source is None else named(rules.source, means.redact),
            brought=tuple(named(path, means.redact) for path in brought),
            first=files.new,
            added=_added(cases),
        ),
        rule_changes(files, redact=means.redact, options=options),
    )
    return AgainstBase(
        origin,
        None if cases is None else _in_force(cases, None if policy is None else policy.base),
        adopts=_is_brought(baseline),
        legislates=_is_brought(policy) and not files.new,
        lifted=() if policy is None else _lifted(policy, means),
    )


def _refused_once_merged(
    policy: Kept[PolicyFile] | None,
    cases: Kept[Sequence[EvalCase]] | None,
    options: Overrides,
    means: Means,
) -> str | None:
    """Say why the change's policy would be refused as soon as it is the base's."""
    if policy is None or policy.base is None or policy.head is None or cases is None:
        return None
    held = cases.head or cases.base
    if not held or (policy.head is policy.base and cases.head is cases.base):
        return None
    return refused_once_merged(policy.head, held, options, day=means.day)


def _lifted(policy: Kept[PolicyFile], means: Means) -> tuple[Waiver, ...]:
    """Give the waivers of the base that the change takes away, or has ended and it renews."""
    if policy.base is None or policy.head is None or not policy.base.waivers:
        return ()
    kept = {(one.case, one.gate) for one in policy.head.waivers}
    gone = [one for one in policy.base.waivers if one not in policy.head.waivers]
    return tuple(
        one for one in gone if (one.case, one.gate) not in kept or one.expires < means.day()
    )


def _added(cases: Kept[Sequence[EvalCase]] | None) -> tuple[str, ...]:
    """Name the cases that only the change has, where the base has others, in order of ids."""
    if cases is None or cases.base is None:
        return ()
    known = {case.id for case in cases.base}
    return tuple(sorted(case.id for case in cases.head or () if case.id not in known))


def _is_brought(file: Kept[Any] | None) -> bool:
    """Say whether only the change has a file."""
    return file is not None and file.base is None and file.head is not None


def _allowed(policy: PolicyFile | None) -> frozenset[ChangeKind]:
    """Give the kinds of change that the base allows a pull request."""
    gates = () if policy is None else policy.gates
    return frozenset(
        kind
        for gate in gates
        if isinstance(gate, RulesOptions) and gate.enabled
        for kind in gate.allow_policy_changes
    )


def _in_force(
    cases: Kept[Sequence[EvalCase]], policy: PolicyFile | None
) -> tuple[EvalCase, ...] | None:
    """Give the base's cases and those that only the change has; the change's if they are new."""
    if cases.base is None:
        return None if cases.head is None else tuple(cases.head)
    head = cases.base if cases.head is None else cases.head
    watched = watched_labels(in_force(policy))
    return cases_in_force(cases.base, head, watched=watched, allowed=_allowed(policy))


def _files(base: Base, rules: Rules, options: Overrides) -> RuleFiles:
    suite, judge = rules.suite, rules.judge

    def kept(path: str, limit: int, parse: Callable[[bytes], _T]) -> Kept[_T]:
        return _kept(base, path, limit=limit, parse=parse)

    def texts() -> Iterator[tuple[Role, Kept[bytes]]]:
        prompt, tools, trust = options.judge_prompt, None, options.judge_trust
        if judge is not None:
            prompt, tools, trust = prompt or judge.prompt, judge.tools, trust or judge.trust
        named: tuple[tuple[Role, str | None], ...] = (
            ("prompt", prompt),
            ("tools", tools),
            ("trust", trust),
        )
        for role, path in named:
            if path is not None:
                yield role, kept(path, MAX_TEXT, bytes)

    policy, cases, baseline = rules.source or POLICY, suite.cases, suite.baseline
    return RuleFiles(
        policy=kept(policy, MAX_POLICY, lambda data: policy_of(data, source=policy)),
        cases=None
        if cases is None
        else kept(cases, MAX_CASES, lambda data: cases_of(data, source=cases)),
        baseline=None
        if baseline is None
        else kept(baseline, MAX_BASELINE, lambda data: read_baseline(data, source=baseline)),
        texts=tuple(texts()),
    )


def _kept(base: Base, path: str, *, limit: int, parse: Callable[[bytes], _T]) -> Kept[_T]:
    """Read one file at both commits; equal bytes are parsed once."""
    before, was = None, None
    if base.files.exists(path):
        before = base.files.read(path, limit=limit)
        was = parse(before)
    tree = base.first.tree
    if not tree.exists(path):
        return Kept(path, was, None)
    try:
        after = tree.read(path, limit=limit)
        return Kept(path, was, was if after == before else parse(after))
    except GateError as error:
        return Kept(path, was, None, unread=str(error))
