"""A weighted vote over predicates: the most nuance that is still deterministic and free."""

from __future__ import annotations

from decimal import Context, Decimal, Inexact
from functools import lru_cache
from math import nextafter
from typing import TYPE_CHECKING, Any, Final

from gate.metrics.text import normalize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.records.scoring import RubricCheck

# Weights are limits of at most 30 digits within 30 places of the point, so any sum of them
# fits; this context would rather raise than round.
_EXACT: Final = Context(prec=200, traps=[Inexact])


def rubric_score(output: str, checks: Sequence[RubricCheck]) -> float:
    r"""Score the weight of the satisfied checks over the weight of all, correctly rounded.

    * ``contains``, ``excludes``, ``equals``: both texts normalised.
    * ``min_words``: at least so many words, separated by white space.
    * ``regex``: found anywhere in the output as it stands (case counts, ``(?i)`` lifts
      that). Patterns are RE2's, whose time is linear in the output; ``\d``, ``\w`` and
      ``\s`` are ASCII, ``$`` is the very end of the text.

    Raises ``ValueError`` as :func:`check_rubric` does.

    >>> from gate.records.scoring import RubricCheck
    >>> paris = RubricCheck(kind="contains", value="Paris", weight=3)
    >>> terse = RubricCheck(kind="excludes", value="as an AI")
    >>> rubric_score("As an AI, I say: PARIS", [paris, terse])
    0.75
    """
    total = check_rubric(checks)
    normalized, raw = normalize(output), str(output)
    got = Decimal(0)
    for check in checks:
        if _satisfied(check, normalized, raw):
            got = _EXACT.add(got, check.weight)
    # got / total as one division of integers, which rounds once and correctly.
    top, top_unit = got.as_integer_ratio()
    bottom, bottom_unit = total.as_integer_ratio()
    score = (top * bottom_unit) / (bottom * top_unit)
    # Less than everything never rounds up to full credit.
    return score if score < 1.0 or got == total else nextafter(1.0, 0.0)


def check_rubric(checks: Sequence[RubricCheck]) -> Decimal:
    """Give the total weight of a rubric that can be scored; refuse any other.

    Raises ``ValueError``, naming the check by its place from 1, for a rubric without
    checks (it would grade everything perfect), a negative weight, a total weight that is
    not positive, an empty text or pattern (true of everything), a ``min_words`` whose value
    is not a number from 1, a number in any other kind, and a pattern that RE2 does not take.

    >>> from gate.records.scoring import RubricCheck
    >>> check_rubric([RubricCheck(kind="min_words", value=5, weight="0.5")])
    Decimal('0.5')
    >>> check_rubric([])
    Traceback (most recent call last):
        ...
    ValueError: a rubric without checks would grade everything perfect
    """
    if not checks:
        raise ValueError("a rubric without checks would grade everything perfect")
    total = Decimal(0)
    for place, check in enumerate(checks, start=1):
        problem = _problem(check)
        if problem is not None:
            raise ValueError(f"check {place} of the rubric ({check.kind}): {problem}")
        total = _EXACT.add(total, check.weight)
    if total <= 0:
        raise ValueError("the weights of a rubric must sum to more than 0")
    return total


def _problem(check: RubricCheck) -> str | None:
    """Say what is wrong with one check by itself, if anything is."""
    value = check.value
    if check.weight < 0:
        return f"its weight {check.weight} is negative"
    if check.kind == "min_words":
        if isinstance(value, str):
            return f"its value must be a number of words, not the text {value[:40]!r}"
        return "its value must be at least 1: every text has 0 words" if value < 1 else None
    if not isinstance(value, str):
        return f"its value must be a text, not the number {value}"
    if check.kind == "regex":
        return _pattern_problem(value)
    return None if normalize(value) else "its value is an empty text"


def _satisfied(check: RubricCheck, normalized: str, raw: str) -> bool:
    """Decide one check of a rubric that :func:`check_rubric` accepted."""
    value = check.value
    if not isinstance(value, str):
        return len(raw.split()) >= value
    match check.kind:
        case "contains":
            return normalize(value) in normalized
        case "excludes":
            return normalize(value) not in normalized
        case "equals":
            return normalize(value) == normalized
        case _:
            # As bytes: RE2 would otherwise count characters for offsets nobody reads, and
            # refuse a lone surrogate, which here is one more character.
            text = raw.encode("utf-8", "surrogatepass")
            return _compiled(value).search(text) is not None


def _pattern_problem(pattern: str) -> str | None:
    import re2

    if not pattern:
        return "its pattern is empty"
    try:
        _compiled(pattern)
    except (re2.error, UnicodeEncodeError) as error:
        reason = error.args[0] if isinstance(error, re2.error) else error
        said = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        return (
            f"the pattern {pattern[:200]!r} is refused ({said[:200]}); patterns are RE2's, "
            "without look-around and backreferences, whose time is not linear"
        )
    return None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:  # noqa: ANN401 - re2 has no types
    import re2

    options = re2.Options()
    options.log_errors = False  # it would write to standard error by itself
    options.never_capture = True  # only whether it matches is asked
    return re2.compile(pattern, options)
