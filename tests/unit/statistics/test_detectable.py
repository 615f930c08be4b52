import math
from decimal import Decimal

import pytest

from gate.statistics.detectable import (
    cases_needed,
    cases_to_certify,
    certification_power,
    minimum_detectable_drop,
    repeats_needed,
)
from gate.statistics.power import Flips, Spread, power, with_repeats

SIZES = (20, 50, 100, 200, 300, 500, 1000)


@pytest.mark.parametrize(
    ("max_drop", "share", "points"),
    [
        (0.0, 0.0, (26, 11, 5.5, 3, 2, 1.5, 1)),
        (0.0, 0.03, (29, 14, 8, 5, 4, 3, 2)),
        (0.0, 0.1, (35.5, 18, 11.5, 7.5, 6, 4.5, 3)),
        (0.0, 0.2, (41, 22, 14.5, 9.5, 7.5, 6, 4)),
        (0.05, 0.0, (26, 11, 8, 7, 6.5, 6.5, 6)),
        (0.05, 0.03, (29, 14, 8.5, 7.5, 7, 6.5, 6)),
        (0.05, 0.1, (35.5, 18, 11.5, 8, 7.5, 7, 6.5)),
        (0.05, 0.2, (41, 22, 14.5, 9.5, 8, 7.5, 6.5)),
    ],
)
def test_suites_see_the_measured_drops(max_drop, share, points):
    seen = [minimum_detectable_drop(n=n, noise=Flips(share), max_drop=max_drop) for n in SIZES]
    assert tuple(math.ceil(round(drop * 200, 6)) / 2 for drop in seen) == points


@pytest.mark.parametrize("noise", [Flips(0.0), Flips(0.12), Spread(0.25), Spread(0.1, loss=0.5)])
@pytest.mark.parametrize("rule", ["significant", "point"])
@pytest.mark.parametrize("n", [5, 40, 700, 100_000])
def test_the_drop_is_the_least_tenth_of_a_point_that_suffices(noise, rule, n):
    asked = {"n": n, "noise": noise, "max_drop": Decimal("0.03"), "alpha": 0.1, "rule": rule}
    drop = minimum_detectable_drop(power=0.9, **asked)
    assert drop == round(drop, 3)
    assert power(drop, **asked) >= 0.9 > power(round(drop - 0.001, 3), **asked)
    assert drop > 0.03


@pytest.mark.parametrize(
    ("n", "noise"), [(1, Flips(0.0)), (3, Flips(0.0)), (3, Flips(0.5)), (4, Spread(0.0))]
)
def test_too_few_cases_see_no_drop_at_all(n, noise):
    assert minimum_detectable_drop(n=n, noise=noise) is None


def test_four_cases_see_that_nearly_all_broke():
    assert minimum_detectable_drop(n=4, noise=Flips(0.0)) == 0.946  # .946 ** 4 = .801


def test_more_cases_more_alpha_and_less_power_see_smaller_drops():
    drops = [minimum_detectable_drop(n=n, noise=Flips(0.1)) for n in (10, 30, 100, 1000, 10_000)]
    assert drops == sorted(drops, reverse=True)
    assert minimum_detectable_drop(n=100, noise=Flips(0.1), alpha=0.01) > drops[2]
    assert minimum_detectable_drop(n=100, noise=Flips(0.1), power=0.5) < drops[2]


def test_cases_needed_turn_the_least_drop_round():
    for drop in (0.02, 0.05, 0.1, 0.3):
        n = cases_needed(drop, noise=Flips(0.1))
        assert power(drop, n=n, noise=Flips(0.1)) >= 0.8 > power(drop, n=n - 1, noise=Flips(0.1))
    assert cases_needed(1.0, noise=Flips(0.0)) == 4
    assert cases_needed(1.0, noise=Spread(0.0)) == 5


@pytest.mark.parametrize("drop", [0.0, 0.01, 0.05])
@pytest.mark.parametrize("noise", [Flips(0.0), Spread(0.1)])
def test_no_number_of_cases_sees_a_drop_that_is_allowed(drop, noise):
    assert cases_needed(drop, noise=noise, max_drop=0.05) is None
    assert cases_needed(drop, noise=noise, max_drop=Decimal("0.05")) is None


def test_a_drop_just_above_the_allowed_one_needs_very_many_cases_or_more():
    assert cases_needed(0.0501, noise=Flips(0.1), max_drop=0.05) > 10_000_000
    assert cases_needed(0.0500000001, noise=Flips(0.1), max_drop=0.05) is None


def test_repeats_needed_are_the_fewest_that_suffice():
    runs = repeats_needed(0.08, n=100, noise=Flips(0.2))
    fewer, enough = (
        power(0.08, n=100, noise=with_repeats(Flips(0.2), current=m, baseline=m))
        for m in (runs - 1, runs)
    )
    assert fewer < 0.8 <= enough
    assert repeats_needed(0.3, n=100, noise=Flips(0.2)) == 1


def test_no_repeats_see_what_scatters_over_the_cases():
    assert repeats_needed(0.05, n=50, noise=Flips(0.2)) is None
    assert repeats_needed(0.05, n=50, noise=Spread(0.4, loss=0.1)) is not None


def test_small_suites_block_unchanged_agents_from_certification():
    passed = [
        certification_power(n=n, noise=Flips(0.15), max_drop=0.05)
        for n in (20, 50, 100, 300, 1000)
    ]
    assert passed == sorted(passed)
    # Of 1500 runs passed by Newcombe's bound, at a pass rate of 90 %: 20, 43, 85 and 99.9 %.
    for n, share in ((50, 0.20), (100, 0.43), (300, 0.85), (1000, 0.999)):
        shown = certification_power(n=n, noise=Flips(0.1), max_drop=0.05)
        assert shown == pytest.approx(share, abs=0.03)


def test_an_agent_that_never_flips_is_certified_once_the_bound_can_be_below_the_margin():
    assert certification_power(n=40, noise=Flips(0.0), max_drop=0.05) == 0
    assert certification_power(n=50, noise=Flips(0.0), max_drop=0.05) == 1
    assert cases_to_certify(noise=Flips(0.0), max_drop=0.05) == 47


def test_cases_to_certify_are_the_fewest_that_suffice():
    n = cases_to_certify(noise=Flips(0.1), max_drop=0.05, power=0.9)
    before, after = (
        certification_power(n=cases, noise=Flips(0.1), max_drop=0.05) for cases in (n - 1, n)
    )
    assert before < 0.9 <= after


def test_nothing_certifies_that_there_was_no_drop_at_all():
    assert certification_power(n=10**9, noise=Flips(0.1), max_drop=0) <= 0.05
    assert cases_to_certify(noise=Flips(0.1), max_drop=0) is None


@pytest.mark.parametrize("wanted", [0.0, 1.0, 80, math.nan])
def test_a_power_that_nobody_can_have_raises(wanted):
    for asked in (
        lambda: minimum_detectable_drop(n=10, noise=Flips(0.1), power=wanted),
        lambda: cases_needed(0.1, noise=Flips(0.1), power=wanted),
        lambda: repeats_needed(0.1, n=10, noise=Flips(0.1), power=wanted),
        lambda: cases_to_certify(noise=Flips(0.1), max_drop=0.1, power=wanted),
    ):
        with pytest.raises(ValueError, match="wanted power"):
            asked()


def test_what_is_no_plan_raises_here_too():
    with pytest.raises(ValueError, match="at least one case"):
        minimum_detectable_drop(n=0, noise=Flips(0.1))
    with pytest.raises(ValueError, match="alpha"):
        cases_needed(0.1, noise=Flips(0.1), alpha=0.9)
    with pytest.raises(ValueError, match=r"lie in \[0, 1\]"):
        certification_power(n=10, noise=Flips(2), max_drop=0.1)
