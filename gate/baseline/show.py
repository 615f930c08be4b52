"""A baseline for people: a page, not a dump."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Final

from gate.records.figures import aggregate

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gate.records.baseline import Baseline

_NAME: Final = 80
_DIGEST: Final = len("sha256:") + 12
"""As much of a digest as tells runs apart, and as a creep gate may pin."""


def show(baseline: Baseline) -> Iterator[str]:
    """Give the lines of the page: how it was measured, what it found, which cases failed."""
    summary = baseline.summary
    yield f"scorer          {baseline.scorer.name} {baseline.scorer.params}"
    yield f"pass threshold  {baseline.pass_threshold}"
    yield f"trajectory      {baseline.trajectory_mode}"
    yield f"repeats         {baseline.repeats}"
    yield f"cases           {summary.n_cases}"
    yield f"pass rate       {aggregate(summary.pass_rate)}"
    yield f"mean score      {aggregate(summary.mean_score)}"
    yield f"trajectory mean {_paths(baseline)}"
    yield f"cases digest    {baseline.cases_digest}"
    if baseline.reason is not None:
        yield f"accepted        with a reason: {baseline.reason}"
    if baseline.waived:
        yield f"waived          {_listed(baseline.waived)}"
    for number, earlier in enumerate(reversed(baseline.history), start=1):
        yield (
            f"{number} before        pass rate {aggregate(earlier.pass_rate)}, mean score "
            f"{aggregate(earlier.mean_score)} over {earlier.n_cases} cases, predictions "
            f"{earlier.predictions[:_DIGEST]}"
        )
    failed = [row.id for row in baseline.rows if not all(row.passes)]
    if failed:
        yield f"not passed      {_listed(failed)}"


def _listed(names: Sequence[str]) -> str:
    return f"{len(names)}: {', '.join(name[:_NAME] for name in names[:20])}"


def _paths(baseline: Baseline) -> str:
    """Give the mean that the trajectory gate compares with: of the cases that declare a path."""
    values = [row.trajectory for row in baseline.rows if row.declares_path]
    if not values:
        return "none: no case declares a path"
    declare = "case that declares" if len(values) == 1 else "cases that declare"
    return f"{aggregate(fsum(values) / len(values))} over {len(values):,} {declare} a path"
