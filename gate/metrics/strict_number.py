"""Numbers as people write them in answers: each rule stated, nothing guessed."""

from __future__ import annotations

import re
from collections import deque
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from gate.metrics.numbers import MAX_DIGITS
from gate.metrics.quantity import MAX_EXPONENT
from gate.metrics.units import read_unit
from gate.records.base import exact_decimal

MAX_RUNS: Final = 1_000
"""Things that begin with a digit, from the end of a text, among which a number is looked for."""
Numbers = Literal["last", "whole"]
Percent = Literal["ignored", "hundredths"]
Parentheses = Literal["plain", "negative"]


def strict_number(
    text: str,
    *,
    numbers: Numbers = "last",
    percent: Percent = "ignored",
    parentheses: Parentheses = "plain",
) -> Fraction | None:
    """Read the last number of a text, or a text that is wholly one; ``None`` if there is none.

    Read exactly are: ``1,234`` (also with no-break or thin spaces), ``.5``, ``5.``, ``1e3``,
    ``1.5 × 10^3``, ``1/2``, ``1 1/2``, ``5 million``; a sign right before the digits or the
    currency (``+``, ``-``, U+2212, an en dash): ``-$5``, ``$-5``; a currency before; a unit after.
    ``percent`` says what ``5%`` is: 5, or with ``hundredths`` 1/20. ``parentheses`` says what
    ``(5)`` is: 5, or with ``negative`` -5, as accountants write it.

    Only the ASCII digits 0-9 count. Passed over, since they are no numbers: dates, times, ranges
    and versions (``2024-05-20``, ``10:30``, ``1994–95``); digits that letters touch (``GPT-4``,
    ``B12``, ``1st``), except a unit (``5km``). A last number that can be read in two ways makes
    the text one without a number: ``1,23``, ``1.234,56``, ``1 234``, ``007``, ``5M``, a
    division by zero, more than :data:`~gate.metrics.numbers.MAX_DIGITS` characters, or beyond
    ten to the power of :data:`~gate.metrics.quantity.MAX_EXPONENT`. Of what begins with a digit
    the last :data:`MAX_RUNS` are looked at.

    ``whole`` takes nothing beside the number but its sign, currency, percent sign and unit, and
    punctuation or emphasis around it.

    >>> strict_number("4 eggs. The answer is 16.00"), strict_number("GPT-4 says −1,234.5")
    (Fraction(16, 1), Fraction(-2469, 2))
    >>> strict_number("(42).", numbers="whole"), strict_number("about 42", numbers="whole")
    (Fraction(42, 1), None)
    >>> strict_number("5%", percent="hundredths"), strict_number("($5)", parentheses="negative")
    (Fraction(1, 20), Fraction(-5, 1))
    """
    runs = deque(_RUN.finditer(text), maxlen=MAX_RUNS)
    found = next((number for run in reversed(runs) if (number := _in_context(text, run))), None)
    if found is None or found.value is None or (numbers == "whole" and not _is_whole(text, found)):
        return None
    value = found.value
    if found.percent and percent == "hundredths":
        value /= 100
    return -value if found.enclosed and parentheses == "negative" else value


def strictly_within(
    output: str,
    reference: str,
    tol: object,
    *,
    numbers: Numbers = "last",
    percent: Percent = "ignored",
    parentheses: Parentheses = "plain",
) -> float:
    """Score 1.0 if the numbers of both, as :func:`strict_number` reads them, are near enough.

    The limit is inclusive and exact. A side without a number scores 0.0, also if both have
    none. Raises ``ValueError`` for a ``tol`` that is negative or no number.

    >>> strictly_within("The total is $80,000.", "80000", 0)
    1.0
    >>> strictly_within("101.4%", "1.015", "0.01", percent="hundredths")
    1.0
    """
    limit = exact_decimal(tol)
    if limit < 0:
        raise ValueError(f"the tolerance must not be negative, and {limit} is")
    rules = {"numbers": numbers, "percent": percent, "parentheses": parentheses}
    actual = strict_number(str(output), **rules)  # type: ignore[arg-type]
    expected = strict_number(str(reference), **rules)  # type: ignore[arg-type]
    if actual is None or expected is None:
        return 0.0
    return 1.0 if abs(actual - expected) <= Fraction(limit) else 0.0


class _Number(NamedTuple):
    """What stands at ``text[start:end]``; ``value`` is ``None`` where it may be two things."""

    value: Fraction | None
    start: int
    end: int
    percent: bool = False
    enclosed: bool = False


_THIN: Final = "\u00a0\u202f\u2009"
_SIGNS: Final = "+\\-−–"
_SCALES: Final = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
_RUN: Final = re.compile(
    rf"""
    (?:[0-9]{{1,9}}[ ](?=[0-9]{{1,9}}/[0-9]))?
    \.?[0-9](?:[0-9]
        | [.,/:\-−–](?=[0-9])
        | [{_THIN}](?=[0-9]{{3}}(?![0-9]))
        | [eE](?=[+\-−]?[0-9]) | (?<=[eE])[+\-−](?=[0-9])
    )*+
    (?:[ ]?[×x*][ ]?10(?:\^|\*\*)[+\-−]?[0-9]{{1,9}}(?![0-9]))?
    """,
    re.VERBOSE,
)
"""Whatever hangs together and begins with a digit, numbers or not."""
_GRAMMAR: Final = re.compile(
    rf"""
    (?:
        (?P<whole>
            [1-9][0-9]{{0,2}}(?P<separator>[,{_THIN}])[0-9]{{3}}(?:(?P=separator)[0-9]{{3}})*
            | 0 | [1-9][0-9]* | (?=\.)
        )
        (?:\.(?P<part>[0-9]+))?
        (?:[eE](?P<e>[+\-−]?[0-9]{{1,9}}))?
        (?:[ ]?[×x*][ ]?10(?:\^|\*\*)(?P<ten>[+\-−]?[0-9]{{1,9}}))?
    |
        (?:(?P<mixed>[0-9]{{1,9}})[ ])?(?P<numerator>[1-9][0-9]*|0)/(?P<denominator>[0-9]+)
    )
    """,
    re.VERBOSE,
)
_TWO_WAYS: Final = re.compile(rf"[0-9.,eE+\-−{_THIN}]*(?:/0+)?")
"""What is no number by the grammar, but of nothing else."""
_DATED: Final = re.compile(r"(?<![eE])[\-−–]|\..*\..*\.")
_BEFORE: Final = re.compile(
    rf"(?:(?P<outer>(?<!\w)[{_SIGNS}])?(?P<open>\([ ]?))?(?P<sign>[{_SIGNS}])?"
    rf"(?P<currency>(?:US\$|[$€£¥]|(?<![A-Za-z])(?:USD|EUR|GBP|JPY))[ ]?)?(?P<inner>[{_SIGNS}])?\Z"
)
_AFTER: Final = re.compile(
    r"\.?(?:[ ]?(?P<scale>thousand|million|billion|trillion)\b)?"
    r"(?P<percent>[ ]?(?:%|percent\b|per[ ]cent\b|pct\b))?(?P<close>[ ]?\))?",
    re.IGNORECASE,
)
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_SCALE_LETTERS: Final = frozenset(("k", "m", "b", "bn", "mn", "mm", "t", "tn"))
_THREE: Final = re.compile(r"[0-9]{3}(?![0-9])")
_SPACED: Final = re.compile(r"(?<![\w.,])[0-9]{1,3} \Z")
_LOOK_BACK: Final = 12
_AROUND: Final = " \t\r\n()[]{}*_`\"'.!?;:,=“”"


def _in_context(text: str, run: re.Match[str]) -> _Number | None:
    """Give the number that a run is where it stands; ``None`` for what is no number at all."""
    start, end = run.span()
    before = _BEFORE.search(text, max(0, start - _LOOK_BACK), start)
    begin = start if before is None else before.start()
    enclosed = before is not None and before["open"] is not None
    word = _LETTERS.match(text, end)
    scaled = word is not None and word[0].lower() in _SCALE_LETTERS and word[0] != "m"
    if (not enclosed and begin and _touches(text[begin - 1])) or (
        not scaled and _is_touched(text, end, word)
    ):
        return None
    signs = _signs(before)
    value = None if scaled or _is_spaced(text, run) else _value(run[0], signs)
    if value is None:
        return _Number(None, begin, end) if _reads_two_ways(run[0]) else None
    after = _AFTER.match(text, end)
    if after is None:
        return _Number(value, begin, end)
    if after["scale"]:
        value *= 10 ** _SCALES[after["scale"].lower()]
    return _Number(
        value,
        begin,
        after.end(),
        percent=after["percent"] is not None,
        enclosed=enclosed and after["close"] is not None,
    )


def _signs(before: re.Match[str] | None) -> str:
    names = ("outer", "sign", "inner")
    return "" if before is None else "".join(before[name] or "" for name in names)


def _touches(character: str) -> bool:
    return character == "_" or character.isalnum()


def _is_touched(text: str, end: int, word: re.Match[str] | None) -> bool:
    """Say whether something follows that makes a name of the digits: letters that are no unit."""
    if word is None:  # a digit of another script, or a superscript
        return end < len(text) and _touches(text[end])
    return not read_unit(word[0]) and word[0].lower() not in _SCALES


def _is_spaced(text: str, run: re.Match[str]) -> bool:
    """Say whether ``1 234`` may be one number or two."""
    if not _THREE.match(run[0]):
        return False
    return _SPACED.search(text, max(0, run.start() - _LOOK_BACK), run.start()) is not None


def _reads_two_ways(run: str) -> bool:
    """Say of what the grammar does not know whether it may be a number all the same."""
    return bool(_TWO_WAYS.fullmatch(run)) and not _DATED.search(run)


def _value(run: str, sign: str) -> Fraction | None:
    found = _GRAMMAR.fullmatch(run) if len(run) <= MAX_DIGITS and len(sign) < 2 else None  # noqa: PLR2004
    if found is None:
        return None
    if found["denominator"]:
        below = int(found["denominator"])
        if not below:
            return None
        value = int(found["mixed"] or 0) + Fraction(int(found["numerator"]), below)
    else:
        exponents = (int((found[name] or "0").replace("−", "-")) for name in ("e", "ten"))
        part = found["part"] or ""
        power = sum(exponents)
        if abs(power) > MAX_EXPONENT:
            return None
        digits = re.sub(rf"[,{_THIN}]", "", found["whole"]) + part
        value = Fraction(int(digits)) * Fraction(10) ** (power - len(part))
    return value if sign in {"", "+"} else -value


def _is_whole(text: str, number: _Number) -> bool:
    rest = text[number.end :].strip(_AROUND)
    return not text[: number.start].strip(_AROUND) and read_unit(rest) is not None
