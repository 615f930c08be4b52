"""Quantiles of bootstrap means without drawing what cannot matter.

A percentile interval reads a few order statistics of the replicate means, and most replicates
are nowhere near them. So a resample is drawn in two steps, which together are the plain one in
another order: first how many of its draws fall into each block of neighbouring scores (a
multinomial), then which score of the block each draw is. After the first step a replicate's
mean is known up to a small scatter of known variance. The second step is made only for the
replicates that this scatter could carry across an order statistic that is read.

With few different scores every block holds one of them, and the first step says it all.
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# The seed fixes an interval together with these four: another value is another stream.
_BLOCKS_PER_ROOT: Final = 0.34
"""Blocks per square root of the sample size: where both steps cost about the same."""
_SMALL: Final = 300
"""In smaller samples nearly every resample would have to be finished: one block."""
_FEW: Final = 12
"""So many different scores are always worth a block each."""
_COUNTS_AT_ONCE: Final = 1 << 18
"""How many multinomial counts are drawn at a time: 2 MB."""
_DRAWS_AT_ONCE: Final = 1 << 19
"""How many single draws exist at a time (or one resample): 9 MB at most, mostly far less."""

_LOG_RISK: Final = log(2e12)
"""A replicate left unfinished is on its right side but for a chance of 1e-12."""
_LARGEST_LATTICE: Final = 1000
_ROUNDING: Final = 2.0**-50


class _Blocks(NamedTuple):
    """Neighbouring scores, cut into blocks: ``scores[starts[i]:starts[i] + sizes[i]]``."""

    scores: NDArray[np.float64]
    starts: NDArray[np.intp]
    sizes: NDArray[np.intp]
    means: NDArray[np.float64]
    variances: NDArray[np.float64]
    reach: float
    """The farthest that any score lies from the mean of its block."""


def replicate_quantiles(
    ordered: NDArray[np.float64],
    tails: NDArray[np.float64],
    *,
    n_boot: int,
    generator: np.random.Generator,
) -> NDArray[np.float64]:
    """Give the ``tails`` quantiles of ``n_boot`` means of resamples of ``ordered`` scores.

    ``ordered`` is ascending and not empty; the quantiles are numpy's linear ones. Scores on a
    lattice (0/1, halves, sixths, hundredths) are summed as integers and divided once, so that
    equal means are equal floats. Time is about ``n_boot * sqrt(n)``, memory ``n_boot`` times
    the number of blocks, in small integers.

    The scatter of an unfinished replicate is bounded by Bernstein's inequality.

    Source: Boucheron, Lugosi and Massart, Concentration Inequalities (2013), section 2.8.

    >>> import numpy as np
    >>> scores, tails = np.repeat([0.0, 1.0], [17, 83]), np.array([0.025, 0.975])
    >>> replicate_quantiles(scores, tails, n_boot=10_000, generator=np.random.default_rng(0))
    array([0.75, 0.9 ])
    """
    import numpy as np

    denominator = _lattice(ordered)
    blocks = _cut(np.rint(ordered * denominator) if denominator > 1 else ordered)
    counts = _block_counts(blocks.sizes, n_boot, generator)
    sums = np.zeros(n_boot)
    variances = np.zeros(n_boot)
    for count, mean, variance in zip(counts, blocks.means, blocks.variances, strict=True):
        sums += count * mean
        variances += count * variance
    slack = _bernstein(variances, blocks)
    places = tails * (n_boot - 1)
    below = np.floor(places).astype(np.intp)
    above = np.minimum(below + 1, n_boot - 1)
    ranks = np.sort(np.concatenate((below, above)))
    # An order statistic that lies within nobody's slack is final: whoever is unfinished is on
    # the side of it where the estimate is. Finishing some may move it, hence the loop.
    while True:
        partitioned = np.partition(sums, ranks)
        unsure = np.zeros(n_boot, dtype=np.bool_)
        for sum_read in partitioned[ranks]:
            unsure |= np.abs(sums - sum_read) < slack
        if not unsure.any():
            means = partitioned / (ordered.size * denominator)
            return _between(means[below], means[above], places - below)
        sums[unsure] = _finish(blocks, counts[:, unsure], generator)
        slack[unsure] = 0.0


def _between(
    low: NDArray[np.float64], high: NDArray[np.float64], share: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Interpolate as :func:`numpy.quantile` does, to the last bit: from the nearer end.

    >>> import numpy as np
    >>> _between(np.array([0.0, 0.0]), np.array([1.0, 0.4]), np.array([0.25, 0.75]))
    array([0.25, 0.3 ])
    """
    import numpy as np

    rise = high - low
    return np.where(share < 0.5, low + rise * share, high - rise * (1 - share))  # noqa: PLR2004


def _lattice(ordered: NDArray[np.float64]) -> int:
    """Give the least denominator up to 1000 over which every score is a fraction, else 1.

    >>> import numpy as np
    >>> _lattice(np.array([0.0, 1 / 6, 0.5])), _lattice(np.array([0.25, 0.123456789]))
    (6, 1)
    """
    values = ordered[_firsts(ordered)]
    if values.size > _LARGEST_LATTICE + 1:
        return 1
    listed: list[float] = values.tolist()
    for denominator in range(1, _LARGEST_LATTICE + 1):
        if all(round(value * denominator) / denominator == value for value in listed):
            return denominator
    return 1


def _firsts(ordered: NDArray[np.float64] | NDArray[np.intp]) -> NDArray[np.intp]:
    """Give where each different value of an ascending row comes first.

    :func:`numpy.unique` would sort once more and load numpy's masked arrays, which takes a
    short process longer than the whole resampling.

    >>> import numpy as np
    >>> _firsts(np.array([0.0, 0.0, 1.0]))
    array([0, 2])
    """
    import numpy as np

    return np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))


def _cut(ordered: NDArray[np.float64]) -> _Blocks:
    """Cut ascending scores into blocks, never between equal ones.

    Cuts are even in the running sum of the gaps to the power 3/4. The scatter within blocks is
    least at the power 2/3 (Panter and Dite, Quantization distortion, Proceedings of the IRE 39,
    1951); this one is close and made of square roots, which are the same on every processor.

    >>> import numpy as np
    >>> _cut(np.array([0.0, 0.0, 1.0])).sizes
    array([2, 1])
    """
    import numpy as np

    firsts = _firsts(ordered)
    most = round(_BLOCKS_PER_ROOT * sqrt(ordered.size)) if ordered.size >= _SMALL else 1
    starts = firsts
    if firsts.size > max(_FEW, 2 * most):
        gaps = np.diff(ordered[firsts])
        travelled = np.append(0.0, np.cumsum(np.sqrt(gaps * np.sqrt(gaps))))
        marks = np.arange(most) * (travelled[-1] / most)
        cuts = np.searchsorted(travelled, marks)
        starts = firsts[cuts[_firsts(cuts)]]
    sizes = np.diff(np.append(starts, ordered.size))
    several = ordered[starts] != ordered[starts + sizes - 1]
    means = np.where(several, np.add.reduceat(ordered, starts) / sizes, ordered[starts])
    apart = ordered - np.repeat(means, sizes)
    variances = np.add.reduceat(apart * apart, starts) / sizes
    return _Blocks(ordered, starts, sizes, means, variances, float(np.abs(apart).max()))


def _block_counts(
    sizes: NDArray[np.intp], n_boot: int, generator: np.random.Generator
) -> NDArray[np.unsignedinteger]:
    """Draw how many draws of each resample fall into each block: blocks by resamples.

    >>> import numpy as np
    >>> drawn = _block_counts(np.array([2, 1]), 4, np.random.default_rng(0))
    >>> drawn.shape, drawn.sum(axis=0)
    ((2, 4), array([3, 3, 3, 3], dtype=uint64))
    """
    import numpy as np

    n = int(sizes.sum())
    counts = np.empty((sizes.size, n_boot), dtype=np.min_scalar_type(n))
    rows = max(1, _COUNTS_AT_ONCE // sizes.size)
    for start in range(0, n_boot, rows):
        drawn = generator.multinomial(n, sizes / n, size=min(rows, n_boot - start))
        counts[:, start : start + rows] = drawn.T
    return counts


def _bernstein(variances: NDArray[np.float64], blocks: _Blocks) -> NDArray[np.float64]:
    """Bound how far each finished sum can lie from its estimate; 0 where nothing is open.

    >>> import numpy as np
    >>> _bernstein(np.array([0.0]), _cut(np.array([0.0, 1.0])))
    array([0.])
    """
    import numpy as np

    if not blocks.reach:
        return np.zeros_like(variances)
    linear = blocks.reach * _LOG_RISK / 3
    rounding = _ROUNDING * blocks.scores.size * float(blocks.scores[-1])
    return linear + np.sqrt(linear**2 + 2 * _LOG_RISK * variances) + rounding


def _finish(
    blocks: _Blocks, counts: NDArray[np.unsignedinteger], generator: np.random.Generator
) -> NDArray[np.float64]:
    """Draw the scores within the blocks and give each resample's sum.

    >>> import numpy as np
    >>> blocks = _cut(np.array([0.0, 1.0]))
    >>> _finish(blocks, np.array([[2, 0], [0, 2]], dtype=np.uint8), np.random.default_rng(0))
    array([0., 2.])
    """
    import numpy as np

    sums = np.zeros(counts.shape[1])
    rows = max(1, _DRAWS_AT_ONCE // blocks.scores.size)
    # Filled again and again: fresh pages from the system would cost as much as the drawing.
    places = np.empty(rows * blocks.scores.size, dtype=np.intp)
    scores = np.empty(places.size)
    for first in range(0, sums.size, rows):
        part = sums[first : first + rows]
        for start, size, row in zip(
            blocks.starts, blocks.sizes, counts[:, first : first + rows], strict=True
        ):
            block = blocks.scores[start : start + size]
            if block[0] == block[-1]:
                part += row * block[0]
                continue
            drawn_from = np.flatnonzero(row)
            if not drawn_from.size:
                continue
            ends = np.cumsum(row[drawn_from], dtype=np.intp)
            indices = generator.integers(
                size, size=ends[-1], dtype=np.uint16 if size <= 1 << 16 else np.uint32
            )
            where, drawn = places[: ends[-1]], scores[: ends[-1]]
            where[:] = indices
            block.take(where, out=drawn, mode="clip")  # all are in range: no need to look
            part[drawn_from] += np.add.reduceat(drawn, np.append(0, ends[:-1]))
    return sums
