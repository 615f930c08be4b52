"""The product's rules on bare values: its own comparison, without a suite around it."""

from __future__ import annotations

from functools import cache, lru_cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from gate.gates.paired import Exchanged, Paired, Tested
from gate.gates.regression import judge
from gate.records.gating import USUAL_ALPHA, ZERO, RegressionOptions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from numpy.typing import NDArray

Rule = Literal["point", "significant", "noninferior"]
_NO_WEIGHT: Final = 1e-16


class Flip(NamedTuple):
    """How often a 0/1 case is lost and won between two runs; the rest stays."""

    lost: float
    won: float


def beside(
    was: Sequence[float],
    now: Sequence[float],
    *,
    tested: tuple[Sequence[float], Sequence[float]] | None = None,
    clusters: Sequence[str] | None = None,
    exchanged: Exchanged | None = None,
) -> Paired:
    """Put two runs side by side as the gates do; ``tested`` is both unless told otherwise."""
    return Paired(
        metric="mean_score",
        rows=_rows(len(was)),
        was=was,
        now=now,
        tested=Tested(*(tested or (was, now))),
        clusters=clusters,
        exchanged=exchanged,
    )


@cache
def _rows(n: int) -> tuple[SimpleNamespace, ...]:
    return tuple(SimpleNamespace(id=f"{number}") for number in range(n))


def fails(paired: Paired, *, rule: Rule = "significant", max_drop: Decimal = ZERO) -> bool:
    """Say whether the regression gate would not let a run pass, under ``on_inconclusive = pass``.

    This is the gate's answer without its sentence and its numbers, which take longer than the
    comparison. :func:`gate_fails` is the gate itself, and one table counts where they differ.
    """
    if rule == "noninferior":
        level = float(1 - 2 * USUAL_ALPHA)
        return paired.exceeds(max_drop) or not paired.interval_at(level).high < max_drop
    if not paired.exceeds(max_drop):
        return False
    return rule == "point" or paired.test.p_value <= USUAL_ALPHA


def fails_by_runs(was: NDArray[np.float64], now: NDArray[np.float64]) -> bool:
    """Judge one suite of unequal many 0/1 runs a side, cases by runs, as the gate does."""
    passed = list(
        zip(
            was.sum(axis=1).astype(int).tolist(), now.sum(axis=1).astype(int).tolist(), strict=True
        )
    )
    means = (side.mean(axis=1).tolist() for side in (was, now))
    return fails(beside(*means, exchanged=Exchanged(was.shape[1], now.shape[1], passed)))


def gate_fails(paired: Paired, *, rule: Rule = "significant", max_drop: Decimal = ZERO) -> bool:
    """Ask the gate itself."""
    lenient = "fail" if rule == "noninferior" else "pass"
    options = RegressionOptions(rule=rule, max_drop=max_drop, on_inconclusive=lenient)
    evidence = SimpleNamespace(
        alignment=(),
        suite=SimpleNamespace(metric=paired.metric),
        paired=lambda metric: paired if metric == paired.metric else None,
    )
    return judge(options, evidence).outcome != "pass"


@lru_cache(maxsize=1 << 16)
def table_fails(
    n: int, worse: int, better: int, *, rule: Rule = "significant", max_drop: Decimal = ZERO
) -> bool:
    """Judge a 0/1 run of ``n`` cases of which so many were lost and won, the others passed."""
    was = [1.0] * (n - better) + [0.0] * better
    now = [0.0] * worse + [1.0] * (n - worse)
    return fails(beside(was, now), rule=rule, max_drop=max_drop)


@cache
def least_worse(
    n: int, most: int, *, rule: Rule = "significant", max_drop: Decimal = ZERO
) -> tuple[int, ...]:
    """Give, for 0 to ``most`` cases that differ, how many must be lost for the run to fail.

    One more than there are says that no count is enough. As one more case differs, that count
    stays or grows.
    """
    counts, least = [], 1
    for found in range(most + 1):
        while least <= found and not table_fails(
            n, least, found - least, rule=rule, max_drop=max_drop
        ):
            least += 1
        counts.append(least)
    return tuple(counts)


@cache
def factorial_logs(n: int) -> NDArray[np.float64]:
    """Give log(k!) for k from 0 to ``n``."""
    return np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, n + 1)))))


def binomials(n: int, p: float) -> NDArray[np.float64]:
    """Give the probabilities of 0 to ``n`` successes."""
    if p <= 0 or p >= 1:
        return np.eye(n + 1)[n if p >= 1 else 0]
    counts, logs = np.arange(n + 1), factorial_logs(n)
    ways = logs[n] - logs - logs[::-1]
    found: NDArray[np.float64] = np.exp(ways + counts * np.log(p) + counts[::-1] * np.log1p(-p))
    return found


def chance_of_failing(
    n: int, flip: Flip, *, rule: Rule = "significant", max_drop: Decimal = ZERO
) -> float:
    """Enumerate all 0/1 runs of ``n`` cases; give the probability that the rule fails one."""
    differing = flip.lost + flip.won
    if not differing:
        return 0.0
    weights = binomials(n, differing)
    shown = np.flatnonzero(weights > _NO_WEIGHT)
    counts = least_worse(n, int(shown[-1]), rule=rule, max_drop=max_drop)
    return float(
        sum(
            weights[found] * binomials(found, flip.lost / differing)[counts[found] :].sum()
            for found in shown.tolist()
        )
    )
