import math

import numpy as np
import pytest

from gate.statistics.bootstrap import compute_confidence_intervals


def test_83_of_100_gives_the_quantiles_of_the_binomial():
    assert compute_confidence_intervals([1.0] * 83 + [0.0] * 17) == (0.83, 0.75, 0.9)


def binomial_quantile(n, p, share):
    total = 0.0
    for k in range(n + 1):
        total += math.comb(n, k) * p**k * (1 - p) ** (n - k)
        if total >= share:
            return k
    return n


@pytest.mark.parametrize(("passed", "n"), [(83, 100), (19, 20), (1, 4), (150, 300), (990, 1000)])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_0_1_scores_give_the_exact_quantiles_or_a_neighbouring_step(passed, n, seed):
    found = compute_confidence_intervals([1.0] * passed + [0.0] * (n - passed), seed=seed)
    for end, share in ((found.low, 0.025), (found.high, 0.975)):
        assert abs(end * n - binomial_quantile(n, passed / n, share)) <= 1 + 1e-9


def test_sixths_end_on_the_lattice_to_the_last_bit():
    scores = [k / 6 for k in (0, 1, 2, 3, 4, 5, 6, 6, 6, 5)] * 10
    _, low, high = compute_confidence_intervals(scores, n_boot=10_001)
    assert low == round(low * 600) / 600
    assert high == round(high * 600) / 600


@pytest.mark.parametrize("bayesian", [False, True])
@pytest.mark.parametrize("score", [0.0, 0.1, 1 / 3, 1.0])
@pytest.mark.parametrize("n", [1, 3, 100])
def test_equal_scores_give_that_score_exactly(score, n, bayesian):
    found = compute_confidence_intervals([score] * n, bayesian_smoothing=bayesian)
    assert found == (score, score, score)


@pytest.mark.parametrize("bayesian", [False, True])
def test_the_seed_fixes_the_interval_and_another_moves_it(bayesian):
    scores = np.random.default_rng(5).random(500).tolist()
    options = {"n_boot": 500, "bayesian_smoothing": bayesian}
    assert compute_confidence_intervals(scores, **options) == compute_confidence_intervals(
        scores, seed=0, **options
    )
    assert compute_confidence_intervals(scores, **options) != compute_confidence_intervals(
        scores, seed=1, **options
    )


def test_a_higher_level_is_wider():
    scores = np.random.default_rng(6).random(400).tolist()
    narrow = compute_confidence_intervals(scores, level=0.5)
    wide = compute_confidence_intervals(scores, level=0.99)
    assert wide.low < narrow.low < narrow.mean < narrow.high < wide.high


def test_one_resample_is_both_ends():
    found = compute_confidence_intervals([0.0, 0.5, 1.0], n_boot=1)
    assert found.low == found.high


def test_smoothing_leaves_no_score_out():
    scores = [1.0] * 19 + [0.0]
    assert compute_confidence_intervals(scores).high == 1.0
    assert 0.99 < compute_confidence_intervals(scores, bayesian_smoothing=True).high < 1.0


def test_smoothed_means_of_two_scores_are_uniform():
    # Dirichlet(1, 1) is uniform, so the 2.5 % quantile of the mean of 0 and 1 is .025.
    _, low, high = compute_confidence_intervals([0.0, 1.0], bayesian_smoothing=True)
    assert (low, high) == pytest.approx((0.025, 0.975), abs=0.006)


def test_smoothing_in_small_pieces_changes_nothing(monkeypatch):
    scores = np.random.default_rng(7).random(50).tolist()
    whole = compute_confidence_intervals(scores, n_boot=300, bayesian_smoothing=True)
    monkeypatch.setattr("gate.statistics.bootstrap._WEIGHTS_AT_ONCE", 70)
    assert compute_confidence_intervals(scores, n_boot=300, bayesian_smoothing=True) == whole


@pytest.mark.parametrize(
    "scores", [[], [math.nan], [0.5, math.nan], [math.inf, 0.5], [-0.1, 0.5], [0.5, 1.1], [[0.5]]]
)
def test_what_is_no_sample_of_scores_raises(scores):
    with pytest.raises(ValueError, match="score"):
        compute_confidence_intervals(scores)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"n_boot": 0}, "n_boot"),
        ({"seed": -1}, "seed"),
        ({"level": 0.0}, "level"),
        ({"level": 1.0}, "level"),
        ({"level": math.nan}, "level"),
    ],
)
def test_impossible_options_raise(option, message):
    with pytest.raises(ValueError, match=message):
        compute_confidence_intervals([0.0, 1.0], **option)


def test_the_scores_given_are_left_alone():
    scores = np.array([1.0, 0.0, 0.5])
    compute_confidence_intervals(scores, n_boot=10)
    assert scores.tolist() == [1.0, 0.0, 0.5]
