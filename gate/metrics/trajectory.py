"""The path an agent took against the path it should take: the tools, and their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.metrics.subsequence import lcs_length

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from gate.records.base import TrajectoryMode

_TEXT: Final = (str, bytes)


class PrecisionRecallF1(NamedTuple):
    """Three shares in [0, 1], in the order in which they unpack."""

    precision: float
    recall: float
    f1: float


def precision_recall_f1(
    actual: Iterable[Hashable], expected: Iterable[Hashable]
) -> PrecisionRecallF1:
    """Compare two sets: order and repetition do not count.

    The empty edges are pinned, so nothing divides by zero: an empty prediction has
    precision 1.0 if the gold set is empty too, else 0.0; an empty gold set has recall 1.0;
    F1, the harmonic mean, is 0.0 unless both are positive. Each is correctly rounded.
    Raises ``TypeError`` for a text, which would be taken for the set of its characters.

    >>> precision_recall_f1(["search", "calculator", "search"], ["search"])
    PrecisionRecallF1(precision=0.5, recall=1.0, f1=0.6666666666666666)
    >>> precision, recall, f1 = precision_recall_f1([], [])
    >>> precision, recall, f1
    (1.0, 1.0, 1.0)
    >>> precision_recall_f1([], ["search"])
    PrecisionRecallF1(precision=0.0, recall=0.0, f1=0.0)
    """
    _refuse_text(actual, expected)
    predicted, gold = set(actual), set(expected)
    shared = len(predicted & gold)
    precision = shared / len(predicted) if predicted else float(not gold)
    recall = shared / len(gold) if gold else 1.0
    if not predicted and not gold:
        return PrecisionRecallF1(precision, recall, 1.0)
    # 2PR/(P+R) in lowest terms of counts: one division, so one rounding.
    return PrecisionRecallF1(precision, recall, 2 * shared / (len(predicted) + len(gold)))


def trajectory_score(
    actual: Sequence[str], expected: Sequence[str], mode: TrajectoryMode
) -> float:
    """Score the tools called against the tools expected; two empty paths score 1.0.

    * ``exact``: 1.0 if content and order are equal, else 0.0.
    * ``set``: the F1 of :func:`precision_recall_f1`; order and repetition do not count.
    * ``order``: the longest common subsequence over the longer length: soft, and
      sensitive to order.

    Names are compared as they are. Raises ``ValueError`` for another mode (and, as its
    subclass :class:`~gate.metrics.subsequence.TooLong`, for paths too long to align) and
    ``TypeError`` for a text in place of a sequence of names.

    >>> wrong_order = ("calculator", "search"), ("search", "calculator")
    >>> [trajectory_score(*wrong_order, mode) for mode in ("exact", "set", "order")]
    [0.0, 1.0, 0.5]
    """
    _refuse_text(actual, expected)
    if mode == "exact":
        return 1.0 if list(actual) == list(expected) else 0.0
    if mode == "set":
        return precision_recall_f1(actual, expected).f1
    if mode == "order":
        longer = max(len(actual), len(expected))
        return lcs_length(actual, expected) / longer if longer else 1.0
    raise ValueError(f"unknown trajectory mode {mode!r}; known are exact, set and order")


def _refuse_text(actual: object, expected: object) -> None:
    if isinstance(actual, _TEXT) or isinstance(expected, _TEXT):
        raise TypeError("a trajectory is a sequence of tool names; a text stands in its place")
