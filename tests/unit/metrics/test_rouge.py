import subprocess
import sys

import pytest

from gate.metrics import rouge
from gate.metrics.rouge import MAX_TOKENS, TooLong, rouge_l_f1, tokenizes_to_nothing


@pytest.mark.parametrize(
    ("output", "reference", "score"),
    [
        ("", "", 0.0),
        ("", "a", 0.0),
        ("a", "", 0.0),
        ("...", "!!!", 0.0),
        ("Paris", "paris", 1.0),
        ("Paris", "Rome", 0.0),
        ("the cat sat", "the cat sat down", 2 * 1.0 * 0.75 / 1.75),
        ("b a", "a b", 0.5),
        ("a-b", "a b", 1.0),
    ],
)
def test_known_scores(output, reference, score):
    assert rouge_l_f1(output, reference) == score


@pytest.mark.parametrize(
    ("output", "reference"),
    [("-5", "5"), ("10%", "10"), ("C++", "C"), ("上海 Beijing", "北京 Beijing")],
)
def test_the_ascii_tokens_lose_what_they_lose(output, reference):
    assert rouge_l_f1(output, reference) == 1.0


@pytest.mark.parametrize("text", ["北京", "Москва", "नमस्ते", "٣"])
def test_equal_texts_of_another_script_score_zero_unless_asked_otherwise(text):
    assert rouge_l_f1(text, text) == 0.0
    assert rouge_l_f1(text, text, tokenizer="unicode") == 1.0


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        ("北京是首都。", ["北", "京", "是", "首", "都"]),
        ("GPU版2", ["gpu", "版", "2"]),
        ("東京タワーです", ["東", "京", "タ", "ワ", "ー", "で", "す"]),
        ("서울 특별시", ["서울", "특별시"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("Привет, Мир!", ["привет", "мир"]),
        ("ＡＢＣ １２", ["abc", "12"]),
        ("caf\u00e9", ["caf\u00e9"]),
        ("cafe\u0301", ["caf\u00e9"]),
        ("C++ costs -5%", ["c", "costs", "5"]),
        ("snake_case", ["snake", "case"]),
        ("ﬁn", ["fin"]),
        ("〇〇", ["〇", "〇"]),
        ("a\u200bb", ["a", "b"]),
    ],
)
def test_unicode_tokens(text, tokens):
    assert rouge._unicode_tokens(text) == tokens


def test_one_ideograph_in_two_is_half():
    assert rouge_l_f1("北京", "北平", tokenizer="unicode") == 0.5


def test_a_long_run_of_marks_is_normalised_in_pieces():
    text = "a" + "\u0300\u0316" * 50_000
    assert rouge_l_f1(text, text, tokenizer="unicode") == 1.0
    assert rouge._stream_safe("a" + "\u0316" * 30) == "a" + "\u0316" * 30
    assert rouge._stream_safe("a" + "\u0316" * 31) == "a" + "\u0316" * 30 + "\u034f\u0316"


def test_the_stemmer_joins_the_forms_of_a_word():
    assert rouge_l_f1("flying planes", "flies plane") == 0.0
    assert rouge_l_f1("landed planes", "landing plane", use_stemmer=True) == 1.0


def test_the_stemmer_leaves_short_tokens_alone():
    assert rouge_l_f1("his", "hi", use_stemmer=True) == 0.0


def test_the_stemmer_leaves_other_letters_alone():
    assert rouge_l_f1("cafés", "café", use_stemmer=True, tokenizer="unicode") == 0.0
    assert rouge_l_f1("cafés cars", "cafés cares", use_stemmer=True, tokenizer="unicode") == 0.5


def test_long_tokens_are_stemmed_and_not_kept():
    before = rouge._memoised_stem.cache_info().currsize
    word = "q" * 10_000
    assert rouge_l_f1(word + "ing", word + "ed", use_stemmer=True) == 0.0
    assert rouge_l_f1("a" + word + "ing", "a" + word + "ed", use_stemmer=True) == 1.0
    assert rouge._memoised_stem.cache_info().currsize == before


def test_the_memory_of_stems_is_bounded():
    assert rouge._memoised_stem.cache_info().maxsize == 65_536


@pytest.mark.parametrize("tokenizer", ["rouge_score", "unicode"])
def test_texts_are_scored_up_to_the_limit_and_refused_beyond(tokenizer):
    longest = "a " * MAX_TOKENS
    assert rouge_l_f1(longest, longest, tokenizer=tokenizer) == 1.0
    for pair in ((longest + "a", "a"), ("a", longest + "a")):
        with pytest.raises(TooLong, match=str(MAX_TOKENS)):
            rouge_l_f1(*pair, tokenizer=tokenizer)


def test_an_unknown_tokenizer_raises():
    with pytest.raises(ValueError, match="unknown tokenizer 'bert'"):
        rouge_l_f1("a", "a", tokenizer="bert")
    with pytest.raises(ValueError, match="unknown tokenizer"):
        tokenizes_to_nothing("a", tokenizer="")


@pytest.mark.parametrize("absent", [None, 42])
def test_what_is_no_text_is_not_scored(absent):
    with pytest.raises(AttributeError):
        rouge_l_f1(absent, "a")


@pytest.mark.parametrize(
    ("text", "ascii_nothing", "unicode_nothing"),
    [
        ("", False, False),
        (" \u3000\n", False, False),
        ("Paris", False, False),
        ("北京", True, False),
        ("北京 Beijing", False, False),
        ("...", True, True),
        ("42", False, False),
    ],
)
def test_a_text_that_tokenizes_to_nothing_is_told(text, ascii_nothing, unicode_nothing):
    assert tokenizes_to_nothing(text) is ascii_nothing
    assert tokenizes_to_nothing(text, tokenizer="unicode") is unicode_nothing


def test_importing_and_scoring_without_the_stemmer_loads_neither_nltk_nor_rouge_score():
    program = (
        "import sys\n"
        "from gate.metrics.rouge import rouge_l_f1\n"
        "rouge_l_f1('a b', 'b', tokenizer='unicode')\n"
        "print(sorted({'nltk', 'rouge_score', 'numpy'} & set(sys.modules)))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
