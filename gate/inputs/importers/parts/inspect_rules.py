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
    roles = spec.get("model_roles")
    named = [_rule(each, roles if isinstance(roles, dict) else {}) for each in scorers]
    own: dict[str, list[Any]] = {}
    for rule in named:
        name = rule.get("name") if isinstance(rule, dict) else None
        if isinstance(name, str) and name:
            own.setdefault(_bare(name), []).append(rule)
    texts = {name: _text(rules) for name, rules in own.items()}
    return Rules(
        _text(named),
        tuple((f"{name}{end}", text) for name, text in texts.items() for end in ("", ".")),
        tuple(name for name, rules in own.items() if any(map(_grades_itself, rules))),
    )


def _rule(scorer: object, roles: dict[str, Any]) -> object:
    if not isinstance(scorer, dict):
        return scorer
    rule = {key: scorer.get(key) for key in ("name", "options")}
    name, options = rule["name"], rule["options"]
    if isinstance(name, str) and _bare(name) in _BY_THEMSELVES:
        return rule
    said = options.get("model_role") if isinstance(options, dict) else None
    role = roles.get(said if isinstance(said, str) else _ROLE)
    if isinstance(role, dict):  # not its arguments, among which keys and addresses stand
        rule["grader"] = {key: role.get(key) for key in ("model", "config")}
    return rule


def _grades_itself(rule: dict[str, Any]) -> bool:
    options = rule.get("options")
    model = options.get("model") if isinstance(options, dict) else None
    return _bare(rule["name"]) in _BY_A_MODEL and model is None and "grader" not in rule


def _bare(name: str) -> str:
    """Give the name that a scorer's scores go by, without that of its package."""
    return name.rpartition("/")[2]


def _text(rules: list[Any]) -> str:
    return _ADDRESS.sub("", canonical({"scorers": rules}))
