"""A log of Inspect out of either of its files: what it says of the run, and its samples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import PredictionsInvalid
from gate.inputs.fields import shown
from gate.inputs.importers.parts.members import Members
from gate.records.json_text import JsonRefused

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.parts.inspect_archive import Archive
    from gate.inputs.importers.source import Source

MAX_SAMPLES: Final = 100_000
"""Samples of a ``.json`` log, at most."""
_HEADER: Final = "header.json"
_START: Final = "_journal/start.json"
_SAMPLES: Final = "samples/"
_SUMMARIES: Final = "summaries.json"
_KNOWN: Final = ("_journal/", _SAMPLES, _HEADER, _SUMMARIES, "reductions.json")
_ANOTHER: Final = "name the tool that wrote it with --format"


class Log(NamedTuple):
    """A log: what it says of the run, and each sample with its place, or why it has none."""

    header: Members
    ended: bool
    samples: Iterator[tuple[str, Members | str]]
    remarks: tuple[str, ...] = ()
    summaries: Iterator[Members | str] = iter(())


def archived(archive: Archive, name: str) -> Log:
    """Read the ``.eval`` archive. Raises ``PredictionsInvalid`` where it is no log."""
    from gate.inputs.importers.parts.inspect_archive import MemberRefused

    ended = _HEADER in archive
    if not ended and _START not in archive:
        raise PredictionsInvalid(
            f"{name}: no log of Inspect: holds neither {_HEADER} nor {_START}",
            hint=_ANOTHER,
        )
    about = _HEADER if ended else _START
    try:
        header = Members(archive.read(about))
    except (MemberRefused, JsonRefused) as error:
        raise PredictionsInvalid(f"{name}: {about}: {error}") from None
    remarks = []
    strange = [each for each in archive if not each.startswith(_KNOWN)]
    if strange:
        remarks.append(f"{len(strange)} members that are no part of a log were not read")
    if archive.superseded:
        remarks.append(f"{archive.superseded} members were not read: later ones replace them")
    return Log(header, ended, _members(archive), tuple(remarks), _summaries(archive))


def _summaries(archive: Archive) -> Iterator[Members | str]:
    from gate.inputs.importers.parts.inspect_archive import MemberRefused

    if _SUMMARIES not in archive:
        return
    try:
        whole = Members(b'{"all":%b}' % bytes(archive.read(_SUMMARIES)))
        for each in whole.items("all"):
            yield str(each) if isinstance(each, JsonRefused) else each
    except (MemberRefused, JsonRefused) as error:
        yield str(error)


def _members(archive: Archive) -> Iterator[tuple[str, Members | str]]:
    from gate.inputs.importers.parts.inspect_archive import MemberRefused

    for name in archive:
        if name.startswith(_SAMPLES) and name.endswith(".json"):
            sample: Members | str
            try:
                sample = Members(archive.read(name))
            except (MemberRefused, JsonRefused) as error:
                sample = str(error)
            yield _place(name), sample


def _place(name: str) -> str:
    return name if name.isprintable() and len(name) <= 200 else shown(name)  # noqa: PLR2004


def written(source: Source) -> Log:
    """Read the ``.json`` log. Raises ``PredictionsInvalid`` where it is none."""
    try:
        header = Members(source.whole())
    except JsonRefused as error:
        raise PredictionsInvalid(f"{source.name}: {error}") from None
    if "eval" not in header:
        raise PredictionsInvalid(
            f"{source.name}: no log of Inspect: `eval` is missing", hint=_ANOTHER
        )
    return Log(header, "status" in header, _elements(header))


def _elements(header: Members) -> Iterator[tuple[str, Members | str]]:
    at = 0
    try:
        for at, sample in enumerate(header.items("samples")):
            if at == MAX_SAMPLES:
                yield f"samples[{at}]", f"more than {MAX_SAMPLES} samples, the limit of a log"
                return
            yield f"samples[{at}]", str(sample) if isinstance(sample, JsonRefused) else sample
    except JsonRefused as error:
        yield f"samples[{at}]", str(error)
