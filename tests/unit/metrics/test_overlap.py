import pytest

from gate.metrics.overlap import deterministic_judge


@pytest.mark.parametrize(
    ("output", "reference", "score"),
    [
        ("", "", 1.0),
        (" \n", "", 1.0),
        ("", "Paris", 0.0),
        ("Paris", " ", 0.0),
        ("Paris", "PARIS", 1.0),
        ("Paris", "Rome", 0.0),
        ("a b c", "b c d", 0.5),
        ("a b", "b c", 1 / 3),
        ("b  a", "a b", 1.0),
    ],
)
def test_the_score_is_shared_tokens_over_all_tokens(output, reference, score):
    assert deterministic_judge(output, reference) == score


def test_repetition_does_not_count():
    assert deterministic_judge("paris paris paris", "paris") == 1.0


def test_punctuation_belongs_to_its_token():
    assert deterministic_judge("Paris.", "Paris") == 0.0
