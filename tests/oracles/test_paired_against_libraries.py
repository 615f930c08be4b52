import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, permutation_test
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from gate.statistics.lattice import sum_of_signs
from gate.statistics.mcnemar import mcnemar
from gate.statistics.multiplicity import benjamini_hochberg, holm
from gate.statistics.paired import paired_test, sign_flip


@given(st.integers(0, 3000), st.integers(0, 3000))
@settings(deadline=None)
def test_mcnemar_equals_scipy_and_statsmodels(worse, better):
    found = mcnemar(worse, better)
    if not worse + better:
        return
    greater = binomtest(worse, worse + better, alternative="greater").pvalue
    assert found.one_sided == pytest.approx(greater, rel=1e-9)
    table = [[5, worse], [better, 7]]
    expected = statsmodels_mcnemar(table, exact=True).pvalue
    assert found.two_sided == pytest.approx(expected, rel=1e-9)


@given(st.lists(st.integers(-6, 6), min_size=2, max_size=11))
@settings(max_examples=60, deadline=None)
def test_the_sign_flip_test_equals_scipys_exact_one(sixths):
    theirs = permutation_test(
        (np.array(sixths),),
        lambda steps, axis: steps.sum(axis=axis),
        permutation_type="samples",
        alternative="greater",
        n_resamples=np.inf,
        vectorized=True,
    )
    assert sign_flip([step / 6 for step in sixths]) == pytest.approx(theirs.pvalue, abs=1e-12)


def test_a_large_lattice_agrees_with_resampling():
    generator = np.random.default_rng(8)
    was = (generator.integers(0, 101, 400) / 100).tolist()
    now = (generator.integers(0, 101, 400) / 100 * 0.95).round(2).tolist()
    found = paired_test(was, now)
    assert found.method == "sign_flip"
    steps = np.rint((np.array(was) - np.array(now)) * 100)
    signs = generator.choice([-1.0, 1.0], size=(20_000, 400))
    share = (signs @ steps >= steps.sum()).mean()
    assert found.p_value == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 20_000))


def test_ten_thousand_steps_have_binomial_tails():
    found = sum_of_signs({1: 10_000})
    for ups in (4900, 5000, 5001, 5100, 5300):
        expected = binomtest(ups, 10_000, alternative="greater").pvalue
        assert found.at_least(2 * ups - 10_000) == pytest.approx(expected, abs=1e-12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
@settings(max_examples=50, deadline=None)
def test_adjusted_p_values_equal_statsmodels(p_values):
    for adjust, method in ((holm, "holm"), (benjamini_hochberg, "fdr_bh")):
        expected = multipletests(p_values, method=method)[1]
        assert adjust(p_values) == pytest.approx(expected, abs=1e-12)
