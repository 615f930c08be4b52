"""Agreement of two raters beyond chance, on which trust in a judge rests."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from gate.statistics.exact import simplest_fraction

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence


def cohens_kappa(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """Give Cohen's kappa of two raters' labels for the same items.

    ``(p_o - p_e) / (1 - p_e)``: observed agreement, less what two raters with these shares of
    labels reach by luck. 1 is perfect, 0 is chance, below 0 is worse. Labels are any hashable
    values and are equal as Python has it (1, 1.0 and True are one label). Counted in integers
    and divided once, in time linear in the items.

    Where both raters used one and the same label throughout, kappa is formally 0/0; it is 1.0
    by convention. That is a number for a degenerate slice, not evidence: such data cannot show
    that a judge tells one class from another. Unequal lengths and no items raise
    ``ValueError``.

    Source: Cohen, A coefficient of agreement for nominal scales, Educational and Psychological
    Measurement 20 (1960).

    >>> cohens_kappa("ppppppppff", "ppppppppfp")  # nine of ten agree, 74 % by luck
    0.6153846153846154
    >>> cohens_kappa("pp", "pp"), cohens_kappa("pf", "fp")
    (1.0, -1.0)
    """
    above, below = _kappa_ratio(a, b)
    return above / below


def judge_is_trustworthy(
    a: Sequence[Hashable], b: Sequence[Hashable], threshold: float = 0.6
) -> bool:
    """Say whether the labels ``a`` and ``b`` agree with a kappa of at least ``threshold``.

    The threshold is inclusive and exact: 0.6 means three fifths. 0.6 is where Landis and Koch
    (Biometrics 33, 1977) begin "substantial". This is the point rule; on one-class data it
    follows the convention of :func:`cohens_kappa` and says yes, which is a convention and not
    trust. Errors are those of :func:`cohens_kappa`; a threshold that is not a finite number
    raises ``ValueError``.

    >>> judge_is_trustworthy("pppppfffff", "ppppfffffp")  # kappa is exactly 0.6
    True
    >>> judge_is_trustworthy("pppppfffff", "pppfffffpp")
    False
    """
    above, below = _kappa_ratio(a, b)
    numerator, denominator = simplest_fraction(threshold).as_integer_ratio()
    return above * denominator >= numerator * below


def _kappa_ratio(a: Sequence[Hashable], b: Sequence[Hashable]) -> tuple[int, int]:
    """Give kappa as an integer numerator and a positive integer denominator.

    >>> _kappa_ratio("pf", "pp")
    (0, 2)
    """
    if len(a) != len(b):
        raise ValueError(f"both raters must label the same items: {len(a)} and {len(b)} labels")
    if not a:
        raise ValueError("agreement needs at least one labelled item")
    n = len(a)
    agreed = sum(left == right for left, right in zip(a, b, strict=True))
    by_b = Counter(b)
    lucky = sum(count * by_b[label] for label, count in Counter(a).items())
    if lucky == n * n:
        return 1, 1
    return n * agreed - lucky, n * n - lucky
