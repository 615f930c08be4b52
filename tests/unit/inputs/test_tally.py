import random

from gate.inputs.tally import Tally


def test_names_are_counted_and_sorted_by_code_point():
    tally = Tally()
    for name in ("b", "a", "\u00e9", "B", "b"):
        tally.add(name)
    assert tally.listed == (("B", 1), ("a", 1), ("b", 2), ("\u00e9", 1))
    assert tally.total == 5


def test_nothing_is_an_empty_tally():
    assert Tally().listed == ()
    assert Tally().total == 0


def test_beyond_the_limit_the_smallest_are_kept_with_exact_counts_in_any_order():
    names = [f"n{index:04}" for index in range(1000)] * 3
    for seed in range(5):
        random.Random(seed).shuffle(names)
        tally = Tally(limit=10)
        for name in names:
            tally.add(name)
        assert tally.listed == tuple((f"n{index:04}", 3) for index in range(10))
        assert tally.total == 3000


def test_descending_names_keep_memory_bounded():
    tally = Tally(limit=10)
    for index in range(5000, 0, -1):
        tally.add(f"{index:05}")
    assert len(tally._counts) == len(tally._names) == 10


def test_long_names_are_counted_under_their_beginning():
    tally = Tally(width=3)
    for name in ("abc", "abcd", "abce"):
        tally.add(name)
    assert tally.listed == (("abc", 1), ("abc\u2026", 2))
