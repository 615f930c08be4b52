"""What a suite can see: the least drop, and how many cases or repeats a wanted one needs."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final

from gate.statistics.exact import simplest_fraction
from gate.statistics.normal import normal_share, upper_quantile
from gate.statistics.power import as_fraction, check_plan, unchanged_variance, with_repeats
from gate.statistics.power import power as power_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from decimal import Decimal
    from fractions import Fraction

    from gate.statistics.power import Noise, Rule

_STEPS: Final = 1000
"""Drops are told to a tenth of a point."""
_MOST_CASES: Final = 1 << 30
_MOST_REPEATS: Final = 64


def minimum_detectable_drop(
    *,
    n: int,
    noise: Noise,
    max_drop: float | Decimal | Fraction = 0.0,
    alpha: float = 0.05,
    power: float = 0.8,
    rule: Rule = "significant",
) -> float | None:
    """Give the least drop that ``rule`` sees with the wanted ``power`` in ``n`` cases.

    The answer is a share, the smallest multiple of 0.001 that suffices, so that last bits of
    a processor's arithmetic do not show. None says that no drop is seen so surely, not even
    that of every case: with fewer than four 0/1 cases no p-value is at most 0.05. Power rises
    with the drop, so bisection finds it, in a few milliseconds at any ``n``. With a power of
    0.8 it is above ``max_drop``: a true drop equal to that is seen about half the time.

    Errors are those of :func:`gate.statistics.power.power`; a ``power`` outside (0, 1) raises
    ``ValueError``.

    >>> from gate.statistics.power import Flips, Spread
    >>> minimum_detectable_drop(n=100, noise=Flips(0.1))
    0.111
    >>> minimum_detectable_drop(n=1000, noise=Flips(0.1), max_drop=0.05)
    0.062
    >>> minimum_detectable_drop(n=100, noise=Spread(0.2, loss=0.0))
    0.051
    >>> minimum_detectable_drop(n=3, noise=Flips(0.0)) is None
    True
    """
    _check_power(power)

    def seen(step: int) -> bool:
        drop = step / _STEPS
        reached = power_of(drop, n=n, noise=noise, max_drop=max_drop, alpha=alpha, rule=rule)
        return reached >= power

    return _first(seen, blind=-1, sees=_STEPS) / _STEPS if seen(_STEPS) else None


def cases_needed(
    drop: float,
    *,
    noise: Noise,
    max_drop: float | Decimal | Fraction = 0.0,
    alpha: float = 0.05,
    power: float = 0.8,
    rule: Rule = "significant",
) -> int | None:
    """Give a number of cases with which ``rule`` sees a true ``drop`` with the wanted power.

    One case fewer does not suffice. As cases are whole, power climbs in a saw's teeth: a few
    cases more may see it a hair less often again.

    None when the drop is not above ``max_drop``: a true drop equal to it exceeds it in about
    half of all runs, however many cases there are. None, too, when 2**30 cases would not do.
    Errors are those of :func:`minimum_detectable_drop`.

    >>> from gate.statistics.power import Flips
    >>> cases_needed(0.05, noise=Flips(0.1))
    363
    >>> cases_needed(0.05, noise=Flips(0.1), max_drop=0.05) is None
    True
    """
    _check_power(power)

    def seen(n: int) -> bool:
        reached = power_of(drop, n=n, noise=noise, max_drop=max_drop, alpha=alpha, rule=rule)
        return reached >= power

    if simplest_fraction(drop) <= as_fraction(max_drop):
        return None
    return _doubled(seen)


def repeats_needed(
    drop: float,
    *,
    n: int,
    noise: Noise,
    max_drop: float | Decimal | Fraction = 0.0,
    alpha: float = 0.05,
    power: float = 0.8,
    rule: Rule = "significant",
) -> int | None:
    """Give how many runs of each case, now and in the baseline, let ``rule`` see a ``drop``.

    ``noise`` is that of one run a side. Repeats average out what an agent does differently
    each time, not how a drop itself falls on the cases, so some drops need more cases: then,
    or when 64 runs would not do, the answer is None. Errors are those of
    :func:`minimum_detectable_drop`.

    >>> from gate.statistics.power import Flips
    >>> repeats_needed(0.08, n=100, noise=Flips(0.2))
    8
    >>> repeats_needed(0.05, n=100, noise=Flips(0.2)) is None
    True
    """
    _check_power(power)
    for runs in range(1, _MOST_REPEATS + 1):
        repeated = with_repeats(noise, current=runs, baseline=runs)
        reached = power_of(drop, n=n, noise=repeated, max_drop=max_drop, alpha=alpha, rule=rule)
        if reached >= power:
            return runs
    return None


def certification_power(
    *, n: int, noise: Noise, max_drop: float | Decimal | Fraction, alpha: float = 0.05
) -> float:
    """Give the probability that an unchanged agent is shown not to have dropped by ``max_drop``.

    The rule ``noninferior`` passes only if the upper bound of the drop, of confidence
    ``1 - alpha``, is below ``max_drop``, so small suites block unchanged agents: with 20 cases
    and a margin of five points, nine times in ten. A normal approximation, in which
    the bound is widened as the interval of a drop is, by one more case lost and one more won.
    From 50 cases on it is within seven points of the rule with Newcombe's bound.

    Errors are those of :func:`gate.statistics.power.power`; a ``max_drop`` of 0, which no
    evidence can certify, gives at most ``alpha``.

    >>> from gate.statistics.power import Flips
    >>> [round(certification_power(n=n, noise=Flips(0.1), max_drop=0.05), 2) for n in (20, 300)]
    [0.05, 0.85]
    """
    check_plan(0.0, n, noise, max_drop, alpha)
    variance = unchanged_variance(noise)
    room = n * float(max_drop) - upper_quantile(alpha) * sqrt(n * variance + 2)
    return normal_share(room / sqrt(n * variance)) if variance else float(room > 0)


def cases_to_certify(
    *,
    noise: Noise,
    max_drop: float | Decimal | Fraction,
    alpha: float = 0.05,
    power: float = 0.8,
) -> int | None:
    """Give the number of cases with which an unchanged agent passes ``noninferior`` so surely.

    None when 2**30 cases would not do, as at a ``max_drop`` of 0. Errors are those of
    :func:`certification_power`; a ``power`` outside (0, 1) raises ``ValueError``.

    >>> from gate.statistics.power import Flips
    >>> cases_to_certify(noise=Flips(0.1), max_drop=0.05)
    260
    """
    _check_power(power)
    return _doubled(
        lambda n: certification_power(n=n, noise=noise, max_drop=max_drop, alpha=alpha) >= power
    )


def _doubled(suffices: Callable[[int], bool]) -> int | None:
    """Double a number of cases until they suffice, then look for the first that do.

    >>> _doubled(lambda n: n >= 11), _doubled(lambda n: False)
    (11, None)
    """
    cases = 1
    while not suffices(cases):
        cases *= 2
        if cases > _MOST_CASES:
            return None
    return _first(suffices, blind=cases // 2, sees=cases)


def _first(suffices: Callable[[int], bool], *, blind: int, sees: int) -> int:
    """Bisect for a number that suffices while the one below it does not.

    >>> _first(lambda n: n >= 7, blind=0, sees=100)
    7
    """
    while sees - blind > 1:
        middle = (blind + sees) // 2
        if suffices(middle):
            sees = middle
        else:
            blind = middle
    return sees


def _check_power(power: float) -> None:
    """Refuse a power that cannot be wanted.

    >>> _check_power(80)
    Traceback (most recent call last):
    ValueError: a wanted power lies between 0 and 1, not 80
    """
    if not 0 < power < 1:
        raise ValueError(f"a wanted power lies between 0 and 1, not {power}")
