import math
import random
from collections import Counter

import numpy as np
import pytest

from gate.statistics import paired
from gate.statistics.lattice import sum_of_signs
from gate.statistics.mcnemar import mcnemar
from gate.statistics.paired import PairedTest, paired_test, sign_flip


@pytest.mark.parametrize(
    ("worse", "better", "two_sided", "one_sided", "mid_p"),
    [
        (10, 3, 0.092285, 0.046143, 0.028687),
        (5, 0, 0.0625, 0.03125, 0.015625),
        (4, 0, 0.125, 0.0625, 0.03125),
        (3, 0, 0.25, 0.125, 0.0625),
        (0, 0, 1.0, 1.0, 1.0),
        (3, 3, 1.0, 0.65625, 0.5),
        (0, 2, 0.5, 1.0, 0.875),
    ],
)
def test_mcnemar_gives_the_known_values(worse, better, two_sided, one_sided, mid_p):
    assert mcnemar(worse, better) == pytest.approx((two_sided, one_sided, mid_p), abs=5e-7)


def test_thousands_of_discordant_cases_stay_exact():
    found = mcnemar(1060, 940)
    tail = sum(math.comb(2000, k) for k in range(1060, 2001))
    assert found.one_sided == tail / 2**2000
    assert found.two_sided == 2 * tail / 2**2000
    assert found.mid_p == (2 * tail - math.comb(2000, 1060)) / 2**2001
    assert mcnemar(940, 1060).mid_p == pytest.approx(1 - found.mid_p, abs=1e-15)
    assert mcnemar(5100, 4900) == pytest.approx((0.0465855277, 0.0232927639, 0.0227528317))


def test_a_p_value_is_never_zero():
    assert 0 < mcnemar(10_000, 0).mid_p < 1e-300
    assert mcnemar(0, 10_000).one_sided == 1.0
    assert paired_test([1.0, 0.5] * 2000, [0.0, 0.0] * 2000).p_value == 2.0**-40


def test_negative_counts_raise():
    with pytest.raises(ValueError, match="not negative"):
        mcnemar(-1, 3)
    with pytest.raises(ValueError, match="not negative"):
        mcnemar(3, -1)


def test_an_unchanged_run_has_a_p_value_of_one():
    for run in ([1.0, 0.0, 1.0], [0.5, 1.0, 0.0], [0.123456789, 0.5, 0.25]):
        assert paired_test(run, run).p_value == 1.0
    assert paired_test([1, 0, 1], [1, 0, 1], clusters="aab") == ("sign_flip", 1.0, 0, 0)


def test_cases_that_agree_do_not_matter():
    alone = paired_test([1, 1, 0], [0, 0, 1])
    assert paired_test([1, 1, 0] + [1] * 50, [0, 0, 1] + [1] * 50) == alone
    halves = paired_test([1, 0.5, 0], [0, 0, 0.5])
    assert paired_test([1, 0.5, 0] + [0.5] * 50, [0, 0, 0.5] + [0.5] * 50) == halves


def test_a_rise_is_not_a_drop():
    assert paired_test([0] * 6, [1] * 6).p_value > 0.98
    assert paired_test([0.5] * 6, [1] * 6).p_value == 1.0


def test_equal_sums_count_in_full_though_floats_call_them_different():
    # .9 - .8 is less than .8 - .7 in floats; flipping one or the other is the same sum.
    was, now = [0.9, 0.7, 0.3], [0.8, 0.8, 0.2]
    assert (0.9 - 0.8, 0.8 - 0.7) != (0.1, 0.1)
    assert paired_test(was, now) == PairedTest("sign_flip", 0.5, 2, 1)


def test_equal_sums_tie_off_the_lattice_too():
    noise = 1 / math.pi / 1000
    was = [0.9 + noise, 0.7 + noise, 0.3 + noise]
    now = [0.8 + noise, 0.8 + noise, 0.2 + noise]
    assert paired_test(was, now) == PairedTest("sign_flip", 0.5, 2, 1)


def test_few_real_numbers_are_counted_out_not_drawn():
    was = [math.sqrt(k) / 10 for k in range(1, 33)]
    found = paired_test(was, [0.0] * 32)
    assert (found.method, found.p_value) == ("sign_flip", 2.0**-32)
    assert sign_flip(was) == 2.0**-32


def test_counting_out_equals_going_through_every_pattern():
    steps = [3, 5, 8, 13, 21, 34]
    sums = [
        sum(step if pattern >> place & 1 else -step for place, step in enumerate(steps))
        for pattern in range(2**6)
    ]
    for observed in sums:
        expected = sum(total >= observed for total in sums) / 2**6
        assert paired._enumerated(steps, observed) == expected


def test_many_real_numbers_are_rounded_and_tested_without_a_draw():
    draw = random.Random(1)
    was = [draw.random() for _ in range(200)]
    now = [min(1.0, max(0.0, value + draw.gauss(-0.01, 0.1))) for value in was]
    found = paired_test(was, now)
    assert found.method == "sign_flip_rounded"
    assert found == paired_test(was[::-1], now[::-1])


@pytest.mark.parametrize("shift", [0.0, -0.01, -0.02])
def test_rounding_moves_the_p_value_by_next_to_nothing(shift):
    """Thousandths have a lattice, and their exact test is what the rounded one comes close to."""
    draw = random.Random(7)
    steps = [round(draw.gauss(-shift, 0.1) * 1000) or 1 for _ in range(300)]
    exact = sum_of_signs(steps).at_least(sum(steps))
    rounded, observed = paired._rounded(np.array(steps), window=1 << 15)
    coarse, observed_coarse = paired._rounded(np.array(steps), window=1 << 10)
    assert sum_of_signs(rounded).at_least(observed) == pytest.approx(exact, abs=1e-12)
    assert sum_of_signs(coarse).at_least(observed_coarse) == pytest.approx(exact, abs=0.01)


def test_very_many_different_values_are_tested_as_few_of_them_are():
    draw = random.Random(3)
    was = [draw.random() for _ in range(900)]
    now = [min(1.0, max(0.0, value + draw.gauss(-0.005, 0.1))) for value in was]
    one, other = (
        paired._of_real_numbers(was, now),
        paired._flip(Counter(round((a - b) * 2**40) for a, b in zip(was, now, strict=True))),
    )
    assert one.p_value == other.p_value
    with pytest.raises(ValueError, match="same cases"):
        paired_test(was, now[:-1])


def test_values_of_very_different_size_are_rounded_too():
    was = [1.0, *(0.5 + at * 1e-7 for at in range(1, 60))]
    now = [0.0, *(0.5 for _ in range(59))]
    assert 0.4 < paired_test(was, now).p_value <= 0.5


def test_a_common_step_is_exact_even_where_the_values_have_no_denominator():
    was = [0.3 + math.sqrt(k) / 100 for k in range(1, 61)]
    now = [value - 0.125 for value in was]
    assert paired_test(was, now).method == "sign_flip"


def test_clusters_are_flipped_whole():
    was, now = [1] * 8, [0] * 8
    assert paired_test(was, now).p_value == 2.0**-9
    assert paired_test(was, now, clusters="aabbccdd") == PairedTest("sign_flip", 2.0**-4, 8, 0)
    assert paired_test(was, now, clusters="aaaaaaaa").p_value == 0.5
    assert paired_test([0.5] * 8, [0.25] * 8, clusters="aabbccdd").p_value == 2.0**-4


def test_clusters_whose_cases_cancel_say_nothing():
    assert paired_test([1, 0, 1, 1], [0, 1, 0, 0], clusters="aabb").p_value == 0.5


def test_clusters_of_one_case_each_change_nothing():
    was, now = [1, 1, 1, 0], [0, 0, 1, 1]
    assert paired_test(was, now, clusters="abcd") == paired_test(was, now)
    assert paired_test(was, now, clusters="abcd").method == "mcnemar_mid_p"


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan, math.inf])
def test_values_that_are_no_scores_raise(bad):
    with pytest.raises(ValueError, match="scores lie in"):
        paired_test([1.0, bad], [1.0, 0.5])
    with pytest.raises(ValueError, match="scores lie in"):
        paired_test([1.0, 0.5], [1.0, bad])
    if not 0 <= bad + 0.2 <= 1:
        with pytest.raises(ValueError, match="differences of scores"):
            sign_flip([bad * 2 + 1 if bad > 1 else bad - 1])


def test_no_cases_and_unequal_rows_raise():
    with pytest.raises(ValueError, match="at least one case"):
        paired_test([], [])
    with pytest.raises(ValueError, match="zip"):
        paired_test([1.0], [1.0, 0.0])
    with pytest.raises(ValueError, match="zip"):
        paired_test([1.0, 1.0, 1.0], [1.0, 0.0, 0.0], clusters="aa")


def test_sign_flip_is_exact_on_a_lattice():
    assert sign_flip([1.0, 1.0, 1.0, 1.0, 1.0]) == 0.03125
    assert sign_flip([0.5, -0.5]) == 0.75
    assert sign_flip([0.0, 0.0]) == 1.0
