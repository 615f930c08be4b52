"""A bracketed JSON list against the golden one, element by element."""

from __future__ import annotations

from fractions import Fraction
from math import nextafter
from typing import TYPE_CHECKING, Final

from gate.metrics.answer_list import find_answer_list
from gate.metrics.answer_reader import Numeral, read_value
from gate.metrics.quantity import quantity_credit, read_quantity
from gate.metrics.text import normalize
from gate.metrics.value_text import value_text
from gate.records.base import exact_decimal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from gate.metrics.answer_reader import Value


def score_structured_answer(
    output: str, golden: str, *, tolerance_ratio: Decimal | float | str = 0.10
) -> float:
    """Score an answer against a golden list: the mean credit of the golden elements, in [0, 1].

    Texts that are equal after stripping score 1.0, and so does JSON that is equal
    (``1`` and ``1.0`` are, ``1`` and ``true`` are not); an empty answer scores 0.0. Else the
    list is found in the answer (:func:`~gate.metrics.answer_list.find_answer_list`) and its
    elements are compared by position with the golden ones, each of which earns from 0 to 1:

    * **number** (or a text that is wholly a quantity, on either side, as
      :func:`~gate.metrics.quantity.read_quantity` says): 1 within ``tolerance_ratio`` of
      relative error, limit included, then 1 - relative error, never below 0; an expected
      zero credits only a zero. Anything that is no quantity earns 0, unless the texts are
      equal. Units: one side's alone is ignored, two different ones make texts of both.
      Percent against a bare number: see :func:`~gate.metrics.quantity.quantity_credit`.
    * **text**: 1 if equal after normalisation, else ROUGE-L F1, of ASCII tokens as
      rouge-score has them, or of Unicode ones where a side is not ASCII; 0 beyond its
      limit of tokens. A number, boolean, list or object that stands where a text is
      expected is compared by its JSON text.
    * **true, false**: the same boolean, or its word; never a number, never "yes".
    * **null**: only null earns, and null earns only there; an empty text is not null.
    * **list**: only a list earns, by this same rule; nothing is flattened. An empty one
      only an empty one.
    * **object**: only an object earns, by its keys as a list by its positions.

    Missing elements earn 0. Surplus ones earn nothing and cost nothing: elements count by
    position, so a list of guesses is as good as its first ones. A golden that is no list is
    one element, which the answer may give bare or in a list, whichever is better; a golden
    list of one element may be answered bare where the answer holds no list.

    Everything is exact in rationals and rounded once, to the nearest float; less than full
    credit stays below 1.0. Raises ``TypeError`` for what is not a string and ``ValueError``
    for a tolerance that is no number or outside [0, 1]; no pair of texts raises.

    >>> score_structured_answer('It is ```["Paris", "110 km", 150]```', '["paris", 100, 100]')
    0.8333333333333334
    >>> score_structured_answer("[true, 0.001]", "[1, 0]")
    0.0
    """
    tolerance = _ratio(tolerance_ratio)
    answer, reference = _stripped(output), _stripped(golden)
    if answer == reference:
        return 1.0
    if not answer:
        return 0.0
    expected = read_value(reference)
    if isinstance(expected, list):
        found = find_answer_list(answer, length=len(expected))
        if found is None:
            found = [_bare(answer)] if len(expected) == 1 else None
        return 0.0 if found is None else _rounded(_list_credit(found, expected, tolerance))
    found = find_answer_list(answer, length=1)
    given = [_bare(answer), *(found or [])[:1]]
    return _rounded(max(_credit(element, expected, tolerance) for element in given))


_FENCE: Final = "```"


def _stripped(text: object) -> str:
    if not isinstance(text, str):
        raise TypeError(f"an answer and its golden list are strings, not {type(text).__name__}")
    return text.strip()


def _ratio(tolerance_ratio: Decimal | float | str) -> Fraction:
    ratio = Fraction(exact_decimal(tolerance_ratio))
    if not 0 <= ratio <= 1:
        raise ValueError(f"the tolerance ratio must lie between 0 and 1, and {ratio} does not")
    return ratio


def _bare(answer: str) -> Value:
    """Read an answer without a list as one element, out of its fence if it is all fenced."""
    if answer.startswith(_FENCE) and answer.endswith(_FENCE):
        first_line, _, rest = answer.partition("\n")
        if _FENCE not in first_line[len(_FENCE) :]:
            return read_value(rest.removesuffix(_FENCE))
    return read_value(answer)


def _credit(actual: Value, expected: Value, tolerance: Fraction) -> Fraction:
    if expected is None or actual is None:
        return Fraction(actual is expected)
    if isinstance(expected, bool):
        return _boolean_credit(actual, expected=expected)
    if isinstance(expected, str):
        return _text_credit(actual, expected, tolerance)
    if isinstance(expected, list):
        return _list_credit(actual, expected, tolerance)
    return _object_credit(actual, expected, tolerance)


def _list_credit(actual: Value, expected: Sequence[Value], tolerance: Fraction) -> Fraction:
    if not isinstance(actual, list):
        return Fraction(0)
    if not expected:
        return Fraction(not actual)
    earned = [_credit(a, e, tolerance) for a, e in zip(actual, expected, strict=False)]
    return _mean(earned + [Fraction(0)] * (len(expected) - len(earned)))


def _object_credit(actual: Value, expected: dict[str, Value], tolerance: Fraction) -> Fraction:
    if not isinstance(actual, dict):
        return Fraction(0)
    if not expected:
        return Fraction(not actual)
    return _mean(
        [
            _credit(actual[key], value, tolerance) if key in actual else Fraction(0)
            for key, value in expected.items()
        ]
    )


def _boolean_credit(actual: Value, *, expected: bool) -> Fraction:
    if isinstance(actual, bool):
        return Fraction(actual is expected)
    is_word = isinstance(actual, str) and normalize(actual) == str(expected).lower()
    return Fraction(is_word)


def _text_credit(actual: Value, expected: str, tolerance: Fraction) -> Fraction:
    text = actual if isinstance(actual, str) else value_text(actual)
    if normalize(text) == normalize(expected):
        return Fraction(1)
    number = read_quantity(expected)
    if number is None:
        # An unquoted number that is too long for arithmetic is still no text.
        return Fraction(0) if isinstance(expected, Numeral) else _overlap(text, expected)
    given = read_quantity(text)
    if given is None:
        return Fraction(0)
    credit = quantity_credit(given, number, tolerance=tolerance)
    return _overlap(text, expected) if credit is None else credit


def _overlap(text: str, expected: str) -> Fraction:
    from gate.metrics.rouge import TooLong, rouge_l_f1

    one_script = text.isascii() and expected.isascii()
    try:
        f1 = rouge_l_f1(text, expected, tokenizer="rouge_score" if one_script else "unicode")
    except TooLong:
        return Fraction(0)
    return Fraction(f1)


def _mean(earned: Sequence[Fraction]) -> Fraction:
    """Average in a balanced tree: a running sum of fractions would grow quadratically."""
    total = list(earned)
    while len(total) > 1:
        pairs = [a + b for a, b in zip(total[::2], total[1::2], strict=False)]
        total = pairs + total[len(pairs) * 2 :]
    return total[0] / len(earned)


def _rounded(credit: Fraction) -> float:
    nearest = float(credit)
    return nextafter(1.0, 0.0) if nearest == 1.0 and credit < 1 else nearest
