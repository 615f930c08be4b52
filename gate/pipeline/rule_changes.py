"""What a pull request changes in the rules that judge it: policy, prompts, cases and baseline."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final, Generic, Literal, NamedTuple, TypeVar

from gate.pipeline.baseline_changes import baseline_changes
from gate.pipeline.case_changes import case_changes
from gate.pipeline.policy_changes import in_force, policy_changes, watched_labels
from gate.pipeline.short_text import named, pair
from gate.records.rule_change import OF_CASES, RuleChange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from gate.policy.file import PolicyFile
    from gate.records.baseline import Baseline
    from gate.records.case import EvalCase
    from gate.records.policy import Overrides
    from gate.records.rule_change import ChangeKind

    Redact = Callable[[str], str]

LISTED: Final = 20
"""Changes of one kind that are spelt out; the others are counted."""
_NAMED: Final = 5
_DIGITS: Final = 12
Role = Literal["prompt", "tools", "trust"]
"""What a text serves a judge as: its instructions, what the agent had, how far it is trusted."""
_T = TypeVar("_T")


class Kept(NamedTuple, Generic[_T]):
    """One file of the rules at both commits, parsed; ``None`` where a commit has none.

    ``unread`` says why the head's cannot be read: then ``head`` means nothing.
    """

    path: str
    base: _T | None
    head: _T | None
    unread: str | None = None


class RuleFiles(NamedTuple):
    """All files of the rules; ``None`` where neither commit's rules name one.

    ``texts`` are those that only a judge reads, by what they serve as. ``refused`` says why the
    head's policy would be refused once it is merged.
    """

    policy: Kept[PolicyFile] | None = None
    cases: Kept[Sequence[EvalCase]] | None = None
    baseline: Kept[Baseline] | None = None
    texts: tuple[tuple[Role, Kept[bytes]], ...] = ()
    refused: str | None = None

    @property
    def new(self) -> bool:
        """Say whether the base commit has none of them: the pull request brings the gate."""
        return self.ungoverned and (self.cases is None or self.cases.base is None)

    @property
    def ungoverned(self) -> bool:
        """Say whether the base commit has at most cases, and nothing that judges by them."""
        kept = (self.policy, self.baseline, *(text for _, text in self.texts))
        return all(one is None or one.base is None for one in kept)


def rule_changes(
    files: RuleFiles, *, redact: Redact = str, options: Overrides | None = None
) -> tuple[RuleChange, ...]:
    """Give what the head changes, what loosens first; empty where the base has no rules.

    ``options`` are the run's, which switch on gates as well. ``redact`` takes secrets out of what
    is quoted, before it is cut. At most :data:`LISTED` changes of a kind are spelt out; one more
    then counts the others.
    """
    if files.new:
        return ()
    found = list(_changes(files, redact, options))
    found.sort(key=lambda change: not change.loosens)
    return tuple(_bounded(found))


def _changes(files: RuleFiles, redact: Redact, options: Overrides | None) -> Iterator[RuleChange]:
    policy, cases, baseline = files.policy, files.cases, files.baseline
    base = None if policy is None else policy.base
    kept = (policy, cases, baseline, *(text for _, text in files.texts))
    yield from (
        _unreadable(one.path, one.unread, redact)
        for one in kept
        if one is not None and one.unread is not None
    )
    if policy is not None and files.refused is not None:
        yield _unreadable(policy.path, f"refused once merged: {files.refused}", redact)
    if files.ungoverned and policy is not None and policy.head is not None:
        yield RuleChange(kind="policy-added", subject=named(policy.path, redact), loosens=False)
    if not files.ungoverned:
        if policy is not None and policy.unread is None:
            yield from policy_changes(
                policy.base, policy.head, path=policy.path, redact=redact, options=options
            )
        for role, text in files.texts:
            if text.unread is None and text.base != text.head:
                yield _text(role, text, redact)
        if baseline is not None and baseline.unread is None:
            yield from baseline_changes(
                baseline.base, baseline.head, path=baseline.path, redact=redact
            )
    if cases is not None and cases.unread is None:
        watched = watched_labels(in_force(base))
        yield from case_changes(cases.base, cases.head, watched=watched, redact=redact)


def _unreadable(path: str, why: str, redact: Redact) -> RuleChange:
    said = pair(None, why, redact).after
    return RuleChange(kind="unreadable", subject=named(path, redact), after=said, loosens=True)


def _text(role: Role, text: Kept[bytes], redact: Redact) -> RuleChange:
    kind: ChangeKind = "trust-changed" if role == "trust" else "prompt-changed"
    return RuleChange(
        kind=kind,
        subject=named(f"[judge] {role} {text.path}", redact),
        before=_digest(text.base),
        after=_digest(text.head),
        loosens=True,
    )


def _digest(text: bytes | None) -> str | None:
    return None if text is None else f"sha256:{sha256(text).hexdigest()[:_DIGITS]}"


def _bounded(changes: Iterable[RuleChange]) -> Iterator[RuleChange]:
    """Spell out the first of each kind, and count the others where the last of those stood."""
    groups: dict[tuple[ChangeKind, bool], list[RuleChange]] = {}
    for change in changes:
        groups.setdefault((change.kind, change.loosens), []).append(change)
    for (kind, loosens), alike in groups.items():
        yield from alike[:LISTED]
        others = alike[LISTED:]
        if others:
            yield RuleChange(
                kind=kind,
                subject="",
                loosens=loosens,
                number=sum(one.number for one in others),
                case_ids=_ids(others),
            )


def _ids(changes: Iterable[RuleChange]) -> tuple[str, ...]:
    return tuple(one.subject for one in changes if one.kind in OF_CASES)[:_NAMED]
