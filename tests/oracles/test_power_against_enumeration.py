"""Power by its definition: every table of discordant cases, its chance and its verdict."""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, multinomial

from gate.statistics.paired import paired_test
from gate.statistics.power import Flips, Spread, power, with_repeats


@cache
def mid_p(worse, better):
    found = worse + better
    if not found:
        return 1.0
    return binom.sf(worse, found, 0.5) + binom.pmf(worse, found, 0.5) / 2


def enumerated(drop, n, share, max_drop, alpha, rule):
    better = min(share, 1 - drop) / 2
    worse = better + drop
    tables = [(b, c) for b in range(n + 1) for c in range(n + 1 - b)]
    counts = np.array([(b, c, n - b - c) for b, c in tables])
    chances = multinomial.pmf(counts, n, [worse, better, max(1 - worse - better, 0.0)])
    fails = [
        Fraction(b - c, n) > max_drop and (rule == "point" or mid_p(b, c) <= alpha)
        for b, c in tables
    ]
    return float(chances[fails].sum())


@given(
    n=st.integers(1, 40),
    drop=st.sampled_from([0.0, 0.01, 0.05, 0.1, 0.25, 0.5, 0.9, 1.0]),
    share=st.sampled_from([0.0, 0.02, 0.1, 0.3, 0.7, 1.0]),
    max_drop=st.sampled_from(["0", "1/100", "1/20", "1/10", "1/3", "1/2"]),
    alpha=st.sampled_from([0.01, 0.05, 0.1, 0.2, 0.5]),
    rule=st.sampled_from(["significant", "point"]),
)
@settings(max_examples=150, deadline=None)
def test_power_is_the_chance_of_all_tables_that_fail(n, drop, share, max_drop, alpha, rule):
    limit = Fraction(max_drop)
    ours = power(drop, n=n, noise=Flips(share), max_drop=limit, alpha=alpha, rule=rule)
    assert ours == pytest.approx(enumerated(drop, n, share, limit, alpha, rule), abs=1e-8)


@pytest.mark.parametrize(("drop", "runs"), [(0.05, 1), (0.1, 3)])
def test_power_with_repeats_is_near_that_of_the_test_on_a_flaky_agent(drop, runs):
    draw, n, trials = np.random.default_rng(20), 100, 400
    steadiness = np.where(np.arange(n) < 43, 0.5, 1.0)  # 43 cases pass every other time
    mean, share = steadiness.mean(), float((2 * steadiness * (1 - steadiness)).mean())
    failed = 0
    for _ in range(trials):
        broken = draw.random(n) < drop / mean
        was = draw.binomial(runs, steadiness) / runs
        now = draw.binomial(runs, np.where(broken, 0.0, steadiness)) / runs
        failed += paired_test(was.tolist(), now.tolist()).p_value <= 0.05
    noise = with_repeats(Spread(math.sqrt(share), loss=mean), current=runs, baseline=runs)
    # Three standard errors of the trials are 7 points.
    assert failed / trials == pytest.approx(power(drop, n=n, noise=noise), abs=0.1)
