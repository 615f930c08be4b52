import math
from statistics import NormalDist

import pytest

from gate.statistics.normal import normal_share, upper_quantile


@pytest.mark.parametrize("tail", [1e-300, 1e-12, 0.025, 0.05, 0.2, 0.5, 0.8, 0.975, 1 - 1e-12])
def test_quantiles_leave_their_tail(tail):
    assert normal_share(-upper_quantile(tail)) == pytest.approx(tail, rel=1e-12)


@pytest.mark.parametrize("tail", [0.001, 0.05, 0.3, 0.5, 0.9])
def test_quantiles_are_those_of_the_standard_library(tail):
    assert upper_quantile(tail) == pytest.approx(-NormalDist().inv_cdf(tail), abs=1e-12)


def test_a_share_and_that_above_its_mirror_are_one():
    for z in (0.0, 0.3, 1.96, 5.0):
        assert normal_share(z) + normal_share(-z) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("tail", [0.0, 1.0, -0.1, 5, math.nan])
def test_a_tail_that_is_no_share_raises(tail):
    with pytest.raises(ValueError, match="between 0 and 1"):
        upper_quantile(tail)
