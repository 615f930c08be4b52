import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.proportion import proportion_confint

from gate.statistics.agreement import cohens_kappa
from gate.statistics.bootstrap import compute_confidence_intervals
from gate.statistics.intervals import wilson


@given(st.data())
def test_wilson_equals_statsmodels(data):
    n = data.draw(st.integers(1, 5000))
    successes = data.draw(st.integers(0, n))
    level = data.draw(st.sampled_from([0.5, 0.9, 0.95, 0.99]))
    expected = proportion_confint(successes, n, alpha=1 - level, method="wilson")
    assert wilson(successes, n, level=level) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60))
@settings(max_examples=200)
def test_kappa_equals_scikit_learn(pairs):
    a, b = ([pair[rater] for pair in pairs] for rater in (0, 1))
    if len({*a, *b}) == 1:
        assert cohens_kappa(a, b) == 1.0  # there scikit-learn divides 0 by 0
        return
    assert math.isclose(cohens_kappa(a, b), cohen_kappa_score(a, b), abs_tol=1e-12)


@pytest.mark.parametrize("kind", ["binary", "sixths", "continuous", "skewed"])
@pytest.mark.parametrize("n", [25, 250, 1500])
def test_the_percentile_interval_agrees_with_scipy_up_to_resampling_noise(kind, n):
    draw = np.random.default_rng(n)
    scores = {
        "binary": lambda: draw.binomial(1, 0.8, n) * 1.0,
        "sixths": lambda: draw.integers(0, 7, n) / 6,
        "continuous": lambda: draw.random(n),
        "skewed": lambda: draw.beta(8, 1, n),
    }[kind]()
    theirs = bootstrap(
        (scores,), np.mean, n_resamples=10_000, batch=500, method="percentile", rng=draw
    ).confidence_interval
    ours = compute_confidence_intervals(scores.tolist())
    # Theirs has the noise: .027 standard errors of the mean at an end of 10,000 resamples.
    noise = 0.027 * scores.std() / math.sqrt(n)
    step = {"binary": 1 / n, "sixths": 1 / (6 * n)}.get(kind, 0.0)
    assert ours.mean == pytest.approx(scores.mean(), abs=1e-12)
    assert abs(ours.low - theirs.low) < 4 * noise + step
    assert abs(ours.high - theirs.high) < 4 * noise + step
