"""A folder is looked at, and a first suite is put beside what lies there (``init``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import InvalidInput, PredictionsInvalid
from gate.inputs.importers.table import OURS
from gate.pipeline.starter import ASK_FILE, PREDICTIONS_FILE, Scored, Suite, starter
from gate.shell.converting import tell_cases
from gate.shell.gather import MAX_CASES, cases_of
from gate.shell.recognised import Seen, named_in, seen_in, told_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import BinaryIO

    from gate.inputs.imported import ImportedFile
    from gate.inputs.survey import Survey
    from gate.ports import Files, Listing
    from gate.records.case import EvalCase

_PROMPTFOO: Final = "promptfoo"
_PROMPTFOO_FILE: Final = "promptfoo.json"
_LISTED: Final = 5
_TRIED: Final = 20
"""Scores that are tried one after another, at most."""
_NAME: Final = 80
OUT: Final = ".agent-eval-gate/"


class Begun(NamedTuple):
    """What came of it: ``said`` of what was found, what was ``written``, what was there already.

    ``kept`` are files with other content, which stay as they are; ``steps`` are commands to run,
    and ``uncommitted`` what a repository need not hold. ``is_sound`` says that nothing is seen in
    the results that keeps every check of them from passing.
    """

    said: tuple[str, ...]
    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    kept: tuple[str, ...]
    steps: tuple[str, ...]
    uncommitted: tuple[str, ...]
    is_sound: bool


def begun(files: Files, folder: str, listing: Listing, *, results: str | None) -> Begun:
    """Write a first suite into ``folder``, but for what is there already.

    ``results`` names the file to begin with, from the folder on; else what was recognised is
    looked at. Raises ``UsageInvalid``, ``PredictionsInvalid``, ``ResultUnwritable``.
    """
    said: list[str] = []
    seen = seen_in(listing, said)
    best = seen.best() if results is None else named_in(listing, results)
    said.extend(told_of(seen, best))
    suite = _suite(files, folder, listing, seen, best, said)
    made = starter(suite)
    written, unchanged, kept = [], [], []
    for path, text in made.files.items():
        place = _within(folder, path)
        if not files.exists(place):
            files.write(place, [text])
            written.append(path)
        elif _is(files, place, text):
            unchanged.append(path)
        else:
            kept.append(path)
    if not listing.is_repository:
        said.append("a repository's workflows lie in its top folder, and this one is none")
    done = (tuple(written), tuple(unchanged), tuple(kept))
    is_sound = suite.is_whole and not suite.n_without
    return Begun(tuple(said), *done, made.steps, (OUT, suite.predictions), is_sound)


def _within(folder: str, path: str) -> str:
    return path if folder == "." else f"{folder.rstrip('/') or '/'}/{path}"


def _is(files: Files, place: str, text: str) -> bool:
    try:
        return files.read(place, limit=MAX_CASES) == text.encode()
    except InvalidInput:
        return False


def _suite(
    files: Files,
    folder: str,
    listing: Listing,
    seen: Seen,
    best: tuple[str, str] | None,
    said: list[str],
) -> Suite:
    if best is None:
        return _without_results(files, folder, listing, seen, said)
    kind, path = best
    golden, held = _golden(files, folder, seen, said)
    if kind == OURS:
        return _of_ours(files, folder, path, golden, held)
    file = _imported(files, folder, path, kind)
    from gate.inputs.survey import survey

    told = survey(file, cases=True)
    said.extend(
        f"this file may not be whole, and no check of it passes: {gap}" for gap in told.gaps
    )
    found = tuple(told.cases[name] for name in sorted(told.cases))
    theirs = golden is not None and bool({case.id for case in held} & told.cases.keys())
    if told.by_place is not None:
        said.append(
            f"some ids are positions in the file (such as {told.by_place[:_NAME]!r}), which "
            "another run need not share: name the cases in your tool, or say id_field in gate.toml"
        )
    said.extend(f"mind: {remark}" for remark in told.remarks[:_LISTED])
    scored, without = _scored(file, told, held if theirs else found, said)
    if scored.name == "rubric":
        said.append(
            "nothing says what is right, so gate.toml lets any answer of one word pass: choose a "
            "scorer there, or map a score (map under [suite])"
        )
    if without:
        said.append(
            f"{without:,} of {told.n_answers:,} answers have no score, which the gate "
            "completeness fails until none is left"
        )
    return Suite(
        predictions=path,
        scored=scored,
        tool=kind,
        cases_file=golden if theirs else None,
        cases=() if theirs else found,
        n_answers=told.n_answers,
        n_without=without,
        is_whole=not told.gaps,
    )


def _golden(
    files: Files, folder: str, seen: Seen, said: list[str]
) -> tuple[str | None, tuple[EvalCase, ...]]:
    """Give the golden set that is there, and its cases; one that cannot be read is passed over."""
    if seen.cases is None:
        return None, ()
    try:
        data = files.read(_within(folder, seen.cases), limit=MAX_CASES)
        return seen.cases, cases_of(data, source=seen.cases)
    except InvalidInput as error:
        said.append(f"passed over: {str(error).splitlines()[0]}")
        return None, ()


def _without_results(
    files: Files, folder: str, listing: Listing, seen: Seen, said: list[str]
) -> Suite:
    """Begin with a configuration, a golden set, or an example of both."""
    if listing.configs:
        said.append(f"found: {listing.configs[0]}, and no results of it yet")
        scored = Scored("recorded", tool=_PROMPTFOO)
        return Suite(_PROMPTFOO_FILE, scored, _PROMPTFOO, is_there=False)
    golden, held = _golden(files, folder, seen, said)
    if golden is None:
        said.append(
            "found: nothing to begin with; so there are three cases and a stand-in for an agent"
        )
        return Suite(PREDICTIONS_FILE, Scored("contains"), asks=True, is_example=True)
    said.append(f"found: {golden}, a golden set, and no answers yet: write {ASK_FILE} first")
    return Suite(PREDICTIONS_FILE, _by_reference(held), cases_file=golden, asks=True)


def _of_ours(
    files: Files, folder: str, path: str, golden: str | None, held: tuple[EvalCase, ...]
) -> Suite:
    told = tell_cases(files, _within(folder, path))
    return Suite(
        predictions=path,
        scored=_by_reference(held),
        cases_file=golden,
        cases=() if golden else told.cases,
        n_answers=told.n_answers,
        n_without=told.n_errors,
    )


def _imported(files: Files, folder: str, path: str, tool: str) -> ImportedFile:
    from gate.inputs.imported import ImportedFile
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

    def opened() -> BinaryIO:
        return files.open(_within(folder, path))

    return ImportedFile(Source(path, opened), tool, ImportOptions())


def _by_reference(cases: Iterable[EvalCase]) -> Scored:
    held = tuple(cases)
    has = bool(held) and all(case.reference or case.scorer for case in held)
    return Scored("contains") if has else Scored("rubric")


def _scored(
    file: ImportedFile, told: Survey, cases: Sequence[EvalCase], said: list[str]
) -> tuple[Scored, int]:
    """Choose a score that the tool recorded, its own verdict first; else a scorer of ours.

    Gives, too, how many answers have no score by it.
    """
    from gate.inputs.imported import ImportedReader

    heads = {name for name, _, is_headline in told.scores.listed if is_headline}
    names = told.scores.names
    without: dict[str, int] = {}
    for name in sorted(names, key=lambda name: name not in heads)[:_TRIED]:
        try:
            answers = list(ImportedReader(file, score=name))
        except PredictionsInvalid:  # it lies beyond 0 and 1, or comes twice: another one may not
            continue
        without[name] = sum(one.recorded is None for one in answers)
    if not without:
        return _by_reference(cases), told.n_answers - told.n_outputs
    best = min(without, key=lambda name: (name not in heads, without[name]))  # else the first
    others = tuple(name for name in names if name != best)
    if others and not heads:
        said.append(f"the tool recorded {len(names)} scores, and gate.toml takes {best!r}: choose")
    return Scored("recorded", best, file.tool, others), without[best]
