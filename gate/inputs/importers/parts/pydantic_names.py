"""Which evaluators of Pydantic Evals gave which names to their results, over a whole report."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.inputs.importers.parts.rules_text import rules_text
from gate.records.json_text import canonical

if TYPE_CHECKING:
    from collections.abc import Collection

MAX_NAMES: Final = 100
"""Of an evaluator that gave more names than this nobody asks which it left out, or is of which."""
_KINDS: Final = ("scores", "assertions", "labels")


class Rules(NamedTuple):
    """The evaluators of a case as canonical text: all of them, and those of each name."""

    every: str
    by_score: tuple[tuple[str, str], ...]


class Names:
    """What the cases of a report tell of its evaluators.

    An evaluator goes by its ``source`` (name and arguments) and its version. Its names are told by
    the cases in which none failed, if there are any: beside one that failed, others may have moved
    up.
    """

    def __init__(self, cases: list[Any]) -> None:
        """Read the results of all cases."""
        self._sources: dict[str, set[str]] = defaultdict(set)
        self._names: dict[str, set[str]] = defaultdict(set)
        self._settled: dict[str, set[str]] = defaultdict(set)
        self._numbers: set[str] = set()
        self._own: dict[str, str] = {}
        judges: dict[str, set[str]] = defaultdict(set)
        for case in cases:
            failures = listed_in(case, "evaluator_failures")
            asked = judges[_origin(case)]
            for source, own in _failed(failures).items():
                asked.add(source)
                if own is not None:
                    self._own.setdefault(source, own)
            for kind in _KINDS:
                for name, result in results_in(case, kind).items():
                    source = _source(result)
                    asked.add(source)
                    self._sources[name].add(source)
                    self._names[source].add(name)
                    if kind != "labels":
                        self._numbers.add(name)
                    if not failures:
                        self._settled[source].add(name)
        self._every = self._rules(set().union(*judges.values()))
        alike = {frozenset(asked): frozenset(asked) for asked in judges.values() if asked}
        rules = {asked: self._rules(asked) for asked in alike}
        self._of = {origin: rules[frozenset(asked)] for origin, asked in judges.items() if asked}

    def several(self, name: str) -> bool:
        """Say whether several evaluators gave this name."""
        return len(self._sources[name]) > 1

    def lost(self, failures: list[Any]) -> set[str]:
        """Name what the evaluators that failed would have given."""
        lost: set[str] = set()
        for source, own in _failed(failures).items():
            known = self._names.get(source)
            if known is None and own is not None:
                lost.add(own)
            elif known is not None and len(known) <= MAX_NAMES:
                lost |= known & self._numbers
        return lost

    def rules_of(self, case: dict[str, Any]) -> Rules:
        """Give what judges a case.

        They are the evaluators of all runs of the case. One that failed is among them, so that its
        failure makes no other rules. Where every run crashed none was asked: then they are all of
        the report.
        """
        return self._of.get(_origin(case), self._every)

    def _alone(self, source: str) -> set[str]:
        """Give the name that an evaluator goes by which never gave one to a result."""
        return {self._own[source]} if source in self._own else set()

    def _rules(self, asked: Collection[str]) -> Rules:
        by_score: dict[str, list[str]] = {}
        for source in sorted(asked):
            names = self._settled.get(source) or self._names.get(source) or self._alone(source)
            for name in names if len(names) <= MAX_NAMES else ():
                by_score.setdefault(name, []).append(source)
        return Rules(
            rules_text(sorted(asked)),
            tuple((name, rules_text(by_score[name])) for name in sorted(by_score)),
        )


def results_in(case: object, kind: str) -> dict[str, Any]:
    """Give the results of one kind by their names; none where there is no such object."""
    found = case.get(kind) if isinstance(case, dict) else None
    return found if isinstance(found, dict) else {}


def listed_in(case: object, key: str) -> list[Any]:
    """Give the elements of a list of a case; none where there is no such list."""
    found = case.get(key) if isinstance(case, dict) else None
    return found if isinstance(found, list) else []


def _failed(failures: list[Any]) -> dict[str, str | None]:
    """Give the evaluators that failed with the names that they go by."""
    found: dict[str, str | None] = {}
    for failure in failures:
        own = failure.get("name") if isinstance(failure, dict) else None
        source = _source(failure)
        found[source] = found.get(source) or (own if isinstance(own, str) else None)
    return found


def _origin(case: object) -> str:
    """Give what the runs of one case share."""
    found = case if isinstance(case, dict) else {}
    origin = found.get("source_case_name")
    return canonical(found.get("name") if origin is None else origin)


def _source(result: object) -> str:
    """Give what an evaluator goes by; one without a version is that of a report that tells none.

    >>> _source({"source": {"name": "Judge"}, "evaluator_version": "v2", "value": 1})
    '{"evaluator_version":"v2","name":"Judge"}'
    """
    if not isinstance(result, dict):
        return "null"
    source, version = result.get("source"), result.get("evaluator_version")
    if version is None:
        return canonical(source)
    of_source = source if isinstance(source, dict) else {"source": source}
    return canonical({**of_source, "evaluator_version": version})
