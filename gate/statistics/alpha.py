"""Krippendorff's alpha: agreement of any number of raters, some of whose ratings are missing."""

from __future__ import annotations

from collections import Counter
from math import lcm
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

Distance = Literal["nominal", "ordinal", "interval"]
"""How far two ratings are apart: not at all or wholly, by rank, or by difference."""


def krippendorffs_alpha(
    ratings: Sequence[Sequence[Hashable | None]], *, distance: Distance = "nominal"
) -> float:
    """Give Krippendorff's alpha of two raters or more who rated the same items.

    ``ratings`` holds one sequence a rater, aligned by item; ``None`` is a missing rating. Alpha
    is 1 less the disagreement within items over that among all ratings: 1 is perfect, 0 is
    chance, below 0 is worse. An item with fewer than two ratings pairs with nothing and does
    not count. ``nominal`` takes any labels; ``ordinal`` values that sort in their order
    (numbers, not words), and measures by how many ratings lie between; ``interval`` numbers, by
    the square of their difference. Counted in integers and divided once, in time linear in the
    ratings but for a sort.

    Where all ratings that count are one and the same, alpha is 0/0 and that raises
    ``ValueError``: there is no agreement to speak of. So do fewer than two raters, unequal
    lengths, no item with two ratings, NaN (a missing rating is ``None``), and under
    ``interval`` what is not a finite number. Values that do not sort raise ``TypeError``.

    Source: Krippendorff, Content Analysis, 3rd edition (2013), chapter 12.

    >>> first, second = [0, 0, 1, 1, 2, 2, 2, 1, 0, 2], [0, 1, 1, 1, 2, 1, 2, 2, 0, 2]
    >>> for distance in ("nominal", "ordinal", "interval"):
    ...     print(f"{krippendorffs_alpha([first, second], distance=distance):.6f}")
    0.564885
    0.758846
    0.772908
    >>> krippendorffs_alpha(["pf", "pp", [None, "f"]])
    0.3333333333333333
    """
    items = _items(ratings)
    within: dict[int, int] = {}  # by the number of an item's ratings
    if distance == "nominal":
        for item in items:
            within[len(item)] = within.get(len(item), 0) + _unlike_pairs(item)
        among = _unlike_pairs([value for item in items for value in item])
    else:
        placed = _placed(items, distance=distance)
        for numbers in placed:
            within[len(numbers)] = within.get(len(numbers), 0) + _squared_differences(numbers)
        among = _squared_differences([number for numbers in placed for number in numbers])
    if not among:
        raise ValueError("alpha is undefined where all ratings are one and the same")
    scale = lcm(*(size - 1 for size in within))
    observed = sum(pairs * (scale // (size - 1)) for size, pairs in within.items())
    by_luck = among * scale
    count = sum(len(item) for item in items)
    return (by_luck - (count - 1) * observed) / by_luck


def _items(ratings: Sequence[Sequence[Hashable | None]]) -> list[list[Hashable]]:
    """Give the ratings of each item that has two or more.

    >>> _items([[1, None, 2], [1, 2, 3]])
    [[1, 1], [2, 3]]
    """
    if len(ratings) < 2:  # noqa: PLR2004 - two raters are what agreement is about
        raise ValueError("agreement needs two raters")
    if len({len(rater) for rater in ratings}) > 1:
        lengths = ", ".join(str(len(rater)) for rater in ratings)
        raise ValueError(f"all raters must rate the same items, not {lengths} of them")
    by_item = [[v for v in item if v is not None] for item in zip(*ratings, strict=True)]
    if any(value != value for item in by_item for value in item):  # noqa: PLR0124 - only NaN is
        raise ValueError("a missing rating is None, not NaN")
    items = [item for item in by_item if len(item) > 1]
    if not items:
        raise ValueError("agreement needs an item with two ratings")
    return items


def _unlike_pairs(values: Sequence[Hashable]) -> int:
    """Count the pairs that differ.

    >>> _unlike_pairs("aab")
    2
    """
    like = sum(count * count for count in Counter(values).values())
    return (len(values) ** 2 - like) // 2


def _squared_differences(numbers: Sequence[int]) -> int:
    """Add up the squared differences of all pairs.

    >>> _squared_differences([1, 2, 4])
    14
    """
    return len(numbers) * sum(number * number for number in numbers) - sum(numbers) ** 2


def _placed(items: Sequence[Sequence[Any]], *, distance: Distance) -> list[list[int]]:
    """Put every rating at a whole number, so that distances are differences of numbers.

    By rank, that is twice the mean rank of equal ratings: between two of these lie as many
    ratings as Krippendorff's ordinal metric counts.

    >>> _placed([["a", "a"], ["b", "c"]], distance="ordinal")
    [[2, 2], [5, 7]]
    >>> _placed([[0.5, 1]], distance="interval")
    [[1, 2]]
    """
    counts = Counter(value for item in items for value in item)
    place: dict[Any, int] = {}
    if distance == "ordinal":
        below = 0
        for value in sorted(counts):
            place[value] = 2 * below + counts[value]
            below += counts[value]
    elif distance == "interval":
        place = _whole_numbers(counts)
    else:
        raise ValueError(f"the distance is nominal, ordinal or interval, not {distance!r}")
    return [[place[value] for value in item] for item in items]


def _whole_numbers(values: Iterable[Any]) -> dict[Any, int]:
    """Give every number times their common denominator.

    >>> _whole_numbers([0.25, 3])
    {0.25: 1, 3: 12}
    """
    ratios: dict[Any, tuple[int, int]] = {}
    for value in values:
        try:
            ratios[value] = value.as_integer_ratio()
        except (AttributeError, OverflowError):  # OverflowError is what infinity raises
            raise ValueError(f"an interval needs finite numbers, not {value!r}") from None
    scale = lcm(*(below for _, below in ratios.values()))
    return {value: above * (scale // below) for value, (above, below) in ratios.items()}
