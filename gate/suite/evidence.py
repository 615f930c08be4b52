"""Excerpts of what was expected and what came: few, the most urgent first, whatever the order."""

from __future__ import annotations

from bisect import insort
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.result import Evidence

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.records.case import EvalCase, Prediction

KEPT: Final = 200
"""Excerpts a result holds: more would make it grow with the failures."""
CHARACTERS: Final = 600
"""Characters that an excerpt quotes of an output, a reference or an error."""
READ: Final = 4_000
"""Characters that are looked through for secrets: one that begins in an excerpt ends in here."""
TOOLS: Final = 50
"""Tools an excerpt lists."""


class _Held(NamedTuple):
    rank: tuple[int, str, int]
    case: EvalCase
    evidence: Evidence


def _rank(held: _Held) -> tuple[int, str, int]:
    return held.rank


class EvidenceKeeper:
    """Keeps the excerpts of the :data:`KEPT` lowest ranks of a stream, in bounded memory.

    ``redact`` takes secrets out of a text, before it is cut; it sees only what is kept.
    """

    def __init__(self, redact: Callable[[str], str]) -> None:
        """Start with nothing."""
        self._redact = redact
        self._held: list[_Held] = []
        self._least: tuple[int, str, int] | None = None

    def offer(
        self,
        urgency: int,
        case: EvalCase,
        repeat: int,
        prediction: Prediction | None,
        reasons: tuple[str, ...] = (),
    ) -> None:
        """Keep this run if it is urgent enough.

        ``prediction`` is ``None`` where none came; ``reasons`` are a judge's.

        The rank is ``(urgency, id, repeat)``, lowest first.
        """
        rank = (urgency, case.id, repeat)
        if self._least is not None and rank >= self._least:
            return
        insort(
            self._held,
            _Held(rank, case, self._evidence(case, repeat, prediction, reasons)),
            key=_rank,
        )
        del self._held[KEPT:]
        self._least = self._held[-1].rank if len(self._held) == KEPT else None

    def drop(self, unwanted: Callable[[str, int], bool]) -> None:
        """Forget every excerpt for whose case and repeat ``unwanted`` holds, in rank order."""
        self._held = [held for held in self._held if not unwanted(*held.rank[1:])]
        self._least = None

    @property
    def held(self) -> tuple[_Held, ...]:
        """What is kept, in rank order."""
        return tuple(self._held)

    def by_case(self, *others: EvidenceKeeper) -> dict[str, tuple[Evidence, ...]]:
        """Give what this keeper and ``others`` kept, the most urgent: per case, by repeat.

        A run that several kept is given once.
        """
        held = sorted(chain(self._held, *(other.held for other in others)), key=_rank)
        found: dict[str, dict[int, Evidence]] = {}
        for one in held[:KEPT]:
            found.setdefault(one.case.id, {}).setdefault(one.evidence.repeat, one.evidence)
        return {name: tuple(runs[at] for at in sorted(runs)) for name, runs in found.items()}

    def _evidence(
        self,
        case: EvalCase,
        repeat: int,
        prediction: Prediction | None,
        reasons: tuple[str, ...],
    ) -> Evidence:
        tools = None if prediction is None else prediction.tools
        return Evidence(
            repeat=repeat,
            expected=self._text(case.reference),
            output=self._text(None if prediction is None else prediction.output),
            error=self._text(None if prediction is None else prediction.error),
            expected_tools=self._tools(case.expected_tools),
            tools=None if tools is None else self._tools(tools),
            reasons=self._tools(reasons),
        )

    def _text(self, text: str | None) -> str | None:
        return None if text is None else cut(self._redact(text[:READ]), beyond=len(text) - READ)

    def _tools(self, tools: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(cut(self._redact(tool[:READ])) for tool in tools[:TOOLS])


def cut(text: str, *, beyond: int = 0) -> str:
    """Bound a text and say how much went, ``beyond`` characters of it before.

    >>> cut("short")
    'short'
    >>> cut("x" * (CHARACTERS + 5))[-19:]
    'x … (+5 characters)'
    """
    over = max(0, len(text) - CHARACTERS) + max(0, beyond)
    return f"{text[:CHARACTERS]} … (+{over} characters)" if over else text
