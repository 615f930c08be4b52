"""Agents to be measured: how their scores fall, and how two runs of one hang together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.random import Generator
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Shape = tuple[int, int]

ROWS_AT_ONCE: Final = 2_000


class Scores(NamedTuple):
    """A distribution of scores: its mean, a common denominator if it has one, and draws of it."""

    mean: float
    scale: int | None
    draw: Callable[[Generator, Shape], Floats]


def atoms(scale: int, **shares: float) -> Scores:
    """Give scores that are ``k / scale`` with the share named ``at_k``."""
    places = np.array([int(name.removeprefix("at_")) for name in shares])
    weights = np.array(list(shares.values()))
    values = places / scale

    def draw(generator: Generator, shape: Shape) -> Floats:
        return generator.choice(values, size=shape, p=weights)

    return Scores(float((values * weights).sum()), scale, draw)


def beta(a: float, b: float, *, zeros: float = 0.0, scale: int | None = None) -> Scores:
    """Give beta scores, a share ``zeros`` of them 0 instead, cut down to ``1 / scale`` if given.

    The mean is that of the scores that are not cut.
    """

    def draw(generator: Generator, shape: Shape) -> Floats:
        found = generator.beta(a, b, size=shape)
        if zeros:
            found[generator.random(shape) < zeros] = 0.0
        return found if scale is None else np.floor(found * scale) / scale

    return Scores((1 - zeros) * a / (a + b), scale, draw)


def means_of_runs(runs: int, p: float | None = None) -> Scores:
    """Give means of 0/1 runs of cases that pass with ``p``, or with a beta(.5, .5) of chances."""

    def draw(generator: Generator, shape: Shape) -> Floats:
        chance = generator.beta(0.5, 0.5, size=shape) if p is None else p
        return generator.binomial(runs, chance, size=shape) / runs

    return Scores(0.5 if p is None else p, runs, draw)


GRADED: Final = {
    "Beta(8, 1)": beta(8, 1),
    "Beta(.5, .5)": beta(0.5, 0.5),
    "halves, .60@1 .30@1/2 .10@0": atoms(2, at_2=0.6, at_1=0.3, at_0=0.1),
    "sixths, all alike": atoms(6, **{f"at_{k}": 1 / 7 for k in range(7)}),
    "sixths, .97@1 .02@5/6 .01@0": atoms(6, at_6=0.97, at_5=0.02, at_0=0.01),
    ".97 Beta(80, 20), .03@0": beta(80, 20, zeros=0.03),
    ".90 Beta(8, 1), .10@0": beta(8, 1, zeros=0.1),
    "means of 3 runs, Beta(.5, .5)": means_of_runs(3),
}
"""For one run alone."""


class Pairs(NamedTuple):
    """Two runs of one unchanged agent, and the mean of the second."""

    mean: float
    scale: int | None
    draw: Callable[[Generator, Shape], tuple[Floats, Floats]]


def apart(scores: Scores) -> Pairs:
    """Draw both runs on their own."""

    def draw(generator: Generator, shape: Shape) -> tuple[Floats, Floats]:
        return scores.draw(generator, shape), scores.draw(generator, shape)

    return Pairs(scores.mean, scores.scale, draw)


def alike(scores: Scores, share: float) -> Pairs:
    """Let a share of the cases score the same in both runs."""

    def draw(generator: Generator, shape: Shape) -> tuple[Floats, Floats]:
        was, other = scores.draw(generator, shape), scores.draw(generator, shape)
        return was, np.where(generator.random(shape) < share, was, other)

    return Pairs(scores.mean, scores.scale, draw)


def repeated(now: int, was: int, p: float | None = None) -> Pairs:
    """Average so many 0/1 runs of the same cases now and before; ``p`` as in means of runs."""

    def draw(generator: Generator, shape: Shape) -> tuple[Floats, Floats]:
        chance = generator.beta(0.5, 0.5, size=shape) if p is None else p
        return (
            generator.binomial(was, chance, size=shape) / was,
            generator.binomial(now, chance, size=shape) / now,
        )

    return Pairs(0.5 if p is None else p, now * was if now != was else now, draw)


PAIRS: Final = {
    "halves, apart": apart(GRADED["halves, .60@1 .30@1/2 .10@0"]),
    "sixths, rare failures, apart": apart(GRADED["sixths, .97@1 .02@5/6 .01@0"]),
    "sixths, 3 in 4 alike": alike(GRADED["sixths, all alike"], 0.75),
    "Beta(8, 1) in hundredths, apart": apart(beta(8, 1, scale=100)),
    "means of 3 runs, all at .9": repeated(3, 3, 0.9),
    "means of 3 runs, Beta(.5, .5)": repeated(3, 3),
    "Beta(8, 1), apart": apart(GRADED["Beta(8, 1)"]),
    ".97 Beta(80, 20), .03@0, apart": apart(GRADED[".97 Beta(80, 20), .03@0"]),
    "Beta(.5, .5), 9 in 10 alike": alike(GRADED["Beta(.5, .5)"], 0.9),
    "3 runs now, 1 before, all at .9": repeated(3, 1, 0.9),
}
"""For two runs side by side."""


def generator_for(*what: object) -> Generator:
    """Give a generator that the names of a figure fix: figures do not hang on their order."""
    from zlib import crc32

    return np.random.default_rng(crc32(repr(what).encode()))


def chunks(draws: int) -> Iterator[int]:
    """Split a number of draws into parts that memory holds easily."""
    for start in range(0, draws, ROWS_AT_ONCE):
        yield min(ROWS_AT_ONCE, draws - start)
