import math

import numpy as np
import pytest

from gate.statistics.bootstrap import compute_confidence_intervals
from gate.statistics.clusters import cluster_bootstrap, cluster_interval
from gate.statistics.intervals import wilson_effective


@pytest.mark.parametrize("scores", [[1, 0, 1, 1], [0.5, 0.25, 1.0], [1.0] * 7, [0.0]])
def test_clusters_of_one_case_each_give_the_interval_without_clusters(scores):
    found = cluster_interval(scores, range(len(scores)))
    assert found == pytest.approx(wilson_effective(scores))


def test_clusters_that_fail_together_widen_the_interval():
    scores = [1] * 80 + [0] * 20
    together, apart = [case // 5 for case in range(100)], [case % 20 for case in range(100)]
    wide, narrow = cluster_interval(scores, together), cluster_interval(scores, apart)
    assert wide.low < narrow.low < 0.8 < narrow.high < wide.high


def test_perfect_clusters_count_as_cases_at_most():
    low, high = cluster_interval([1.0] * 100, [case // 5 for case in range(100)])
    assert high == 1.0
    assert low == pytest.approx(wilson_effective([1.0] * 20).low)


def test_one_cluster_says_very_little():
    low, high = cluster_interval([1, 0] * 50, ["only"] * 100)
    assert low < 0.1
    assert high > 0.9


def test_one_giant_cluster_among_small_ones_is_not_taken_for_independent_cases():
    giant = ["giant"] * 60 + [f"{case // 2}" for case in range(40)]
    low, high = cluster_interval([1] * 60 + [0] * 40, giant)
    assert high - low > 0.5


def test_a_cluster_bootstrap_of_single_cases_is_the_plain_one():
    scores = [1.0] * 83 + [0.0] * 17
    low, high = cluster_bootstrap(scores, range(100))
    plain = compute_confidence_intervals(scores)
    assert (low, high) == pytest.approx((plain.low, plain.high), abs=0.0101)


def test_whole_clusters_are_drawn():
    # Two clusters: both replicate clusters are perfect, or failed, or there is one of each.
    low, high = cluster_bootstrap([1, 1, 1, 0], "aaab")
    assert (low, high) == (0.0, 1.0)
    half = cluster_bootstrap([1, 1, 1, 0], "aaab", level=0.1)
    assert half == (0.75, 0.75)


def test_the_bootstrap_has_the_spread_of_the_linearised_mean():
    generator = np.random.default_rng(5)
    sizes = [3, 5, 7, 4] * 50
    clusters = [name for name, size in enumerate(sizes) for _ in range(size)]
    shares = generator.random(len(sizes))
    scores = [float(generator.random() < shares[name]) for name in clusters]
    mean = np.mean(scores)
    sums = np.bincount(clusters, weights=scores) - mean * np.asarray(sizes)
    spread = math.sqrt((sums**2).sum()) / len(scores)
    low, high = cluster_bootstrap(scores, clusters)
    assert (high - low) / (2 * 1.96 * spread) == pytest.approx(1.0, abs=0.04)


def test_neither_order_nor_names_move_the_bootstrap():
    generator = np.random.default_rng(6)
    for scores in (generator.integers(0, 7, 60) / 6, generator.random(60)):
        clusters = generator.integers(0, 12, 60).tolist()
        order = generator.permutation(60)
        turned = cluster_bootstrap(scores[order].tolist(), [f"c{clusters[i]}" for i in order])
        assert turned == cluster_bootstrap(scores.tolist(), clusters)


def test_few_kinds_of_clusters_are_counted_with_the_same_result_in_any_order():
    scores, clusters = [1, 1, 0, 1] * 30, [case // 2 for case in range(120)]
    turned = cluster_bootstrap(scores[::-1], clusters[::-1])
    assert turned == cluster_bootstrap(scores, clusters)


def test_the_seed_and_the_number_of_resamples_matter():
    scores, clusters = [0.1, 0.7, 0.3, 0.25, 0.95, 0.5], "aabbcd"
    drawn = {cluster_bootstrap(scores, clusters, n_boot=50, seed=seed) for seed in range(5)}
    assert len(drawn) > 1


def test_equal_clusters_have_no_spread():
    assert cluster_bootstrap([1, 0, 1, 0], "aabb") == (0.5, 0.5)


@pytest.mark.parametrize("interval", [cluster_interval, cluster_bootstrap])
def test_what_is_no_sample_raises(interval):
    with pytest.raises(ValueError, match="at least one score"):
        interval([], [])
    with pytest.raises(ValueError, match="zip"):
        interval([1.0], ["a", "b"])
    for bad in (-0.1, 1.1, math.nan):
        with pytest.raises(ValueError, match="scores lie in"):
            interval([0.5, bad], ["a", "b"])
    for level in (0.0, 1.0):
        with pytest.raises(ValueError, match="confidence level"):
            interval([0.5], ["a"], level=level)


def test_a_bootstrap_needs_resamples_and_a_seed():
    with pytest.raises(ValueError, match="n_boot"):
        cluster_bootstrap([1.0], ["a"], n_boot=0)
    with pytest.raises(ValueError, match="seed"):
        cluster_bootstrap([1.0], ["a"], seed=-1)
