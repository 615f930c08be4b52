"""The canonical order: cases by id, labels by name, strata by number."""

from __future__ import annotations

from typing import Final

_STRATUM: Final = "k:"


def label_order(label: str) -> tuple[str, int, str]:
    """Sort labels by name, and the strata ``k:1 … k:10`` by their number.

    >>> sorted(["k:10", "safety", "k:2", "k:x", "alpha"], key=label_order)
    ['alpha', 'k:2', 'k:10', 'k:x', 'safety']
    """
    number = label.removeprefix(_STRATUM)
    if is_stratum(label) and number.isascii() and number.isdigit() and len(number) < 10:  # noqa: PLR2004
        return (_STRATUM, int(number), label)
    return (label, 0, "") if not is_stratum(label) else (_STRATUM, 10**9, label)


def is_stratum(label: str) -> bool:
    """Say whether a label is one of the protocol's K strata.

    >>> is_stratum("k:3"), is_stratum("kind")
    (True, False)
    """
    return label.startswith(_STRATUM)
