import math
from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gate.statistics.clusters import cluster_bootstrap, cluster_interval
from gate.statistics.differences import drop_interval
from gate.statistics.lattice import denominator, sum_of_signs
from gate.statistics.multiplicity import benjamini_hochberg, holm
from gate.statistics.paired import mcnemar, paired_test, sign_flip

binary = st.sampled_from([0.0, 1.0])
sixths = st.sampled_from([k / 6 for k in range(7)])
shares = st.floats(0, 1)


@st.composite
def runs(draw, most=60):
    value = draw(st.sampled_from([binary, sixths, shares]))
    cases = draw(st.lists(st.tuples(value, value, st.integers(0, 9)), min_size=1, max_size=most))
    return [list(column) for column in zip(*cases, strict=True)]


@given(st.lists(st.tuples(st.integers(-40, 40), st.integers(1, 30)), max_size=12))
def test_a_lattice_is_found_and_reads_back(pairs):
    values = [numerator / divisor for numerator, divisor in pairs]
    found = denominator(values, most=10**4)
    expected = math.lcm(*(Fraction(*pair).denominator for pair in pairs))
    assert found == (expected if expected <= 10**4 else None)


@given(st.lists(st.integers(-30, 30), max_size=60))
@settings(max_examples=200)
def test_the_transformed_distribution_is_the_counted_one(steps):
    ways = {0: 1}
    for step in steps:
        moved = {}
        for total, count in ways.items():
            moved[total + step] = moved.get(total + step, 0) + count
            moved[total - step] = moved.get(total - step, 0) + count
        ways = moved
    found = sum_of_signs(steps)
    for least in (*sorted(ways)[:8], sum(steps), 0, max(ways)):
        exact = sum(count for total, count in ways.items() if total >= least) / 2 ** len(steps)
        assert abs(found.at_least(least) - exact) <= 1e-12


@given(runs(), st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=80, deadline=None)
def test_the_order_of_the_cases_moves_no_bit(columns, shuffler, clustered):
    cases = list(zip(*columns, strict=True))
    shuffler.shuffle(cases)
    shuffled = [list(column) for column in zip(*cases, strict=True)]
    results = []
    for was, now, names in (columns, shuffled):
        clusters = names if clustered else None
        results.append(
            (paired_test(was, now, clusters=clusters), drop_interval(was, now, clusters=clusters))
        )
    assert results[0] == results[1]


@given(runs(), st.booleans())
@settings(deadline=None)
def test_a_p_value_lies_in_its_range_and_one_direction_is_not_small(columns, clustered):
    was, now, names = columns
    clusters = names if clustered else None
    down = paired_test(was, now, clusters=clusters)
    up = paired_test(now, was, clusters=clusters)
    assert 0 < down.p_value <= 1
    assert (down.n_worse, down.n_better) == (up.n_better, up.n_worse)
    assert down.n_worse == sum(a > b for a, b in zip(was, now, strict=True))
    # Drawn patterns leave some noise around the exact bound of 1.
    assert down.p_value + up.p_value >= 0.97
    if down.method == "mcnemar_mid_p" and was != now:
        assert math.isclose(down.p_value + up.p_value, 1.0)


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_is_the_sign_flip_of_ones(worse, better):
    found = mcnemar(worse, better)
    flipped = sign_flip([1.0] * worse + [-1.0] * better)
    assert abs(flipped - found.one_sided) <= 1e-12
    assert found.mid_p <= found.one_sided
    assert found.two_sided == min(1.0, 2 * mcnemar(max(worse, better), min(worse, better))[1])


@given(st.integers(0, 300), st.integers(0, 300))
def test_one_more_case_lost_never_raises_the_p_value(worse, better):
    assume(worse + better)
    assert mcnemar(worse + 1, better).mid_p <= mcnemar(worse, better).mid_p


@given(runs(), st.sampled_from([0.5, 0.9, 0.95, 0.999]), st.booleans())
@settings(deadline=None)
def test_a_drop_interval_has_a_width_and_stays_in_range(columns, level, clustered):
    was, now, names = columns
    _, low, high = drop_interval(was, now, level=level, clusters=names if clustered else None)
    drop = math.fsum(was) / len(was) - math.fsum(now) / len(now)
    assert -1 <= low < high <= 1
    assert low - 1e-12 <= drop <= high + 1e-12


@given(runs())
@settings(max_examples=40, deadline=None)
def test_cluster_intervals_hold_the_mean(columns):
    scores, _, clusters = columns
    low, high = cluster_interval(scores, clusters)
    mean = math.fsum(scores) / len(scores)
    assert 0 <= low < high <= 1
    assert low - 1e-12 <= mean <= high + 1e-12
    low, high = cluster_bootstrap(scores, clusters, n_boot=200)
    assert min(scores) - 1e-12 <= low <= high <= max(scores) + 1e-12


@given(st.lists(st.floats(0, 1), max_size=30))
def test_adjusted_p_values_only_grow_and_keep_their_ranks(p_values):
    holms, rates = holm(p_values), benjamini_hochberg(p_values)
    for given_p, family, rate in zip(p_values, holms, rates, strict=True):
        assert given_p <= rate * (1 + 1e-15) <= family * (1 + 1e-14) <= 1 + 1e-14
    ranks = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [holms[place] for place in ranks] == sorted(holms)
    assert [rates[place] for place in ranks] == sorted(rates)
