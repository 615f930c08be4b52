"""How often the intervals hold the truth."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from simulation_agents import GRADED, PAIRS, chunks, generator_for
from simulation_rule import binomials, factorial_logs
from simulation_table import Bound, Cell, Part, Table

from gate.statistics.bootstrap import compute_confidence_intervals
from gate.statistics.differences import drop_interval
from gate.statistics.intervals import score_interval

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

    from numpy.typing import NDArray

SIZES: Final = (10, 20, 30, 50, 100, 300, 1000)
RATES: Final = (0.5, 0.8, 0.9, 0.95, 0.99)
FLIPS: Final = (0.0, 0.02, 0.1, 0.3)
DROPS: Final = (0.0, 0.02, 0.05, 0.1, 0.2)
LOSSES: Final = (0.0, 0.1)
LEAST: Final = Bound("at least 90", least=90.0)
LEAST_FROM_20: Final = Bound("at least 92 from n = 20", least=92.0)
ENUMERABLE: Final = 100
DUST: Final = 1e-9


def bound_at(n: int) -> Bound:
    """Ten scores say little, also about their own scatter."""
    return LEAST if n < 20 else LEAST_FROM_20


def short(share: float) -> str:
    """Write a share without its zeros.

    >>> short(0.05), short(0.0)
    ('.05', '0')
    """
    return f"{share:.3f}".strip("0").removesuffix(".") or "0"


def rate_coverage(n: int, method: Literal["Wilson", "bootstrap"]) -> list[float]:
    """Enumerate all numbers of passed cases, at each rate; last, at the worst of all rates."""
    ends = []
    for passed in range(n + 1):
        scores = [1.0] * passed + [0.0] * (n - passed)
        own = method == "Wilson"
        found = score_interval(scores) if own else compute_confidence_intervals(scores)
        ends.append((found.low - DUST, found.high + DUST))
    low, high = np.array(ends).T

    def coverage(rate: float) -> float:
        return 100 * float(binomials(n, rate)[(low <= rate) & (rate <= high)].sum())

    return [*map(coverage, RATES), min(map(coverage, np.arange(0.5, 0.9995, 0.001).tolist()))]


def rates() -> Iterator[Part]:
    """Hold Wilson's interval to the bound, and set the bootstrap beside it."""
    for method, sizes in (("Wilson", SIZES), ("bootstrap", SIZES[:-1])):
        for n in sizes:
            bound = LEAST if method == "Wilson" else None
            held = [Cell(f"{method}, pass rate {short(rate)}", f"n={n}", bound) for rate in RATES]
            worst = Cell(f"{method}, worst rate of .5 to .999", f"n={n}")
            yield Part((*held, worst), partial(rate_coverage, n, method), drawn=False)


def graded_coverage(name: str, n: int, draws: int) -> list[float]:
    """Draw graded scores; count how often the displayed interval holds their mean."""
    scores = GRADED[name]
    generator = generator_for("scores", name, n)
    held = 0
    for rows in chunks(draws):
        for values in scores.draw(generator, (rows, n)).tolist():
            _, low, high = score_interval(values)
            held += low - DUST <= scores.mean <= high + DUST
    return [100 * held / draws]


def graded(few: int, many: int) -> Iterator[Part]:
    """Draw ``many`` samples of up to 100 scores, ``few`` of larger ones."""
    for name, n in product(GRADED, SIZES):
        work = partial(graded_coverage, name, n, many if n <= ENUMERABLE else few)
        yield Part((Cell(name, f"n={n}", bound_at(n)),), work)


class Agent(NamedTuple):
    """Chances of a case to pass both times, only before, only now, never; and the true drop."""

    flips: float
    drop: float
    chances: tuple[float, float, float, float]


def agents() -> Iterator[Agent]:
    """Give all 0/1 agents that there can be: pass rate, flipping cases, true drop."""
    for rate, flips, drop in product(RATES, FLIPS, DROPS):
        lost, won = flips / 2 + drop, flips / 2
        both, neither = rate - lost, 1 - rate - won
        if min(both, neither) > -DUST:
            yield Agent(flips, drop, (max(both, 0.0), lost, won, max(neither, 0.0)))


def drop_coverage(n: int, draws: int) -> list[float]:
    """Give, per share of flipping cases, the lowest coverage over rates and drops.

    Every table of up to 100 cases is enumerated; of more cases they are drawn.
    """
    everything = all_tables(n) if n <= ENUMERABLE else None
    lowest = dict.fromkeys(FLIPS, 100.0)
    for agent in agents():
        if everything is None:
            generator = generator_for("drop", n, agent)
            drawn = generator.multinomial(n, np.array(agent.chances) / sum(agent.chances), draws)
            tables, counts = np.unique(drawn, axis=0, return_counts=True)
            low, high = _ends(tables)
            weights = counts / draws
        else:
            tables, low, high = everything
            weights = multinomials(n, tables, agent.chances)
        held = (low - DUST <= agent.drop) & (agent.drop <= high + DUST)
        coverage = 100 * float(weights[held].sum())
        lowest[agent.flips] = min(lowest[agent.flips], coverage)
    return list(lowest.values())


def all_tables(n: int) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Give all tables of ``n`` cases, and the two ends of their intervals."""
    tables = np.array(
        [
            (both, lost, won, n - both - lost - won)
            for both in range(n + 1)
            for lost in range(n + 1 - both)
            for won in range(n + 1 - both - lost)
        ]
    )
    return tables, *_ends(tables)


def _ends(tables: NDArray[np.int64]) -> NDArray[np.float64]:
    """Ask for the intervals of tables of cases that passed both times, then, now, never."""
    found = [
        drop_interval(
            [1] * (both + lost) + [0] * (won + neither),
            [1] * both + [0] * lost + [1] * won + [0] * neither,
        )[1:]
        for both, lost, won, neither in tables.tolist()
    ]
    return np.array(found).T


def multinomials(
    n: int, tables: NDArray[np.int64], chances: tuple[float, ...]
) -> NDArray[np.float64]:
    """Give the probability of each table."""
    logs = factorial_logs(n)
    ways = logs[n] - logs[tables].sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(tables > 0, tables * np.log(np.array(chances)), 0.0).sum(axis=1)
    found: NDArray[np.float64] = np.exp(ways + terms)
    return found


def drops(draws: int) -> Iterator[Part]:
    """Hold the interval of a 0/1 drop to the bound."""
    for n in SIZES:
        cells = tuple(
            Cell(f"{100 * flips:.0f} % of cases flip", f"n={n}", bound_at(n)) for flips in FLIPS
        )
        yield Part(cells, partial(drop_coverage, n, draws), drawn=n > ENUMERABLE)


def graded_drop_coverage(name: str, loss: float, n: int, draws: int) -> list[float]:
    """Draw two graded runs, a share of the second lost; count how often the drop is held."""
    pairs = PAIRS[name]
    generator = generator_for("drops", name, loss, n)
    drop, held = loss * pairs.mean, 0
    for rows in chunks(draws):
        was, now = pairs.draw(generator, (rows, n))
        now[generator.random((rows, n)) < loss] = 0.0
        for before, after in zip(was.tolist(), now.tolist(), strict=True):
            _, low, high = drop_interval(before, after)
            held += low - DUST <= drop <= high + DUST
    return [100 * held / draws]


def graded_drops(few: int, many: int) -> Iterator[Part]:
    """Draw ``many`` pairs of runs of up to 100 cases, ``few`` of larger ones."""
    for name, loss, n in product(PAIRS, LOSSES, SIZES):
        row = f"{name}{f', {100 * loss:.0f} % lost' if loss else ''}"
        work = partial(graded_drop_coverage, name, loss, n, many if n <= ENUMERABLE else few)
        yield Part((Cell(row, f"n={n}", bound_at(n)),), work)


def tables(*, few: int, many: int) -> Iterator[Table]:
    """Give the tables of the intervals."""
    yield Table(
        "Coverage of the displayed 95 % interval of a pass rate, %",
        "every outcome enumerated",
        tuple(rates()),
    )
    yield Table(
        "Coverage of the displayed 95 % interval of a mean score, %",
        f"{many:,} draws a figure, {few:,} from n = 300",
        tuple(graded(few, many)),
    )
    yield Table(
        "Coverage of the 95 % interval of a drop of the pass rate, %",
        "lowest over pass rates .5 to .99 and drops of 0 to 20 points; every outcome enumerated, "
        f"{few:,} draws from n = 300",
        tuple(drops(few)),
    )
    yield Table(
        "Coverage of the 95 % interval of a drop of the mean score, %",
        f"{many:,} draws a figure, {few:,} from n = 300",
        tuple(graded_drops(few, many)),
    )
