"""Takes answers one by one, in any order and bounded memory, and gives the rows at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.result import Effort
from gate.suite.effort import EffortTally
from gate.suite.evidence import EvidenceKeeper
from gate.suite.rows import case_row

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from gate.records.case import EvalCase, Prediction
    from gate.records.result import Accepted, CaseDigest, CaseResult, RepeatResult

    Grade = Callable[[EvalCase, Prediction], RepeatResult]

NEWLY_FAILING: Final = 0
NEWLY_PASSING: Final = 1
FAILING: Final = 2
WRONG_PATH: Final = 3


class Known(NamedTuple):
    """What the baseline says of each case, by id: did it pass, did it not."""

    passed: Collection[str]
    failed: Collection[str]


class Numbering(NamedTuple):
    """Which repeat numbers came: the least, the greatest, and of which case alone, if of one.

    ``case_id`` is the first case that has the greatest; without any run all is -1 and empty.
    """

    least: int
    greatest: int
    case_id: str
    alone: bool


def unreasoned(case_id: str, repeat: int) -> tuple[str, ...]:
    """Give nothing: no judge said anything."""
    del case_id, repeat
    return ()


class Collector:
    """Grades each answer as it comes and keeps its run, not its text.

    A run that passed is never kept as an excerpt of a case that failed. Which case failed is
    known at the end only, so what is kept until then has a bound of its own.
    """

    def __init__(
        self,
        grade: Grade,
        redact: Callable[[str], str],
        known: Known,
        *,
        paths: bool = False,
        reasons: Callable[[str, int], tuple[str, ...]] = unreasoned,
        brought: Collection[str] = (),
    ) -> None:
        """``known`` decides which excerpts are the most urgent: what the baseline passed.

        ``redact`` takes secrets out of what is kept; ``paths`` keeps wrong paths, too.
        ``reasons`` gives what a judge said of a run, by the case's id and the repeat. ``brought``
        are the cases that only a pull request has: what all others took is added up by itself.
        """
        self._grade = grade
        self._failures = EvidenceKeeper(redact)
        self._passing = EvidenceKeeper(redact)
        self._astray = EvidenceKeeper(redact)
        self._known = known
        self._paths = paths
        self._reasons = reasons
        self._brought = brought
        self._effort, self._of_base = EffortTally(), EffortTally()
        self._runs: dict[str, list[RepeatResult]] = {}
        self.pathless = 0

    def take(self, pairs: Iterable[tuple[EvalCase, Prediction]]) -> None:
        """Grade every answer of ``pairs``."""
        effort, of_base, brought = self._effort, self._of_base, self._brought
        for case, prediction in pairs:
            run = self._grade(case, prediction)
            effort.add(prediction)
            if brought and case.id not in brought:
                of_base.add(prediction)
            self._runs.setdefault(case.id, []).append(run)
            if not run.passed:
                said = self._reasons(case.id, run.repeat)
                self._failures.offer(self._urgency(case.id), case, run.repeat, prediction, said)
            elif case.id in self._known.failed:
                said = self._reasons(case.id, run.repeat)
                self._passing.offer(NEWLY_PASSING, case, run.repeat, prediction, said)
            if case.expected_tools:
                self._look_at_path(case, prediction, run)

    def _look_at_path(self, case: EvalCase, prediction: Prediction, run: RepeatResult) -> None:
        if prediction.tools is None and prediction.error is None:
            self.pathless += 1
        if self._paths and run.passed and run.trajectory < 1.0:
            self._astray.offer(WRONG_PATH, case, run.repeat, prediction)

    @property
    def effort(self) -> Effort | None:
        """What the answers took, as far as they say."""
        found, of_base = self._effort.effort, self._of_base.effort
        if found is None or of_base is None:
            return found
        return Effort(**{**dict(found), "of_base": of_base})

    @property
    def numbering(self) -> Numbering:
        """Which repeat numbers came."""
        least = greatest = -1
        holders: list[str] = []
        for case_id, runs in self._runs.items():
            for run in runs:
                number = run.repeat
                if number < least or least < 0:
                    least = number
                if number > greatest:
                    greatest, holders = number, [case_id]
                elif number == greatest:
                    holders.append(case_id)
        return Numbering(least, greatest, min(holders, default=""), len(holders) == 1)

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
        self._offer_missing(cases, repeats)
        self._drop_passing_runs_of_failures(repeats)
        evidence = self._failures.by_case(self._passing, self._astray)
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

    def _offer_missing(self, cases: dict[str, EvalCase], repeats: int) -> None:
        runs = self._runs
        for case_id, case in cases.items():
            if repeats == 1 and case_id in runs:
                continue
            came = {run.repeat for run in runs.get(case_id, ())}
            if len(came) < repeats:
                absent = next(number for number in range(repeats) if number not in came)
                self._failures.offer(self._urgency(case_id), case, absent, None)

    def _drop_passing_runs_of_failures(self, repeats: int) -> None:
        def failed(case_id: str, _repeat: int) -> bool:
            runs = self._runs[case_id]
            return len(runs) < repeats or not all(run.passed for run in runs)

        seen: set[str] = set()

        def another(case_id: str, _repeat: int) -> bool:
            again = case_id in seen
            seen.add(case_id)
            return again

        self._passing.drop(failed)
        self._passing.drop(another)
        self._astray.drop(failed)

    def _urgency(self, case_id: str) -> int:
        return NEWLY_FAILING if case_id in self._known.passed else FAILING
