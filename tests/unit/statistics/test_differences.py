import math

import pytest

from gate.statistics.clusters import cluster_interval
from gate.statistics.differences import drop_interval, newcombe
from gate.statistics.intervals import wilson_effective


@pytest.mark.parametrize(
    ("table", "low", "high"),
    [
        ((36, 12, 2, 0), 0.056930, 0.340428),
        ((20, 12, 2, 16), 0.056156, 0.329207),
        ((1, 1, 7, 12), -0.506920, -0.025559),
        ((100, 0, 0, 0), -0.036993, 0.036993),
    ],
)
def test_newcombe_gives_the_known_values(table, low, high):
    names = ("both", "only_was", "only_now", "neither")
    found = newcombe(**dict(zip(names, table, strict=True)))
    assert found == ("newcombe", pytest.approx(low, abs=5e-7), pytest.approx(high, abs=5e-7))


def test_binary_runs_take_newcombes_interval():
    was = [1] * 48 + [0] * 2
    now = [1] * 36 + [0] * 12 + [1] * 2
    expected = newcombe(both=36, only_was=12, only_now=2, neither=0)
    assert drop_interval(was, now) == expected


def test_a_rise_mirrors_a_drop():
    down = newcombe(both=20, only_was=12, only_now=2, neither=16)
    up = newcombe(both=20, only_was=2, only_now=12, neither=16)
    assert (up.low, up.high) == pytest.approx((-down.high, -down.low))
    was, now = [1, 0.5, 1, 0.25], [0.5, 0.5, 0.75, 0.5]
    down, up = drop_interval(was, now), drop_interval(now, was)
    assert (up.low, up.high) == pytest.approx((-down.high, -down.low))


@pytest.mark.parametrize("clusters", [None, "aabbccddee"])
@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_equal_runs_leave_a_drop_and_a_rise_possible(score, clusters):
    _, low, high = drop_interval([score] * 10, [score] * 10, clusters=clusters)
    assert -1 < low < -0.1
    assert high == pytest.approx(-low)


def test_a_total_loss_ends_at_one():
    assert drop_interval([1] * 10, [0] * 10).high == 1.0
    assert drop_interval([1] * 10, [0] * 10, clusters="aabbccddee").high == 1.0
    assert newcombe(both=0, only_was=1, only_now=0, neither=0).high == 1.0
    assert newcombe(both=0, only_was=0, only_now=1, neither=0).low == -1.0


def test_graded_differences_are_moved_into_the_unit_interval():
    was, now = [1.0, 0.5, 0.75], [0.5, 0.5, 1.0]
    low, high = wilson_effective([0.75, 0.5, 0.375], level=0.9)
    expected = ("wilson_effective", 2 * low - 1, 2 * high - 1)
    assert drop_interval(was, now, level=0.9) == expected


def test_clusters_widen_the_interval_when_they_fail_together():
    was, now = [1] * 40, [0] * 5 + [1] * 35
    clusters = [case // 5 for case in range(40)]
    alone, together = drop_interval(was, now), drop_interval(was, now, clusters=clusters)
    assert together.method == "wilson_clustered"
    assert together.low < alone.low < alone.high < together.high
    low, high = cluster_interval([1.0] * 5 + [0.5] * 35, clusters)
    assert (together.low, together.high) == (2 * low - 1, 2 * high - 1)


def test_clusters_of_one_case_each_change_nothing():
    was, now = [1, 1, 0, 1], [0, 1, 0, 1]
    assert drop_interval(was, now, clusters="abcd") == drop_interval(was, now)


def test_a_higher_level_is_wider():
    was, now = [1, 1, 0.5, 1], [0.5, 1, 0.5, 0]
    narrow, wide = drop_interval(was, now, level=0.9), drop_interval(was, now, level=0.99)
    assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan])
def test_values_that_are_no_scores_raise(bad):
    with pytest.raises(ValueError, match="scores lie in"):
        drop_interval([1.0, bad], [1.0, 1.0])
    with pytest.raises(ValueError, match="scores lie in"):
        drop_interval([1.0, 1.0], [1.0, bad])


def test_no_cases_unequal_rows_negative_counts_and_levels_raise():
    with pytest.raises(ValueError, match="at least one case"):
        drop_interval([], [])
    with pytest.raises(ValueError, match="zip"):
        drop_interval([1.0], [1.0, 1.0])
    with pytest.raises(ValueError, match="zip"):
        drop_interval([1.0, 1.0, 1.0], [1.0, 1.0, 1.0], clusters="aa")
    with pytest.raises(ValueError, match="not negative"):
        newcombe(both=-1, only_was=2, only_now=0, neither=0)
    with pytest.raises(ValueError, match="needs trials"):
        newcombe(both=0, only_was=0, only_now=0, neither=0)
    for level in (0.0, 1.0):
        with pytest.raises(ValueError, match="confidence level"):
            drop_interval([1.0], [0.5], level=level)
        with pytest.raises(ValueError, match="confidence level"):
            drop_interval([1.0], [1.0], level=level)
