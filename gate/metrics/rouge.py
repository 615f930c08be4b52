"""ROUGE-L: the longest common subsequence of tokens as an F-measure, float for float."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING, Final, Literal

from gate.metrics.subsequence import MAX_TOKENS, TooLong, lcs_length

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MAX_TOKENS", "TooLong", "rouge_l_f1", "tokenizes_to_nothing"]

Tokenizer = Literal["rouge_score", "unicode"]

_UNSPACED: Final = ("CJK ", "IDEOGRAPHIC ", "HIRAGANA ", "KATAKANA")
_MARKS: Final = 30
"""Combining marks in a row that Unicode's stream-safe format (UAX 15) allows."""
_STEMMED_FROM: Final = 4
_MEMOISED_TO: Final = 40
"""Longer tokens are no words and would only fill the memory."""


def rouge_l_f1(
    output: str,
    reference: str,
    *,
    use_stemmer: bool = False,
    tokenizer: Tokenizer = "rouge_score",
) -> float:
    """Score the ROUGE-L F1 of two texts, in [0, 1]; 0.0 if either has no token.

    ``rouge_score`` tokens are runs of ``a-z0-9`` of the lower-cased text, and the result is
    the very float that rouge-score 0.1.2 gives for ``rougeL``, with and without its Porter
    stemmer. Whatever is not an ASCII letter or digit is lost to it: two equal Chinese texts
    score 0.0, ``-5`` and ``5``, ``C++`` and ``C`` score 1.0 (:func:`tokenizes_to_nothing`
    tells). ``unicode`` tokens are runs of letters, digits and marks of any script, in
    compatibility form (NFKC) and lower-cased; ideographs and kana, which are written
    without spaces, are a token each; signs and punctuation are lost all the same. The
    stemmer is English and leaves tokens with other letters alone.

    Raises :class:`TooLong`, a ``ValueError``, for more than :data:`MAX_TOKENS` tokens a
    side, and ``ValueError`` for an unknown tokenizer.

    Source: C.-Y. Lin, "ROUGE: a package for automatic evaluation of summaries" (2004).

    >>> rouge_l_f1("the cat sat", "the cat sat down")
    0.8571428571428571
    >>> rouge_l_f1("北京", "北京"), rouge_l_f1("北京", "北平", tokenizer="unicode")
    (0.0, 0.5)
    """
    tokenize = _tokenizer(tokenizer)
    predicted, gold = tokenize(output), tokenize(reference)
    if len(predicted) > MAX_TOKENS or len(gold) > MAX_TOKENS:
        raise TooLong(f"a text has more than {MAX_TOKENS} tokens, too many for ROUGE-L")
    if use_stemmer:
        predicted, gold = _stemmed(predicted), _stemmed(gold)
    if not predicted or not gold:
        return 0.0
    length = lcs_length(predicted, gold)
    precision, recall = length / len(predicted), length / len(gold)
    # In rouge-score's order of operations, whose roundings are part of the definition.
    return 2 * precision * recall / (precision + recall) if length else 0.0


def tokenizes_to_nothing(text: str, *, tokenizer: Tokenizer = "rouge_score") -> bool:
    """Say whether ROUGE-L sees nothing in a text that is not blank: it then scores 0.0.

    >>> tokenizes_to_nothing("北京"), tokenizes_to_nothing("北京", tokenizer="unicode")
    (True, False)
    >>> tokenizes_to_nothing(" "), tokenizes_to_nothing("Peking")
    (False, False)
    """
    tokenize = _tokenizer(tokenizer)
    if text[:1].isascii() and text[:1].isalnum():  # as nearly every text begins
        return False
    return not text.isspace() and text != "" and not tokenize(text)


def _tokenizer(name: Tokenizer) -> Callable[[str], list[str]]:
    if name == "rouge_score":
        return _ascii_tokens
    if name == "unicode":
        return _unicode_tokens
    raise ValueError(f"unknown tokenizer {name!r}; known are rouge_score and unicode")


class _Spacing(dict[int, str]):
    """A table for :meth:`str.translate` that makes whatever it does not list a space."""

    def __missing__(self, _: int) -> str:
        return " "


_ASCII_WORDS: Final = _Spacing({ord(c): c for c in ascii_lowercase + digits})
_BYTES: Final = "".join(_ASCII_WORDS[ord(chr(c).lower())] for c in range(128)).encode().ljust(256)
"""The same, of either case, for the bytes of ASCII, which are mapped many times as fast."""


# Both give at most one token more than MAX_TOKENS, the last of them being the whole rest:
# enough to refuse, without a list as large as a hostile text.
def _ascii_tokens(text: str) -> list[str]:
    if text.isascii():
        return text.encode().translate(_BYTES).decode().split(maxsplit=MAX_TOKENS)
    return text.lower().translate(_ASCII_WORDS).split(maxsplit=MAX_TOKENS)


def _unicode_tokens(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", _stream_safe(text)).lower()
    spaced = folded.translate({ord(c): _spaced(c) for c in set(folded)})
    return spaced.split(maxsplit=MAX_TOKENS)


def _stream_safe(text: str) -> str:
    """Break long runs of combining marks with a joiner, as UAX 15 says.

    Normalisation sorts each run in quadratic time: 80,000 marks took six seconds.
    """
    marks = "".join(c for c in set(text) if unicodedata.combining(c))
    if not marks:
        return text
    return re.sub(f"([{marks}]{{{_MARKS}}})(?=[{marks}])", "\\1\u034f", text)


@lru_cache(maxsize=16_384)
def _spaced(character: str) -> str:
    """Spell a character so that white space separates tokens."""
    if unicodedata.category(character)[0] not in "LMN":
        return " "
    if unicodedata.name(character, "").startswith(_UNSPACED):
        return f" {character} "
    return character


def _stemmed(tokens: list[str]) -> list[str]:
    stems = (_stem(token) if len(token) >= _STEMMED_FROM else token for token in tokens)
    return [stem for stem in stems if stem]


def _stem(token: str) -> str:
    if not token.isascii():
        return token
    return _porter()(token) if len(token) > _MEMOISED_TO else _memoised_stem(token)


@lru_cache(maxsize=65_536)
def _memoised_stem(token: str) -> str:
    return _porter()(token)


@cache
def _porter() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer

    stem: Callable[[str], str] = PorterStemmer().stem
    return stem
