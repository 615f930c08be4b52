"""Token overlap: the deterministic stand-in for a judge."""

from __future__ import annotations

from gate.metrics.text import normalize


def deterministic_judge(output: str, reference: str) -> float:
    """Score the Jaccard similarity of both token sets: shared tokens over all tokens.

    Tokens are what white space separates after normalisation, so ``Paris.`` is not
    ``Paris``. Two empty texts score 1.0, one empty text 0.0. Correctly rounded, symmetric.

    >>> deterministic_judge("the capital is Paris", "The Capital")
    0.5
    >>> deterministic_judge("", " "), deterministic_judge("", "Paris")
    (1.0, 0.0)
    """
    actual, expected = set(normalize(output).split()), set(normalize(reference).split())
    if not actual and not expected:
        return 1.0
    return len(actual & expected) / len(actual | expected)
