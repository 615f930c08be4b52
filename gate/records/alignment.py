"""This run beside its baseline, case by case: an outer join, so that nothing is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from gate.records.baseline import AcceptedSummary
    from gate.records.result import CaseResult
    from gate.records.verdict import ChangedCase


class Alignment(NamedTuple):
    """Every case of either side, in exactly one of the four groups, each in id order.

    ``pairs`` are the rows of cases that stand unchanged in both: each has ``accepted``.
    ``history`` are the baselines before, oldest first; ``best_of`` counts them and the baseline
    where it is the best of three or more, else it is 0; ``knowingly`` says that it was accepted
    although it had not passed, and ``waived`` which of its cases a waiver had left out.

    ``differences`` say in what the two measurements differ as a whole (another scorer,
    threshold, trajectory mode or judge); empty means that they are comparable. ``reason`` is
    why a baseline that had not passed was accepted, ``repeats`` how many runs it has.
    """

    pairs: tuple[CaseResult, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[ChangedCase, ...]
    differences: tuple[str, ...]
    reason: str | None
    repeats: int
    history: tuple[AcceptedSummary, ...]
    best_of: int
    knowingly: bool
    waived: tuple[str, ...] = ()
