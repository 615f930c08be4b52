"""A change of the rules as a sentence, the same in every place that tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.figures import count

if TYPE_CHECKING:
    from gate.records.rule_change import RuleChange

UNSET: Final = "unset"
_NAMED: Final = 5
_NAME: Final = 80
_WHOLE: Final = {
    "policy-added": "policy {} added",
    "policy-removed": "policy {} removed",
    "gate-added": "gate {} added",
    "gate-removed": "gate {} removed",
    "gate-on": "gate {} switched on",
    "gate-off": "gate {} switched off",
    "waiver-added": "waiver of {} added",
    "waiver-removed": "waiver of {} removed",
    "case-added": "case {!r} added",
    "case-removed": "case {!r} removed",
    "safety-case-removed": "safety case {!r} removed",
    "baseline-added": "baseline {} added",
    "baseline-removed": "baseline {} removed",
    "unreadable": "{} cannot be read",
}
"""What came or went as a whole; its ``before`` or ``after`` says more of it."""
_OF_CASES: Final = {
    "label-changed": "labels of {!r} changed",
    "input-changed": "input of {!r} changed",
    "reference-changed": "reference of {!r} changed",
    "expected-tools-changed": "expected tools of {!r} changed",
    "cluster-changed": "cluster of {!r} changed",
    "case-scorer-changed": "scorer of {!r} changed",
    "metadata-changed": "metadata of {!r} changed",
}
_EXPECTED: Final = frozenset(
    (
        *("reference-changed", "expected-tools-changed", "metadata-changed"),
        *("case-scorer-changed", "scorer-changed"),  # a rubric's checks stand in its options
    )
)
"""Kinds whose texts say what the golden set expects."""
_OF_LABELS: Final = {
    "safety-label-removed": "case {!r}: label {} removed",
    "safety-label-added": "case {!r}: label {} added",
}


def sentence(change: RuleChange, *, show_expected: bool) -> str:
    """Say a change in one line; ``show_expected=False`` leaves out what a case expects.

    The line quotes ids and texts of others as they are.

    >>> from gate.records.rule_change import RuleChange
    >>> limit = RuleChange(kind="limit-loosened", subject="[[gates]] regression max_drop",
    ...     before="0.02", after="0.5", loosens=True)
    >>> sentence(limit, show_expected=True)
    '[[gates]] regression max_drop: 0.02 → 0.5'
    >>> case = RuleChange(kind="reference-changed", subject="qa-3", before="Rome", after="Paris",
    ...     loosens=True)
    >>> sentence(case, show_expected=False)
    "reference of 'qa-3' changed"
    """
    kind, subject = change.kind, change.subject
    shown = show_expected or kind not in _EXPECTED
    if not subject:
        said = f"{count(change.number, 'more change')} of the kind {kind}{_ids(change)}"
    elif kind in _WHOLE:
        said = _WHOLE[kind].format(subject[:_NAME]) + _beside(_value(change), shown=shown)
    elif kind in _OF_LABELS:
        said = _OF_LABELS[kind].format(subject[:_NAME], _value(change))
    elif kind in _OF_CASES:
        said = _OF_CASES[kind].format(subject[:_NAME]) + _beside(_moved(change), shown=shown)
    else:
        of = f": {count(change.number, 'case')}{_ids(change)}" if change.case_ids else ""
        moved = _moved(change) if shown else None
        said = subject + of + (f": {moved}" if moved else "" if of else " changed")
    return said


def _beside(text: str | None, *, shown: bool) -> str:
    return f": {text}" if text and shown else ""


def _value(change: RuleChange) -> str | None:
    """Give the one of the two texts that is there."""
    return change.after if change.before is None else change.before


def _moved(change: RuleChange) -> str | None:
    if change.before is None and change.after is None:
        return None
    before, after = (
        UNSET if one is None else one or "(empty)" for one in (change.before, change.after)
    )
    return f"{before} → {after}"


def _ids(change: RuleChange) -> str:
    if not change.case_ids:
        return ""
    named = ", ".join(repr(name[:_NAME]) for name in change.case_ids[:_NAMED])
    more = change.number - len(change.case_ids[:_NAMED])
    return f" ({named} and {more:,} more)" if more > 0 else f" ({named})"
