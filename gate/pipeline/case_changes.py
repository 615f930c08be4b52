"""What a pull request changes in the golden set, case by case and field by field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.pipeline.short_text import pair, spelt
from gate.records.json_text import canonical
from gate.records.rule_change import RuleChange

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from gate.records.case import EvalCase
    from gate.records.rule_change import ChangeKind

FIELDS: Final[dict[str, ChangeKind]] = {
    "input": "input-changed",
    "reference": "reference-changed",
    "expected_tools": "expected-tools-changed",
    "labels": "label-changed",
    "cluster": "cluster-changed",
    "scorer": "case-scorer-changed",
    "metadata": "metadata-changed",
}
"""The fields of a case but for its id, and what a change of each is called."""
_UNREAD: Final = frozenset(("metadata",))
"""Fields that no score and no gate depends on."""


def case_changes(
    base: Sequence[EvalCase] | None,
    head: Sequence[EvalCase] | None,
    *,
    watched: Collection[str],
    redact: Callable[[str], str],
) -> Iterator[RuleChange]:
    """Give the changes from ``base`` to ``head``; ``None`` where there is no such file.

    ``watched`` are the labels that the safety gates of the base look at. A new case loosens
    nothing. Whatever else changes in a case may, since nobody can tell whether it got easier;
    but for one that comes to be watched, and for what nobody reads.
    """
    before = {case.id: case for case in base or ()}
    after = {case.id: case for case in head or ()}
    for case_id in sorted(before.keys() | after.keys()):
        was, now = before.get(case_id), after.get(case_id)
        if was is None:
            yield RuleChange(kind="case-added", subject=case_id, loosens=False)
        elif now is None:
            safe = not any(label in watched for label in was.labels)
            gone: ChangeKind = "case-removed" if safe else "safety-case-removed"
            yield RuleChange(kind=gone, subject=case_id, loosens=True)
        elif was != now:
            yield from _case(was, now, watched, redact)


def cases_in_force(
    base: Sequence[EvalCase],
    head: Sequence[EvalCase],
    *,
    watched: Collection[str] = (),
    allowed: Collection[ChangeKind] = (),
) -> tuple[EvalCase, ...]:
    """Give the cases of the base commit as they are there, and those that only the head has.

    A case is the head's, or gone as there, where the base allows every kind of change that this
    takes; ``watched`` as for :func:`case_changes`. In the code-point order of ids, as a case file
    gives them.
    """
    held = {case.id: case for case in head}
    for case in base:
        now = held.get(case.id)
        if now != case:
            after = () if now is None else (now,)
            changes = case_changes((case,), after, watched=watched, redact=str)
            if not all(change.kind in allowed for change in changes):
                held[case.id] = case
    return tuple(held[name] for name in sorted(held))


def _case(
    was: EvalCase, now: EvalCase, watched: Collection[str], redact: Callable[[str], str]
) -> Iterator[RuleChange]:
    for field, kind in FIELDS.items():
        before, after = getattr(was, field), getattr(now, field)
        if before == after:
            continue
        if field == "labels":
            yield _labels(was.id, before, after, watched, redact)
            continue
        texts = pair(_spelt(before), _spelt(after), redact)
        yield RuleChange(
            kind=kind,
            subject=was.id,
            before=texts.before,
            after=texts.after,
            loosens=field not in _UNREAD,
        )


def _spelt(value: object) -> str | None:
    return None if value == () else spelt(value)


def _labels(
    case_id: str,
    before: Sequence[str],
    after: Sequence[str],
    watched: Collection[str],
    redact: Callable[[str], str],
) -> RuleChange:
    """Say how labels changed: that a case is watched no more says the most."""
    gone = [label for label in before if label not in after]
    new = [label for label in after if label not in before]
    unwatched = [label for label in gone if label in watched]
    if unwatched:
        kind: ChangeKind = "safety-label-removed"
        texts = pair(_listed(unwatched), None, redact)
    elif not gone and all(one in watched for one in new):
        kind, texts = "safety-label-added", pair(None, _listed(new), redact)
    else:
        kind, texts = "label-changed", pair(canonical(before), canonical(after), redact)
    return RuleChange(
        kind=kind,
        subject=case_id,
        before=texts.before,
        after=texts.after,
        loosens=kind != "safety-label-added",
    )


def _listed(labels: Sequence[str]) -> str:
    return ", ".join(labels)
