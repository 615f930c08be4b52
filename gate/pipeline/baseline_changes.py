"""What a pull request changes in the accepted result: another one is a change by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.pipeline.short_text import named, pair, spelt
from gate.records.figures import count
from gate.records.rule_change import RuleChange
from gate.records.values import accepted_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gate.records.baseline import Baseline, BaselineRow

    Redact = Callable[[str], str]

FIELDS: Final = (
    *("scorer", "judge_config", "metric", "pass_threshold", "trajectory_mode", "repeats"),
    *("summary", "cases_digest", "reason", "knowingly", "waived", "history"),
)
"""The fields of a baseline but for its rows and what it calls itself."""
_NAMED: Final = 5


def baseline_changes(
    base: Baseline | None, head: Baseline | None, *, path: str, redact: Redact
) -> Iterator[RuleChange]:
    """Give the changes from ``base`` to ``head``; ``None`` where there is no such file.

    Each of them loosens: an accepted result is measured and promoted, and nobody measured what a
    pull request brings. So does a first one.
    """
    if base is None and head is not None:
        yield RuleChange(kind="baseline-added", subject=named(path, redact), loosens=True)
    elif base is not None and head is None:
        yield RuleChange(kind="baseline-removed", subject=named(path, redact), loosens=True)
    elif base is not None and head is not None and base != head:
        for name in FIELDS:
            before, after = getattr(base, name), getattr(head, name)
            if before != after:
                yield _field(name, before, after, redact)
        yield from _rows(base, head, redact)


def _field(name: str, before: object, after: object, redact: Redact) -> RuleChange:
    was, now = _spelt(before), _spelt(after)
    texts = pair(was, now, redact)
    return RuleChange(
        kind="baseline-changed",
        subject=f"baseline: {name}",
        before=texts.before,
        after=texts.after,
        loosens=True,
    )


def _spelt(value: object) -> str | None:
    """Spell a field; of earlier runs, and of waived cases, how many there are and which."""
    if isinstance(value, tuple) and value and not isinstance(value[0], str):
        return f"{count(len(value), 'earlier run')} {spelt(value)}"
    return spelt(value)


def _rows(base: Baseline, head: Baseline, redact: Redact) -> Iterator[RuleChange]:
    before = {row.id: row for row in base.rows}
    after = {row.id: row for row in head.rows}
    groups: dict[str, list[tuple[str, str | None, str | None]]] = {}
    for case_id in sorted(before.keys() | after.keys()):
        was, now = before.get(case_id), after.get(case_id)
        if was != now:
            kind, old, new = _row(was, now, base)
            groups.setdefault(kind, []).append((case_id, old, new))
    for kind in _KINDS:
        if kind in groups:
            yield _group(kind, groups[kind], redact)


_LOWER, _HIGHER = "accepted lower", "accepted higher"
_DROPPED, _NEW, _OTHER = "dropped", "added", "changed otherwise"
_KINDS: Final = (_LOWER, _HIGHER, _DROPPED, _NEW, _OTHER)


def _row(
    was: BaselineRow | None, now: BaselineRow | None, base: Baseline
) -> tuple[str, str | None, str | None]:
    if was is None or now is None:
        return (_NEW if was is None else _DROPPED), None, None
    old, new = accepted_value(was, base.metric), accepted_value(now, base.metric)
    if old == new:
        return _OTHER, None, None
    return (_LOWER if new < old else _HIGHER), f"{old:g}", f"{new:g}"


def _group(
    kind: str, rows: Sequence[tuple[str, str | None, str | None]], redact: Redact
) -> RuleChange:
    """Put the cases of one kind together: the first are named, and of one alone the values."""
    _, old, new = rows[0] if len(rows) == 1 else ("", None, None)
    texts = pair(old, new, redact)
    return RuleChange(
        kind="baseline-changed",
        subject=f"baseline: {kind}",
        before=texts.before,
        after=texts.after,
        loosens=True,
        number=len(rows),
        case_ids=tuple(case_id for case_id, _, _ in rows[:_NAMED]),
    )
