from hypothesis import given
from hypothesis import strategies as st

from gate.metrics.trajectory import precision_recall_f1, trajectory_score

paths = st.lists(st.sampled_from(["search", "read", "calculate", "write"]), max_size=12)
modes = st.sampled_from(["exact", "set", "order"])


@given(paths, paths, modes)
def test_a_trajectory_score_is_symmetric_and_lies_between_zero_and_one(a, b, mode):
    score = trajectory_score(a, b, mode)
    assert 0.0 <= score <= 1.0
    assert trajectory_score(b, a, mode) == score


@given(paths, modes)
def test_a_path_scores_one_against_itself(path, mode):
    assert trajectory_score(path, tuple(path), mode) == 1.0


@given(paths, paths)
def test_order_is_one_exactly_where_exact_is(a, b):
    assert (trajectory_score(a, b, "order") == 1.0) == (trajectory_score(a, b, "exact") == 1.0)


@given(paths, paths)
def test_the_edges_hold_and_f1_is_the_harmonic_mean(a, b):
    precision, recall, f1 = precision_recall_f1(a, b)
    if not a:
        assert precision == (0.0 if b else 1.0)
    if not b:
        assert recall == 1.0
    if precision > 0 and recall > 0:
        assert abs(f1 - 2 * precision * recall / (precision + recall)) < 1e-15
        assert min(precision, recall) <= f1 <= max(precision, recall)
    else:
        assert f1 == 0.0


@given(paths, paths)
def test_precision_of_one_direction_is_recall_of_the_other(a, b):
    if a and b:
        forth, back = precision_recall_f1(a, b), precision_recall_f1(b, a)
        assert (forth.precision, forth.recall, forth.f1) == (back.recall, back.precision, back.f1)
