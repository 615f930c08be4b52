"""Cases beside predictions: an outer join, so that neither side forgets the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.errors import PredictionsInvalid
from gate.inputs.fields import MAX_ID_CHARACTERS, shown
from gate.inputs.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gate.records.case import EvalCase, Prediction

_NAMED: Final = 5
"""Ids an error names."""
_EMPTY: Final = "the file of {tool} holds no answer: run something, then look again"
_OTHERS: Final = (
    "bring the --cases that the file of {tool} answers, or name with --id-field where it has "
    "the ids of these; without --cases the cases are its own"
)


class Pairing:
    """Pairs a stream of predictions with the cases by exact id.

    The cases decide what is counted: a prediction for an id that is no case is counted here
    and never scored, and a case without a prediction stands in ``missing``. What is known
    after the stream has ended does not depend on its order.
    """

    def __init__(self, cases: Iterable[EvalCase]) -> None:
        """Hold the cases by id; :func:`gate.inputs.cases.read_cases` has made ids unique."""
        self._cases = {case.id: case for case in cases}
        self._counts = dict.fromkeys(self._cases, 0)
        self._unknown = Tally(width=MAX_ID_CHARACTERS)
        self._runs = 0

    def pair(self, predictions: Iterable[Prediction]) -> Iterator[tuple[EvalCase, Prediction]]:
        """Give each prediction of a known case with its case, in the order they come."""
        cases, counts = self._cases, self._counts
        for prediction in predictions:
            case = cases.get(prediction.id)
            if case is None:
                self._unknown.add(prediction.id)
                continue
            counts[case.id] += 1
            if prediction.repeat >= self._runs:
                self._runs = prediction.repeat + 1
            yield case, prediction

    @property
    def repeats(self) -> dict[str, int]:
        """How many predictions each case got, 0 included."""
        return dict(self._counts)

    @property
    def runs(self) -> int:
        """One more than the greatest repeat of a known case; 0 without any."""
        return self._runs

    @property
    def missing(self) -> tuple[str, ...]:
        """Ids of the cases that got no prediction at all, in code-point order."""
        return tuple(sorted(name for name, count in self._counts.items() if not count))

    @property
    def unknown_ids(self) -> tuple[str, ...]:
        """The first ids that are no case, in code-point order, at most 100."""
        return tuple(name for name, _ in self._unknown.listed)

    @property
    def unknown_predictions(self) -> int:
        """How many predictions name no case."""
        return self._unknown.total

    def require_any(self, *, source: str, tool: str | None = None) -> None:
        """Raise ``PredictionsInvalid`` where nothing in ``source`` answers any case.

        ``tool`` names the format of another tool's file, where a description of our own is no
        help.
        """
        if any(self._counts.values()):
            return
        hint = None
        if tool is not None:
            hint = (_OTHERS if self.unknown_predictions else _EMPTY).format(tool=tool)
        cases = _amount(len(self._cases), "case")
        if not self.unknown_predictions:
            raise PredictionsInvalid(f"{source}: 0 predictions for {cases}", hint=hint)
        theirs = ", ".join(shown(name) for name in self.unknown_ids[:_NAMED])
        ours = ", ".join(shown(name) for name in sorted(self._cases)[:_NAMED])
        predictions = _amount(self.unknown_predictions, "prediction")
        raise PredictionsInvalid(
            f"{source}: none of the {predictions} answers any of the {cases} "
            f"(first ids: {theirs}; the cases begin: {ours})",
            hint=hint,
        )


def _amount(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
