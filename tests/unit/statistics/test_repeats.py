import itertools
import math

import pytest

from gate.statistics.repeats import (
    Tally,
    a_a_false_alarms,
    flip_rate,
    mean_pass_at_k,
    mean_pass_hat_k,
    pass_at_k,
    pass_hat_k,
    run_variance,
)


@pytest.mark.parametrize("n_runs", [1, 2, 5, 7])
def test_pass_at_k_and_pass_hat_k_are_shares_of_all_choices(n_runs):
    for n_passed in range(n_runs + 1):
        runs = [True] * n_passed + [False] * (n_runs - n_passed)
        for k in range(1, n_runs + 1):
            chosen = list(itertools.combinations(runs, k))
            some, every = (sum(map(rule, chosen)) / len(chosen) for rule in (any, all))
            assert pass_at_k(n_runs=n_runs, n_passed=n_passed, k=k) == some
            assert pass_hat_k(n_runs=n_runs, n_passed=n_passed, k=k) == every


def test_one_run_chosen_is_the_pass_rate_in_both():
    assert pass_at_k(n_runs=10, n_passed=3, k=1) == pass_hat_k(n_runs=10, n_passed=3, k=1) == 0.3


def test_many_runs_are_counted_exactly():
    assert pass_at_k(n_runs=2000, n_passed=1, k=1000) == 0.5
    assert pass_hat_k(n_runs=2000, n_passed=1999, k=1000) == 0.5


def test_means_weigh_cases_alike_however_often_they_ran():
    tallies = [Tally(3, 1), Tally(3, 2), Tally(7, 0), Tally(2, 2)]
    assert mean_pass_at_k(tallies, k=2) == pytest.approx((2 / 3 + 1 + 0 + 1) / 4, abs=1e-15)
    assert mean_pass_hat_k(tallies, k=2) == pytest.approx((0 + 1 / 3 + 0 + 1) / 4, abs=1e-15)
    assert mean_pass_at_k([Tally(10, 1)] * 3, k=1) == 0.1  # thirty times .1, divided once


@pytest.mark.parametrize(
    ("n_runs", "n_passed", "k"), [(3, 4, 1), (3, -1, 1), (3, 1, 0), (3, 1, 4), (0, 0, 1)]
)
def test_impossible_counts_raise(n_runs, n_passed, k):
    for share in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match=r"cannot have passed|k lies between"):
            share(n_runs=n_runs, n_passed=n_passed, k=k)
    for mean in (mean_pass_at_k, mean_pass_hat_k):
        with pytest.raises(ValueError, match=r"cannot have passed|k lies between"):
            mean([Tally(n_runs, n_passed)], k=k)
        with pytest.raises(ValueError, match="no cases"):
            mean([], k=1)


def test_the_flip_rate_is_the_share_of_differing_pairs_averaged_over_cases():
    cases = [[True, False], [True, True, True, False], [False] * 3, [True]]
    by_hand = [
        [left != right for left, right in itertools.combinations(runs, 2)]
        for runs in cases
        if len(runs) > 1
    ]
    expected = sum(sum(pairs) / len(pairs) for pairs in by_hand) / len(by_hand)
    assert flip_rate(cases) == expected == 0.5


def test_steady_cases_never_flip_and_single_runs_say_nothing():
    assert flip_rate([[True, True], [False, False, False]]) == 0
    assert flip_rate([[True], [False]]) is None
    assert flip_rate([]) is None
    assert run_variance([[0.5], []]) is None


def test_the_flip_rate_is_twice_the_variance_of_a_run():
    cases = [[True, False, True], [False, False], [True, False, False, False, True]]
    assert flip_rate(cases) == pytest.approx(2 * run_variance(cases), abs=1e-15)


def test_the_variance_of_a_run_is_within_cases_not_between_them():
    assert run_variance([[0.0, 0.0], [1.0, 1.0]]) == 0
    assert run_variance([[0.2, 0.4], [0.9, 0.9, 0.9]]) == pytest.approx(0.01)


def test_an_a_a_test_holds_each_run_against_each_other():
    steady = [[1, 0, 1, 1, 0, 1]] * 4
    assert a_a_false_alarms(steady) == (12, 0, 0)
    worse = [[1] * 6, [0] * 5 + [1]]
    assert a_a_false_alarms(worse) == (2, 1, 0)
    assert a_a_false_alarms(worse, max_drop=5 / 6) == (2, 0, 0)


def test_an_insignificant_drop_is_undecided_by_the_test_and_failed_by_the_point_rule():
    runs = [[1.0] * 20, [1.0] * 18 + [0.0] * 2, [1.0] * 19 + [0.5]]
    assert a_a_false_alarms(runs) == (6, 0, 3)
    assert a_a_false_alarms(runs, rule="point") == (6, 3, 0)
    assert a_a_false_alarms(runs, max_drop=0.1) == (6, 0, 0)
    assert a_a_false_alarms(runs, max_drop=0.05, rule="point") == (6, 2, 0)


def test_an_a_a_test_uses_the_alpha_it_is_given():
    runs = [[1.0] * 10, [1.0] * 6 + [0.0] * 4]
    assert a_a_false_alarms(runs, alpha=0.05) == (2, 1, 0)
    assert a_a_false_alarms(runs, alpha=0.01) == (2, 0, 1)


def test_one_run_cannot_be_held_against_another():
    with pytest.raises(ValueError, match="two runs"):
        a_a_false_alarms([[1.0, 0.0]])
    with pytest.raises(ValueError, match=r"shorter|longer"):
        a_a_false_alarms([[1.0, 0.0], [1.0]])
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        a_a_false_alarms([[1.0, math.inf], [1.0, 0.0]])
