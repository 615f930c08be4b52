"""The protocol's interval: percentile bootstrap of the mean over per-case scores."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

_WEIGHTS_AT_ONCE: Final = 1 << 18
"""How many Dirichlet weights exist at a time: 2 MB, twice."""


class ConfidenceInterval(NamedTuple):
    """The mean of the sample and the two ends of its interval, all in [0, 1]."""

    mean: float
    low: float
    high: float


class ProtocolInterval(NamedTuple):
    """A confidence interval, and how its ends were computed without drawing a resample.

    ``ideal`` is exact; ``ideal_binned`` is right to a small part of the noise that the ends of
    ten thousand resamples have.
    """

    mean: float
    low: float
    high: float
    computed: Literal["ideal", "ideal_binned"]


def compute_confidence_intervals(
    scores: Sequence[float],
    *,
    n_boot: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    bayesian_smoothing: bool = False,
) -> ConfidenceInterval:
    """Give the mean of per-case ``scores`` in [0, 1] and its percentile bootstrap interval.

    The ends are the ``(1 - level) / 2`` and ``(1 + level) / 2`` quantiles of the means of
    resamples, each of as many scores drawn with replacement. They are those of infinitely many
    resamples, the limit that ``n_boot`` seeded ones scatter about: nothing is drawn, and
    ``n_boot`` and ``seed`` change nothing (see :func:`protocol_bootstrap`).

    With ``bayesian_smoothing`` the means are those of all scores under weights drawn from
    Dirichlet(1, ..., 1), which leaves no score out and so has no atoms (the Bayesian
    bootstrap). There ``n_boot`` is how many weightings are drawn and ``seed`` fixes them; the
    quantiles are linear between order statistics. Memory does not grow with
    ``len(scores) * n_boot``.

    The order of the scores changes nothing. Equal scores have no spread to resample: both ends
    are that score, which is a limit of the method and not certainty (see ``score_interval`` for
    an interval that says so). No scores, scores that are NaN or outside [0, 1], ``n_boot`` below
    1, a negative seed and a level outside (0, 1) raise ``ValueError``.

    Source: Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7
    (1979); Rubin, The Bayesian bootstrap, Annals of Statistics 9 (1981).

    >>> compute_confidence_intervals([1.0] * 83 + [0.0] * 17)
    ConfidenceInterval(mean=0.83, low=0.75, high=0.9)
    >>> compute_confidence_intervals([0.5, 0.5])
    ConfidenceInterval(mean=0.5, low=0.5, high=0.5)
    """
    if n_boot < 1:
        raise ValueError(f"n_boot is how many resamples to draw, at least 1, not {n_boot}")
    if seed < 0:
        raise ValueError(f"a seed is 0 or more, not {seed}")
    if not bayesian_smoothing:
        mean, low, high, _ = protocol_bootstrap(scores, level=level)
        return ConfidenceInterval(mean, low, high)
    import numpy as np

    sample = _ordered(scores, level=level)
    if sample[0] == sample[-1]:
        return ConfidenceInterval(*[float(sample[0])] * 3)
    generator = np.random.Generator(np.random.PCG64(seed))
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    low, high = np.quantile(_dirichlet_means(sample, n_boot, generator), tails)
    return ConfidenceInterval(*_inside(sample, float(low), float(high)))


def protocol_bootstrap(scores: Sequence[float], *, level: float = 0.95) -> ProtocolInterval:
    """Give the percentile bootstrap interval of infinitely many resamples, and how it was made.

    Scores, level and errors are those of :func:`compute_confidence_intervals`; precision and
    the convention at ties are those of :func:`gate.statistics.ideal.ideal_ends`. Equal scores
    are ``ideal``: every resample has their mean.

    Source: Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7
    (1979).

    >>> protocol_bootstrap([1.0] * 83 + [0.0] * 17)
    ProtocolInterval(mean=0.83, low=0.75, high=0.9, computed='ideal')
    """
    sample = _ordered(scores, level=level)
    if sample[0] == sample[-1]:
        only = float(sample[0])
        return ProtocolInterval(only, only, only, "ideal")
    from gate.statistics.ideal import ideal_ends

    low, high, computed = ideal_ends(sample, level=level)
    return ProtocolInterval(*_inside(sample, low, high), computed)


def _ordered(scores: Sequence[float], *, level: float) -> NDArray[np.float64]:
    """Sort the scores; refuse what is no sample of scores or no level.

    >>> _ordered([1.0, 0.0], level=0.95)
    array([0., 1.])
    """
    import numpy as np

    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not {level}")
    sample = np.sort(np.asarray(scores, dtype=np.float64))
    if sample.ndim != 1 or not sample.size:
        raise ValueError("an interval needs one row of at least one score")
    # NaN sorts last, so the two ends speak for all; + 0.0 makes a negative zero a zero.
    if not (sample[0] >= 0 and sample[-1] <= 1):
        raise ValueError(f"scores lie in [0, 1], not {sample[0]} to {sample[-1]}")
    sample += 0.0
    return sample


def _inside(sample: NDArray[np.float64], low: float, high: float) -> ConfidenceInterval:
    """Give the sample's mean between two ends, none of them beyond its least or greatest score.

    A mean lies between its terms; the last bit of its float may not.

    >>> import numpy as np
    >>> _inside(np.array([0.5, 0.75]), 0.5, 0.75000001)
    ConfidenceInterval(mean=0.625, low=0.5, high=0.75)
    """
    least, most = float(sample[0]), float(sample[-1])
    mean = fsum(sample.tolist()) / sample.size
    return ConfidenceInterval(mean, max(low, least), min(high, most))


def _dirichlet_means(
    ordered: NDArray[np.float64], n_boot: int, generator: np.random.Generator
) -> NDArray[np.float64]:
    """Draw ``n_boot`` means of ``ordered`` scores under flat Dirichlet weights.

    Equal scores share one gamma variate whose shape is their number, which has the same
    distribution as their separate exponential ones added up.

    >>> import numpy as np
    >>> drawn = _dirichlet_means(np.array([0.0, 1.0]), 5_000, np.random.default_rng(0))
    >>> abs(float(drawn.mean()) - 0.5) < 0.02, abs(float(drawn.var()) - 1 / 12) < 0.01
    (True, True)
    """
    import numpy as np

    values, multiplicities = np.unique(ordered, return_counts=True)
    means = np.empty(n_boot)
    rows = max(1, _WEIGHTS_AT_ONCE // values.size)
    for start in range(0, n_boot, rows):
        size = (min(rows, n_boot - start), values.size)
        weights = generator.standard_gamma(multiplicities, size=size)
        totals = weights.sum(axis=1)
        weights *= values
        means[start : start + rows] = weights.sum(axis=1) / totals
    return means
