"""What a score is, and a refusal that says which one is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection


def require_shares(values: Collection[float]) -> None:
    """Refuse values that are not all in [0, 1], naming the first: ``ValueError``.

    Nearly always all are, which the least, the greatest and the sum say (NaN compares with
    nothing and comes out of every sum); only a refusal looks at each.

    >>> require_shares([0, 0.5, 1.0])
    >>> require_shares([0.2, float("nan")])
    Traceback (most recent call last):
    ValueError: scores lie in [0, 1], not nan
    """
    total = sum(values)
    if total == total and min(values) >= 0 and max(values) <= 1:  # noqa: PLR0124 - NaN is not
        return
    for value in values:
        if not 0 <= value <= 1:
            raise ValueError(f"scores lie in [0, 1], not {value}")
