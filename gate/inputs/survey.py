"""What a tool's file says of itself before any answer of it is scored: cases, scores, gaps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import PredictionsInvalid
from gate.inputs.case_record import MAX_LABEL_CHARACTERS, MAX_LABELS
from gate.inputs.cases import MAX_SLICES
from gate.inputs.fields import shown
from gate.inputs.recorded_names import Scores
from gate.records.case import EvalCase
from gate.records.json_text import canonical, short_digest

if TYPE_CHECKING:
    from gate.inputs.admitted import Admitted
    from gate.inputs.imported import ImportedFile
    from gate.inputs.importers.found import Found, FoundCase

EMPTY: Final = "run something, then look again: nothing was answered, and nothing is decided"
_PARTS: Final = ("input", "reference", "expected_tools", "labels")
_NAME: Final = 80


class Survey(NamedTuple):
    """What a file says, before any answer of it is scored.

    ``cases`` are those of its answers, by id; of the ``silent`` ones, which only crashed, the file
    says no more than the id. ``told`` is what the tool's verdicts stand on. ``n_outputs`` counts
    the answers that are no errors, ``n_ids`` the different ids and ``runs`` the fewest and the
    most answers of one. ``by_place`` is an id that is no more than a
    position, if there is one.
    """

    cases: dict[str, EvalCase]
    silent: frozenset[str]
    told: dict[str, Ground]
    scores: Scores
    n_answers: int
    n_outputs: int
    n_ids: int
    runs: tuple[int, int]
    gaps: tuple[str, ...]
    remarks: tuple[str, ...]
    by_place: str | None

    def grounds(self, score: str | None) -> dict[str, str | None]:
        """Give a digest of what the tool's own ``score`` of each case stands on, where it tells.

        It is ``None`` for a silent case. A score that is not told apart stands on all there is.
        """
        found = {name: ground.digest(score) for name, ground in self.told.items()}
        held = {name: digest for name, digest in found.items() if digest is not None}
        return {**held, **dict.fromkeys(self.silent)}


class Ground(NamedTuple):
    """What verdicts on one case stand on: a digest of the case as told, and the tool's rules."""

    asked: str | None
    rules: str
    by_score: tuple[tuple[str, str], ...]

    def digest(self, score: str | None) -> str | None:
        """Digest it for one score; ``None`` where there is nothing."""
        rules = self._rules_of(score) if score else self.rules
        if self.asked is None:
            return short_digest(rules) if rules else None
        return short_digest(canonical((self.asked, rules)))

    def _rules_of(self, score: str) -> str:
        known = dict(self.by_score)
        begin = [name for name in known if name.endswith(".") and score.startswith(name)]
        return known.get(score) or known.get(max(begin, key=len, default=""), self.rules)


def survey(file: ImportedFile, *, cases: bool) -> Survey:
    """Read a file through, for its cases and for the names of its scores.

    Where the file's cases are the suite's (``cases``), they say themselves what was asked and
    expected; else the ``grounds`` do. Two answers of one id that are about different cases are an
    error, as is a file without any answer. Raises ``PredictionsInvalid``.
    """
    admitted, scores = file.admitted(), Scores()
    told = _Told(admitted, rules_alone=cases)
    n_answers = n_outputs = 0
    for found, _ in admitted:
        n_answers += 1
        n_outputs += found.output is not None
        for score in found.scores:
            scores.add(score)
        told.add(found)
    source = file.source.name
    if not n_answers:
        why = "; ".join((*admitted.gaps, *admitted.remarks))[:1_000]
        raise PredictionsInvalid(f"{source}: 0 answers{f': {why}' if why else ''}", hint=EMPTY)
    if len(told.labels) > MAX_SLICES:
        raise PredictionsInvalid(
            f"{source}: {len(told.labels):,} different labels, more than {MAX_SLICES:,}",
            hint="a label makes a slice: let the file name fewer, or bring --cases",
        )
    return Survey(
        told.cases,
        told.silent,
        told.grounds,
        scores,
        n_answers,
        n_outputs,
        admitted.n_ids,
        admitted.runs,
        admitted.gaps,
        admitted.remarks,
        admitted.by_place,
    )


class _Told:
    """The cases of a file, as its answers tell them one by one."""

    def __init__(self, admitted: Admitted, *, rules_alone: bool) -> None:
        self.cases: dict[str, EvalCase] = {}
        self.labels: set[str] = set()
        self._untold: set[str] = set()
        self._answered: set[str] = set()
        self._alike: dict[Ground, Ground] = {}
        self.grounds: dict[str, Ground] = {}
        self._rules_alone = rules_alone
        self._admitted = admitted

    @property
    def silent(self) -> frozenset[str]:
        """Name the cases of which nothing is told, and which only crashed.

        One that was answered and of which nothing is told is a case without content, not the one
        that a baseline knows.
        """
        return frozenset(self._untold - self._answered)

    def add(self, found: Found) -> None:
        """Take what one answer says of its case, or remember in what it contradicts another."""
        before, silent = self.cases.get(found.id), found.id in self._untold
        if found.output is not None:
            self._answered.add(found.id)
        if found.case is None:
            if before is None:
                self.cases[found.id] = EvalCase(id=found.id, input="")
                self._untold.add(found.id)
            return
        said = _objection(found.case)
        if said is not None:
            self._admitted.refuse(found.place, said)
            return
        case = _case(found.id, found.case)
        ground = _ground(found.case, rules_alone=self._rules_alone)
        if before is None or silent:
            self.cases[found.id] = case
            self._untold.discard(found.id)
            self.labels.update(case.labels)
            self.grounds[found.id] = self._alike.setdefault(ground, ground)
        elif before != case or ground != self.grounds.get(found.id):
            moved = [name for name in _PARTS if getattr(before, name) != getattr(case, name)]
            moved = moved or ["what the tool checks"]
            self._admitted.refuse(
                found.place,
                f"id {shown(found.id)} is another case here ({', '.join(moved)}) than in "
                f"{self._admitted.place(found.id)[:_NAME]}",
            )


def _ground(found: FoundCase, *, rules_alone: bool) -> Ground:
    asked = None
    if not rules_alone:
        told = (found.input, found.reference, list(found.expected_tools))
        asked = short_digest(canonical(told)) if any(told) else None
    return Ground(asked, found.rules, found.rules_by_score)


def _case(name: str, found: FoundCase) -> EvalCase:
    return EvalCase(
        id=name,
        input=found.input,
        reference=found.reference,
        expected_tools=found.expected_tools,
        labels=tuple(sorted(set(found.labels))),
    )


def _objection(case: FoundCase) -> str | None:
    if len(case.labels) > MAX_LABELS:
        return f"{len(case.labels)} labels, more than {MAX_LABELS}"
    for label in case.labels:
        if not label or len(label) > MAX_LABEL_CHARACTERS:
            limit = f"has 1 to {MAX_LABEL_CHARACTERS} characters"
            return f"a label {limit}, {shown(label[:_NAME])} has {len(label)}"
    return None
