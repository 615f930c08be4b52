"""Cases that another tool's file says of itself, held against those that the baseline pins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.case import EvalCase
from gate.records.figures import count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.survey import Survey
    from gate.records.baseline import Baseline, BaselineRow

UNTOLD: Final = ("(declared in the baseline, and not told here)",)
"""Stands for a path that the baseline declares and nothing here spells: no path equals it."""


class FileCases(NamedTuple):
    """The cases of a run without a case file.

    Of the cases ``as_accepted`` nothing is known but what the baseline holds of them, so they are
    what they were. ``warnings`` say what the file would have taken away and did not.
    """

    cases: tuple[EvalCase, ...]
    as_accepted: frozenset[str]
    warnings: tuple[str, ...]


def file_cases(found: Survey, baseline: Baseline | None) -> FileCases:
    """Put the cases of a file together with those that the baseline pins.

    A candidate writes the file, so it may add to a case and take nothing away: the baseline's
    labels stay, a path that it declares stays declared (and counts as not taken where the file
    does not tell it), and so does a case that the file lacks. What it changes shows in the
    digest of the case.
    """
    if baseline is None:
        return FileCases(tuple(found.cases.values()), frozenset(), ())
    cases: dict[str, EvalCase] = dict(found.cases)
    kept: set[str] = set()
    n_labels = n_paths = 0
    for row in baseline.rows:
        case = found.cases.get(row.id)
        silent = case is None or row.id in found.silent
        if silent:
            kept.add(row.id)
        if case is None:
            cases[row.id] = _missing(row)
            continue
        lost = set(row.labels) - set(case.labels)
        pathless = row.declares_path and not case.expected_tools
        n_labels += bool(lost) and not silent
        n_paths += pathless
        if lost or pathless or case.cluster != row.cluster:
            cases[row.id] = replace(
                case,
                labels=tuple(sorted({*case.labels, *row.labels})),
                expected_tools=UNTOLD if pathless else case.expected_tools,
                cluster=row.cluster,
            )
    return FileCases(
        tuple(cases[name] for name in sorted(cases)),
        frozenset(kept),
        tuple(_warnings(n_labels, n_paths)),
    )


def _missing(row: BaselineRow) -> EvalCase:
    return EvalCase(
        id=row.id,
        input="",
        labels=row.labels,
        cluster=row.cluster,
        expected_tools=UNTOLD if row.declares_path else (),
    )


def _warnings(n_labels: int, n_paths: int) -> Iterator[str]:
    if n_labels:
        bear = "bears" if n_labels == 1 else "bear"
        yield (
            f"{count(n_labels, 'case')} {bear} labels in the baseline that this file lacks, and "
            "kept them: a case file, or a baseline made anew, can take them away."
        )
    if n_paths:
        declare = "declares" if n_paths == 1 else "declare"
        yield (
            f"{count(n_paths, 'case')} {declare} a path in the baseline that this file does not "
            "tell, which counts as not taken: give --cases."
        )
