import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.metrics import subsequence
from gate.metrics.subsequence import MAX_TOKENS, TooLong, lcs_length


def quadratic(a, b):
    previous = [0] * (len(b) + 1)
    for x in a:
        row = [0]
        for place, y in enumerate(b, start=1):
            row.append(previous[place - 1] + 1 if x == y else max(previous[place], row[-1]))
        previous = row
    return previous[-1]


@pytest.mark.parametrize(
    ("a", "b", "length"),
    [
        ("", "", 0),
        ("", "a", 0),
        ("a", "a", 1),
        ("a", "b", 0),
        ("ab", "ba", 1),
        ("aaaa", "aa", 2),
        ("abcde", "axcye", 3),
        ("xaay", "xay", 3),
        ("ABCBDAB", "BDCABA", 4),
    ],
)
def test_known_lengths(a, b, length):
    assert lcs_length(a, b) == length
    assert lcs_length(b, a) == length


@given(st.text("abc", max_size=80), st.text("abcd", max_size=80))
def test_the_length_is_that_of_the_quadratic_table(a, b):
    assert lcs_length(a, b) == quadratic(a, b)


@given(st.lists(st.integers(0, 40), max_size=70), st.lists(st.integers(0, 40), max_size=70))
def test_rare_tokens_count_as_frequent_ones_do(a, b):
    assert lcs_length(a, b) == quadratic(a, b)


@pytest.mark.parametrize("frequent", [1, 2, 1000])
def test_keeping_masks_changes_no_length(frequent, monkeypatch):
    monkeypatch.setattr(subsequence, "_FREQUENT", frequent)
    a, b = "abcabcaab" * 9, "bacbcacba" * 8
    assert lcs_length(a, b) == quadratic(a, b)


def test_any_hashable_token_will_do():
    assert lcs_length([("a", 1), None, 2.5], (None, 2.5)) == 2


def test_hostile_lengths_are_exact():
    assert lcs_length(range(10_000), range(9_999, -1, -1)) == 1
    assert lcs_length(["a", "b"] * 5_000, ["b", "a"] * 5_000) == 9_999


def test_a_side_beyond_the_limit_raises():
    assert lcs_length(["a"] * MAX_TOKENS, ["a"]) == 1
    for a, b in ((["a"] * (MAX_TOKENS + 1), ["a"]), ([], ["a"] * (MAX_TOKENS + 1))):
        with pytest.raises(TooLong, match=f"{MAX_TOKENS + 1} tokens"):
            lcs_length(a, b)


def test_too_long_is_a_value_error():
    assert issubclass(TooLong, ValueError)
