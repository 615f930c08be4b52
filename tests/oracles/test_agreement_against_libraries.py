import math

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa as statsmodels_kappa

from gate.statistics.agreement import cohens_kappa, measure_agreement
from gate.statistics.alpha import krippendorffs_alpha
from gate.statistics.kappa_intervals import augmented_kappa_interval, kappa_interval
from gate.statistics.weighted import weighted_kappa

WEIGHTS = {"none": None, "linear": "linear", "quadratic": "quadratic"}
kinds_of_weights = st.sampled_from(sorted(WEIGHTS))


@st.composite
def rated(draw):
    """A scale's size and two raters' categories of the same items."""
    size = draw(st.integers(2, 5))
    category = st.integers(0, size - 1)
    pairs = draw(st.lists(st.tuples(category, category), min_size=1, max_size=80))
    a, b = ([pair[rater] for pair in pairs] for rater in (0, 1))
    return size, a, b


def table(size, a, b):
    counts = np.zeros((size, size), dtype=int)
    np.add.at(counts, (a, b), 1)
    return counts


@given(rated(), kinds_of_weights)
@settings(max_examples=300)
def test_weighted_kappa_equals_scikit_learn(ratings, weights):
    size, a, b = ratings
    ours = weighted_kappa(a, b, categories=range(size), weights=weights)
    if len({*a, *b}) == 1:
        assert ours == 1.0  # there scikit-learn divides 0 by 0
        return
    theirs = cohen_kappa_score(a, b, labels=list(range(size)), weights=WEIGHTS[weights])
    assert math.isclose(ours, theirs, abs_tol=1e-12)
    assert ours == measure_agreement(a, b, categories=range(size), weights=weights).kappa
    if weights == "none":
        assert ours == cohens_kappa(a, b)


@given(rated(), kinds_of_weights, st.sampled_from([0.8, 0.95, 0.99]))
@settings(max_examples=300)
def test_the_large_sample_interval_equals_statsmodels(ratings, weights, level):
    size, a, b = ratings
    assume(len({*a, *b}) > 1)
    ours = kappa_interval(a, b, level=level, weights=weights, categories=range(size))
    with np.errstate(invalid="ignore", divide="ignore"):  # its z value, where its error is 0
        theirs = statsmodels_kappa(table(size, a, b), wt=WEIGHTS[weights])
    assert math.isclose(ours.kappa, theirs.kappa, abs_tol=1e-12)
    assert math.isclose(ours.se**2, theirs.var_kappa, abs_tol=1e-12)
    reach = norm.ppf((1 + level) / 2) * ours.se
    assert ours[3:] == pytest.approx((ours.kappa - reach, ours.kappa + reach), abs=1e-12)
    if level == 0.95 and theirs.var_kappa > 1e-9:  # a root near 0 blows rounding up
        assert ours[3:] == pytest.approx((theirs.kappa_low, theirs.kappa_upp), abs=1e-9)


@given(rated(), kinds_of_weights)
@settings(max_examples=200)
def test_the_augmented_interval_is_statsmodels_on_the_augmented_table(ratings, weights):
    size, a, b = ratings
    assume(len({*a, *b}) > 1)
    ours = augmented_kappa_interval(a, b, weights=weights, categories=range(size))
    theirs = statsmodels_kappa(table(size, a, b) + 2 / size**2, wt=WEIGHTS[weights])
    assert math.isclose(ours.se, theirs.std_kappa, abs_tol=1e-9)
    low = max(-1.0, min(theirs.kappa_low, ours.kappa))
    high = min(1.0, max(theirs.kappa_upp, ours.kappa))
    assert ours[3:] == pytest.approx((low, high), abs=1e-9)


@st.composite
def rated_by_several(draw):
    raters, items = draw(st.integers(2, 5)), draw(st.integers(1, 25))
    rating = st.one_of(st.none(), st.sampled_from([0, 0.5, 1, 2, 7]))
    one = st.lists(rating, min_size=items, max_size=items)
    return draw(st.lists(one, min_size=raters, max_size=raters))


@given(rated_by_several(), st.sampled_from(["nominal", "ordinal", "interval"]))
@settings(max_examples=200)
def test_alpha_equals_the_krippendorff_package(ratings, distance):
    numbers = np.array([[np.nan if v is None else v for v in rater] for rater in ratings])
    shared = numbers[:, (~np.isnan(numbers)).sum(axis=0) > 1]
    assume(len(np.unique(shared[~np.isnan(shared)])) > 1)
    theirs = krippendorff.alpha(numbers, level_of_measurement=distance)
    assert math.isclose(
        krippendorffs_alpha(ratings, distance=distance), theirs, rel_tol=1e-9, abs_tol=1e-9
    )
