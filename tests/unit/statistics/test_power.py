import itertools
import math
from decimal import Decimal
from fractions import Fraction

import pytest

from gate.statistics import power as module
from gate.statistics.mcnemar import mcnemar
from gate.statistics.power import Flips, Spread, power, unchanged_variance, with_repeats


@pytest.mark.parametrize(("n", "percent"), [(100, 35), (300, 47), (1000, 48)])
def test_a_true_drop_equal_to_the_allowed_one_is_seen_half_the_time_at_most(n, percent):
    assert round(100 * power(0.05, n=n, noise=Flips(0.1), max_drop=0.05)) == percent


def test_four_cases_that_all_break_are_just_significant():
    assert power(0.9, n=4, noise=Flips(0.0)) == pytest.approx(0.9**4)
    assert power(1.0, n=4, noise=Flips(0.0)) == pytest.approx(1)
    assert power(1.0, n=3, noise=Flips(0.0)) == 0


def test_an_even_number_of_lost_cases_is_compared_exactly_with_the_limit():
    # 5 of 100 lost is a drop of exactly .05, which does not exceed it, whatever binary says.
    five = math.comb(100, 5) * 0.05**5 * 0.95**95
    at_most_five = sum(math.comb(100, k) * 0.05**k * 0.95 ** (100 - k) for k in range(6))
    for limit in (0.05, Decimal("0.05"), Fraction(1, 20)):
        seen = power(0.05, n=100, noise=Flips(0.0), max_drop=limit, rule="point")
        assert seen == pytest.approx(1 - at_most_five)
    just_below = power(0.05, n=100, noise=Flips(0.0), max_drop=0.0499, rule="point")
    assert just_below == pytest.approx(1 - at_most_five + five)


@pytest.mark.parametrize("rule", ["significant", "point"])
@pytest.mark.parametrize("noise", [Flips(0.0), Flips(0.15), Spread(0.3), Spread(0.1, loss=0.0)])
@pytest.mark.parametrize("n", [7, 60, 4000])
def test_power_rises_with_the_drop_and_stays_a_probability(noise, n, rule):
    powers = [power(step / 20, n=n, noise=noise, max_drop=0.02, rule=rule) for step in range(21)]
    assert all(0 <= share <= 1 for share in powers)
    assert all(low <= high + 1e-12 for low, high in itertools.pairwise(powers))
    assert powers[-1] > 0.99


@pytest.mark.parametrize("n", [20, 29, 100, 300, 1000, 50_000])
@pytest.mark.parametrize("share", [0.02, 0.1, 0.3, 0.5])
def test_an_unchanged_agent_fails_one_run_in_twenty_at_most(n, share):
    assert power(0.0, n=n, noise=Flips(share)) <= 0.0505


def test_nearly_always_flipping_cases_break_that_promise_a_little():
    # Of 29 that all flip, 19 worse have a mid-p of .049 but come up with a chance of .068.
    nineteen_or_more = sum(math.comb(29, k) for k in range(19, 30)) / 2**29
    assert power(0.0, n=29, noise=Flips(1.0)) == pytest.approx(nineteen_or_more)
    assert nineteen_or_more > 0.06


def test_the_point_rule_is_the_significant_rule_without_its_test():
    sees = {
        rule: power(0.05, n=50, noise=Flips(0.1), rule=rule) for rule in ("significant", "point")
    }
    assert sees["point"] > sees["significant"] + 0.3
    # Where the limit alone is already significant, both are one rule.
    for drop in (0.1, 0.3, 0.5):
        point, significant = (
            power(drop, n=30, noise=Flips(0.0), max_drop=0.2, rule=rule)
            for rule in ("point", "significant")
        )
        assert point == pytest.approx(significant, abs=1e-12)


@pytest.mark.parametrize("alpha", [0.01, 0.03125, 0.05, 0.1, 0.5])
def test_the_critical_counts_are_the_least_with_a_small_mid_p(alpha):
    for discordant, count in enumerate(module._critical_counts(128, alpha)):
        if count <= discordant:
            assert mcnemar(count, discordant - count).mid_p <= alpha
        if discordant:
            assert mcnemar(count - 1, discordant - count + 1).mid_p > alpha


@pytest.mark.parametrize("rule", ["significant", "point"])
@pytest.mark.parametrize(("n", "share"), [(500, 0.5), (1000, 0.2), (2000, 0.1), (6000, 0.03)])
def test_the_normal_approximation_takes_over_where_it_is_right(n, share, rule, monkeypatch):
    for max_drop in (0.0, 0.02, 0.05):
        for drop in (0.005, 0.01, 0.02, 0.03, 0.05, 0.07):
            asked = {"n": n, "noise": Flips(share), "max_drop": max_drop, "rule": rule}
            monkeypatch.setattr(module, "_MOST_DISCORDANT", 10**9)
            exact = power(drop, **asked)
            monkeypatch.setattr(module, "_MOST_DISCORDANT", 0)
            assert power(drop, **asked) == pytest.approx(exact, abs=0.005)


def test_graded_power_is_that_of_a_normal_mean():
    # Every case falls by .05; its difference scatters by .2: a mean with a standard error .02.
    noise = Spread(0.2, loss=0.0)
    limit = 1.6448536269514722 * math.sqrt(0.2**2 + 0.05**2) / 10
    scatter = math.sqrt(0.2**2) / 10
    expected = 0.5 * math.erfc((limit - 0.05) / scatter / math.sqrt(2))
    assert power(0.05, n=100, noise=noise) == pytest.approx(expected, abs=1e-12)
    assert power(0.05, n=100, noise=noise, max_drop=0.05) == pytest.approx(0.5)


def test_a_drop_of_few_whole_cases_is_harder_to_see_than_one_spread_evenly():
    whole, half, even = (
        power(0.05, n=100, noise=Spread(0.1, loss=loss)) for loss in (1.0, 0.5, 0.0)
    )
    assert whole < half < even


def test_graded_and_flipping_noise_of_one_variance_agree_in_large_suites():
    for drop in (0.02, 0.03, 0.05):
        flips = power(drop, n=2000, noise=Flips(0.1))
        assert power(drop, n=2000, noise=Spread(math.sqrt(0.1))) == pytest.approx(flips, abs=0.01)


def test_four_graded_cases_are_never_significant_and_five_can_be():
    assert power(0.9, n=4, noise=Spread(0.0, loss=0.0)) == 0
    assert power(0.9, n=5, noise=Spread(0.0, loss=0.0)) == 1
    assert power(0.0, n=5, noise=Spread(0.0, loss=0.0), rule="point") == 0


@pytest.mark.parametrize(
    ("current", "baseline", "percent"), [(1, 1, 25), (1, 3, 32), (3, 3, 44), (5, 5, 55)]
)
def test_repeats_buy_power_for_a_flaky_agent(current, baseline, percent):
    # An agent whose runs differ by .48 a case, and whose broken cases lose the .7 they had.
    noise = with_repeats(Spread(0.48, loss=0.7), current=current, baseline=baseline)
    assert 100 * power(0.05, n=100, noise=noise) == pytest.approx(percent, abs=1.5)
    # The hardest drop to see, of cases that lose all, is seen a little less.
    flips = with_repeats(Flips(0.216), current=current, baseline=baseline)
    assert 100 * power(0.05, n=100, noise=flips) == pytest.approx(percent, abs=5.5)


def test_repeats_divide_each_side_s_half_of_the_variance():
    assert with_repeats(Flips(0.2), current=1, baseline=1) == Flips(0.2)
    mixed = with_repeats(Spread(0.5, loss=0.8), current=1, baseline=4)
    assert unchanged_variance(mixed) == pytest.approx(0.25 / 2 + 0.25 / 2 / 4)
    assert mixed.loss == 0.8
    assert with_repeats(Flips(0.2), current=1, baseline=4) == with_repeats(
        Flips(0.2), current=4, baseline=1
    )


@pytest.mark.parametrize(("current", "baseline"), [(0, 1), (1, 0), (-1, 5)])
def test_no_runs_are_no_repeats(current, baseline):
    with pytest.raises(ValueError, match="at least one run"):
        with_repeats(Flips(0.1), current=current, baseline=baseline)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"n": 0}, "at least one case"),
        ({"drop": -0.1}, r"lie in \[0, 1\]"),
        ({"drop": math.nan}, r"lie in \[0, 1\]"),
        ({"max_drop": 1.5}, r"lie in \[0, 1\]"),
        ({"noise": Flips(1.1)}, r"lie in \[0, 1\]"),
        ({"noise": Spread(-0.1)}, r"lie in \[0, 1\]"),
        ({"noise": Spread(0.1, loss=5)}, r"lie in \[0, 1\]"),
        ({"alpha": 0.0}, "alpha"),
        ({"alpha": 0.6}, "alpha"),
        ({"alpha": math.nan}, "alpha"),
    ],
)
def test_what_is_no_plan_raises(changed, message):
    asked = {"drop": 0.1, "n": 10, "noise": Flips(0.1), "max_drop": 0.0, "alpha": 0.05} | changed
    with pytest.raises(ValueError, match=message):
        power(asked.pop("drop"), **asked)
