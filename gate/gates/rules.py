"""Gate ``rules``: a pull request does not loosen the rules that judge it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.figures import count
from gate.records.json_text import canonical
from gate.records.rule_change import OF_CASES
from gate.records.rule_words import sentence
from gate.records.verdict import GateVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gate.gates.evidence import Evidence, Setting
    from gate.records.gating import RulesOptions
    from gate.records.rule_change import RuleChange

_SHOWN: Final = 200


def objection(options: RulesOptions, setting: Setting) -> str | None:
    """Nothing can be wrong that reading the options has not refused."""
    del options, setting
    return None


def judge(options: RulesOptions, evidence: Evidence) -> GateVerdict:
    """Fail where a change loosens the rules of the base commit and those do not allow its kind.

    ``off`` where the rules are not a base commit's, or where that commit has none yet.
    """
    found, changes = evidence.origin
    why = None
    if found is None:
        why = "this run belongs to no pull request that could change its rules"
    elif found.source == "head":
        why = "the rules are the pull request's own: nothing holds it to those of its base"
    elif found.first:
        why = "the base commit has none of these files yet: the pull request brings them"
    if why is not None:
        return GateVerdict(gate="rules", outcome="off", because=why)
    refused = [one for one in changes if is_refused(one, options)]
    return GateVerdict(
        gate="rules",
        outcome="fail" if refused else "pass",
        because=_refused(refused) if refused else _passed(changes),
        numbers=canonical(
            {
                "n_changes": _total(changes),
                "n_loosening": _total([one for one in changes if one.loosens]),
                "n_refused": _total(refused),
                "refused": sorted({one.kind for one in refused}),
            }
        ),
        case_ids=tuple(dict.fromkeys(_cases(refused))),
    )


def is_refused(change: RuleChange, options: RulesOptions) -> bool:
    """Say whether a change fails: it loosens, and its kind is not allowed."""
    return change.loosens and change.kind not in options.allow_policy_changes


def _total(changes: Sequence[RuleChange]) -> int:
    return sum(one.number for one in changes)


def _refused(refused: Sequence[RuleChange]) -> str:
    number = _total(refused)
    first = sentence(refused[0], show_expected=False)
    shown = first if len(first) <= _SHOWN else f"{first[:_SHOWN]}…"
    if number == 1:
        return f"this change loosens the rules that judge it: {shown}"
    return f"this change loosens the rules that judge it in {number:,} places; first: {shown}"


def _passed(changes: Sequence[RuleChange]) -> str:
    number = _total(changes)
    if not number:
        return "the rules are those of the base commit, and this change leaves them as they are"
    loosening = _total([one for one in changes if one.loosens])
    said = f"{count(number, 'change')} of the rules"
    if not loosening:
        return f"{said}: none loosens them"
    return f"{said}: {loosening:,} loosen them, which the base commit's policy allows"


def _cases(changes: Sequence[RuleChange]) -> Iterator[str]:
    for one in changes:
        if one.kind in OF_CASES and one.subject:
            yield one.subject
        yield from one.case_ids
