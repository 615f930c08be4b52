import pytest

from gate.metrics.subsequence import MAX_TOKENS, TooLong
from gate.metrics.trajectory import PrecisionRecallF1, precision_recall_f1, trajectory_score

RIGHT = ("search", "calculator")
WRONG_ORDER = ("calculator", "search")


@pytest.mark.parametrize(
    ("actual", "expected", "precision", "recall", "f1"),
    [
        ([], [], 1.0, 1.0, 1.0),
        ([], ["a"], 0.0, 0.0, 0.0),
        (["a"], [], 0.0, 1.0, 0.0),
        (["a"], ["b"], 0.0, 0.0, 0.0),
        (["a"], ["a"], 1.0, 1.0, 1.0),
        (["a", "b"], ["a"], 0.5, 1.0, 2 / 3),
        (["a"], ["a", "b", "c", "d"], 1.0, 0.25, 0.4),
        (["a", "b", "c"], ["b", "c", "d"], 2 / 3, 2 / 3, 2 / 3),
    ],
)
def test_precision_recall_and_f1_with_their_pinned_edges(actual, expected, precision, recall, f1):
    assert precision_recall_f1(actual, expected) == (precision, recall, f1)


def test_the_three_shares_unpack_and_have_names():
    shares = precision_recall_f1(["a", "b"], ["a"])
    precision, recall, f1 = shares
    assert isinstance(shares, PrecisionRecallF1)
    assert (precision, recall, f1) == (shares.precision, shares.recall, shares.f1)


def test_repetition_and_order_do_not_count_in_sets():
    assert precision_recall_f1(["b", "a", "a"], ("a", "b")) == (1.0, 1.0, 1.0)


def test_a_great_precision_does_not_paper_over_a_terrible_recall():
    precision, recall, f1 = precision_recall_f1(["a"], list("abcdefghij"))
    assert (precision, recall) == (1.0, 0.1)
    assert f1 == 2 / 11 < (precision + recall) / 2


def test_sets_and_generators_are_collections_too():
    assert precision_recall_f1({"a"}, (name for name in ["a"])) == (1.0, 1.0, 1.0)


def test_the_right_tools_in_the_wrong_order_differ_by_mode():
    assert trajectory_score(WRONG_ORDER, RIGHT, "exact") == 0.0
    assert trajectory_score(WRONG_ORDER, RIGHT, "set") == 1.0
    assert trajectory_score(WRONG_ORDER, RIGHT, "order") == 0.5


@pytest.mark.parametrize("mode", ["exact", "set", "order"])
def test_the_right_path_scores_one_in_every_mode_and_any_sequence(mode):
    assert trajectory_score(RIGHT, list(RIGHT), mode) == 1.0


@pytest.mark.parametrize("mode", ["exact", "set", "order"])
def test_two_empty_paths_score_one(mode):
    assert trajectory_score((), (), mode) == 1.0


@pytest.mark.parametrize("mode", ["exact", "set", "order"])
def test_one_empty_path_scores_zero(mode):
    assert trajectory_score((), RIGHT, mode) == 0.0
    assert trajectory_score(RIGHT, (), mode) == 0.0


@pytest.mark.parametrize(
    ("actual", "expected", "score"),
    [
        ("a b c", "a b c d", 3 / 4),
        ("a a", "a", 1 / 2),
        ("a x b", "a b", 2 / 3),
        ("c b a", "a b c", 1 / 3),
        ("x", "y", 0.0),
    ],
)
def test_order_is_the_common_subsequence_over_the_longer_length(actual, expected, score):
    assert trajectory_score(actual.split(), expected.split(), "order") == score


def test_a_repeated_call_fails_exact_and_passes_set():
    assert trajectory_score(["search", "search"], ["search"], "exact") == 0.0
    assert trajectory_score(["search", "search"], ["search"], "set") == 1.0


def test_tool_names_are_compared_as_they_are():
    assert trajectory_score(["Search"], ["search"], "exact") == 0.0


@pytest.mark.parametrize("mode", ["", "Exact", "strict", None])
def test_an_unknown_mode_raises(mode):
    with pytest.raises(ValueError, match="unknown trajectory mode"):
        trajectory_score(RIGHT, RIGHT, mode)


@pytest.mark.parametrize("mode", ["exact", "set", "order"])
def test_a_text_is_no_path(mode):
    with pytest.raises(TypeError, match="sequence of tool names"):
        trajectory_score("search", ("search",), mode)
    with pytest.raises(TypeError, match="sequence of tool names"):
        precision_recall_f1(["search"], "search")


def test_a_hostile_tool_list_is_scored_or_refused():
    assert trajectory_score(["a", "b"] * 5_000, ["b", "a"] * 5_000, "order") == 0.9999
    with pytest.raises(TooLong):
        trajectory_score(["a"] * (MAX_TOKENS + 1), ["a"], "order")
