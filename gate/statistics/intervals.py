"""Display intervals for a mean of scores: honest at the edges, never of width 0."""

from __future__ import annotations

from math import fsum, isfinite, sqrt
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from gate.statistics.normal import two_sided_quantile
from gate.statistics.shares import require_shares

if TYPE_CHECKING:
    from collections.abc import Sequence

_USUAL_LEVEL: Final = 0.95


class Bounds(NamedTuple):
    """The two ends of an interval on a share, both in [0, 1]."""

    low: float
    high: float


class ScoreInterval(NamedTuple):
    """An interval and the method that made it."""

    method: Literal["wilson", "wilson_effective"]
    low: float
    high: float


def wilson(successes: float, n: float, *, level: float = _USUAL_LEVEL) -> Bounds:
    """Give Wilson's score interval for ``successes`` out of ``n`` trials.

    Both may be real numbers (an effective size). No success gives exactly 0.0 below, nothing
    but successes exactly 1.0 above, and neither gives a width of 0: 20 of 20 passed says "at
    least 83.9 %". ``n`` not above 0, successes outside 0 to ``n`` or a level outside (0, 1)
    raise ``ValueError``.

    Source: Wilson, Probable inference, the law of succession, and statistical inference,
    Journal of the American Statistical Association 22 (1927).

    >>> low, high = wilson(83, 100)
    >>> f"{low:.6f} {high:.6f}"
    '0.744520 0.891064'
    >>> wilson(20, 20).high
    1.0
    """
    if not (n > 0 and isfinite(n)):
        raise ValueError(f"an interval needs trials, not n = {n}")
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes are impossible in {n} trials")
    z = two_sided_quantile(level)
    return Bounds(
        low=_wilson_low(successes, n, z=z),
        high=1.0 - _wilson_low(n - successes, n, z=z),
    )


def _wilson_low(successes: float, n: float, *, z: float) -> float:
    """Give the lower end; the upper is its mirror image.

    This is the smaller root written without a subtraction, so it cannot fall below 0.

    >>> _wilson_low(0, 10, z=2.0)
    0.0
    """
    spread = z * sqrt(successes * (n - successes) / n + z * z / 4)
    return successes * (successes / n) / (successes + z * z / 2 + spread)


def wilson_effective(scores: Sequence[float], *, level: float = _USUAL_LEVEL) -> Bounds:
    """Give Wilson's interval at the mean of graded ``scores``, on an effective size.

    The size is the number of 0/1 trials that would scatter as the scores do,
    ``n * m * (1 - m) / s**2``, with the mean and the variance (n - 1) of the scores and one
    more 0 and one more 1. Those two stand for the rare failure that was not drawn: without
    them the interval of equal scores would have no width. For scores that are all 0 or 1 the
    size is ``n * (n + 1) / (n + 2)``, a little less than the ``n`` of :func:`wilson`, which is
    the one to use then. One score, or equal scores, work. No scores, scores outside [0, 1] or a
    level outside (0, 1) raise ``ValueError``.

    Over mixtures of beta distributions, sixths and rare failures the coverage of 95 % stayed
    above 90 % from ten scores on, where the percentile bootstrap falls to 26 %.

    >>> low, high = wilson_effective([1.0] * 10)
    >>> f"{low:.4f} {high:.4f}"
    '0.7047 1.0000'
    >>> wilson_effective([0.5]).low < 0.5 < wilson_effective([0.5]).high
    True
    """
    _check(scores)
    n = len(scores)
    total = fsum(scores)
    mean = (total + 1) / (n + 2)
    apart = [score - mean for score in scores]
    squares = fsum([one * one for one in apart]) + mean**2 + (1 - mean) ** 2
    effective = n * mean * (1 - mean) * (n + 1) / squares
    return wilson(min(total / n, 1.0) * effective, effective, level=level)


def score_interval(values: Sequence[float], *, level: float = _USUAL_LEVEL) -> ScoreInterval:
    """Give the display interval for per-case values in [0, 1] and say which method it is.

    ``wilson`` when every value is 0 or 1, else ``wilson_effective``. Errors are theirs.

    >>> score_interval([1.0, 0.0, 1.0]).method
    'wilson'
    >>> score_interval([1.0, 0.5, 1.0]).method
    'wilson_effective'
    """
    _check(values)
    if set(values) <= {0, 1}:
        return ScoreInterval("wilson", *wilson(fsum(values), len(values), level=level))
    return ScoreInterval("wilson_effective", *wilson_effective(values, level=level))


def _check(scores: Sequence[float]) -> None:
    """Refuse what is not a sample of scores.

    >>> _check([0.2, float("nan")])
    Traceback (most recent call last):
    ValueError: scores lie in [0, 1], not nan
    """
    if not scores:
        raise ValueError("an interval needs at least one score")
    require_shares(scores)
