"""How surely a rule sees a true drop, and what a suite can see at all."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np
from simulation_agents import chunks, generator_for
from simulation_alarms import SIZES
from simulation_intervals import short
from simulation_rule import Flip, Rule, beside, chance_of_failing, fails, fails_by_runs
from simulation_table import Bound, Cell, Part, Table

from gate.records.gating import USUAL_ALPHA, ZERO
from gate.statistics.detectable import minimum_detectable_drop
from gate.statistics.power import Flips, power, with_repeats

if TYPE_CHECKING:
    from collections.abc import Iterator

WITHIN: Final = Bound("within 2 points", least=-2.0, most=2.0)
FLIPS: Final = (0.0, 0.03, 0.1, 0.2)
UNCHANGED_FLIPS: Final = (0.0, 0.03, 0.1, 0.2, 0.5)
PLANNED: Final = (20, 50, 100, 200, 300, 500, 1000)
TWO, FIVE = Decimal("0.02"), Decimal("0.05")
RATE: Final = 0.7
"""Pass rate of the baseline, which only the interval of a drop looks at."""


class Named(NamedTuple):
    """A rule with its limit."""

    name: str
    rule: Rule | Literal["undecided"]
    max_drop: Decimal


RULES: Final = (
    Named("point, max_drop .02", "point", TWO),
    Named("point, max_drop .05", "point", FIVE),
    Named("significant, max_drop 0", "significant", ZERO),
    Named("significant, max_drop .02", "significant", TWO),
    Named("significant, max_drop .05", "significant", FIVE),
    Named("noninferior, max_drop .05", "noninferior", FIVE),
)
UNDECIDED: Final = tuple(
    Named(f"  undecided, max_drop {short(float(limit))}", "undecided", limit)
    for limit in (ZERO, TWO, FIVE)
)
SAME: Final = tuple((n, 0.0, f"n={n}") for n in SIZES)
DROPPED: Final = (
    *((n, 0.05, f"-5: n={n}") for n in (50, 100, 300)),
    *((n, 0.1, f"-10: n={n}") for n in (20, 50, 100)),
)
"""Cases, true drop and column."""


def chance(named: Named, n: int, drop: float, flips: float, draws: int) -> float:
    """Give the chance that the run does not pass: enumerated, but drawn for ``noninferior``.

    Under ``significant`` an undecided run passes here; how often that is is asked for by itself.
    """
    flip = Flip(flips / 2 + drop, flips / 2)
    if named.rule == "undecided":
        beyond = chance_of_failing(n, flip, rule="point", max_drop=named.max_drop)
        return beyond - chance_of_failing(n, flip, max_drop=named.max_drop)
    if named.rule != "noninferior":
        return chance_of_failing(n, flip, rule=named.rule, max_drop=named.max_drop)
    generator = generator_for("certify", n, drop, flips)
    chances = np.array([RATE - flip.lost, flip.lost, flip.won, 1 - RATE - flip.won])
    drawn, counts = np.unique(generator.multinomial(n, chances, draws), axis=0, return_counts=True)
    failed = 0
    for (both, lost, won, neither), count in zip(drawn.tolist(), counts.tolist(), strict=True):
        was = [1.0] * (both + lost) + [0.0] * (won + neither)
        now = [1.0] * both + [0.0] * lost + [1.0] * won + [0.0] * neither
        failed += count * fails(beside(was, now), rule="noninferior", max_drop=named.max_drop)
    return failed / draws


def rule_at(named: Named, n: int, drop: float, draws: int) -> list[float]:
    """Give the worst of all unchanged agents, or the mean power over agents that dropped."""
    if not drop:
        return [100 * max(chance(named, n, 0.0, flips, draws) for flips in UNCHANGED_FLIPS)]
    return [100 * float(np.mean([chance(named, n, drop, flips, draws) for flips in FLIPS]))]


def by_rule(asked: tuple[tuple[int, float, str], ...], draws: int) -> Iterator[Part]:
    """Set the rules side by side."""
    for named, (n, drop, column) in product((*RULES, *UNDECIDED), asked):
        work = partial(rule_at, named, n, drop, draws)
        yield Part((Cell(named.name, column),), work, drawn=named.rule == "noninferior")


def mid_p_power(n: int, drop: float, flips: float) -> float:
    """Enumerate McNemar's mid-p with nothing of the product: scipy's binomial tails."""
    from scipy.stats import binom

    lost, differing = flips / 2 + drop, flips + drop
    total = 0.0
    for found, weight in enumerate(binom.pmf(np.arange(n + 1), n, differing).tolist()):
        if weight < 1e-16:
            continue
        worse = np.arange(found + 1)
        mid_p = binom.sf(worse, found, 0.5) + binom.pmf(worse, found, 0.5) / 2
        rejected = (mid_p <= float(USUAL_ALPHA)) & (2 * worse > found)
        total += weight * float(binom.pmf(worse, found, lost / differing)[rejected].sum())
    return total


def farthest(n: int, what: str) -> list[float]:
    """Give, in points, the largest difference over agents and drops of 2 to 20 points."""
    found = [0.0]
    for flips, drop in product(FLIPS, (0.02, 0.05, 0.1, 0.2)):
        flip = Flip(flips / 2 + drop, flips / 2)
        if what == "mid-p":
            difference = chance_of_failing(n, flip) - mid_p_power(n, drop, flips)
        else:
            limit = Decimal(what)
            planned = power(drop, n=n, noise=Flips(flips), max_drop=limit)
            difference = planned - chance_of_failing(n, flip, max_drop=limit)
        found.append(100 * difference)
    return [max(found, key=abs)]


def against() -> Iterator[Part]:
    """Hold the rule to mid-p, and what ``plan`` computes to the rule."""
    rows = {
        "the rule at max_drop 0, less mid-p": "mid-p",
        "plan at max_drop 0, less the rule": "0",
        "plan at max_drop .05, less the rule": "0.05",
    }
    for (row, what), n in product(rows.items(), SIZES):
        yield Part((Cell(row, f"n={n}", WITHIN),), partial(farthest, n, what), drawn=False)


def least_drop(max_drop: Decimal, n: int) -> list[float]:
    """Give, in points, the least drop seen four times in five."""
    found = (
        minimum_detectable_drop(n=n, noise=Flips(flips), max_drop=max_drop) for flips in FLIPS
    )
    return [100 * drop for drop in found if drop is not None]


def at_the_limit(n: int) -> list[float]:
    """Enumerate how often the whole rule fails at a true drop equal to ``max_drop``."""
    drop = float(FIVE)
    return [
        100 * chance_of_failing(n, Flip(flips / 2 + drop, flips / 2), max_drop=FIVE)
        for flips in FLIPS
    ]


def sight(max_drop: Decimal | None) -> Iterator[Part]:
    """Give the columns of a table of what a suite can see; ``None`` asks at the limit."""
    rows = [f"{100 * flips:.0f} % of cases flip" for flips in FLIPS]
    for n in PLANNED:
        work = partial(at_the_limit, n) if max_drop is None else partial(least_drop, max_drop, n)
        yield Part(tuple(Cell(row, f"n={n}") for row in rows), work, drawn=False)


def repeated_power(now: int, was: int, draws: int) -> list[float]:
    """Draw a flaky agent that loses five points of 100 cases; give the power, and plan's."""
    n, rate, drop = 100, 0.9, 0.05
    generator = generator_for("repeats and power", now, was)
    failed = 0
    for rows in chunks(draws):
        broken = generator.random((rows, n)) < drop / rate
        before = (generator.random((rows, n, was)) < rate).astype(float)
        after = (generator.random((rows, n, now)) < np.where(broken, 0.0, rate)[:, :, None]) * 1.0
        for one, other in zip(before, after, strict=True):
            if now == was:
                pair = beside(one.mean(axis=1).tolist(), other.mean(axis=1).tolist())
                failed += fails(pair)
            else:
                failed += fails_by_runs(one, other)
    noise = with_repeats(Flips(2 * rate * (1 - rate)), current=now, baseline=was)
    return [100 * failed / draws, 100 * power(drop, n=n, noise=noise)]


def by_repeats(draws: int) -> Iterator[Part]:
    """Show what repeats buy."""
    for now, was in ((1, 1), (3, 1), (1, 3), (3, 3), (5, 5)):
        row = f"{now} now, {was} before"
        cells = (Cell(row, "drawn"), Cell(row, "by plan"))
        yield Part(cells, partial(repeated_power, now, was, draws))


def tables(*, draws: int) -> Iterator[Table]:
    """Give the tables of power."""
    how = f"on_inconclusive pass; every outcome enumerated, noninferior {draws:,} draws"
    yield Table(
        "Unchanged agents that do not pass, by rule: the worst of 0 to 50 % flipping cases, %",
        how,
        tuple(by_rule(SAME, draws)),
        decimals=0,
    )
    yield Table(
        "Agents down 5 and 10 points that do not pass: the mean of 0 to 20 % flipping cases, %",
        how,
        tuple(by_rule(DROPPED, draws)),
        decimals=0,
    )
    yield Table(
        "Power beside McNemar's mid-p, and plan beside the rule: largest difference, points",
        "drops of 2 to 20 points; mid-p by scipy.stats.binom; every outcome enumerated",
        tuple(against()),
    )
    yield Table(
        "Least drop that is seen four times in five, by p <= .05 alone (max_drop 0), points",
        "what plan computes",
        tuple(sight(ZERO)),
    )
    yield Table(
        "Least drop that is seen four times in five, by the whole rule at max_drop .05, points",
        "what plan computes",
        tuple(sight(FIVE)),
    )
    yield Table(
        "Runs failed at a true drop of 5 points, by the whole rule at max_drop .05, %",
        "every outcome enumerated",
        tuple(sight(None)),
    )
    yield Table(
        "Runs failed by repeats: 100 cases that pass at .9, a true drop of 5 points, %",
        f"significant at max_drop 0; {draws:,} draws a row",
        tuple(by_repeats(draws)),
    )
