from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from gate.statistics.agreement import cohens_kappa, judge_is_trustworthy
from gate.statistics.bias import judge_with_bias
from gate.statistics.bootstrap import compute_confidence_intervals, protocol_bootstrap
from gate.statistics.exact import (
    exact_drop,
    exact_mean,
    mean_below,
    mean_drop_exceeds,
    simplest_fraction,
)
from gate.statistics.intervals import score_interval, wilson

shares = st.floats(0, 1)
graded = st.one_of(
    st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=60),
    st.lists(st.sampled_from([k / 6 for k in range(7)]), min_size=1, max_size=60),
    st.lists(shares, min_size=1, max_size=400),
)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_simplest_fraction_reads_back(x):
    assert float(simplest_fraction(x)) == x


@given(st.integers(1, 10**6), st.integers(0, 10**6))
def test_a_quotient_of_small_integers_is_recovered(denominator, numerator):
    assert simplest_fraction(numerator / denominator) == Fraction(numerator, denominator)


@given(st.integers(0, 10**6), st.sampled_from([10, 1000, 10**6]))
def test_a_short_decimal_is_recovered(digits, scale):
    assert simplest_fraction(digits / scale) == Fraction(digits, scale)


@given(graded)
def test_the_exact_mean_is_the_mean_of_the_fractions(values):
    expected = sum((simplest_fraction(value) for value in values), Fraction(0)) / len(values)
    assert exact_mean(values) == expected


@given(graded, graded, st.decimals(0, 1, places=3))
def test_limits_decide_like_fractions(baseline, current, limit):
    drop = exact_mean(baseline) - exact_mean(current)
    assert exact_drop(baseline, current) == drop
    assert mean_drop_exceeds(baseline, current, limit) == (drop > Fraction(limit))
    assert mean_drop_exceeds(baseline, current, drop) is False
    assert mean_below(current, limit) == (exact_mean(current) < Fraction(limit))
    assert mean_below(current, exact_mean(current)) is False


@given(graded, st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=60)
def test_the_order_of_the_scores_changes_no_bit(scores, shuffler, bayesian):
    shuffled = list(scores)
    shuffler.shuffle(shuffled)
    options = {"n_boot": 200, "bayesian_smoothing": bayesian}
    assert compute_confidence_intervals(scores, **options) == compute_confidence_intervals(
        shuffled, **options
    )
    assert score_interval(scores) == score_interval(shuffled)


@given(graded, st.booleans())
@settings(max_examples=60)
def test_the_bootstrap_interval_holds_the_mean_and_stays_in_range(scores, bayesian):
    mean, low, high = compute_confidence_intervals(
        scores, n_boot=1000, bayesian_smoothing=bayesian
    )
    assert 0 <= min(scores) <= low <= mean <= high <= max(scores) <= 1


@given(st.lists(st.integers(0, 12), min_size=2, max_size=7), st.sampled_from(["0.5", "0.95"]))
def test_the_bootstrap_ends_are_those_of_all_resamples(numerators, level):
    n, tail = len(numerators), (1 - Fraction(level)) / 2
    sums = Counter({0: 1})
    for _ in range(n):
        further: Counter[int] = Counter()
        for (total, ways), numerator in product(sums.items(), numerators):
            further[total + numerator] += ways
        sums = further
    found = protocol_bootstrap([k / 12 for k in numerators], level=float(level))
    low, high = round(found.low * n * 12), round(found.high * n * 12)
    assert found[1:] == (low / (n * 12), high / (n * 12), "ideal")

    def chance(wanted):
        return Fraction(sum(ways for total, ways in sums.items() if wanted(total)), n**n)

    assert chance(lambda total: total < low) < tail <= chance(lambda total: total <= low)
    assert chance(lambda total: total > high) < tail <= chance(lambda total: total >= high)


@given(graded, st.sampled_from([0.5, 0.95, 0.999]))
@settings(max_examples=60)
def test_the_bootstrap_interval_of_mirrored_scores_is_mirrored(scores, level):
    # What is left of 1 - x in binary, so that mirroring twice gives the scores again.
    scores = [round(score * 2**30) / 2**30 for score in scores]
    found = protocol_bootstrap(scores, level=level)
    mirrored = protocol_bootstrap([1 - score for score in scores], level=level)
    assert (mirrored.low, mirrored.high) == pytest.approx((1 - found.high, 1 - found.low))


@given(graded, st.sampled_from([0.5, 0.95, 0.999]))
@example([1e-300], 0.95)
@example([5e-324, 1.0], 0.95)
def test_the_display_interval_holds_the_mean_and_has_a_width(scores, level):
    _, low, high = score_interval(scores, level=level)
    mean = sum(scores) / len(scores)
    assert 0 <= low <= mean + 1e-12
    assert mean - 1e-12 <= high <= 1
    assert low < high


@given(st.floats(1e-3, 1e9), shares)
def test_wilson_has_a_width_for_real_counts(n, share):
    successes = share * n
    assume(successes <= n)
    low, high = wilson(successes, n)
    assert 0 <= low < high <= 1


labelled = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1)


@given(labelled)
def test_kappa_is_symmetric_and_never_above_1(pairs):
    a, b = [left for left, _ in pairs], [right for _, right in pairs]
    kappa = cohens_kappa(a, b)
    assert kappa == cohens_kappa(b, a)
    assert -1 <= kappa <= 1
    assert judge_is_trustworthy(a, b, float(Decimal(str(kappa))) - 1e-9)
    assert judge_is_trustworthy(a, a, 1.0)


@given(st.text(), st.text(), st.sampled_from([None, "first", "second"]), st.booleans())
def test_a_biased_judge_stays_in_range(output, reference, position, own):
    score = judge_with_bias(output, reference, position=position, self_authored=own)
    assert 0 <= score <= 1
