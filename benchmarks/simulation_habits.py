"""Habits that mislead: forgetting baselines, picking the best, clusters, majorities, luck."""

from __future__ import annotations

from decimal import Decimal
from functools import cache, partial
from itertools import product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from simulation_agents import chunks, generator_for
from simulation_alarms import MOST
from simulation_intervals import DUST, LEAST, short
from simulation_rule import beside, fails, table_fails
from simulation_table import Cell, Part, Table

from gate.gates.safety import judge as judge_safety
from gate.records.gating import SafetyOptions
from gate.records.result import RepeatResult
from gate.statistics.agreement import measure_agreement, trust
from gate.statistics.bootstrap import compute_confidence_intervals
from gate.statistics.clusters import cluster_bootstrap, cluster_interval
from gate.statistics.intervals import score_interval
from gate.suite.rows import compose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

FIVE: Final = Decimal("0.05")
MERGES: Final = 20
CASES: Final = 300
HABITS: Final = (
    "point .05, against the last",
    "significant 0, against the last",
    "significant .05, against the last",
    "creep .05, against the first",
)


def creeping(lost: float, draws: int) -> list[float]:
    """Draw series of merges that each lose a share of the cases; give what had failed by when.

    A baseline is saved anew with every merge, whatever the verdict. A working case passes with
    .99, so that two runs differ in 2 % of the cases with nothing changed.
    """
    generator = generator_for("creep", lost)
    caught = np.zeros((len(HABITS), MERGES), dtype=np.int64)
    for rows in chunks(draws):
        broken = np.zeros((rows, CASES), dtype=bool)
        first = last = generator.random((rows, CASES)) < 0.99
        failed = np.zeros((len(HABITS), rows), dtype=bool)
        for merge in range(MERGES):
            broken = broken | (generator.random((rows, CASES)) < lost)
            now = (generator.random((rows, CASES)) < 0.99) & ~broken
            since_last = list(zip(*_changed(last, now), strict=True))
            since_first = zip(*_changed(first, now), strict=True)
            failed[0] |= [
                table_fails(CASES, *one, rule="point", max_drop=FIVE) for one in since_last
            ]
            failed[1] |= [table_fails(CASES, *one) for one in since_last]
            failed[2] |= [table_fails(CASES, *one, max_drop=FIVE) for one in since_last]
            failed[3] |= [table_fails(CASES, *one, max_drop=FIVE) for one in since_first]
            caught[:, merge] += failed.sum(axis=1)
            last = now
    shown = 100 * caught[:, [4, 9, 19]] / draws
    return shown.ravel().tolist()


def _changed(was: NDArray[np.bool_], now: NDArray[np.bool_]) -> tuple[list[int], list[int]]:
    return (was & ~now).sum(axis=1).tolist(), (now & ~was).sum(axis=1).tolist()


def creep(draws: int) -> Iterator[Part]:
    """Let an agent lose a point per merge, and let one lose nothing."""
    for lost, name in ((0.01, "1 point a merge"), (0.0, "unchanged")):
        cells = tuple(
            Cell(f"{name}: {habit}", f"by {merges}") for habit in HABITS for merges in (5, 10, 20)
        )
        yield Part(cells, partial(creeping, lost, draws))


def best_of(count: int, draws: int) -> list[float]:
    """Promote the best of so many runs of one agent; judge one more run of it against that."""
    generator = generator_for("best of", count)
    n, alarms = 100, np.zeros(3)
    for rows in chunks(draws):
        runs = generator.random((rows, count, n), dtype=np.float32) < 0.9
        best = runs[np.arange(rows), runs.sum(axis=2).argmax(axis=1)]
        now = generator.random((rows, n)) < 0.9
        for one in zip(*_changed(best, now), strict=True):
            alarms += (
                table_fails(n, *one, rule="point", max_drop=FIVE),
                table_fails(n, *one),
                table_fails(n, *one, max_drop=FIVE),
            )
    return (100 * alarms / draws).tolist()


def promotion(draws: int) -> Iterator[Part]:
    """Set a baseline of one run beside the best of several."""
    for count in (1, 3, 20):
        row = "the one run there is" if count == 1 else f"the best of {count} runs"
        columns = ("point .05", "significant 0", "significant .05")
        work = partial(best_of, count, draws)
        yield Part(tuple(Cell(row, column) for column in columns), work)


class Clustered(NamedTuple):
    """So many clusters of so many cases, their pass rate and intra-cluster correlation."""

    clusters: int
    size: int
    rate: float
    correlation: float

    @property
    def row(self) -> str:
        """Name it."""
        return (
            f"{self.clusters} x {self.size}, pass rate {short(self.rate)}, "
            f"ICC {short(self.correlation)}"
        )

    def draw(self, generator: np.random.Generator, rows: int) -> NDArray[np.float64]:
        """Draw runs; each cluster has a chance of its own in each of them."""
        together = 1 / self.correlation - 1
        shape = (rows, self.clusters)
        chances = generator.beta(self.rate * together, (1 - self.rate) * together, size=shape)
        drawn = generator.random((rows, self.clusters, self.size)) < chances[:, :, None]
        return drawn.reshape(rows, -1).astype(float)

    @property
    def names(self) -> list[str]:
        """Give the cluster of each case."""
        return [f"{case // self.size}" for case in range(self.clusters * self.size)]


CLUSTERED: Final = (
    Clustered(20, 5, 0.8, 0.67),
    Clustered(20, 5, 0.95, 0.67),
    Clustered(50, 4, 0.9, 0.3),
    Clustered(8, 10, 0.9, 0.5),
)


def cluster_coverage(shape: Clustered, draws: int) -> list[float]:
    """Count how often four intervals hold the pass rate."""
    generator = generator_for("clusters", shape)
    names, held = shape.names, np.zeros(4)
    for scores in shape.draw(generator, draws).tolist():
        plain, clustered = score_interval(scores), cluster_interval(scores, names)
        drawn = compute_confidence_intervals(scores)
        redrawn = cluster_bootstrap(scores, names, n_boot=2_000)
        held += [
            found.low - DUST <= shape.rate <= found.high + DUST
            for found in (plain, drawn, redrawn, clustered)
        ]
    return (100 * held / draws).tolist()


def cluster_alarms(shape: Clustered, draws: int) -> list[float]:
    """Judge two runs of an unchanged agent both ways, case by case and cluster by cluster."""
    generator = generator_for("cluster alarms", shape)
    names, failed = shape.names, np.zeros(2)
    for rows in chunks(draws):
        was, now = shape.draw(generator, rows), shape.draw(generator, rows)
        risen = was.sum(axis=1) < now.sum(axis=1)
        was[risen], now[risen] = now[risen], was[risen]
        for before, after in zip(was.tolist(), now.tolist(), strict=True):
            failed += (
                fails(beside(before, after)),
                fails(beside(before, after, clusters=names)),
            )
    return (100 * failed / (2 * draws)).tolist()


def cluster_intervals(draws: int) -> Iterator[Part]:
    """Take clusters for cases, and for what they are."""
    for shape in CLUSTERED:
        names = ("Wilson", "bootstrap", "clusters redrawn")
        shown = Cell(shape.row, "as displayed", LEAST)
        cells = (*(Cell(shape.row, name) for name in names), shown)
        yield Part(cells, partial(cluster_coverage, shape, draws))


def cluster_tests(draws: int) -> Iterator[Part]:
    """Flip cases one by one, and clusters together as the gate does."""
    for shape in CLUSTERED:
        cells = (Cell(shape.row, "by case"), Cell(shape.row, "by cluster", MOST))
        yield Part(cells, partial(cluster_alarms, shape, draws))


def leaks(rate: float) -> list[float]:
    """Enumerate three runs of a safety case that leaks so often: one run, most, any of them."""
    seen = np.zeros(3)
    for leaked in product((False, True), repeat=3):
        chance = rate ** sum(leaked) * (1 - rate) ** (3 - sum(leaked))
        seen += chance * np.array([leaked[0], sum(leaked) > 1, _unsafe(leaked)])
    return (100 * seen).tolist()


def _unsafe(leaked: tuple[bool, ...]) -> bool:
    """Ask the safety gate about one case of several runs."""
    runs = tuple(
        RepeatResult(
            repeat=number,
            standing="scored",
            score=float(not one),
            passed=not one,
            trajectory=1.0,
        )
        for number, one in enumerate(leaked)
    )
    row = SimpleNamespace(id="key", labels=("safety",), passed=compose(runs).passed)
    return judge_safety(SafetyOptions(), SimpleNamespace(rows=(row,))).outcome == "fail"


def safety() -> Iterator[Part]:
    """Show why one failing run fails a safety case."""
    for rate in (0.01, 0.1, 0.3):
        row = f"a case that leaks {100 * rate:.0f} % of the time"
        columns = ("one run", "most of 3", "any of 3 (the gate)")
        yield Part(tuple(Cell(row, name) for name in columns), partial(leaks, rate), drawn=False)


@cache
def _trusted(both: int, only_a: int, only_b: int, neither: int) -> tuple[bool, bool]:
    human = "p" * (both + only_a) + "f" * (only_b + neither)
    judge = "p" * both + "f" * only_a + "p" * only_b + "f" * neither
    agreement = measure_agreement(human, judge, categories="pf")
    return (
        trust(agreement, criterion="point") == "trusted",
        trust(agreement, criterion="lower") == "trusted",
    )


def trusted(kappa: float, often: float, labels: int) -> list[float]:
    """Enumerate all tables of a judge and a human with equal margins; give how many pass."""
    from math import factorial

    shared = often * (1 - often)
    chances = (
        often**2 + kappa * shared,
        shared * (1 - kappa),
        shared * (1 - kappa),
        (1 - often) ** 2 + kappa * shared,
    )
    passed = np.zeros(2)
    for both in range(labels + 1):
        for only_a in range(labels + 1 - both):
            for only_b in range(labels + 1 - both - only_a):
                table = (both, only_a, only_b, labels - both - only_a - only_b)
                chance = float(factorial(labels))
                for count, share in zip(table, chances, strict=True):
                    chance *= share**count / factorial(count)
                passed += np.multiply(chance, _trusted(*table))
    return (100 * passed).tolist()


def judges() -> Iterator[Part]:
    """Show how often a judge of a true kappa is trusted."""
    for kappa, often in product((0.4, 0.6, 0.8), (0.5, 0.9)):
        row = f"true kappa {short(kappa)}, {100 * often:.0f} % of labels are passes"
        cells = (Cell(row, "kappa >= .6"), Cell(row, "lower bound >= .6"))
        yield Part(cells, partial(trusted, kappa, often, 30), drawn=False)


def tables(*, few: int, many: int, most: int) -> Iterator[Table]:
    """Give the tables of habits."""
    yield Table(
        "Series failed by the 5th, 10th and 20th merge, %",
        f"{many:,} draws; {CASES} cases of which 2 % flip, a new baseline with each merge",
        tuple(creep(many)),
        decimals=0,
    )
    yield Table(
        "False alarms by the run that was promoted, %",
        f"100 cases that pass at .9; {many:,} draws a row",
        tuple(promotion(many)),
    )
    yield Table(
        "Coverage of four 95 % intervals where cases come in clusters, %",
        f"clusters x cases; {few:,} draws a row",
        tuple(cluster_intervals(few)),
    )
    yield Table(
        "False alarms where cases come in clusters, %",
        f"{most:,} draws of two runs a row, judged both ways",
        tuple(cluster_tests(most)),
        decimals=2,
    )
    yield Table("A leaking safety case is noticed, %", "every outcome enumerated", tuple(safety()))
    yield Table(
        "A judge is trusted by 30 labels, %",
        "every table of labels enumerated; one class alone is never trusted",
        tuple(judges()),
    )
