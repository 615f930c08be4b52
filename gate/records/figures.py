"""Numbers as sentences hold them."""

from __future__ import annotations


def figure(value: float, places: int = 3) -> str:
    """Spell a share with ``places`` decimals.

    >>> figure(1 / 3), figure(0.05)
    ('0.333', '0.050')
    """
    return f"{value:.{places}f}"
