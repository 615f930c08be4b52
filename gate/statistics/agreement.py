"""Agreement of two raters beyond chance, and the trust in a judge that rests on it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal, NamedTuple

from gate.statistics.exact import simplest_fraction
from gate.statistics.kappa_intervals import (
    KappaInterval,
    table_kappa_interval,
    table_kappa_lower_bound,
)
from gate.statistics.weighted import ConfusionTable, Weights, confusion_table, disagreement

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

Criterion = Literal["point", "lower"]
"""What must reach the threshold: the measured kappa, or its one-sided 95 % lower bound."""

Trust = Literal["trusted", "not trusted", "undefined"]


class Agreement(NamedTuple):
    """What labelled items say about a judge; see :func:`measure_agreement`."""

    n: int
    categories: tuple[Hashable, ...]
    confusion: tuple[tuple[int, ...], ...]
    """Items by human label (rows) and the judge's label (columns), as in ``categories``."""
    human_counts: tuple[int, ...]
    judge_counts: tuple[int, ...]
    weights: Weights
    kappa: float | None
    interval: KappaInterval | None
    lower_bound: float | None

    @property
    def unproven(self) -> tuple[Hashable, ...]:
        """The categories no human label stands for: nothing shows the judge right on them."""
        paired = zip(self.categories, self.human_counts, strict=True)
        return tuple(category for category, count in paired if not count)


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


def measure_agreement(
    human: Sequence[Hashable],
    judge: Sequence[Hashable],
    *,
    categories: Sequence[Hashable] | None = None,
    weights: Weights = "none",
    level: float = 0.95,
) -> Agreement:
    """Sum up how a judge's labels agree with human labels of the same items.

    ``categories`` is the scale the judge answers on, whole and in order; without it the labels
    either used are it, sorted, which weights do not allow. ``interval`` is the augmented one of
    ``level``, ``lower_bound`` the one-sided 95 % bound. Where both used one and the same label
    throughout, kappa is 0/0: the three are ``None``, whatever :func:`cohens_kappa` says by
    convention. Where only the humans did, kappa is 0 whoever the judge is; :func:`trust` does
    not rest on it. Cost is the square of the categories. Unequal lengths, no items, labels
    outside the scale, weights without a scale and, where there is an interval, a level outside
    (0, 1) raise ``ValueError``.

    >>> found = measure_agreement("pppppfffff", "ppppfffffp", categories="pf")
    >>> found.confusion, found.human_counts, found.kappa
    (((4, 1), (1, 4)), (5, 5), 0.6)
    >>> measure_agreement("pppp", "pppp").kappa is None
    True
    """
    if weights != "none" and categories is None:
        raise ValueError(f"{weights} weights need the scale: categories in their order")
    table = confusion_table(human, judge, categories=categories)
    return table_agreement(table, weights=weights, level=level)


def table_agreement(
    table: ConfusionTable, *, weights: Weights = "none", level: float = 0.95
) -> Agreement:
    """Give what :func:`measure_agreement` does, of items that are counted already.

    The counts are taken as they are: a square of whole numbers from 0 on. A table that counts
    nothing has no kappa, no interval and no bound.

    >>> table_agreement(ConfusionTable(("p", "f"), ((4, 1), (1, 4)))).kappa
    0.6
    >>> table_agreement(ConfusionTable(("p", "f"), ((0, 0), (0, 0)))).n
    0
    """
    scale, counts = table
    observed, by_luck = disagreement(counts, weights=weights)
    interval = lower_bound = None
    if by_luck:
        interval = table_kappa_interval(counts, level=level, weights=weights)
        lower_bound = table_kappa_lower_bound(counts, weights=weights)
    return Agreement(
        n=sum(map(sum, counts)),
        categories=scale,
        confusion=counts,
        human_counts=tuple(sum(row) for row in counts),
        judge_counts=tuple(sum(column) for column in zip(*counts, strict=True)),
        weights=weights,
        kappa=(by_luck - observed) / by_luck if by_luck else None,
        interval=interval,
        lower_bound=lower_bound,
    )


def trust(
    agreement: Agreement, *, threshold: float = 0.6, criterion: Criterion = "point"
) -> Trust:
    """Say whether a judge that agrees so with human labels may be trusted.

    ``undefined`` unless every category has a human label, and there are two or more: a judge
    that calls everything "pass" agrees perfectly with labels that are all "pass", and nothing
    shows what it would do with a failure. Else ``trusted`` where the measured kappa
    (``point``) or its lower bound (``lower``) is at least the threshold. The point rule is
    exact, as in :func:`judge_is_trustworthy`; ten labels that happen to agree satisfy it. A
    threshold that is not a finite number and an unknown criterion raise ``ValueError``.

    >>> trust(measure_agreement("pppppfffff", "ppppfffffp"))
    'trusted'
    >>> trust(measure_agreement("pppppfffff", "ppppfffffp"), criterion="lower")
    'not trusted'
    >>> trust(measure_agreement("pppppppppp", "pppppppppp"))
    'undefined'
    """
    minimum = simplest_fraction(threshold)
    if criterion not in {"point", "lower"}:
        raise ValueError(f"the criterion is point or lower, not {criterion!r}")
    observed, by_luck = disagreement(agreement.confusion, weights=agreement.weights)
    bound = agreement.lower_bound
    if not by_luck or bound is None or agreement.unproven:
        return "undefined"
    numerator, denominator = minimum.as_integer_ratio()
    enough = (
        (by_luck - observed) * denominator >= numerator * by_luck
        if criterion == "point"
        else bound >= threshold
    )
    return "trusted" if enough else "not trusted"


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
