"""How surely a regression rule sees a true drop, given how much an unchanged agent scatters.

The rule ``significant`` fails a run iff the mean fell by more than ``max_drop`` and the
one-sided paired p-value is at most ``alpha``; the rule ``point`` asks for the first alone. Two
models say how a case differs between two runs of an unchanged agent:

* :class:`Flips` for 0/1 values: the counts of discordant cases are enumerated, exactly;
* :class:`Spread` for graded values and means of repeats: a normal approximation.

A drop is made, in both, of cases that were right and now are wrong. That is the hardest drop
to see: the same points spread over more cases move the mean as far and scatter less.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log, log1p, sqrt
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from gate.statistics.exact import simplest_fraction
from gate.statistics.normal import normal_share, upper_quantile

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

Rule: TypeAlias = Literal["significant", "point"]

_MOST_DISCORDANT: Final = 300
"""With more discordant cases than this the normal approximation is right to half a point (to
1.4 where nearly every case flips), and a check has no time to enumerate for one sentence."""
_FARTHEST: Final = 7
"""Standard deviations; counts of discordant cases farther off weigh less than 1e-9 together."""
_FEW: Final = 20
"""Added to them, for where a tail of few cases is longer than a normal one."""
_LEAST: Final = 1e-15
"""For a probability of 0 (and 1 less this for 1), by which a recursion would divide."""
_LARGEST_ALPHA: Final = 0.5


class Flips(NamedTuple):
    """0/1 values: the share of cases that differ between two runs with nothing changed."""

    share: float


class Spread(NamedTuple):
    """Graded values: how a case's value differs between two runs with nothing changed.

    ``sd`` is the standard deviation of that difference over cases, ``loss`` what a case loses
    that breaks: 1 makes the drop hardest to see, a suite's mean score is what its average case
    has to lose, and with 0 every case falls by as much as the mean.
    """

    sd: float
    loss: float = 1.0


Noise: TypeAlias = Flips | Spread


def power(
    drop: float,
    *,
    n: int,
    noise: Noise,
    max_drop: float | Decimal | Fraction = 0.0,
    alpha: float = 0.05,
    rule: Rule = "significant",
) -> float:
    """Give the probability that ``rule`` fails a run of ``n`` cases after a true ``drop``.

    ``drop`` and ``max_drop`` are shares (0.05 is five points); at a ``drop`` of 0 the power is
    the share of false alarms. Under :class:`Flips` of share s a case breaks with probability
    ``s / 2 + drop`` and is mended with ``s / 2`` (less where both would exceed 1); p is
    McNemar's mid-p and ``drop > max_drop`` is decided in whole cases. With more than 300
    discordant cases in sight, and under :class:`Spread`, the mean difference is taken as
    normal; but no p-value is below ``2 ** -n``, so few cases are never significant.

    ``n`` below 1, shares outside [0, 1] and ``alpha`` outside (0, 0.5], which would call rises
    drops, raise ``ValueError``.

    Source: McNemar, Note on the sampling error of the difference between correlated
    proportions or percentages, Psychometrika 12 (1947); Connor, Sample size for testing
    differences in proportions for the paired-sample design, Biometrics 43 (1987).

    >>> round(power(0.05, n=100, noise=Flips(0.1)), 3)
    0.356
    >>> round(power(0.05, n=300, noise=Flips(0.1), max_drop=0.05), 3)
    0.468
    >>> round(power(0.05, n=300, noise=Spread(0.2)), 3)
    0.896
    >>> power(1.0, n=3, noise=Flips(0.0))
    0.0
    """
    check_plan(drop, n, noise, max_drop, alpha)
    # The difference of two whole counts exceeds n * max_drop iff it exceeds this whole number.
    allowed = n * as_fraction(max_drop)
    significant = rule == "significant"
    if isinstance(noise, Spread):
        if significant and 0.5**n > alpha:
            return 0.0
        square = noise.sd**2 + drop * max(drop, noise.loss)
        return _normal(drop, n, square, float(allowed), alpha if significant else None)
    whole = int(allowed)
    better = max(min(noise.share, 1 - drop) / 2, _LEAST)
    square = min(drop + 2 * better, 1 - _LEAST)
    most = _most_discordant(n, square)
    if most > _MOST_DISCORDANT:
        return _normal(drop, n, square, whole + 0.5, alpha if significant else None)
    counts = _critical_counts(1 << most.bit_length(), alpha) if significant else (0,) * (most + 1)
    return _enumerated(n, square, better / square, whole, counts[: most + 1])


def with_repeats(noise: Noise, *, current: int, baseline: int) -> Noise:
    """Give the noise of cases averaged over so many runs now and in the baseline.

    An unchanged agent's runs differ by what each adds on its own, so averaging m runs divides
    one side's half of the variance by m: ``s * s / 2 * (1 / current + 1 / baseline)``. What a
    drop itself scatters over cases stays, which is why repeats help less and less. Means of
    repeats are graded: :class:`Flips` becomes the :class:`Spread` of the same variance. With
    one run a side, and without noise, it is returned as it is. Fewer raise ``ValueError``.

    >>> with_repeats(Flips(0.18), current=1, baseline=1)
    Flips(share=0.18)
    >>> with_repeats(Flips(0.18), current=2, baseline=2)
    Spread(sd=0.3, loss=1.0)
    """
    if current < 1 or baseline < 1:
        raise ValueError(f"a case has at least one run, not {min(current, baseline)}")
    if current == baseline == 1 or not unchanged_variance(noise):
        return noise
    share = (current + baseline) / (2 * current * baseline)
    loss = noise.loss if isinstance(noise, Spread) else 1.0
    return Spread(sqrt(unchanged_variance(noise) * share), loss)


def unchanged_variance(noise: Noise) -> float:
    """Give the variance of a case's difference between two runs with nothing changed.

    >>> unchanged_variance(Flips(0.1)), unchanged_variance(Spread(0.5))
    (0.1, 0.25)
    """
    return noise.sd**2 if isinstance(noise, Spread) else noise.share


def _normal(drop: float, n: int, square: float, allowed: float, alpha: float | None) -> float:
    """Give the chance of a fall above ``allowed`` cases, and significant if ``alpha`` is given.

    ``square`` is the mean squared difference of a case: what a paired test scatters by when it
    flips signs. The variance of the fall is less, by the square of its mean.

    >>> round(_normal(0.05, 100, 0.15, 0.0, 0.05), 3)
    0.361
    """
    limit = allowed if alpha is None else max(allowed, upper_quantile(alpha) * sqrt(n * square))
    scatter = sqrt(n * max(square - drop * drop, 0.0))
    if not scatter:
        return float(n * drop > limit)
    return normal_share((n * drop - limit) / scatter)


def _enumerated(
    n: int, discordant: float, mended: float, allowed: int, counts: tuple[int, ...]
) -> float:
    """Add up the chances of all tables that fail, over the number of discordant cases.

    ``discordant`` is the chance that a case differs, ``mended`` that it then got better;
    ``counts`` holds, per number of discordant cases, how many must be worse to be significant.
    A run fails with at least that many, and with more than ``allowed`` more worse than better.

    One pass: as the discordant cases grow by one, the count that fails grows by one or not at
    all, and so does the tail of a binomial need one term, no sum.

    >>> round(_enumerated(4, 0.5, 0.1, 0, (1, 2, 3, 4, 4)), 6)  # four that broke: .45 ** 4
    0.041006
    """
    broken = 1 - mended
    first, weight, total = _least_discordant(n, discordant), 0.0, 0.0
    fails, at_edge, tail = 1, 1.0, 0.0  # P(worse = fails - 1), P(worse >= fails)
    for found, count in enumerate(counts):
        if found:
            tail += broken * at_edge
            at_edge *= mended * found / (found - fails + 1)
        least = min(max(count, (found + allowed) // 2 + 1), found + 1)
        if least > fails:
            at_edge *= (found - fails + 1) / fails * broken / mended
            tail = tail - at_edge if least <= found else 0.0
            fails = least
        if found == first:
            weight = _binomial(found, n, discordant)
        elif found > first:
            weight *= (n - found + 1) / found * (discordant / (1 - discordant))
        total += weight * tail
    return min(max(total, 0.0), 1.0)


def _least_discordant(n: int, discordant: float) -> int:
    """Give the count of discordant cases below which none has weight.

    >>> _least_discordant(1000, 0.1)
    13
    """
    mean = n * discordant
    return max(0, int(mean - _FARTHEST * sqrt(mean * (1 - discordant))) - _FEW)


def _most_discordant(n: int, discordant: float) -> int:
    """Give the count of discordant cases above which none has weight.

    >>> _most_discordant(1000, 0.1), _most_discordant(10, 0.1)
    (186, 10)
    """
    mean = n * discordant
    return min(n, int(mean + _FARTHEST * sqrt(mean * (1 - discordant))) + _FEW)


def _binomial(k: int, n: int, p: float) -> float:
    """Give the probability of ``k`` successes in ``n`` trials, 0 < p < 1.

    >>> round(_binomial(2, 4, 0.5), 12)
    0.375
    """
    ways = lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
    return exp(ways + k * log(p) + (n - k) * log1p(-p))


@lru_cache(maxsize=32)
def _critical_counts(last: int, alpha: float) -> tuple[int, ...]:
    """Give how many of 0 to ``last`` discordant cases must be worse for mid-p <= ``alpha``.

    One more than there are says that no count is enough. All in whole numbers: the tail of a
    fair coin, in units of 2 ** -discordant, its edge counted half. With ``alpha`` up to a half
    each count is its forerunner or one more.

    >>> _critical_counts(8, 0.05)
    (1, 2, 3, 4, 4, 5, 6, 6, 7)
    """
    numerator, denominator = simplest_fraction(alpha).as_integer_ratio()
    counts = [1]
    # Of all outcomes: with `count` or more worse, with `count`, and with one fewer.
    count, tail, edge, below = 1, 0, 0, 1
    for found in range(1, last + 1):
        tail = 2 * tail + below
        edge, below = edge + below, below * found // (found - count + 1)
        if (2 * tail - edge) * denominator > numerator << (found + 1):
            tail, below = tail - edge, edge
            count += 1
            edge = edge * (found - count + 1) // count
        counts.append(count)
    return tuple(counts)


def as_fraction(limit: float | Decimal | Fraction) -> Fraction:
    """Take a float for the decimal it is written as.

    >>> as_fraction(0.05)
    Fraction(1, 20)
    """
    from fractions import Fraction

    return simplest_fraction(limit) if isinstance(limit, float) else Fraction(limit)


def check_plan(
    drop: float, n: int, noise: Noise, max_drop: float | Decimal | Fraction, alpha: float
) -> None:
    """Refuse what is no plan.

    >>> check_plan(0.05, 0, Flips(0.1), 0.0, 0.05)
    Traceback (most recent call last):
    ValueError: a plan needs at least one case, not 0
    """
    if n < 1:
        raise ValueError(f"a plan needs at least one case, not {n}")
    for share in (drop, max_drop, *noise):
        if not 0 <= share <= 1:
            raise ValueError(f"drops, flips, spreads and losses lie in [0, 1], not {share}")
    if not 0 < alpha <= _LARGEST_ALPHA:
        raise ValueError(f"alpha lies above 0 and is at most {_LARGEST_ALPHA}, not {alpha}")
