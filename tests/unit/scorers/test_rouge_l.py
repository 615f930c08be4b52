"""F1 of the longest common subsequence of tokens."""

import pytest

from gate.records.scoring import RougeLOptions
from gate.scorers.rouge_l import bind, objection


@pytest.mark.parametrize(
    ("output", "reference", "score"),
    [("the cat sat", "the cat sat", 1.0), ("the cat", "the dog", 0.5), ("", "the cat", 0.0)],
)
def test_common_words_in_order_earn_credit(output, reference, score):
    assert bind(RougeLOptions())(output, reference) == score


def test_other_scripts_need_the_unicode_tokenizer():
    assert bind(RougeLOptions(tokenizer="unicode"))("привет мир", "привет мир") == 1.0


def test_a_reference_without_a_token_is_objected_to():
    assert 'tokenizer = "unicode"' in objection(RougeLOptions(), "привет мир")
    assert objection(RougeLOptions(tokenizer="unicode"), "привет мир") is None
    assert objection(RougeLOptions(), "the cat") is None
