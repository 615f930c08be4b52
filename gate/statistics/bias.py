"""A judge with the documented biases of judges, to try a suite's defences on."""

from __future__ import annotations

from math import isnan
from typing import Final, Literal

from gate.metrics.overlap import deterministic_judge

_MOST_VERBOSITY: Final = 0.3
_WORDS_PER_POINT: Final = 100
_POSITION: Final = {None: 0.0, "first": 0.15, "second": -0.15}
_SELF_PREFERENCE: Final = 0.2


def judge_with_bias(
    output: str,
    reference: str,
    *,
    position: Literal["first", "second"] | None = None,
    self_authored: bool = False,
) -> float:
    """Score like ``deterministic_judge``, then lean as model judges are known to lean.

    Added to the token overlap and clamped to [0, 1]:

    * verbosity: one hundredth per white-space separated word of ``output``, at most 0.3;
    * position in a pairwise comparison: +0.15 when shown first, -0.15 when second;
    * self-preference: +0.2 when the judge wrote the answer itself.

    Verbosity has no switch, so even an answer that shares nothing scores above 0 unless it is
    empty, and a right answer stays at the ceiling: the biases show in the middle and below.
    Averaging both positions cancels the position bias where the clamp does not bite. Any other
    position raises ``ValueError``.

    Source: the deep dive on agent evaluation; the biases are those measured by Zheng et al.,
    Judging LLM-as-a-judge with MT-Bench and Chatbot Arena (2023).

    >>> judge_with_bias("Lyon", "Paris"), judge_with_bias("Paris", "Paris")
    (0.01, 1.0)
    >>> judge_with_bias("Lyon", "Paris", position="first", self_authored=True)
    0.36
    >>> judge_with_bias("Lyon", "Paris", position="second")
    0.0
    """
    if position not in _POSITION:
        raise ValueError(f"a position is 'first', 'second' or None, not {position!r}")
    verbosity = min(_MOST_VERBOSITY, len(output.split()) / _WORDS_PER_POINT)
    preference = _SELF_PREFERENCE if self_authored else 0.0
    return _clamp(
        deterministic_judge(output, reference) + verbosity + _POSITION[position] + preference
    )


def _clamp(score: float) -> float:
    """Bring a stacked score back into [0, 1]; what is not a number raises ``ValueError``.

    >>> _clamp(1.35), _clamp(-0.14)
    (1.0, 0.0)
    """
    if isnan(score):
        raise ValueError("a judge must give a number, not NaN")
    return min(1.0, max(0.0, score))
