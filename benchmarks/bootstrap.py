"""The protocol's intervals against scipy.stats.bootstrap: CPU ratios and peak memory.

Ten thousand cases in ten slices of a thousand, overall and per slice. Theirs draws ten thousand
resamples, ours computes their limit. Everything is measured in one process; only the ratios
carry over to another machine.

    python benchmarks/bootstrap.py
"""

from __future__ import annotations

import resource
import time
import tracemalloc
import warnings
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy.stats import bootstrap

from gate.statistics.bootstrap import compute_confidence_intervals

if TYPE_CHECKING:
    from collections.abc import Callable

N_CASES: Final = 10_000
N_SLICES: Final = 10
N_BOOT: Final = 10_000
BATCH: Final = 100
"""Resamples scipy holds at a time: 8 MB of indices at ten thousand cases."""


def cpu_ms(work: Callable[[], object], *, rounds: int) -> float:
    """Give the least CPU time of some rounds, in milliseconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def ours(scores: list[float]) -> None:
    """Compute the overall interval and those of the slices."""
    compute_confidence_intervals(scores, n_boot=N_BOOT)
    for start in range(0, N_CASES, N_CASES // N_SLICES):
        compute_confidence_intervals(scores[start : start + N_CASES // N_SLICES], n_boot=N_BOOT)


def theirs(scores: list[float]) -> None:
    """Do the same with scipy, vectorised, in batches of bounded size."""
    parts = [scores]
    parts += [scores[i : i + N_CASES // N_SLICES] for i in range(0, N_CASES, N_CASES // N_SLICES)]
    for part in parts:
        bootstrap(
            (np.asarray(part),),
            np.mean,
            n_resamples=N_BOOT,
            batch=BATCH * N_CASES // len(part),
            vectorized=True,
            method="percentile",
            rng=np.random.default_rng(0),
        )


def peak_mb(scores: list[float]) -> float:
    """Give the most memory that one overall interval allocates, in megabytes."""
    tracemalloc.start()
    compute_confidence_intervals(scores, n_boot=N_BOOT)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


def main() -> None:
    """Print one line for each kind of scores, then the peaks."""
    warnings.simplefilter("ignore")
    draw = np.random.default_rng(0)
    kinds = {
        "0/1": draw.binomial(1, 0.83, N_CASES) * 1.0,
        "sixths": draw.integers(0, 7, N_CASES) / 6,
        "1,000 different": draw.choice(draw.random(1000), N_CASES),
        "all different": draw.random(N_CASES),
        "all different, skewed": draw.beta(8, 1, N_CASES),
    }
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    peaks = {kind: peak_mb(scores.tolist()) for kind, scores in kinds.items()}
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"{N_CASES:,} cases, {N_SLICES} slices + overall, {N_BOOT:,} resamples; CPU ms")
    print(f"{'scores':<22}{'overall':>9}{'all':>9}{'scipy':>9}{'ratio':>8}{'peak MB':>9}")
    for kind, array in kinds.items():
        scores = array.tolist()
        overall = cpu_ms(lambda scores=scores: compute_confidence_intervals(scores), rounds=5)
        own = cpu_ms(lambda scores=scores: ours(scores), rounds=5)
        scipy = cpu_ms(lambda scores=scores: theirs(scores), rounds=1)
        figures = f"{overall:9.1f}{own:9.1f}{scipy:9.0f}{scipy / own:7.0f}x{peaks[kind]:9.1f}"
        print(f"{kind:<22}{figures}")
    whole = N_CASES * N_BOOT * 8 / 1e6
    print(f"process peak grew by {after - before:.1f} MB; an n x n_boot array is {whole:.0f} MB")


if __name__ == "__main__":
    main()
