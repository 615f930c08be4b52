import math

import pytest

from gate.statistics.multiplicity import benjamini_hochberg, holm

P_VALUES = [0.01, 0.02, 0.03, 0.04, 0.2]


def test_holm_gives_the_known_values():
    assert holm(P_VALUES) == pytest.approx((0.05, 0.08, 0.09, 0.09, 0.2))


def test_benjamini_and_hochberg_give_the_known_values():
    assert benjamini_hochberg(P_VALUES) == pytest.approx((0.05, 0.05, 0.05, 0.05, 0.2))


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_the_order_of_the_input_is_kept(adjust):
    adjusted = dict(zip(P_VALUES, adjust(P_VALUES), strict=True))
    turned = P_VALUES[::-1]
    assert adjust(turned) == tuple(adjusted[p_value] for p_value in turned)


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_edges(adjust):
    assert adjust([]) == ()
    assert adjust([0.03]) == (0.03,)
    assert adjust([1.0, 1.0, 0.9]) == pytest.approx((1.0, 1.0, 1.0))
    assert adjust([0.0, 1.0]) == (0.0, 1.0)


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
@pytest.mark.parametrize("bad", [-0.01, 1.01, math.nan])
def test_what_is_no_p_value_raises(adjust, bad):
    with pytest.raises(ValueError, match="a p-value lies in"):
        adjust([0.5, bad])
