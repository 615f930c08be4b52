"""Whose rules decided, and what a pull request changes in them: the same on every page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.figures import count
from gate.records.json_text import loads
from gate.records.rule_words import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gate.records.report import Report
    from gate.records.rule_change import RuleChange

_LISTED: Final = 5
_KINDS: Final = 4
"""So many stand in a sentence that the reports do not cut."""
UNREADABLE: Final = "unreadable"
"""The kind of a file that nobody should allow to be so."""
_NAME: Final = 80
REFUSED: Final = "not allowed"
ALLOWED: Final = "allowed"
LOOSENS: Final = "loosens"
OTHER: Final = "loosens nothing"


def change_lines(report: Report, *, show_expected: bool) -> tuple[tuple[str, str], ...]:
    """Give of each change what the gate says to it, and a sentence; what fails stands first.

    The sentences quote text of others. ``show_expected=False`` leaves out what a case expects.
    """
    lines = [(_word(report, one), one) for one in report.rule_changes]
    lines.sort(key=lambda line: _ORDER.index(line[0]))
    return tuple((word, sentence(one, show_expected=show_expected)) for word, one in lines)


_ORDER: Final = (REFUSED, LOOSENS, ALLOWED, OTHER)


def total(report: Report) -> int:
    """Count the changes, those among them that are counted and not spelt out."""
    return sum(one.number for one in report.rule_changes)


def is_refused(report: Report) -> bool:
    """Say whether the pull request fails by what it changes."""
    return any(gate.gate == "rules" and gate.outcome == "fail" for gate in report.gates)


def rule_warnings(report: Report) -> Iterator[str]:
    """Say loudly where a pull request is judged by rules that it could choose, or loosens some."""
    found = report.rules_from
    if found is None:
        return
    if found.source == "head":
        yield (
            "The rules are this pull request's own (policy-from: head): it may have loosened "
            "what judges it."
        )
        return
    named = ", ".join(repr(name[:_NAME]) for name in found.brought[:_LISTED])
    more = len(found.brought) - _LISTED
    named += f" and {more} more" if more > 0 else ""
    if found.first:
        yield (
            f"First adoption: the base commit has {f'no {named}' if named else 'no rules'}, so "
            "this pull request is judged by what it brings, and not by what may lie there under "
            "other names. Read it with care."
        )
        return
    if named:
        yield (
            f"The base commit lacks {named}: this pull request brings what it is judged by there."
        )
    if found.file is None:
        yield (
            "The base commit has no policy file: the options of the workflow decide, and the pull "
            "request can edit those."
        )
    number = sum(one.number for one in report.rule_changes if _word(report, one) in _LET)
    if number:
        verb = "loosens" if number == 1 else "loosen"
        yield (
            f"{count(number, 'change')} of this pull request {verb} the rules that judge it, "
            "which the policy of the base commit lets pass."
        )


_LET: Final = (ALLOWED, LOOSENS)


def rule_step(report: Report) -> str | None:
    """Say what can be done where nothing but a change of the rules fails."""
    failed = [gate for gate in report.gates if gate.outcome == "fail"]
    if [gate.gate for gate in failed] != ["rules"]:
        return None
    kinds = [kind for kind in loads(failed[0].numbers)["refused"] if kind != UNREADABLE]
    found = (one for one in report.rule_changes if one.kind == UNREADABLE)
    unread = tuple(one.subject[:_NAME] or f"{one.number:,} more" for one in found)
    named = ", ".join(unread[:_KINDS])
    mend = f"mend what cannot be read, or would be refused once merged: {named}." if unread else ""
    out = _without(kinds)
    return f"{mend} T{out[1:]}" if mend and out else mend or out


def _without(kinds: Sequence[str]) -> str:
    if not kinds:
        return ""
    shown = ", ".join(f'"{kind}"' for kind in kinds[:_KINDS])
    more = f" and {count(len(kinds) - _KINDS, 'more kind')}" if len(kinds) > _KINDS else ""
    return (
        "take the change of the rules out of this pull request. If it is meant, somebody who may "
        "merges past this check, or the policy on the base branch comes to allow it: "
        f'`allow_policy_changes = [{shown}]`{more} under `[[gates]] gate = "rules"`.'
    )


def _word(report: Report, change: RuleChange) -> str:
    if not change.loosens:
        return OTHER
    gate = next((one for one in report.gates if one.gate == "rules"), None)
    if gate is None or gate.outcome == "off":
        return LOOSENS
    return REFUSED if change.kind in loads(gate.numbers)["refused"] else ALLOWED
