"""What tokens cost: a short dated table, and the user's own price before it."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.judge_options import Price

if TYPE_CHECKING:
    from gate.records.judge_words import Usage

_MILLION: Final = 1_000_000


class Listed(NamedTuple):
    """A list price, in US dollars for a million tokens, and the last day that it is known for."""

    price: Price
    until: str


PRICES: Final = {
    "gemini-3.8-flash": Listed(
        Price(input=Decimal("0.75"), output=Decimal("3.75"), dated="2026-10-07"), "2026-12-31"
    ),
}
"""Prices change without notice, so each is dated and ends; where none holds, none is shown."""


def price_of(model: str, own: Price | None, *, today: str) -> Price | None:
    """Give the price of a model: the user's own, else the listed one if it is known today.

    Days are written ``YYYY-MM-DD``.

    >>> price_of("gemini-3.8-flash", None, today="2026-11-30").input
    Decimal('0.75')
    >>> price_of("gemini-3.8-flash", None, today="2027-01-01") is None
    True
    """
    if own is not None:
        return own
    listed = PRICES.get(model)
    return listed.price if listed is not None and today <= listed.until else None


def cost(usage: Usage, price: Price | None) -> float | None:
    """Give the dollars that tokens cost; ``None`` without a price or without a count.

    Thinking is billed as output.

    >>> from gate.records.judge_words import Usage
    >>> two = Price(input=Decimal(1), output=Decimal(2), dated="2026-01-01")
    >>> cost(Usage(input_tokens=1_000_000, output_tokens=250_000), two)
    1.5
    """
    counted = (usage.input_tokens, usage.output_tokens, usage.thinking_tokens)
    if price is None or counted == (None, None, None):
        return None
    read, written, thought = (count or 0 for count in counted)
    return float((read * price.input + (written + thought) * price.output) / _MILLION)


def shown(price: Price) -> str:
    """Say a price in words.

    >>> shown(Price(input=Decimal("0.75"), output=Decimal(3), dated="2026-10-07"))
    '$0.75 and $3 for a million tokens in and out, as of 2026-10-07'
    """
    return (
        f"${price.input} and ${price.output} for a million tokens in and out, as of {price.dated}"
    )
