"""How often an unchanged agent is called worse."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from simulation_agents import GRADED, PAIRS, chunks, generator_for
from simulation_intervals import short
from simulation_rule import (
    Flip,
    beside,
    binomials,
    chance_of_failing,
    fails,
    fails_by_runs,
    gate_fails,
    least_worse,
    table_fails,
)
from simulation_table import Bound, Cell, Part, Table

from gate.records.gating import USUAL_ALPHA, ZERO
from gate.statistics.multiplicity import holm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.random import Generator
    from simulation_agents import Floats

MOST: Final = Bound("at most 5.2", most=5.2)
FAMILY: Final = Bound("at most 5", most=5.0)
NONE: Final = Bound("never", most=0.0)
FLIPS: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
SIZES: Final = (20, 50, 100, 300, 1000)
GRADED_SIZES: Final = (20, 50, 100, 300)
LARGEST: Final = 1000
UNCHANGED: Final = {
    **dict.fromkeys(
        (
            "halves, apart",
            "sixths, rare failures, apart",
            "sixths, 3 in 4 alike",
            "means of 3 runs, all at .9",
            "means of 3 runs, Beta(.5, .5)",
        ),
        GRADED_SIZES,
    ),
    "Beta(8, 1) in hundredths, apart": (20, 50),
    "Beta(8, 1), apart": (20, 50),
}
"""Agents whose two runs have the same distribution; scores of the last stand on no lattice."""


def agreement(draws: int) -> list[float]:
    """Count how often the gate says something else than the short form used in these tables."""
    generator = generator_for("agreement")
    differ, asked = 0, 0
    for name in ("halves, apart", "3 runs now, 1 before, all at .9"):
        was, now = PAIRS[name].draw(generator, (draws, 20))
        now[: draws // 2, ::3] = 0.0
        for before, after in zip(was.tolist(), now.tolist(), strict=True):
            for rule in ("point", "significant", "noninferior"):
                asked += 1
                paired = beside(before, after)
                limit = USUAL_ALPHA  # 5 points: any limit does
                short_form = fails(paired, rule=rule, max_drop=limit)
                differ += short_form != gate_fails(paired, rule=rule, max_drop=limit)
    return [asked, differ]


def exact_alarms(flips: float) -> list[float]:
    """Enumerate 0/1 runs; last, find the worst of all sizes from 20 to 1,000."""
    found = [100 * chance_of_failing(n, Flip(flips / 2, flips / 2)) for n in SIZES]
    if flips > 0.5:
        return found
    # With nothing allowed, what fails does not depend on the cases that did not differ.
    counts = least_worse(LARGEST, LARGEST)
    tails = np.array([binomials(k, 0.5)[least:].sum() for k, least in enumerate(counts)])
    worst = max(
        float((binomials(n, flips) * tails[: n + 1]).sum()) for n in range(20, LARGEST + 1)
    )
    return [*found, 100 * worst]


def exact() -> Iterator[Part]:
    """Two runs of one case differ in at most half of all pairs; more is shown as a corner."""
    columns = [f"n={n}" for n in SIZES]
    for flips in FLIPS:
        row = f"{short(100 * flips)} % of cases flip"
        cells = tuple(Cell(row, column, MOST) for column in (*columns, "n=20...1000"))
        yield Part(cells, partial(exact_alarms, flips), drawn=False)
    for flips in (0.7, 0.9, 1.0):
        row = f"{short(100 * flips)} % (no agent does)"
        yield Part(
            tuple(Cell(row, column) for column in columns),
            partial(exact_alarms, flips),
            drawn=False,
        )


class Ways(NamedTuple):
    """What decides at max_drop 0 in whatever order the cases are: a drop, and what tests see.

    That is the sum and the sizes of the differences, and whether all values are 0 or 1.
    """

    fell: bool
    total: int
    sizes: bytes
    plain: bool


def graded_alarms(name: str, n: int, draws: int) -> list[float]:
    """Draw two runs of one agent and judge them both ways: each may stand for the baseline.

    Only the way in which the mean fell can fail. On a lattice a comparison is known by its
    sum and by the sizes of its differences, so each different one is judged once.
    """
    pairs = PAIRS[name]
    generator = generator_for("alarms", name, n)
    known: dict[Ways, bool] = {}
    failed = 0
    for rows in chunks(draws):
        was, now = pairs.draw(generator, (rows, n))
        risen = was.sum(axis=1) < now.sum(axis=1)
        was[risen], now[risen] = now[risen], was[risen]
        failed += sum(_judge_all(was, now, (was, now), pairs.scale, known))
    return [100 * failed / (2 * draws)]


def _judge_all(
    was: Floats,
    now: Floats,
    tested: tuple[Floats, Floats],
    scale: int | None,
    known: dict[Ways, bool],
) -> Iterator[bool]:
    """Judge run by run; on a lattice, each different one once."""
    if scale is None:
        columns = (was.tolist(), now.tolist(), *(side.tolist() for side in tested))
        for before, after, *seen in zip(*columns, strict=True):
            yield fails(beside(before, after, tested=(seen[0], seen[1])))
        return
    steps = np.rint((tested[0] - tested[1]) * scale).astype(np.int16)
    fell = np.rint((was - now) * scale).sum(axis=1) > 0
    sizes = np.sort(np.abs(steps), axis=1)
    plain = (np.isin(tested[0], (0, 1)) & np.isin(tested[1], (0, 1))).all(axis=1)
    columns = (fell.tolist(), steps.sum(axis=1).tolist(), map(bytes, sizes), plain.tolist())
    for at, ways in enumerate(map(Ways, *columns)):
        if ways not in known:
            one = (was[at].tolist(), now[at].tolist())
            seen = (tested[0][at].tolist(), tested[1][at].tolist())
            known[ways] = fails(beside(*one, tested=seen))
        yield known[ways]


def by_draws(draws: int) -> Iterator[Part]:
    """Hold graded scores to the bound."""
    for name, sizes in UNCHANGED.items():
        for n in sizes:
            yield Part((Cell(name, f"n={n}", MOST),), partial(graded_alarms, name, n, draws))


class Runs(NamedTuple):
    """How many runs of each case there are, and whether the test sees all of them."""

    now: int
    was: int
    all_of_them: bool


RATES: Final = {"cases that pass 90 %": 0.9, "cases that pass 10 %": 0.1}
UNEQUAL: Final = {
    "3 now, 1 before, as the gate does": Runs(3, 1, all_of_them=False),
    "3 now, 1 before, if it used all 3": Runs(3, 1, all_of_them=True),
    "1 now, 10 before, as the gate does": Runs(1, 10, all_of_them=False),
    "1 now, 10 before, if it used all 10": Runs(1, 10, all_of_them=True),
    "3 now, 3 before": Runs(3, 3, all_of_them=True),
}


def unequal_alarms(name: str, kind: str, n: int, draws: int) -> list[float]:
    """Draw repeated runs of one agent; average them by case as the gate does, and judge."""
    runs = UNEQUAL[name]
    generator = generator_for("repeats", name, kind, n)
    scale = 2 * runs.now * runs.was
    failed, known = 0, dict[Ways, bool]()
    for rows in chunks(draws):
        was, now = (_repeated(kind, generator, (rows, n, count)) for count in (runs.was, runs.now))
        if kind in RATES and not runs.all_of_them:
            failed += sum(map(fails_by_runs, was, now))
            continue
        most = max(runs.now, runs.was) if runs.all_of_them else min(runs.now, runs.was)
        sides = (was, now, was[:, :, :most], now[:, :, :most])
        means = [np.rint(scale * each.mean(axis=2)) / scale for each in sides]
        failed += sum(_judge_all(means[0], means[1], (means[2], means[3]), scale, known))
    return [100 * failed / draws]


def _repeated(kind: str, generator: Generator, shape: tuple[int, int, int]) -> Floats:
    if kind in RATES:
        return (generator.random(shape) < RATES[kind]).astype(float)
    rows, n, count = shape
    return GRADED["halves, .60@1 .30@1/2 .10@0"].draw(generator, (rows, n * count)).reshape(shape)


def unequal(draws: int) -> Iterator[Part]:
    """Show what more repeats on one side do to the test."""
    for kind in (*RATES, "mean score"):
        for name, runs in UNEQUAL.items():
            held = None if runs.all_of_them and runs.now != runs.was else MOST
            for n in GRADED_SIZES:
                cell = Cell(f"{kind}, {name}", f"n={n}", held)
                yield Part((cell,), partial(unequal_alarms, name, kind, n, draws))


def slices_alarms(rate: float, overlapping: bool, draws: int) -> list[float]:  # noqa: FBT001
    """Draw ten unchanged slices of 30 cases; count families with any alarm, by four rules."""
    generator = generator_for("slices", rate, overlapping)
    flips = 2 * rate * (1 - rate)
    cases = 100 if overlapping else 300
    bears = np.zeros((cases, 10), dtype=np.int64)
    for label in range(10):
        own = slice(30 * label, 30 * label + 30)
        bears[generator.permutation(cases)[:30] if overlapping else own, label] = 1
    alarms = np.zeros(4)
    for rows in chunks(draws):
        change = generator.choice(3, p=(1 - flips, flips / 2, flips / 2), size=(rows, cases))
        lost, won = (change == 1) @ bears, (change == 2) @ bears
        for worse, better in zip(lost.tolist(), won.tolist(), strict=True):
            alarms += _family(tuple(zip(worse, better, strict=True)))
    return (100 * alarms / draws).tolist()


def _family(slices: tuple[tuple[int, int], ...]) -> tuple[bool, ...]:
    five = USUAL_ALPHA
    adjusted = holm([_p_value(*one) for one in slices])
    return (
        any(table_fails(30, *one, rule="point", max_drop=ZERO) for one in slices),
        any(table_fails(30, *one, rule="point", max_drop=five) for one in slices),
        any(table_fails(30, *one) for one in slices),
        any(
            p <= USUAL_ALPHA and table_fails(30, *one, rule="point", max_drop=ZERO)
            for p, one in zip(adjusted, slices, strict=True)
        ),
    )


@cache
def _p_value(worse: int, better: int) -> float:
    was = [1.0] * (30 - better) + [0.0] * better
    now = [0.0] * worse + [1.0] * (30 - worse)
    return beside(was, now).test.p_value


def slices(draws: int) -> Iterator[Part]:
    """Hold Holm's method to the bound; set what one would do without it beside it."""
    columns = ("any drop", "drop > 5 pt", "unadjusted", "Holm")
    for rate, overlapping in (*((rate, False) for rate in (0.5, 0.8, 0.9, 0.95)), (0.9, True)):
        row = f"pass rate {short(rate)}{', overlapping' if overlapping else ''}"
        cells = tuple(Cell(row, name, FAMILY if name == "Holm" else None) for name in columns)
        yield Part(cells, partial(slices_alarms, rate, overlapping, draws))


def tables(*, draws: int) -> Iterator[Table]:
    """Give the tables of false alarms."""
    row = "the short form and the gate"
    cells = (Cell(row, "asked"), Cell(row, "differ", NONE))
    yield Table(
        "The rules as used here, against the gate's own verdicts",
        "three rules on random runs",
        (Part(cells, partial(agreement, max(20, draws // 200))),),
        decimals=0,
    )
    yield Table(
        "False alarms of the default rule, 0/1 scores, %",
        "every outcome enumerated; max_drop 0, alpha .05, on_inconclusive pass",
        tuple(exact()),
        decimals=2,
    )
    yield Table(
        "False alarms of the default rule, graded scores, %",
        f"{draws:,} draws of two runs a figure, judged both ways",
        tuple(by_draws(draws)),
        decimals=2,
    )
    yield Table(
        "False alarms with unequal repeats, every run passing at .9 or in halves, %",
        f"{draws:,} draws a figure",
        tuple(unequal(draws)),
        decimals=2,
    )
    yield Table(
        "False alarms of ten unchanged slices of 30 cases: any slice fails, %",
        f"{draws:,} draws a row",
        tuple(slices(draws)),
    )
