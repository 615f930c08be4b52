"""What repeated runs of the same cases say: pass@k, pass^k, and how much a run scatters."""

from __future__ import annotations

from collections import Counter
from math import comb, fsum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from decimal import Decimal
    from fractions import Fraction

    from gate.statistics.power import Rule


class Tally(NamedTuple):
    """How often a case was run and how many of the runs passed."""

    n_runs: int
    n_passed: int


class FalseAlarms(NamedTuple):
    """What a rule said of so many pairs of runs of the same agent; the rest passed."""

    n_pairs: int
    n_failed: int
    n_undecided: int


def pass_at_k(*, n_runs: int, n_passed: int, k: int) -> float:
    """Estimate the probability that at least one of ``k`` runs of a case passes.

    ``1 - C(n - c, k) / C(n, k)``: of all ways to choose k of the n runs made, the share that
    holds a passed one. Unbiased, unlike ``1 - (1 - c / n) ** k``. Counted in integers and
    divided once. ``k`` outside 1 to ``n_runs``, or more passed than run, raise ``ValueError``.

    Source: Chen et al., Evaluating large language models trained on code (2021).

    >>> pass_at_k(n_runs=5, n_passed=2, k=1), pass_at_k(n_runs=5, n_passed=2, k=3)
    (0.4, 0.9)
    """
    return _at_least_one(Tally(n_runs, n_passed), k) / comb(n_runs, k)


def pass_hat_k(*, n_runs: int, n_passed: int, k: int) -> float:
    """Estimate the probability that all of ``k`` runs of a case pass, pass^k.

    ``C(c, k) / C(n, k)``, unbiased, counted in integers and divided once. Errors are those of
    :func:`pass_at_k`.

    Source: Yao et al., tau-bench: a benchmark for tool-agent-user interaction in real-world
    domains (2024).

    >>> pass_hat_k(n_runs=5, n_passed=4, k=1), pass_hat_k(n_runs=5, n_passed=4, k=3)
    (0.8, 0.4)
    """
    return _all(Tally(n_runs, n_passed), k) / comb(n_runs, k)


def mean_pass_at_k(tallies: Iterable[Tally], *, k: int) -> float:
    """Average pass@k over cases, each with one weight however often it was run.

    Exact, and divided once. No cases, and a case with fewer than ``k`` runs, raise
    ``ValueError``.

    >>> mean_pass_at_k([Tally(5, 2), Tally(3, 3)], k=3)
    0.95
    """
    return _mean_over_cases(tallies, k, _at_least_one)


def mean_pass_hat_k(tallies: Iterable[Tally], *, k: int) -> float:
    """Average pass^k over cases, like :func:`mean_pass_at_k`.

    >>> mean_pass_hat_k([Tally(5, 4), Tally(3, 3)], k=3)
    0.7
    """
    return _mean_over_cases(tallies, k, _all)


def flip_rate(passes: Iterable[Sequence[bool]]) -> float | None:
    """Estimate the probability that two runs of one case, with nothing changed, differ.

    One sequence per case, its runs in any order. A case of m runs, k of them passed, has
    ``k * (m - k)`` differing pairs among its ``m * (m - 1) / 2``: unbiased, and averaged over
    the cases that have at least two runs. None where no case has. This is the ``share`` of
    :class:`gate.statistics.power.Flips`.

    >>> flip_rate([[True, True, False], [True, True], [False]])
    0.3333333333333333
    >>> flip_rate([[True], [False]]) is None
    True
    """
    from fractions import Fraction

    seen = Counter((len(runs), sum(map(bool, runs))) for runs in passes if len(runs) > 1)
    if not seen:
        return None
    total = sum(
        (
            count * Fraction(2 * passed * (runs - passed), runs * (runs - 1))
            for (runs, passed), count in seen.items()
        ),
        start=Fraction(0),
    )
    return float(total / seen.total())


def run_variance(scores: Iterable[Sequence[float]]) -> float | None:
    """Estimate how much one run of a case scatters: the variance of its score, nothing changed.

    One sequence of scores per case; the sample variances (n - 1) are averaged over the cases
    that have at least two runs, None where no case has. Two runs differ with twice this
    variance, so ``sqrt(2 * run_variance(...))`` is the ``sd`` of
    :class:`gate.statistics.power.Spread`; for 0/1 scores twice this is :func:`flip_rate`.

    >>> run_variance([[0.5, 1.0], [0.25, 0.25, 0.25], [1.0]])
    0.0625
    >>> run_variance([[1.0]]) is None
    True
    """
    variances: list[float] = []
    for runs in scores:
        if len(runs) > 1:
            mean = fsum(runs) / len(runs)
            variances.append(fsum((run - mean) ** 2 for run in runs) / (len(runs) - 1))
    return fsum(variances) / len(variances) if variances else None


def a_a_false_alarms(
    runs: Sequence[Sequence[float]],
    *,
    max_drop: float | Decimal | Fraction = 0.0,
    alpha: float = 0.05,
    rule: Rule = "significant",
) -> FalseAlarms:
    """Hold every run of one agent against every other, and count what ``rule`` says.

    An A/A test: each of ``runs`` holds one value in [0, 1] per case, aligned by position, and
    serves once as the baseline of each other run, so r runs make r * (r - 1) pairs. Nothing
    changed, so every failed pair is a false alarm. The pairs share runs: their share of alarms
    is right in the mean and scatters more than that of as many independent pairs. Under
    ``point`` nothing is undecided. Fewer than two runs raise ``ValueError``, as does what
    :func:`gate.statistics.paired.paired_test` refuses.

    >>> a_a_false_alarms([[1, 1, 1, 1], [1, 1, 1, 0], [0, 0, 0, 0]])
    FalseAlarms(n_pairs=6, n_failed=1, n_undecided=2)
    >>> a_a_false_alarms([[1, 1, 1, 1], [1, 1, 1, 0]], rule="point")
    FalseAlarms(n_pairs=2, n_failed=1, n_undecided=0)
    """
    from itertools import permutations

    from gate.statistics.exact import mean_drop_exceeds
    from gate.statistics.paired import paired_test
    from gate.statistics.power import as_fraction

    if len(runs) < 2:  # noqa: PLR2004
        raise ValueError(f"an A/A test compares at least two runs, not {len(runs)}")
    limit = as_fraction(max_drop)
    n_failed = n_undecided = 0
    for was, now in permutations(runs, 2):
        p_value = paired_test(was, now).p_value
        if not mean_drop_exceeds(was, now, limit):
            continue
        if rule == "point" or p_value <= alpha:
            n_failed += 1
        else:
            n_undecided += 1
    return FalseAlarms(len(runs) * (len(runs) - 1), n_failed, n_undecided)


def _at_least_one(tally: Tally, k: int) -> int:
    """Count the choices of ``k`` runs with a passed one among them.

    >>> _at_least_one(Tally(4, 1), 2)
    3
    """
    _check(tally, k)
    return comb(tally.n_runs, k) - comb(tally.n_runs - tally.n_passed, k)


def _all(tally: Tally, k: int) -> int:
    """Count the choices of ``k`` runs that all passed.

    >>> _all(Tally(4, 3), 2)
    3
    """
    _check(tally, k)
    return comb(tally.n_passed, k)


def _mean_over_cases(
    tallies: Iterable[Tally], k: int, choices: Callable[[Tally, int], int]
) -> float:
    """Average a share of all choices over the cases, exactly.

    >>> _mean_over_cases([Tally(4, 1), Tally(2, 2)], 2, _at_least_one)
    0.75
    """
    from fractions import Fraction

    counted: dict[int, int] = {}
    n_cases = 0
    for tally in tallies:
        counted[tally.n_runs] = counted.get(tally.n_runs, 0) + choices(tally, k)
        n_cases += 1
    if not n_cases:
        raise ValueError("there is no mean over no cases")
    total = sum(
        (Fraction(count, comb(n_runs, k)) for n_runs, count in counted.items()), start=Fraction(0)
    )
    return float(total / n_cases)


def _check(tally: Tally, k: int) -> None:
    """Refuse impossible counts, and more runs wanted than were made.

    >>> _check(Tally(3, 1), 4)
    Traceback (most recent call last):
    ValueError: k lies between 1 and the number of runs, 3, and is not 4
    """
    if not 0 <= tally.n_passed <= tally.n_runs:
        raise ValueError(f"{tally.n_passed} of {tally.n_runs} runs cannot have passed")
    if not 1 <= k <= tally.n_runs:
        raise ValueError(
            f"k lies between 1 and the number of runs, {tally.n_runs}, and is not {k}"
        )
