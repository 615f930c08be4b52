"""Lay a run beside its baseline: which cases stand in both, and is it the same measurement."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import ResultInvalid
from gate.records.alignment import Alignment
from gate.records.json_text import canonical, loads
from gate.records.result import Accepted
from gate.records.verdict import ChangedCase

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from decimal import Decimal

    from gate.records.base import Metric, TrajectoryMode
    from gate.records.baseline import AcceptedSummary, Baseline, BaselineRow
    from gate.records.report import Report
    from gate.records.result import CaseDigest, CaseResult, ScorerIdentity

_SHOWN: Final = 19
_PARTS: Final = ("input", "reference", "expected_tools", "scorer")


class Measured(NamedTuple):
    """What must be the same on both sides; the names are those of the baseline's fields."""

    scorer: ScorerIdentity
    judge_config: str | None
    metric: Metric
    pass_threshold: Decimal
    trajectory_mode: TrajectoryMode


def accepted_case(digest: CaseDigest, before: BaselineRow | None) -> Accepted | None:
    """Give what the baseline holds for a case with this ``digest``; ``None`` if it moved."""
    if before is None or before.digest.whole != digest.whole:
        return None
    return _accepted(before.scores, before.passes, before.trajectory, before.earlier)


@lru_cache(maxsize=4096)
def _accepted(
    scores: tuple[float | None, ...],
    passes: tuple[bool, ...],
    trajectory: float,
    earlier: tuple[float | None, ...],
) -> Accepted:
    # Equal ones are one value: a suite has few different ones.
    return Accepted(scores=scores, passes=passes, trajectory=trajectory, earlier=earlier)


def align(
    rows: Sequence[CaseResult],
    baseline: Baseline,
    measured: Measured,
    *,
    brought: Collection[str] = (),
) -> Alignment:
    """Join ``rows`` (in id order, those unchanged with ``accepted``) with the baseline's.

    Neither side is forgotten; a changed case names the fields that moved. A case that a pull
    request has ``brought`` is not compared: it is added, whatever the baseline holds of that id,
    and what that holds went away.
    """
    before = {row.id: row for row in baseline.rows}
    pairs: list[CaseResult] = []
    added: list[str] = []
    changed: list[ChangedCase] = []
    for row in rows:
        was = None if row.id in brought else before.pop(row.id, None)
        if was is None:
            added.append(row.id)
        elif row.accepted is not None:
            pairs.append(row)
        else:
            changed.append(ChangedCase(id=row.id, fields=changed_fields(row, was)))
    return Alignment(
        pairs=tuple(pairs),
        added=tuple(added),
        removed=tuple(sorted(before)),
        changed=tuple(changed),
        differences=tuple(_differences(measured, baseline)),
        reason=baseline.reason,
        repeats=baseline.repeats,
        history=baseline.history,
        best_of=best_of(baseline),
        knowingly=baseline.knowingly,
        waived=baseline.waived,
    )


def recall(report: Report) -> Alignment | None:
    """Rebuild the alignment that a stored result was decided with, from itself alone.

    Raises ``ResultInvalid`` where a case stands in none of the groups, or in two.
    """
    found = report.comparison
    if found is None:
        return None
    moved = {*found.added, *(case.id for case in found.changed)}
    for row in report.cases:
        if (row.accepted is None) != (row.id in moved):
            raise ResultInvalid(
                f"case {row.id!r} must be unchanged, added or changed: one of the three"
            )
    return Alignment(
        pairs=tuple(row for row in report.cases if row.accepted is not None),
        added=found.added,
        removed=found.removed,
        changed=found.changed,
        differences=found.differences,
        reason=found.baseline_reason,
        repeats=found.baseline_repeats,
        history=found.history,
        best_of=found.baseline_best_of,
        knowingly=found.baseline_knowingly,
        waived=found.baseline_waived,
    )


def best_of(baseline: Baseline) -> int:
    """Count the runs on record where the baseline is better than all, of three or more; else 0.

    The best of several is partly luck, so later runs of the same agent look worse beside it.
    """
    earlier = [_headline(summary) for summary in baseline.history]
    best = len(earlier) > 1 and _headline(baseline.summary) > max(earlier)
    return len(earlier) + 1 if best else 0


def _headline(summary: AcceptedSummary) -> float:
    return summary.pass_rate if summary.metric == "pass_rate" else summary.mean_score


def changed_fields(row: CaseResult | BaselineRow, before: BaselineRow) -> tuple[str, ...]:
    """Name the fields in which a case is not what it was."""
    moved = [part for part in _PARTS if getattr(row.digest, part) != getattr(before.digest, part)]
    moved += [
        name for name in ("labels", "cluster") if getattr(row, name) != getattr(before, name)
    ]
    return tuple(moved) or ("content",)


def _differences(now: Measured, baseline: Baseline) -> Iterator[str]:
    yield from _scorer_differences(now.scorer, baseline.scorer)
    yield from _judge_differences(now.judge_config, baseline.judge_config)
    if now.scorer == baseline.scorer and now.metric != baseline.metric:
        yield (
            f"the headline is {now.metric}, and was {baseline.metric} in the baseline: a pass "
            "threshold was set or left out"
        )
    for name in ("pass_threshold", "trajectory_mode"):
        value, before = getattr(now, name), getattr(baseline, name)
        if value != before:
            yield f"{name} is {value}, and was {before} in the baseline"


def _scorer_differences(now: ScorerIdentity, before: ScorerIdentity) -> Iterator[str]:
    if now.name != before.name:
        yield f"scorer is {now.name!r}, and was {before.name!r} in the baseline"
        return
    if now.version != before.version:
        yield f"scorer version is {now.version}, and was {before.version} in the baseline"
    yield from _object_differences("scorer", loads(now.params), loads(before.params))


def _judge_differences(now: str | None, before: str | None) -> Iterator[str]:
    if now == before:
        return
    if now is None or before is None:
        yield "judge_config is absent on one side: one of the two runs was not judged"
        return
    yield from _object_differences("the judge's", loads(now), loads(before))


def _object_differences(
    what: str, now: dict[str, object], before: dict[str, object]
) -> Iterator[str]:
    for key in sorted(now.keys() | before.keys()):
        if now.get(key) != before.get(key) or (key in now) != (key in before):
            was = _spelt(before[key]) if key in before else "absent"
            is_ = _spelt(now[key]) if key in now else "absent"
            yield f"{what} {key} differs from the baseline's ({is_}, was {was})"


def _spelt(value: object) -> str:
    """Spell a parameter in few characters; of a digest its beginning tells."""
    text = value if isinstance(value, str) else canonical(value)
    return f"{text[:_SHOWN]}…" if len(text) > _SHOWN else text
