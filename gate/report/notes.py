"""What a reader should know beside the verdict, one sentence each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.alignment import Alignment
    from gate.records.result import SuiteResult

_LISTED: Final = 10
_NAME: Final = 80
PROVENANCE: Final = (
    "provenance: unverified; a gate cannot prove that these predictions came from the agent, "
    "so make them in a job that the change under test cannot edit"
)


def conditions(
    suite: SuiteResult, alignment: Alignment | None, *, policy: str | None
) -> tuple[str, ...]:
    """Say under which rules a run was decided; ``policy`` names the file, if there is one."""
    found: list[str] = []
    if policy is None:
        found.append("rules: the built-in defaults and the options; no policy file")
    else:
        found.append(f"rules: {policy[:200]}, and the options over it")
    if suite.metric == "mean_score":
        found.append(
            "the scorer is graded and no pass threshold is set: the headline is the mean score, "
            "and a case counts as passed only at 1.0"
        )
    if alignment is not None and alignment.repeats != suite.repeats:
        found.append(
            f"{suite.repeats} run(s) of each case are compared with {alignment.repeats} "
            "in the baseline"
        )
    return tuple(found)


def notes(
    *,
    unknown_ids: tuple[str, ...],
    unknown_predictions: int,
    ignored_fields: tuple[tuple[str, int], ...],
    pathless: int,
    misspelt: tuple[tuple[str, str, int], ...] = (),
) -> tuple[str, ...]:
    """Say what was seen in cases and predictions; the last note is always about provenance.

    ``misspelt`` are names of case fields, what each may have meant, and in how many cases.
    """
    return (
        *_about_cases(misspelt),
        *_about_ids(unknown_ids, unknown_predictions),
        *_about_fields(ignored_fields),
        *_about_paths(pathless),
        PROVENANCE,
    )


def _about_cases(fields: tuple[tuple[str, str, int], ...]) -> Iterator[str]:
    for name, meant, count in fields[:_LISTED]:
        yield (
            f"LOOK: the field {name[:_NAME]!r} of {count} case(s) was kept as metadata and not "
            f"read; did you mean {meant!r}?"
        )


def _about_ids(ids: tuple[str, ...], count: int) -> Iterator[str]:
    if count:
        names = _listed([repr(name[:_NAME]) for name in ids])
        yield f"{count} prediction(s) answer no case and were not counted: {names}"


def _about_fields(fields: tuple[tuple[str, int], ...]) -> Iterator[str]:
    if fields:
        names = _listed([f"{name[:_NAME]!r} ({count})" for name, count in fields])
        yield f"fields of predictions that were not read: {names}"


def _about_paths(pathless: int) -> Iterator[str]:
    if pathless:
        yield (
            f"{pathless} prediction(s) of cases that declare a path do not say which tools were "
            "called; their paths count 0"
        )


def _listed(names: list[str]) -> str:
    more = ", …" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
