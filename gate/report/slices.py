"""The slices of a report: what each label came to, against the baseline where that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records import figures
from gate.records.json_text import loads
from gate.report.judge_outage import open_cases
from gate.report.measures import METHODS, change, is_comparable, share, span
from gate.report.outcome import METRICS

if TYPE_CHECKING:
    from gate.records.base import Metric
    from gate.records.report import Report
    from gate.records.result import SliceResult, SuiteResult
    from gate.records.verdict import MetricChange


OF_COMPARED: Final = "Baseline and change are those of the compared cases alone."


class SliceRow(NamedTuple):
    """One slice; ``label`` is untrusted text, the other texts are empty where nothing is known.

    ``notable`` says that it moved, that a case of it newly fails, that a safety gate failed on
    it, or that there is nothing to compare it with.
    """

    label: str
    cases: str
    pass_rate: str
    mean_score: str
    interval: str
    resampled: str
    baseline: str
    change: str
    notable: bool


def interval_titles(suite: SuiteResult) -> tuple[str, str]:
    """Title the two interval columns of the slices: what each is about, and its method."""
    first, second = METHODS[suite.interval.method], METHODS[suite.protocol_interval.method]
    return f"{METRICS[suite.metric]} interval ({first})", f"mean score interval ({second})"


def is_of_more(report: Report) -> bool:
    """Say whether slices may hold cases that their baseline and change are not about."""
    compared = report.comparison
    return compared is not None and bool(compared.added or compared.changed)


def slice_rows(report: Report) -> tuple[SliceRow, ...]:
    """Give every slice, in the order of the report.

    The change is between the cases of the slice that stand unchanged in both runs, by the
    headline metric. A slice of which a judge left a case open has no figures yet.
    """
    compared: dict[str, MetricChange] = {}
    if report.comparison is not None and is_comparable(report):
        changes = report.comparison.changes
        compared = {one.label: one for one in changes if one.label is not None}
    struck = _struck(report)
    left = {label for row in open_cases(report) for label in row.labels}
    return tuple(
        _row(one, compared.get(one.label), metric=report.suite.metric, struck=one.label in struck)
        for one in report.suite.slices
        if one.label not in left
    )


def _struck(report: Report) -> frozenset[str]:
    """Give the labels of newly failing cases, and those on which a safety gate failed."""
    newly = frozenset(report.comparison.newly_failing) if report.comparison else frozenset()
    found = {label for case in report.cases if case.id in newly for label in case.labels}
    for gate in report.gates:
        if gate.gate == "safety" and gate.outcome == "fail":
            found.add(str(loads(gate.numbers).get("label")))
    return frozenset(found)


def _row(
    one: SliceResult, compared: MetricChange | None, *, metric: Metric, struck: bool
) -> SliceRow:
    baseline = moved = ""
    notable = struck or compared is None
    if compared is not None:
        notable = notable or compared.drop != 0
        baseline = share(compared.baseline, metric=metric)
        moved = change(-compared.drop, metric=metric)
    return SliceRow(
        one.label,
        f"{one.n_cases:,}",
        figures.percent(one.pass_rate),
        figures.score(one.mean_score),
        span(one.interval, metric=metric),
        span(one.protocol_interval, metric="mean_score"),
        baseline,
        moved,
        notable,
    )
