"""Two tables of one kind, key by key: one change a key, each with its direction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.pipeline.directions import direction
from gate.pipeline.short_text import named, pair, spelt
from gate.records.rule_change import RuleChange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gate.records.base import Record
    from gate.records.rule_change import ChangeKind

    Redact = Callable[[str], str]

_OUTSIDE: Final = {"gate", "enabled"}


def change_of(
    kind: ChangeKind,
    subject: str,
    values: tuple[object, object],
    redact: Redact,
    *,
    loosens: bool,
) -> RuleChange:
    """Make one change: ``subject`` says of what, ``values`` are what was set and what is."""
    before, after = pair(spelt(values[0]), spelt(values[1]), redact)
    return RuleChange(
        kind=kind, subject=named(subject, redact), before=before, after=after, loosens=loosens
    )


def fields(was: Record, now: Record, where: str, redact: Redact) -> Iterator[RuleChange]:
    """Compare two tables of one kind key by key."""
    kind = type(was)
    for key in kind.model_fields:
        before, after = getattr(was, key), getattr(now, key)
        if key in _OUTSIDE or before == after:
            continue
        way = direction(kind, key)
        if not way.moved(before, after):
            continue
        yield change_of(
            way.kind(before, after),
            f"{where} {key}",
            (before, after),
            redact,
            loosens=way.loosens(before, after),
        )
