import math
import subprocess
import sys

import numpy as np
import pytest

from gate.statistics.bootstrap import compute_confidence_intervals, protocol_bootstrap


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
def test_0_1_scores_give_the_exact_quantiles(passed, n):
    found = protocol_bootstrap([1.0] * passed + [0.0] * (n - passed))
    assert found.low == binomial_quantile(n, passed / n, 0.025) / n
    assert found.high == binomial_quantile(n, passed / n, 0.975) / n
    assert found.computed == "ideal"


def test_sixths_end_on_the_lattice_to_the_last_bit():
    scores = [k / 6 for k in (0, 1, 2, 3, 4, 5, 6, 6, 6, 5)] * 10
    _, low, high = compute_confidence_intervals(scores)
    assert low == round(low * 600) / 600
    assert high == round(high * 600) / 600


@pytest.mark.parametrize("bayesian", [False, True])
@pytest.mark.parametrize("score", [0.0, 0.1, 1 / 3, 1.0])
@pytest.mark.parametrize("n", [1, 3, 100])
def test_equal_scores_give_that_score_exactly(score, n, bayesian):
    found = compute_confidence_intervals([score] * n, bayesian_smoothing=bayesian)
    assert found == (score, score, score)


def test_the_seed_fixes_a_smoothed_interval_and_another_moves_it():
    scores = np.random.default_rng(5).random(500).tolist()
    options = {"n_boot": 500, "bayesian_smoothing": True}
    found = compute_confidence_intervals(scores, **options)
    assert found == compute_confidence_intervals(scores, seed=0, **options)
    assert found != compute_confidence_intervals(scores, seed=1, **options)


@pytest.mark.parametrize("scores", [[0.0, 0.5, 1.0], [0.1234567, 0.7654321, 0.9]])
def test_without_smoothing_neither_the_seed_nor_the_number_of_resamples_matters(scores):
    found = compute_confidence_intervals(scores)
    assert compute_confidence_intervals(scores, seed=7, n_boot=1) == found
    assert protocol_bootstrap(scores)[:3] == found


def test_the_protocol_interval_says_how_it_was_computed():
    assert protocol_bootstrap([0.25, 0.25]).computed == "ideal"
    assert protocol_bootstrap([0.0, 1 / 3, 0.99]).computed == "ideal"
    assert protocol_bootstrap([0.0, 0.5, 0.123456789]).computed == "ideal_binned"


def test_only_smoothing_loads_the_random_generators():
    code = (
        "import sys; from gate.statistics.bootstrap import compute_confidence_intervals as made; "
        "made([0.0, 1.0, 0.5]); made([0.123456789, 0.5, 1.0]); "
        "assert 'numpy.random' not in sys.modules; "
        "made([0.0, 1.0], bayesian_smoothing=True); assert 'numpy.random' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_higher_level_is_wider():
    scores = np.random.default_rng(6).random(400).tolist()
    narrow = compute_confidence_intervals(scores, level=0.5)
    wide = compute_confidence_intervals(scores, level=0.99)
    assert wide.low < narrow.low < narrow.mean < narrow.high < wide.high


def test_one_weighting_is_both_ends():
    found = compute_confidence_intervals([0.0, 0.5, 1.0], n_boot=1, bayesian_smoothing=True)
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
    for smoothing in (False, True):
        with pytest.raises(ValueError, match="score"):
            compute_confidence_intervals(scores, bayesian_smoothing=smoothing)


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
    for smoothing in (False, True):
        with pytest.raises(ValueError, match=message):
            compute_confidence_intervals([0.0, 1.0], **option, bayesian_smoothing=smoothing)


def test_the_scores_given_are_left_alone():
    scores = np.array([1.0, 0.0, 0.5])
    compute_confidence_intervals(scores, n_boot=10)
    assert scores.tolist() == [1.0, 0.0, 0.5]
