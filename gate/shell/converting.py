"""A file is looked through and becomes cases and predictions of our own (``import``)."""

from __future__ import annotations

from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import FileUnreadable, PredictionsInvalid, Undecided, UsageInvalid
from gate.inputs.importers.table import OURS, is_ours
from gate.inputs.lines import BOM, MAX_LINE_BYTES, WHITE_SPACE
from gate.inputs.own_lines import case_line, prediction_line
from gate.records.json_text import JsonRefused, loads
from gate.report.import_page import Found, Written
from gate.report.sanitize import visible
from gate.shell.gather import MAX_CASES, Names, cases_of
from gate.shell.importing import imported_file, telling_formats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gate.inputs.imported import ImportedFile
    from gate.ports import Files
    from gate.records.case import EvalCase, Prediction
    from gate.records.policy import Overrides

STREAM: Final = "-"
"""Names the standard output, as it names the standard input where something is read."""
CASES: Final = "cases"
PREDICTIONS: Final = "predictions"
_OPENING: Final = 64 * 1024
_BLOCK: Final = 1 << 20
_SHOWN: Final = 1_000
"""Lines that are shown at once."""
_ASKED: Final = ("input", "query")
_GAPS: Final = (
    "the file may not hold all that was run, and files of ours could not say so: nothing is "
    "written"
)


class Look(NamedTuple):
    """What a file holds; ``predictions`` reads it once more, and ``None`` says it has none."""

    found: Found
    cases: tuple[EvalCase, ...] | None
    predictions: Callable[[], Iterable[Prediction]] | None


class Target(NamedTuple):
    """A file to write, and whether it is one of cases or of predictions."""

    what: str
    path: str


class _Names(Names):
    """The option that is no option here: the file is an argument."""

    def of(self, key: str) -> str:
        return "FILE" if key == PREDICTIONS else super().of(key)


def looked_at(files: Files, path: str, options: Overrides, *, cases: bool = True) -> Look:
    """Read a file through: all that is wrong with it is said here, before anything is written.

    A tool's ``cases`` are held in memory, and need not be where only answers are wanted.

    Raises ``UsageInvalid``, ``FileAbsent``, ``FileUnreadable``, ``PredictionsInvalid``,
    ``CasesInvalid``.
    """
    from gate.records.policy import SuiteOptions

    said = {name: getattr(options, name) for name in ("format", "id_field")}
    suite = SuiteOptions(**said, map=options.map or ())
    names = _Names(options)
    file = imported_file(files, suite, names, source=path)
    if file is not None:
        return _of_a_tool(file, cases=cases)
    with names.around(PREDICTIONS), files.open(path) as opened:
        opening = opened.read(_OPENING)
    if are_cases(opening):
        return _of_our_cases(files, path)
    with telling_formats(files, path, None):
        return _of_ours(files, path)


def are_cases(opening: bytes) -> bool:
    """Say whether a file that is no tool's begins with a case: it asks, and does not answer."""
    if is_ours(opening):
        return False
    bare = opening.removeprefix(BOM).lstrip(WHITE_SPACE)
    if bare.startswith(b"["):
        return True
    try:
        record = loads(bare.partition(b"\n")[0].decode())
    except (JsonRefused, UnicodeDecodeError):
        return False
    return isinstance(record, dict) and "id" in record and any(one in record for one in _ASKED)


class Told(NamedTuple):
    """What predictions of ours say of their cases, which is the ids, and how many there are."""

    cases: tuple[EvalCase, ...]
    n_answers: int
    n_errors: int


def tell_cases(files: Files, path: str) -> Told:
    """Read predictions of ours for the cases that they answer. Raises ``PredictionsInvalid``."""
    from gate.records.case import EvalCase

    look = _of_ours(files, path)
    assert look.predictions is not None  # noqa: S101 - they are predictions
    names = {answer.id for answer in look.predictions()}
    cases = tuple(EvalCase(id=name, input="") for name in sorted(names))
    return Told(cases, look.found.n_answers, look.found.n_errors)


def _of_a_tool(file: ImportedFile, *, cases: bool) -> Look:
    from gate.inputs.imported import ImportedReader
    from gate.inputs.survey import survey

    told = survey(file, cases=cases)
    found = Found(
        source=file.source.name,
        read_as=f"a file of {file.tool}",
        n_cases=told.n_ids,
        n_bare=len(told.silent),
        n_answers=told.n_answers,
        n_errors=told.n_answers - told.n_outputs,
        runs=told.runs,
        scores=told.scores.listed,
        gaps=told.gaps,
        remarks=told.remarks,
        by_place=told.by_place,
    )
    held = tuple(told.cases[name] for name in sorted(told.cases)) if cases else None
    return Look(found, held, lambda: ImportedReader(file, score=None, traces=True))


def _of_our_cases(files: Files, path: str) -> Look:
    cases = cases_of(files.read(path, limit=MAX_CASES), source=path)
    found = Found(path, f"{CASES} of our own", n_cases=len(cases))
    return Look(found, cases, None)


def _of_ours(files: Files, path: str) -> Look:
    from gate.inputs.predictions import PredictionReader

    def reader() -> PredictionReader:
        lines = files.lines(path, limit=MAX_LINE_BYTES)
        return PredictionReader(lines, source=path, traces=True)

    first, errors = reader(), 0
    runs: dict[str, int] = {}
    for answer in first:
        runs[answer.id] = runs.get(answer.id, 0) + 1
        errors += answer.output is None
    if not runs:
        raise PredictionsInvalid(f"{path}: 0 answers")
    ignored = tuple(
        f"fields that are never read, and are left out: {name} ({count})"
        for name, count in first.ignored_fields
    )
    found = Found(
        source=path,
        read_as=f"{PREDICTIONS} of our own ({OURS})",
        n_cases=len(runs),
        n_bare=len(runs),
        n_answers=first.count,
        n_errors=errors,
        runs=(min(runs.values()), max(runs.values())),
        remarks=ignored,
    )
    return Look(found, None, reader)


def written(
    files: Files,
    look: Look,
    targets: Iterable[Target],
    *,
    show: Callable[[str], None],
    force: bool,
    allow_gaps: bool,
) -> tuple[Written, ...]:
    """Write what is wanted of a file; all of it, or nothing.

    What is there already stays, unless it is the same or ``force`` says otherwise. ``show``
    prints to the standard output. Raises ``UsageInvalid``, ``Undecided`` for a file that may not
    be whole, ``ResultUnwritable``.
    """
    wanted = tuple(targets)
    _refuse(look, wanted)
    if wanted and look.found.gaps and not allow_gaps:
        raise Undecided(_GAPS, hint="run it again; or take what there is with --allow-gaps")
    held = {one.path: _held(files, look, one, force=force) for one in wanted}
    done: list[Written] = []
    try:
        for one in wanted:
            if one.path == STREAM:
                for lines in _together(_lines(look, one.what)):
                    show(lines)
            elif not held[one.path]:
                files.write(one.path, _lines(look, one.what))
            done.append(Written(one.path, one.what, unchanged=held[one.path]))
    finally:
        if len(done) < len(wanted):
            for made in done:
                if made.path != STREAM and not made.unchanged:
                    files.remove(made.path)
    return tuple(done)


def _refuse(look: Look, wanted: tuple[Target, ...]) -> None:
    for one in wanted:
        holds = look.cases if one.what == CASES else look.predictions
        if holds is None:
            raise UsageInvalid(
                f"--{one.what}-to: {visible(look.found.source)} holds {look.found.read_as}, and "
                f"no {one.what}"
            )


def _held(files: Files, look: Look, one: Target, *, force: bool) -> bool:
    """Say whether a target is there already as it would be written, and refuse another."""
    if one.path == STREAM:
        for _ in _lines(look, one.what):  # what is wrong is said before anything is shown
            pass
        return False
    if force or not files.exists(one.path):
        return False
    ours, theirs = sha256(), sha256()
    for line in _lines(look, one.what):
        ours.update(line.encode())
    try:
        with files.open(one.path) as opened:
            while block := opened.read(_BLOCK):
                theirs.update(block)
    except FileUnreadable as error:
        raise error.prefixed(f"--{one.what}-to") from None
    if ours.digest() == theirs.digest():
        return True
    raise UsageInvalid(
        f"--{one.what}-to: {visible(one.path)} is there already, and holds something else",
        hint="name another file, or overwrite it with --force",
    )


def _lines(look: Look, what: str) -> Iterator[str]:
    if what == CASES:
        yield from map(case_line, look.cases or ())
        return
    assert look.predictions is not None  # noqa: S101 - refused above
    for number, answer in enumerate(look.predictions(), start=1):
        line = prediction_line(answer)
        if len(line) > MAX_LINE_BYTES:
            raise PredictionsInvalid(
                f"{look.found.source}: answer {number} would be a line of more than "
                f"{MAX_LINE_BYTES:,} bytes",
                hint="`check --predictions` reads the file as it is, without such a line",
            )
        yield line


def _together(lines: Iterator[str]) -> Iterator[str]:
    while block := "".join(islice(lines, _SHOWN)):
        yield block
