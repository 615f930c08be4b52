"""What a verdict of Inspect stands on: its scorers, their options, and the models that grade."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.records.json_text import canonical

if TYPE_CHECKING:
    from gate.inputs.importers.parts.members import Members

_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where a function among the options lay in memory, which is new in every run."""
_BY_THEMSELVES: Final = frozenset(
    ("match", "includes", "pattern", "answer", "choice", "exact", "f1", "math")
)
"""Inspect's own scorers that ask no model."""
_PACKAGE: Final = "inspect_ai"
"""Whose name a log leaves out: there, one of its scorers looks like one of the task's file."""
_BY_A_MODEL: Final = ("model_graded_qa", "model_graded_fact")
_ROLE: Final = "grader"


class Rules(NamedTuple):
    """The scorers of a run as canonical text, all of them and each by the name of its scores.

    ``by_itself`` names those that a model grades of which the log says no other than the one
    under test.
    """

    every: str = ""
    by_score: tuple[tuple[str, str], ...] = ()
    by_itself: tuple[str, ...] = ()


def rules_of(header: Members) -> Rules:
    """Give the scorers, empty where the log does not say them. Raises ``JsonRefused``."""
    spec = header.object("eval")
    scorers: Any = spec.get("scorers")
    if not isinstance(scorers, list) or not scorers:
        return Rules()
    asked = _Asked(header, spec, scorers)
    named = [_rule(each, asked) for each in scorers]
    own = _own(named)
    texts = {name: _text([rule]) for name, rule in own.items()}
    return Rules(
        _text(named),
        tuple((f"{name}{end}", text) for name, text in texts.items() for end in ("", ".")),
        tuple(name for name, rule in own.items() if _grades_itself(rule)),
    )


class _Asked:
    """The models that a run had beside the one under test, by their roles, and who asks them."""

    def __init__(self, header: Members, spec: Members, scorers: list[Any]) -> None:
        roles: Any = spec.get("model_roles")
        roles = roles if isinstance(roles, dict) else {}
        # Not their arguments, among which keys and addresses stand.
        self.roles = {
            name: {key: role.get(key) for key in ("model", "config")}
            for name, role in roles.items()
            if isinstance(role, dict)
        }
        names = [each.get("name") for each in scorers if isinstance(each, dict)]
        # What was asked is explained by a scorer that may ask, if there is one.
        self._by_others = any(not (isinstance(name, str) and _is_quiet(name)) for name in names)
        self._was_asked = _was_asked(header, spec, self.roles)

    def by(self, name: str) -> bool:
        """Say whether a scorer of this name may ask a model.

        One that bears the name of a scorer of Inspect's that asks none is taken for that one,
        unless the grader was asked and no other scorer is there that could have asked it.
        """
        if not _is_quiet(name):
            return True
        return "/" not in name and self._was_asked and not self._by_others


def _was_asked(header: Members, spec: Members, roles: dict[str, dict[str, Any]]) -> bool:
    """Say whether the grader was asked, or may have been: older logs do not tell it of a role."""
    if _ROLE not in roles:
        return False
    stats: Any = header.get("stats")
    used = stats.get("role_usage") if isinstance(stats, dict) else None
    if isinstance(used, dict):
        return _ROLE in used
    used = stats.get("model_usage") if isinstance(stats, dict) else None
    model = roles[_ROLE]["model"]
    return not isinstance(used, dict) or model == spec.get("model") or model in used


def _is_quiet(name: str) -> bool:
    """Say whether this is the name of a scorer of Inspect's that asks no model.

    >>> _is_quiet("match"), _is_quiet("inspect_ai/match"), _is_quiet("acme/match")
    (True, True, False)
    """
    return name.removeprefix(f"{_PACKAGE}/") in _BY_THEMSELVES


def _own(rules: list[Any]) -> dict[str, dict[str, Any]]:
    """Give the rules by the names of their scores: Inspect tells those of one name apart so.

    >>> [*_own([{"name": "match"}, {"name": "acme/match"}, {"name": "f1"}])]
    ['match', 'match1', 'f1']
    """
    own: dict[str, dict[str, Any]] = {}
    for rule in rules:
        name = rule.get("name") if isinstance(rule, dict) else None
        if not isinstance(name, str) or not name:
            continue
        called, count = _bare(name), 1
        while called in own:
            called, count = f"{_bare(name)}{count}", count + 1
        own[called] = rule
    return own


def _rule(scorer: object, asked: _Asked) -> object:
    if not isinstance(scorer, dict):
        return scorer
    rule = {key: scorer.get(key) for key in ("name", "options")}
    name, options = rule["name"], rule["options"]
    if isinstance(name, str) and not asked.by(name):
        return rule
    said = options.get("model_role") if isinstance(options, dict) else None
    role = said if isinstance(said, str) else _ROLE
    if role in asked.roles:
        rule["grader"] = asked.roles[role]
    if said is None and not (isinstance(name, str) and _is_judge(name)):
        others = {other: asked.roles[other] for other in asked.roles if other != role}
        rule |= {"roles": others} if others else {}
    return rule


def _is_judge(name: str) -> bool:
    return name.removeprefix(f"{_PACKAGE}/") in _BY_A_MODEL


def _grades_itself(rule: dict[str, Any]) -> bool:
    options = rule.get("options")
    model = options.get("model") if isinstance(options, dict) else None
    return _bare(rule["name"]) in _BY_A_MODEL and model is None and "grader" not in rule


def _bare(name: str) -> str:
    """Give the name that a scorer's scores go by, without that of its package."""
    return name.rpartition("/")[2]


def _text(rules: list[Any]) -> str:
    return _ADDRESS.sub("", canonical({"scorers": rules}))
