"""What each assertion of promptfoo came to: the results, held to the assertions declared."""

from __future__ import annotations

from typing import Any, Final

from gate.records.json_text import canonical

COMPARISONS: Final = frozenset(("select-best", "max-score"))
_SET: Final = "assert-set"
_RED_TEAM: Final = "promptfoo:redteam:"
"""The beginning of the types whose results tell the rubric as their value."""
_TELLING: Final = ("type", "value", "metric", "threshold", "weight")


def stand_for(declared: list[Any], grading: dict[str, Any]) -> bool:
    """Say whether each assertion has a result of its own, in their order.

    Those that compare answers have theirs elsewhere; those of a set are in that of the set. A
    result that does not tell its assertion is taken at its place.

    >>> wanted = [{"type": "equals", "value": "a"}, {"type": "llm-rubric", "value": "b"}]
    >>> results = [{"pass": True, "assertion": each} for each in wanted]
    >>> stand_for(wanted, {"componentResults": results})
    True
    >>> stand_for(wanted, {"componentResults": [results[0], results[0]]})
    False
    """
    wanted = [one for one in declared if isinstance(one, dict) and not compares(one)]
    found = [one for one in own_of(grading) if not compares(assertion_of(one))]
    return len(found) >= len(wanted) and all(map(_is_of, found, wanted))


def _is_of(component: dict[str, Any], declared: dict[str, Any]) -> bool:
    within, told = declared.get("assert"), assertion_of(component)
    if declared.get("type") == _SET and isinstance(within, list):
        return not told and stand_for(within, component)
    if not told:
        return True
    kind = told.get("type")
    red = isinstance(kind, str) and kind.startswith(_RED_TEAM)
    names = [name for name in _TELLING if not (red and name == "value")]
    same = all(canonical(told.get(name)) == canonical(declared.get(name)) for name in names)
    return same and _grader(told) == _grader(declared)


def _grader(assertion: dict[str, Any]) -> str | None:
    """Give the name of the grader of one assertion: what else stands there may hold keys."""
    provider = assertion.get("provider")
    name = provider.get("id") if isinstance(provider, dict) else provider
    return name if isinstance(name, str) else None


def compares(assertion: dict[str, Any]) -> bool:
    """Say whether an assertion compares the answers of several providers or prompts."""
    kind = assertion.get("type")
    return isinstance(kind, str) and (kind in COMPARISONS or kind.startswith("select-"))


def own_of(grading: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the results of the assertions themselves: what is in one stands after it again."""
    listed, at = inner_of(grading), 0
    own = []
    while at < len(listed):
        own.append(listed[at])
        within = inner_of(listed[at])
        after = listed[at + 1 : at + 1 + len(within)]
        same = len(after) == len(within) and all(map(_alike, after, within))
        at += 1 + (len(within) if same else 0)
    return own


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one.get(name) == other.get(name) for name in ("pass", "score", "reason"))


def assertion_of(component: dict[str, Any]) -> dict[str, Any]:
    """Give the assertion that a result tells; empty where it tells none."""
    found = component.get("assertion")
    return found if isinstance(found, dict) else {}


def inner_of(component: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the results within one."""
    inner = component.get("componentResults")
    return [one for one in inner if isinstance(one, dict)] if isinstance(inner, list) else []
