"""Which format the predictions have, and what another tool's file says before it is scored."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from gate.errors import GateError, PolicyInvalid, PredictionsInvalid, UsageInvalid
from gate.inputs.importers.source import OPENING, Source
from gate.inputs.importers.table import IMPORTERS, OURS, PLAIN, importer, is_ours, recognise
from gate.records.scoring import RecordedOptions
from gate.report.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import BinaryIO

    from gate.inputs.imported import ImportedFile
    from gate.inputs.survey import Survey
    from gate.pipeline.file_cases import FileCases
    from gate.ports import Files
    from gate.records.baseline import Baseline
    from gate.records.policy import Policy, SuiteOptions
    from gate.shell.gather import Names, Rules

NO_RECORDED: Final = (
    "the scorer 'recorded' takes the scores of another tool's file, and these predictions are of "
    "our own format, of which no score is ever read"
)


def imported_file(
    files: Files, suite: SuiteOptions, names: Names, *, source: str
) -> ImportedFile | None:
    """Say how the predictions are to be read; ``None`` where they are of our own format.

    What no importer recognises is read as our own, whose reader says what is wrong with it.
    Raises ``UsageInvalid`` for a format that nobody knows, and where several are recognised.
    """

    def opened() -> BinaryIO:
        with names.around("predictions"):
            return files.open(source)

    found = Source(source, opened)
    tool = _named(suite, names) or _recognised(found)
    if tool != PLAIN and suite.map:
        raise UsageInvalid(
            f"{names.of('map')}: says where fields stand in plain JSONL or CSV, and "
            f"{visible(source)} is read as {tool}"
        )
    if tool == OURS:
        if suite.id_field is not None:
            raise UsageInvalid(
                f"{names.of('id_field')}: our own predictions name their id `id`; this is for "
                "other tools' files"
            )
        return None
    from gate.inputs.imported import ImportedFile
    from gate.inputs.importers.options import ImportOptions

    return ImportedFile(found, tool, ImportOptions(suite.id_field, suite.map))


@contextmanager
def telling_formats(files: Files, source: str, file: ImportedFile | None) -> Iterator[None]:
    """Say what is recognised where a file is refused that was read as our own and is not."""
    try:
        yield
    except PredictionsInvalid as error:
        if file is not None or error.remedy != PredictionsInvalid.hint:
            raise
        with files.open(source) as opened:
            if is_ours(opened.read(OPENING)):
                raise
        raise PredictionsInvalid(
            str(error),
            hint=f"{error.remedy}; other tools' files are recognised by their content, or named "
            f"with --format: {', '.join(IMPORTERS)}",
        ) from None


@contextmanager
def offering_recorded(files: Files, suite: SuiteOptions, names: Names) -> Iterator[None]:
    """Offer the tool's own scores where no scorer is named and a tool's file is recognised."""
    from gate.pipeline.prepare import NO_SCORER

    try:
        yield
    except UsageInvalid as error:
        if NO_SCORER not in str(error) or suite.predictions is None:
            raise
        file = None
        with suppress(GateError):
            file = imported_file(files, suite, names, source=suite.predictions)
        if file is None:
            raise
        raise UsageInvalid(
            str(error),
            hint=f"{visible(suite.predictions)} is a file of {file.tool}: `--scorer recorded` "
            "takes the score that the tool recorded (recorded:NAME where there are several), and "
            "without --cases the cases are the file's own",
        ) from None


def _named(suite: SuiteOptions, names: Names) -> str | None:
    """Give the format that an option or the policy names, or that a map of fields implies."""
    if suite.format is None:
        return PLAIN if suite.map else None
    if suite.format == OURS:
        return OURS
    try:
        importer(suite.format)
    except UsageInvalid as error:
        raise UsageInvalid(f"{names.of('format')}: {error}") from None
    return suite.format


def _recognised(found: Source) -> str:
    names = recognise(found.opening())
    if len(names) > 1:
        raise UsageInvalid(
            f"{visible(found.name)}: may be a file of {' or of '.join(names)}: say which with "
            "--format"
        )
    return names[0] if names else OURS


def refuse_recorded(policy: Policy, files: Files, source: str) -> None:
    """Refuse to take scores from predictions of our own, or of nobody that is known.

    Raises ``UsageInvalid``, ``PredictionsInvalid``.
    """
    if not isinstance(policy.scorer, RecordedOptions):
        return
    from gate.inputs.mistaken import mistaken_text
    from gate.inputs.survey import EMPTY

    with files.open(source) as opened:
        opening = opened.read(OPENING)
    if is_ours(opening):
        raise UsageInvalid(NO_RECORDED)
    if not opening.strip():
        raise PredictionsInvalid(f"{visible(source)}: is empty", hint=EMPTY)
    first, _, rest = opening.decode("utf-8", "replace").removeprefix("\ufeff").partition("\n")
    said = mistaken_text(first, lambda: rest, wanted="predictions")
    if said is not None:
        raise PredictionsInvalid(f"{visible(source)} {said}")
    raise PredictionsInvalid(
        f"{visible(source)}: is not recognised as a tool's file, of which scores could be taken",
        hint=f"say what it is with --format: {', '.join(IMPORTERS)}",
    )


def resolved(
    policy: Policy,
    file: ImportedFile,
    rules: Rules,
    baseline: Baseline | None,
    *,
    own_cases: bool,
    redact: Callable[[str], str],
) -> tuple[Policy, FileCases | None, Mapping[str, str | None]]:
    """Read the file for its cases and the names of its scores, as far as they are wanted.

    Gives the policy with the recorded score that is gated on, if one is, the cases where the
    file's are the suite's, and what recorded scores stand on. Raises ``PredictionsInvalid``,
    ``PolicyInvalid``.
    """
    scorer = policy.scorer
    if scorer is None or not (own_cases or isinstance(scorer, RecordedOptions)):
        return policy, None, {}
    from gate.inputs.survey import survey
    from gate.pipeline.file_cases import file_cases

    found = survey(file, cases=own_cases)
    if isinstance(scorer, RecordedOptions):
        scorer = _which(scorer, file, rules, found)
        if redact(str(scorer.score)) != scorer.score:
            raise PredictionsInvalid(
                f"{file.source.name}: the name of a score holds a secret",
                hint="names of scores are shown in every report: let them hold no secret",
            )
        policy = type(policy)(**{**dict(policy), "scorer": scorer})
    own = file_cases(found, baseline) if own_cases else None
    grounds = found.grounds(scorer.score) if isinstance(scorer, RecordedOptions) else {}
    return policy, own, grounds


def _which(
    scorer: RecordedOptions, file: ImportedFile, rules: Rules, found: Survey
) -> RecordedOptions:
    """Say which recorded score is gated on, and of which tool it is."""
    said = None if rules.file is None else rules.file.scorer
    wanted = said.tool if isinstance(said, RecordedOptions) else None
    if wanted not in {None, file.tool}:
        raise PolicyInvalid(
            f"scorer: `tool` is {wanted!r}, and {file.source.name} is read as {file.tool}"
        )
    wanted_at = said.at if isinstance(said, RecordedOptions) else None
    score = scorer.score
    if found.n_outputs or score is None:  # else there are only errors, and no score to be found
        score = found.scores.chosen(score, source=file.source.name)
    at = file.options.score_at(score)
    if wanted_at not in {None, at}:
        raise PolicyInvalid(f"scorer: `at` is {wanted_at!r}, and the map says {at!r}")
    return RecordedOptions(score=score, tool=file.tool, at=at)
