"""The paired comparison of two runs: overall and ten slices, every test and interval.

    python benchmarks/paired.py FILE

compares the two rows of 64-bit floats in FILE, the accepted values first, in a process of its own,
whose cost `benchmarks/run.py` looks at; it loads no more than a `check` would for this.
"""

from __future__ import annotations

import sys
from array import array
from typing import Final

from gate.statistics.detectable import minimum_detectable_drop
from gate.statistics.differences import drop_interval
from gate.statistics.exact import mean_drop_exceeds
from gate.statistics.multiplicity import holm
from gate.statistics.paired import paired_test
from gate.statistics.power import Flips, Spread

SLICES: Final = 10
N_BOOT: Final = 10_000


def compare(was: list[float], now: list[float]) -> None:
    """Do what the regression and the slices gate do, and what the report says beside it."""
    parts = [(was, now), *((was[at::SLICES], now[at::SLICES]) for at in range(SLICES))]
    for before, after in parts:
        mean_drop_exceeds(before, after, 0)
        drop_interval(before, after)
    tests = [paired_test(before, after) for before, after in parts]
    holm([test.p_value for test in tests[1:]])
    whole = tests[0]
    binary = {*was, *now} <= {0.0, 1.0}
    noise = Flips(2 * min(whole.n_worse, whole.n_better) / len(was)) if binary else Spread(0.2)
    minimum_detectable_drop(n=len(was), noise=noise)


def theirs(was: list[float], now: list[float]) -> None:
    """Resample the pairs with scipy, overall and by slice: intervals alone, no test."""
    import numpy as np
    from scipy.stats import bootstrap

    def drop(before, after, axis=-1):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        return before.mean(axis=axis) - after.mean(axis=axis)

    parts = [(was, now), *((was[at::SLICES], now[at::SLICES]) for at in range(SLICES))]
    for pair in parts:
        bootstrap(
            tuple(map(np.asarray, pair)),
            drop,
            n_resamples=N_BOOT,
            batch=1_000_000 // len(pair[0]),
            paired=True,
            vectorized=True,
            method="percentile",
            rng=np.random.default_rng(0),
        )


def main() -> None:
    """Compare the two rows of a file."""
    values: array[float] = array("d")
    with open(sys.argv[1], "rb") as file:  # noqa: PTH123 - pathlib would weigh on what is measured
        values.frombytes(file.read())
    half = len(values) // 2
    compare(values[:half].tolist(), values[half:].tolist())


if __name__ == "__main__":
    main()
