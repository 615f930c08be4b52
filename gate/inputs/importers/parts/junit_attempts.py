"""Several elements of a JUnit file that are one test: the worst of them is what happened."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.inputs.importers.parts.texts import score_in

if TYPE_CHECKING:
    from gate.inputs.importers.parts.junit_xml import Element

_SCORE: Final = re.compile(r"score(?:[.:](.+))?", re.DOTALL)
_LABELS: Final = frozenset(("labels", "label", "tags"))
_OF_THE_ATTEMPT: Final = frozenset(("output", "tools"))
"""What one attempt said or did, and no other."""


class Attempts(NamedTuple):
    """One test, by the worst of its attempts.

    ``scores`` has the lowest of each, by the name of the score; ``None`` is no number, which is
    lower than any. ``twice`` names the properties that one element has with several values.
    """

    worst: Element
    properties: dict[str, str]
    scores: dict[str, float | None]
    twice: frozenset[str]
    texts: int
    flaky: bool


def worst_of(attempts: list[Element]) -> Attempts:
    """Make one test of its elements; of equally bad ones the first is the worst."""
    worst = max(attempts, key=lambda one: one.badness)
    properties: dict[str, str] = {}
    scores: dict[str, float | None] = {}
    twice: set[str] = set()
    texts = 0
    for one in (worst, *(other for other in attempts if other is not worst)):
        for name, values in one.properties.items():
            if len(values) > 1 and len(set(values)) > 1 and name not in _LABELS:
                twice.add(name)
            found = _SCORE.fullmatch(name)
            if found is not None:
                numbers = [score_in(said) for said in values]
                texts += None in numbers
                called = found[1] or "score"
                scores[called] = lowest(*numbers, *([scores[called]] if called in scores else ()))
            elif one is worst or name not in _OF_THE_ATTEMPT:
                said = ",".join(values) if name in _LABELS and len(values) > 1 else values[0]
                _ = properties.setdefault(name, said)
    return Attempts(
        worst, properties, scores, frozenset(twice), texts, any(one.flaky for one in attempts)
    )


def lowest(*scores: float | None) -> float | None:
    """Give the lowest; ``None`` where one of them is no number.

    >>> lowest(0.5, 0.25), lowest(1.0, None)
    (0.25, None)
    """
    numbers = [each for each in scores if each is not None]
    return min(numbers) if len(numbers) == len(scores) else None
