"""A judge held against people: their labels, its votes, and what both come to.

Only what the judge was asked counts. A response that equals the reference, an empty one and a
case with a scorer of its own are scored without it: they would agree, and flatter it. So would
leaving out what it gave no verdict on go unseen: both are counted, and neither is a class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, get_args

from gate.errors import LabelsInvalid, ResultInvalid
from gate.judges.agreed import agreed
from gate.judges.prompts import reply_of
from gate.judges.ratings import RATING_MAP
from gate.records.json_text import digest, loads
from gate.records.judge_words import PromptName
from gate.records.trust import LabelAgreement, TrustRecord
from gate.statistics.weighted import confusion_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from decimal import Decimal

    from gate.judges.labels import Labels
    from gate.judges.prompts import Reply
    from gate.records.judge_run import Judgement
    from gate.records.result import CaseResult, RepeatResult
    from gate.records.trust import Weighting

_RATED: Final[dict[float, float]] = {worth: float(rating) for rating, worth in RATING_MAP.items()}
_PASSES: Final = (0.0, 1.0)
_NAMED: Final = 5
_SHOWN: Final = 80


class _Item(NamedTuple):
    """One labelled response with a verdict: both classes, and the labels of its case."""

    human: float
    judge: float
    slices: tuple[str, ...]


def replies_by(judge_config: str) -> Reply:
    """Say how the judge of this identity replies: by ratings, or by scores of elements.

    Raises ``ResultInvalid`` for an identity that names no prompt of ours.

    >>> replies_by('{"prompt":"workflow"}'), replies_by('{"prompt":"geoktools"}')
    ('rating', 'elements')
    """
    name = loads(judge_config).get("prompt")
    if name not in get_args(PromptName):
        raise ResultInvalid("`judge_config`: names no prompt that is known")
    return reply_of(name)


def calibrate(
    rows: Sequence[CaseResult],
    labels: Labels,
    *,
    judge_config: str,
    scorer: str,
    pass_threshold: Decimal,
) -> TrustRecord:
    """Measure how far the judge of ``rows`` agrees with the people behind ``labels``.

    Ratings are compared as they are, 0, 1 and 2, with quadratic weights; the judge's is the
    median of its votes, the lower one of an even number. Scores in [0, 1] become two classes on
    both sides: at ``pass_threshold`` or above, and below.

    Raises ``LabelsInvalid`` where no label is about any of the responses, ``ResultInvalid`` for
    an identity that names no prompt and a vote that no rating is worth.
    """
    by_rating = replies_by(judge_config) == "rating"
    limit = None if by_rating else float(pass_threshold)
    items: list[_Item] = []
    counts = {"unscored": 0, "not_asked": 0, "unknown": len(labels.values)}
    for row, repeat, run in _runs(rows):
        label = labels.values.get((row.id, repeat))
        if label is None:
            continue
        counts["unknown"] -= 1
        judgement = run.judgement
        if judgement is None or (judgement.status == "ok" and not judgement.votes):
            counts["not_asked"] += 1
        elif judgement.status != "ok" or run.score is None:
            counts["unscored"] += 1
        elif limit is None:
            items.append(_Item(label, _median(judgement, row.id), row.labels))
        else:
            items.append(_Item(float(label >= limit), float(run.score >= limit), row.labels))
    if counts["unknown"] == len(labels.values):
        raise LabelsInvalid(_none_known(labels, rows))
    weighting: Weighting = "quadratic" if by_rating else "none"
    categories = tuple(map(float, RATING_MAP)) if by_rating else _PASSES
    table = _table(items, categories)
    return TrustRecord(
        scorer=scorer,
        judge_config=judge_config,
        judge=digest(loads(judge_config)),
        labels_digest=labels.digest,
        **counts,
        threshold=limit,
        weighting=weighting,
        categories=categories,
        confusion=table,
        **agreed(table, categories, weighting=weighting)._asdict(),
        per_label=tuple(_by_label(items, categories, weighting)),
    )


def _runs(
    rows: Iterable[CaseResult],
) -> Iterator[tuple[CaseResult, int, CaseResult | RepeatResult]]:
    for row in rows:
        if row.repeats:
            yield from ((row, run.repeat, run) for run in row.repeats)
        else:
            yield row, 0, row


def _median(judgement: Judgement, name: str) -> float:
    votes = sorted(vote for vote in judgement.votes if vote is not None)
    middle = votes[(len(votes) - 1) // 2]
    if middle not in _RATED:
        raise ResultInvalid(
            f"case {name[:_SHOWN]!r} has a vote of {middle}, which no rating is worth"
        )
    return _RATED[middle]


def _table(items: Sequence[_Item], categories: tuple[float, ...]) -> tuple[tuple[int, ...], ...]:
    if not items:
        return tuple((0,) * len(categories) for _ in categories)
    human, judge, _ = zip(*items, strict=True)
    return confusion_table(human, judge, categories=categories).counts


def _by_label(
    items: Sequence[_Item], categories: tuple[float, ...], weighting: Weighting
) -> Iterator[LabelAgreement]:
    for label in sorted({label for item in items for label in item.slices}):
        some = [item for item in items if label in item.slices]
        found = agreed(_table(some, categories), categories, weighting=weighting)
        assert found.agreement is not None  # noqa: S101 - some item bears the label
        yield LabelAgreement(
            label=label, n_items=found.n_items, agreement=found.agreement, kappa=found.kappa
        )


def _none_known(labels: Labels, rows: Sequence[CaseResult]) -> str:
    theirs = ", ".join(repr(name[:_SHOWN]) for name, _ in list(labels.values)[:_NAMED])
    ours = ", ".join(repr(row.id[:_SHOWN]) for row in rows[:_NAMED])
    size = len(labels.values)
    return (
        f"{labels.source}: none of the {size:,} {'label' if size == 1 else 'labels'} is about a "
        f"response of this run (first ids: {theirs}; the cases begin: {ours})"
    )
