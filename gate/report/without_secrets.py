"""A report to show: ids, labels and what quotes them, without secrets before anything is cut."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Final

from gate.records.base import Record
from gate.report.redact import unchanged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gate.records.report import Report

_QUOTED: Final = frozenset(
    (
        *("id", "label", "labels", "case_ids", "because", "conditions", "notes", "warnings"),
        *("added", "removed", "differences", "newly_failing", "newly_passing", "fallen_slices"),
        *("baseline_reason", "fields", "gate", "name"),
        *("expected", "output", "error", "expected_tools", "tools", "reasons"),
        *("message", "stopped", "models", "case_id"),
        *("case", "owner", "reason", "said", "waived", "baseline_waived"),
        *("subject", "before", "after", "file", "brought"),
    )
)
"""Fields that hold text of others, or quote it; a runner and a reader take them as text."""


def without_secrets(report: Report, redact: Callable[[str], str]) -> Report:
    """Give ``report`` as it may be shown; itself where it holds no secret.

    Answers and errors were redacted when they were quoted, which may have been elsewhere: those
    of a stored result are looked at again. Ids and labels stand in ``result.json`` as they are,
    since runs are joined by them; a page cuts them, and wraps them, and half a secret is found
    by nobody.
    """
    if redact is unchanged:  # there is no secret: as in every run without a key
        return report
    text = "\n".join(_texts(report))
    if redact(text) == text:
        return report
    shown: Report = _shown(report, redact, quoted=False)
    return shown


def _texts(report: Report) -> Iterator[str]:
    for row in report.cases:
        yield row.id
        yield from row.labels
        for one in row.evidence:
            yield from (one.expected or "", one.output or "", one.error or "")
            yield from (*one.expected_tools, *(one.tools or ()), *one.reasons)
    yield from (gate.because for gate in report.gates)
    yield from (*report.conditions, *report.notes, *report.warnings)
    yield from (text for one in report.waivers for text in (one.case, one.owner, one.reason))
    for change in report.rule_changes:
        yield from (change.subject, change.before or "", change.after or "", *change.case_ids)
    if report.rules_from is not None:
        yield from (report.rules_from.file or "", *report.rules_from.brought)
    run = report.judge_run
    if run is not None:
        yield from (*run.models, run.stopped or "")
        yield from (one.message or "" for one in run.unscored)
        yield from (one.case_id for one in run.canaries)
    if report.comparison is not None:
        yield from report.comparison.removed
        yield from report.comparison.differences
        yield report.comparison.baseline_reason or ""
        yield from report.comparison.baseline_waived


def _shown(value: Any, redact: Callable[[str], str], *, quoted: bool) -> Any:  # noqa: ANN401 - any field's
    if isinstance(value, str):
        return redact(value) if quoted else value
    if isinstance(value, tuple):
        return tuple(_shown(one, redact, quoted=quoted) for one in value)
    if isinstance(value, Record):
        parts = dict(value)
    elif is_dataclass(value):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
    else:
        return value
    made = {name: _shown(one, redact, quoted=name in _QUOTED) for name, one in parts.items()}
    return type(value)(**made)
