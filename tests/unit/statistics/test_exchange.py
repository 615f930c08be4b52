from itertools import combinations, product

import numpy as np
import pytest

from gate.statistics.exchange import exchange_test


def enumerated(passed, *, was, now):
    """Go through every way to choose the current runs of every case."""
    observed = sum(after for _, after in passed)
    ways = []
    for before, after in passed:
        runs = [1] * (before + after) + [0] * (was + now - before - after)
        ways.append(
            [sum(runs[at] for at in chosen) for chosen in combinations(range(was + now), now)]
        )
    sums = [sum(one) for one in product(*ways)]
    return sum(total <= observed for total in sums) / len(sums)


@pytest.mark.parametrize(("was", "now"), [(1, 1), (1, 3), (3, 1), (2, 3), (4, 1)])
def test_it_equals_going_through_every_choice(was, now):
    draw = np.random.default_rng(was * 10 + now)
    for _ in range(10):
        passed = [
            (int(draw.integers(0, was + 1)), int(draw.integers(0, now + 1))) for _ in range(4)
        ]
        expected = enumerated(passed, was=was, now=now)
        assert exchange_test(passed, was=was, now=now) == pytest.approx(expected, abs=1e-11)


def test_cases_without_a_difference_say_nothing():
    some = [(1, 0), (1, 1), (1, 2)]
    p = exchange_test(some, was=1, now=3)
    assert exchange_test([*some, *[(1, 3)] * 50, *[(0, 0)] * 50], was=1, now=3) == pytest.approx(p)
    assert exchange_test([(1, 3)] * 5, was=1, now=3) == 1.0


@pytest.mark.parametrize("rate", [0.05, 0.1, 0.5, 0.9])
@pytest.mark.parametrize(("was", "now"), [(10, 1), (1, 10), (3, 1), (1, 5)])
def test_an_unchanged_agent_fails_at_most_as_often_as_is_said(rate, was, now):
    draw = np.random.default_rng(7)
    failed = 0
    for _ in range(600):
        before, after = draw.binomial(was, rate, 30), draw.binomial(now, rate, 30)
        pairs = list(zip(before.tolist(), after.tolist(), strict=True))
        failed += exchange_test(pairs, was=was, now=now) <= 0.05
    assert failed / 600 < 0.05 + 3 * (0.05 * 0.95 / 600) ** 0.5


def test_more_runs_see_more_than_the_first_of_them():
    passed = [(1, 0)] * 3 + [(1, 3)] * 20
    assert exchange_test(passed, was=1, now=3) < 0.05
    assert exchange_test([(1, 0)] * 3 + [(1, 1)] * 20, was=1, now=1) == 0.125


@pytest.mark.parametrize(
    ("passed", "was", "now"), [([], 1, 1), ([(2, 0)], 1, 1), ([(0, -1)], 1, 1), ([(0, 0)], 0, 1)]
)
def test_impossible_counts_are_refused(passed, was, now):
    with pytest.raises(ValueError, match=r"case|run"):
        exchange_test(passed, was=was, now=now)
