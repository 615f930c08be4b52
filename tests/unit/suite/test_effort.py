"""What answers took is added up the same whatever their order."""

import pytest

from gate.records.case import Prediction
from gate.suite.effort import EffortTally


def tally(*figures):
    found = EffortTally()
    for at, (cost, latency) in enumerate(figures):
        found.add(Prediction(id=str(at), output="x", cost_usd=cost, latency_ms=latency))
    return found.effort


def test_where_no_answer_says_anything_there_is_nothing():
    assert tally() is None
    assert tally((None, None)) is None


def test_what_is_told_is_counted_and_what_is_not_is_not():
    found = tally((0.5, None), (None, 10.0), (0.25, 30.0), (None, None))
    assert (found.n_answers, found.n_costs, found.n_latencies) == (4, 2, 2)
    assert (found.cost_usd, found.mean_latency_ms, found.max_latency_ms) == (0.75, 20.0, 30.0)


def test_a_zero_is_told():
    assert tally((0.0, None)).n_costs == 1


@pytest.mark.parametrize(("size", "rank"), [(1, 1), (19, 19), (20, 19), (21, 20), (100, 95)])
def test_the_95th_percentile_is_by_nearest_rank(size, rank):
    assert tally(*((None, float(at)) for at in range(1, size + 1))).p95_latency_ms == rank


def test_the_order_moves_no_bit():
    figures = [(0.1 * at, 0.3 * (at % 7)) for at in range(1, 50)]
    assert tally(*figures) == tally(*figures[::-1])
