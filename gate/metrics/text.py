"""Text against text, normalised first: a capital or a trailing space is never a regression."""

from __future__ import annotations


def normalize(text: str) -> str:
    r"""Trim, lower the case and collapse each run of white space to one space.

    The one definition that every string scorer goes through: the value of
    ``re.sub(r"\s+", " ", str(text).strip().lower())``, in linear time. White space is
    Unicode's (no-break and ideographic spaces too); case is :meth:`str.lower`, so ``ß`` is
    not ``SS``. Whatever is not a text is spelled by :class:`str`: absence has no place here.

    >>> normalize("  The\tAnswer \n is  PARIS ")
    'the answer is paris'
    """
    return " ".join(str(text).lower().split())


def exact_match(output: str, reference: str) -> float:
    """Score 1.0 if both are equal after :func:`normalize`, else 0.0; two empties are equal.

    >>> exact_match("  PARIS ", "Paris"), exact_match("Paris.", "Paris"), exact_match("", " ")
    (1.0, 0.0, 1.0)
    """
    return 1.0 if normalize(output) == normalize(reference) else 0.0


def contains(output: str, reference: str) -> float:
    """Score 1.0 if the normalised reference stands anywhere in the normalised output.

    Characters are compared, not words: ``15`` stands in ``150``. Raises ``ValueError`` for
    a reference that is empty after normalisation: every output contains it, so such a case
    would grade everything perfect.

    >>> contains("The capital of France is Paris.", "paris"), contains("I'm not sure", "Paris")
    (1.0, 0.0)
    >>> contains("anything", " ")
    Traceback (most recent call last):
        ...
    ValueError: an empty reference is contained in every output; write one, or use exact_match
    """
    needle = normalize(reference)
    if not needle:
        raise ValueError(
            "an empty reference is contained in every output; write one, or use exact_match"
        )
    return 1.0 if needle in normalize(output) else 0.0
