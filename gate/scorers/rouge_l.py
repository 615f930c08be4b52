"""Scorer ``rouge_l``: F1 of the longest common subsequence of tokens; equal texts score 1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.metrics.rouge import TooLong, rouge_l_f1, tokenizes_to_nothing
from gate.metrics.text import exact_match

if TYPE_CHECKING:
    from gate.records.case import Scorer
    from gate.records.scoring import RougeLOptions

VERSION: Final = 1
GRADED: Final = True
NEEDS_REFERENCE: Final = True


def bind(options: RougeLOptions) -> Scorer:
    """Tie stemmer and tokenizer."""
    use_stemmer, tokenizer = options.use_stemmer, options.tokenizer

    def score(output: str, reference: str) -> float:
        try:
            found = rouge_l_f1(output, reference, use_stemmer=use_stemmer, tokenizer=tokenizer)
        except TooLong:
            if exact_match(output, reference):
                return 1.0
            raise
        # Equal texts have equal tokens and score 1 by themselves, unless they have none.
        return found or exact_match(output, reference)

    return score


def objection(options: RougeLOptions, reference: str) -> str | None:
    """Refuse a reference that the tokenizer reduces to nothing: no output could ever score."""
    if tokenizes_to_nothing(reference, tokenizer=options.tokenizer):
        return (
            f"has a reference in which the tokenizer {options.tokenizer!r} finds no token; "
            'tokenizer = "unicode" reads other scripts'
        )
    return None
