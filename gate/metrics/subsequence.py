"""The longest common subsequence, without the quadratic table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

MAX_TOKENS: Final = 50_000
"""Tokens a side may have: the worst pair of that size stays under a second of CPU."""
_SHORT: Final = 128
_BITS: Final = tuple(1 << place for place in range(_SHORT))
_FREQUENT: Final = 16
"""From so many occurrences on, the positions of a token are kept as one big integer."""


class TooLong(ValueError):
    """A text or path has more than :data:`MAX_TOKENS` tokens, too many to align."""


def lcs_length(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Count the tokens of the longest common subsequence (in order, not contiguous).

    Raises :class:`TooLong` if a side has more than :data:`MAX_TOKENS` tokens.

    Source: H. Hyyrö, "Bit-parallel LCS-length computation revisited" (AWOCA 2004): a row of
    the table is one big integer whose zero bits are the places where the length grows.
    Each step handles a whole row, so n x m costs about n x m / 30 machine operations.

    >>> lcs_length(["search", "read", "calculate"], ["read", "search", "calculate"])
    2
    >>> lcs_length("ABCBDAB", "BDCABA"), lcs_length([], ["a"])
    (4, 0)
    """
    if len(a) <= _SHORT and len(b) <= _SHORT:
        return _short(a, b) if len(a) <= len(b) else _short(b, a)
    if max(len(a), len(b)) > MAX_TOKENS:
        raise TooLong(
            f"{max(len(a), len(b))} tokens are too many to align; at most {MAX_TOKENS} a side"
        )
    ends = _common_ends(a, b)
    columns, rows = _inner(a, ends), _inner(b, ends)
    shared = set(columns) & set(rows)
    columns = [token for token in columns if token in shared]
    rows = [token for token in rows if token in shared]
    if len(columns) < len(rows):  # fewer, wider steps cost less
        columns, rows = rows, columns
    return sum(ends) + _bit_parallel(columns, rows)


def _short(a: Sequence[Hashable], b: Sequence[Hashable]) -> int:
    """Do the same in one machine word or few, where finding common ends costs more than it saves.

    >>> _short("ABCBDAB", "BDCABA")
    4
    """
    masks: dict[Hashable, int] = {}
    find = masks.get
    for token, bit in zip(a, _BITS, strict=False):
        masks[token] = find(token, 0) | bit
    everywhere = row = (1 << len(a)) - 1
    for mask in map(find, b):
        if mask:
            matches = row & mask
            # What carries out of the row on the left never comes back into it.
            row = (row + matches) | (row ^ matches)
    return len(a) - (row & everywhere).bit_count()


def _common_ends(a: Sequence[Hashable], b: Sequence[Hashable]) -> tuple[int, int]:
    """Measure the common prefix, then the common suffix of the rest: always part of an LCS."""
    room = min(len(a), len(b))
    head = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), room)
    room -= head
    backwards = zip(reversed(a), reversed(b), strict=False)
    tail = next((i for i, (x, y) in enumerate(backwards) if i == room or x != y), room)
    return head, tail


def _inner(tokens: Sequence[Hashable], ends: tuple[int, int]) -> list[Hashable]:
    head, tail = ends
    return list(tokens[head : len(tokens) - tail])


def _bit_parallel(columns: list[Hashable], rows: list[Hashable]) -> int:
    places: dict[Hashable, list[int]] = {}
    for place, token in enumerate(columns):
        places.setdefault(token, []).append(place)
    # A rare token's mask is made anew each time it is met: kept, the masks of n different
    # tokens would take n * n / 16 bytes.
    kept = {t: _mask(where) for t, where in places.items() if len(where) >= _FREQUENT}
    everywhere = (1 << len(columns)) - 1
    row = everywhere
    for token in rows:
        mask = kept.get(token)
        matches = row & (_mask(places[token]) if mask is None else mask)
        row = ((row + matches) | (row ^ matches)) & everywhere
    return len(columns) - row.bit_count()


def _mask(where: list[int]) -> int:
    mask = 0
    for place in where:
        mask |= 1 << place
    return mask
