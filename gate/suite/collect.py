"""Takes answers one by one, in any order and bounded memory, and gives the rows at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.suite.rows import case_row

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from gate.records.case import EvalCase, Prediction
    from gate.records.result import Accepted, CaseDigest, CaseResult, RepeatResult
    from gate.suite.evidence import EvidenceKeeper

    Grade = Callable[[EvalCase, Prediction], RepeatResult]

NEWLY_FAILING: Final = 0
NEWLY_PASSING: Final = 1
FAILING: Final = 2


class Known(NamedTuple):
    """What the baseline says of each case, by id: did it pass, did it not."""

    passed: Collection[str]
    failed: Collection[str]


class Collector:
    """Grades each answer as it comes and keeps its run, not its text."""

    def __init__(self, grade: Grade, keeper: EvidenceKeeper, known: Known) -> None:
        """``known`` decides which excerpts are the most urgent: what the baseline passed."""
        self._grade = grade
        self._keeper = keeper
        self._known = known
        self._runs: dict[str, list[RepeatResult]] = {}
        self._last = (-1, "")
        self.pathless = 0

    def take(self, pairs: Iterable[tuple[EvalCase, Prediction]]) -> None:
        """Grade every answer of ``pairs``."""
        for case, prediction in pairs:
            run = self._grade(case, prediction)
            self._runs.setdefault(case.id, []).append(run)
            if run.repeat > self._last[0] or (
                run.repeat == self._last[0] and case.id < self._last[1]
            ):
                self._last = (run.repeat, case.id)
            if case.expected_tools and prediction.tools is None and prediction.error is None:
                self.pathless += 1
            if not run.passed:
                self._keeper.offer(self._urgency(case.id), case, run.repeat, prediction)
            elif case.id in self._known.failed:
                self._keeper.offer(NEWLY_PASSING, case, run.repeat, prediction)

    @property
    def last(self) -> tuple[int, str]:
        """The greatest repeat number of all, and the first case that has it."""
        return self._last

    def rows(
        self,
        cases: dict[str, EvalCase],
        *,
        repeats: int,
        place: Callable[[EvalCase], tuple[CaseDigest, Accepted | None]],
    ) -> tuple[CaseResult, ...]:
        """Give a row for every case, in id order; runs short of ``repeats`` are missing.

        ``cases`` is emptied on the way, so that a large suite is not held twice.
        """
        for case_id, case in cases.items():
            came = {run.repeat for run in self._runs.get(case_id, ())}
            if len(came) < repeats:
                absent = next(number for number in range(repeats) if number not in came)
                self._keeper.offer(self._urgency(case_id), case, absent, None)
        evidence = self._keeper.by_case()
        rows: list[CaseResult] = []
        for case_id in sorted(cases):
            case = cases.pop(case_id)
            digest, accepted = place(case)
            rows.append(
                case_row(
                    case,
                    self._runs.pop(case_id, []),
                    digest=digest,
                    repeats=repeats,
                    accepted=accepted,
                    evidence=evidence.get(case_id, ()),
                )
            )
        return tuple(rows)

    def _urgency(self, case_id: str) -> int:
        return NEWLY_FAILING if case_id in self._known.passed else FAILING
