"""Number against number: ``144``, ``144.0`` and ``" 144 "`` are one answer."""

from __future__ import annotations

import re
from decimal import Context, Decimal, Inexact
from typing import Final

from gate.records.base import exact_decimal

MAX_DIGITS: Final = 1000
"""Characters a number may have: a longer one is not an answer and counts as unparseable."""

_NUMBER: Final = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
# The widest difference: MAX_DIGITS before the point, as many after it, one carried. The
# default context would round to 28 digits; this one would rather raise than round.
_EXACT: Final = Context(prec=2 * MAX_DIGITS + 1, traps=[Inexact])


def first_number(text: str) -> Decimal | None:
    """Read the first number of a text exactly, or ``None`` if there is none.

    A number is what the deep dive's pattern ``-?[0-9]+(?:.[0-9]+)?`` finds, so what stands
    around it is not read: ``1,234`` is 1, ``.5`` is 5, ``1e3`` is 1, ``5%`` is 5, ``-$5``
    is 5, and the hyphen of ``GPT-4`` is a sign. Only the ASCII digits 0-9 count. A first
    number of more than :data:`MAX_DIGITS` characters is unparseable.

    >>> first_number("It is -144.50 degrees, or 3"), first_number("(42)."), first_number("none")
    (Decimal('-144.50'), Decimal('42'), None)
    """
    found = _NUMBER.search(str(text))
    if found is None or found.end() - found.start() > MAX_DIGITS:
        return None
    return Decimal(found[0])


def numeric_within(output: str, reference: str, tol: Decimal | float | str) -> float:
    """Score 1.0 if the first numbers of both differ by at most ``tol``, else 0.0.

    The limit is inclusive and everything is exact in decimals: a float ``tol`` is read by
    its repr, so ``0.05`` is one twentieth. A side without a number scores 0.0, also if
    both have none. Raises ``ValueError`` for a ``tol`` that is negative, not finite, not a
    number (booleans are none) or beyond the digits of a limit.

    >>> numeric_within("The answer is 144.0", " 144 ", 0), numeric_within("0.95", "1", 0.05)
    (1.0, 1.0)
    >>> numeric_within("no idea", "144", 1000)
    0.0
    """
    limit = exact_decimal(tol)
    if limit < 0:
        raise ValueError(f"the tolerance must not be negative, and {limit} is")
    actual, expected = first_number(output), first_number(reference)
    if actual is None or expected is None:
        return 0.0
    return 1.0 if _EXACT.abs(_EXACT.subtract(actual, expected)) <= limit else 0.0
