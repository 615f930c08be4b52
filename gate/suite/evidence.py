"""Excerpts of what was expected and what came: few, the most urgent first, whatever the order."""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.result import Evidence

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.records.case import EvalCase, Prediction

KEPT: Final = 200
"""Excerpts a result holds: more would make it grow with the failures."""
CHARACTERS: Final = 600
"""Characters that an excerpt quotes of an output, a reference or an error."""
TOOLS: Final = 50
"""Tools an excerpt lists."""


class _Held(NamedTuple):
    rank: tuple[int, str, int]
    case: EvalCase
    evidence: Evidence


class EvidenceKeeper:
    """Keeps the excerpts of the :data:`KEPT` lowest ranks of a stream, in bounded memory.

    ``redact`` takes secrets out of a text, before it is cut; it sees only what is kept.
    """

    def __init__(self, redact: Callable[[str], str]) -> None:
        """Start with nothing."""
        self._redact = redact
        self._held: list[_Held] = []

    def offer(
        self, urgency: int, case: EvalCase, repeat: int, prediction: Prediction | None
    ) -> None:
        """Keep this run if it is urgent enough; ``prediction`` is ``None`` where none came.

        The rank is ``(urgency, id, repeat)``, lowest first.
        """
        rank = (urgency, case.id, repeat)
        if len(self._held) == KEPT and rank >= self._held[-1].rank:
            return
        insort(
            self._held,
            _Held(rank, case, self._evidence(case, repeat, prediction)),
            key=lambda held: held.rank,
        )
        del self._held[KEPT:]

    def by_case(self) -> dict[str, tuple[Evidence, ...]]:
        """Give what was kept: per case, by repeat."""
        found: dict[str, tuple[Evidence, ...]] = {}
        for held in sorted(self._held, key=lambda held: held.rank[1:]):
            found[held.case.id] = (*found.get(held.case.id, ()), held.evidence)
        return found

    def _evidence(self, case: EvalCase, repeat: int, prediction: Prediction | None) -> Evidence:
        tools = None if prediction is None else prediction.tools
        return Evidence(
            repeat=repeat,
            expected=self._text(case.reference),
            output=self._text(None if prediction is None else prediction.output),
            error=self._text(None if prediction is None else prediction.error),
            expected_tools=self._tools(case.expected_tools),
            tools=None if tools is None else self._tools(tools),
        )

    def _text(self, text: str | None) -> str | None:
        return None if text is None else cut(self._redact(text))

    def _tools(self, tools: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(cut(self._redact(tool)) for tool in tools[:TOOLS])


def cut(text: str) -> str:
    """Bound a text and say how much went.

    >>> cut("short")
    'short'
    >>> cut("x" * (CHARACTERS + 5))[-19:]
    'x … (+5 characters)'
    """
    over = len(text) - CHARACTERS
    return text if over <= 0 else f"{text[:CHARACTERS]} … (+{over} characters)"
