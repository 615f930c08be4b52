"""Another tool's file as predictions, and as cases: what it says of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import Defect, PredictionsInvalid
from gate.inputs.admitted import Admitted
from gate.inputs.answer_digests import joint_digest, prediction_digest
from gate.inputs.case_record import MAX_LABEL_CHARACTERS, MAX_LABELS
from gate.inputs.cases import MAX_SLICES
from gate.inputs.fields import shown
from gate.inputs.importers.table import importer
from gate.inputs.recorded_names import Scores
from gate.records.case import EvalCase, Prediction
from gate.records.json_text import canonical, short_digest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding, Found, FoundCase
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

EMPTY: Final = "run something, then look again: nothing was answered, and nothing is decided"
UNANSWERED: Final = "the tool kept no output, so nothing can be scored but by --scorer recorded"
_PARTS: Final = ("input", "reference", "expected_tools", "labels")
_NAME: Final = 80


class ImportedFile(NamedTuple):
    """A file of a tool, and how to read it; ``tool`` is its format's name."""

    source: Source
    tool: str
    options: ImportOptions

    def admitted(self) -> Admitted:
        """Read the file once more, from its beginning."""
        return Admitted(self._findings(), source=self.source.name)

    def _findings(self) -> Iterator[Finding]:
        """Give what stands in the file; no refusal of it speaks of a format of our own."""
        tool = importer(self.tool)
        try:
            yield from tool.found(self.source, self.options)
        except PredictionsInvalid as error:
            if error.remedy != PredictionsInvalid.hint:
                raise
            title = tool.TITLE.replace("`", "")
            said = f"it is read as a file of {title}; --format names another (docs/importers.md)"
            raise PredictionsInvalid(str(error), hint=said) from None


class Survey(NamedTuple):
    """What a file says, before any answer of it is scored.

    ``cases`` are those of its answers, by id; of the ``silent`` ones, which only crashed, the file
    says no more than the id. ``grounds`` are digests of what the tool's own verdict on a case
    stands on, as far as the file tells; ``None`` for a silent one. ``n_outputs`` counts the
    answers that are no errors, ``n_ids`` the different ids and
    ``runs`` the fewest and the most answers of one. ``by_place`` is an id that is no more than a
    position, if there is one.
    """

    cases: dict[str, EvalCase]
    silent: frozenset[str]
    grounds: dict[str, str | None]
    scores: Scores
    n_answers: int
    n_outputs: int
    n_ids: int
    runs: tuple[int, int]
    gaps: tuple[str, ...]
    remarks: tuple[str, ...]
    by_place: str | None


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
        self._grounds: dict[str, str | None] = {}
        self._rules_alone = rules_alone
        self._admitted = admitted

    @property
    def silent(self) -> frozenset[str]:
        """Name the cases of which nothing is told, and which only crashed.

        One that was answered and of which nothing is told is a case without content, not the one
        that a baseline knows.
        """
        return frozenset(self._untold - self._answered)

    @property
    def grounds(self) -> dict[str, str | None]:
        """Give what verdicts stand on."""
        return {**self._grounds, **dict.fromkeys(self.silent)}

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
            if ground is not None:
                self._grounds[found.id] = ground
        elif before != case or ground != self._grounds.get(found.id):
            moved = [name for name in _PARTS if getattr(before, name) != getattr(case, name)]
            moved = moved or ["what the tool checks"]
            self._admitted.refuse(
                found.place,
                f"id {shown(found.id)} is another case here ({', '.join(moved)}) than in "
                f"{self._admitted.place(found.id)[:_NAME]}",
            )


def _ground(found: FoundCase, *, rules_alone: bool) -> str | None:
    """Digest what a verdict stands on; ``None`` where that is nothing."""
    if rules_alone:
        return short_digest(found.rules) if found.rules else None
    told = (found.input, found.reference, list(found.expected_tools), found.rules)
    return short_digest(canonical(told)) if any(told) else None


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


class ImportedReader:
    """Streams the answers of another tool's file as predictions, once.

    It has the interface of :class:`gate.inputs.predictions.PredictionReader`: a few hundred bytes
    of each answer are held, and what is wrong is raised at the end, so nothing computed from the
    stream may be used before that.
    """

    ignored_fields: tuple[tuple[str, int], ...] = ()
    """A tool's file holds much that no gate is about; what is read stands in the documents."""
    ignored_total: int = 0

    def __init__(
        self,
        file: ImportedFile,
        *,
        score: str | None,
        traces: bool = False,
        by_output: frozenset[str] = frozenset(),
    ) -> None:
        """Read nothing yet. ``score`` names the recorded score that is gated on, if one is.

        Cases ``by_output`` bring a scorer of their own, which needs an output all the same.
        """
        self.tool: str | None = file.tool
        self._admitted = file.admitted()
        self._score = score
        self._traces = traces
        self._by_output = by_output
        self._digests = bytearray()
        self._digest: str | None = None
        self.count = 0

    @property
    def gaps(self) -> tuple[str, ...]:
        """Why the file may not hold all that was run; known at the end."""
        return self._admitted.gaps

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of the report should know of the file; known at the end."""
        name = self._admitted.by_place
        if name is None:
            return self._admitted.remarks
        said = (
            f"some ids are positions in the file (such as {shown(name[:_NAME])}): a case that is "
            "added, dropped or moved changes them; name the cases, or pass --id-field"
        )
        return (*self._admitted.remarks, said)

    @property
    def digest(self) -> str:
        """Digest of all that is read, whatever the order of the file. Known only at the end."""
        if self._digest is None:
            raise Defect("the predictions were not read to their end")
        return self._digest

    def __iter__(self) -> Iterator[Prediction]:
        """Give the answers in the order of the file."""
        for found, repeat in self._admitted:
            prediction = Prediction(
                id=found.id,
                repeat=repeat,
                output=found.output,
                error=_error(found.error),
                tools=found.tools,
                cost_usd=found.cost_usd,
                latency_ms=found.latency_ms,
                trace=found.trace if self._traces else None,
                recorded=self._recorded(found),
            )
            self._digests += prediction_digest(prediction)
            self.count += 1
            yield prediction
        self._digest = joint_digest(self._digests)

    def _recorded(self, found: Found) -> float | None:
        if found.output is None:
            return None
        if found.unanswered and (self._score is None or found.id in self._by_output):
            self._admitted.refuse(found.place, f"case {shown(found.id)}: {UNANSWERED}")
        if self._score is None:
            return None
        named = [score.value for score in found.scores if score.name == self._score]
        if len(named) > 1:
            self._admitted.refuse(found.place, f"two scores are {shown(self._score[:_NAME])}")
        value = named[0] if named else None
        if value is None or 0.0 <= value <= 1.0:
            return None if value is None else value + 0.0
        self._admitted.refuse(
            found.place,
            f"case {shown(found.id)}: its score {shown(self._score[:_NAME])} is {value!r}, and a "
            "score lies between 0 and 1",
        )
        return None


def _error(said: str | None) -> str | None:
    return "(no message)" if said is not None and not said.strip() else said
