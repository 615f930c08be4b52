"""Another tool's file as predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import Defect, PredictionsInvalid
from gate.inputs.admitted import Admitted
from gate.inputs.answer_digests import joint_digest, prediction_digest
from gate.inputs.fields import shown
from gate.inputs.importers.table import importer
from gate.records.case import Prediction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding, Found
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

UNANSWERED: Final = "the tool kept no output, so nothing can be scored but by --scorer recorded"
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
        expected: int | None = None,
    ) -> None:
        """Read nothing yet. ``score`` names the recorded score that is gated on, if one is.

        Cases ``by_output`` bring a scorer of their own, which needs an output all the same. So
        many runs of a case are ``expected``, where nobody but a baseline says how many.
        """
        self.tool: str | None = file.tool
        self._admitted = file.admitted()
        self._score = score
        self._traces = traces
        self._by_output = by_output
        self._expected = expected
        self._by_hand = 0
        self._digests = bytearray()
        self._digest: str | None = None
        self.count = 0

    @property
    def gaps(self) -> tuple[str, ...]:
        """Why this may not be what was run and measured, no less and no more; known at the end."""
        found = list(self._admitted.gaps)
        if self._by_hand:
            name = shown((self._score or "")[:_NAME])
            found.append(f"the score {name} was set by hand in {self._by_hand:,} answers")
        most = self._admitted.runs[1]
        if self._expected is not None and self._admitted.unnumbered and most > self._expected:
            found.append(
                f"up to {most:,} answers of a case are in the file, which numbers none, and the "
                f"baseline has {self._expected:,}: older ones may have stayed in it, or say "
                "--repeats"
            )
        return tuple(found)

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
        named = [score for score in found.scores if score.name == self._score]
        if len(named) > 1:
            self._admitted.refuse(found.place, f"two scores are {shown(self._score[:_NAME])}")
        self._by_hand += any(score.by_hand for score in named)
        value = named[0].value if named else None
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
