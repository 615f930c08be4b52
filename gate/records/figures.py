"""The only place that rounds: six places for machines, few digits for people.

What people read is rounded towards the inside: a share that is not 1 never reads as
100 %, one that is not 0 never reads as 0 %, and a change never reads as none.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

PLACES: Final = 6
"""Decimal places of an aggregate in JSON; rows are exact."""
MINUS: Final = "\N{MINUS SIGN}"
_TELLING: Final = 1.5
"""Fewer than this of a hundred are said of a thousand."""
_SMALL_P: Final = 0.1
"""Below it a p-value is shown with one digit more: it may stand near a level."""


def rounded(value: object) -> object:
    """Round every float inside a JSON value to :data:`PLACES`; anything else stays.

    >>> rounded({"drop": 1 / 3, "n": 6, "of": [-0.0000001, None]})
    {'drop': 0.333333, 'n': 6, 'of': [0.0, None]}
    """
    if isinstance(value, float):
        return round(value, PLACES) + 0.0  # + 0.0 turns -0.0 into 0.0
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [item if type(item) is str else rounded(item) for item in value]
    return value


def aggregate(value: float) -> str:
    """Spell an aggregate for machines that read text: :data:`PLACES` decimal places.

    >>> aggregate(1 / 3), aggregate(-0.0)
    ('0.333333', '0.000000')
    """
    return f"{round(value, PLACES) + 0.0:.{PLACES}f}"


def _inside(value: float, *, scale: int, places: int) -> str:
    """Spell ``value * scale``; nothing but 0 and 1 themselves is spelt like them."""
    exact = Decimal(str(value)) * scale
    step = Decimal(1).scaleb(-places)
    if exact in (0, scale):
        return str(exact.quantize(step))
    return str(min(max(exact.quantize(step), step), scale - step))


def _bare(value: float) -> str:
    """Spell ``value`` in hundredths; exactly none and exactly all have no decimal place."""
    if value in (0, 1):
        return str(int(value * 100))
    return _inside(value, scale=100, places=1)


def percent(share: float) -> str:
    """Spell a share of 0 to 1 as a percentage with one decimal place.

    >>> percent(0.8333), percent(0.9996), percent(0.0004), percent(1.0), percent(0.0)
    ('83.3 %', '99.9 %', '0.1 %', '100 %', '0 %')
    """
    return f"{_bare(share)} %"


def score(share: float) -> str:
    """Spell a score of 0 to 1 with three decimal places.

    >>> score(0.66666), score(0.99996), score(0.0001), score(1.0)
    ('0.667', '0.999', '0.001', '1.000')
    """
    return _inside(share, scale=1, places=3)


def signed(value: float) -> str:
    """Spell a figure of -1 to 1, such as an agreement beyond chance; only 1 itself reads as 1.

    >>> signed(0.61538), signed(-0.143), signed(0.99996), signed(0.0), signed(1.0)
    ('0.615', '−0.143', '0.999', '0.000', '1.000')
    """
    return f"{MINUS if value < 0 else ''}{_inside(abs(value), scale=1, places=3)}"


def points(difference: float) -> str:
    """Spell a difference of two shares in percentage points, with its sign.

    A difference that is not 0 never reads as 0.

    >>> points(-1 / 3), points(0.0004), points(0.0), points(1.0)
    ('−33.3 points', '+0.1 points', '0 points', '+100 points')
    """
    return f"{_sign(difference)}{_bare(abs(difference))} points"


def score_change(difference: float) -> str:
    """Spell a difference of two scores, with its sign.

    >>> score_change(-0.25), score_change(0.00001), score_change(0.0)
    ('−0.250', '+0.001', '0.000')
    """
    return f"{_sign(difference)}{_inside(abs(difference), scale=1, places=3)}"


def _sign(difference: float) -> str:
    if difference == 0:
        return ""
    return MINUS if difference < 0 else "+"


def interval(low: float, high: float) -> str:
    """Spell an interval of shares in percent.

    >>> interval(0.299993, 0.903229)
    '30.0 % to 90.3 %'
    """
    return f"{percent(low)} to {percent(high)}"


def score_interval(low: float, high: float) -> str:
    """Spell an interval of scores.

    >>> score_interval(1 / 3, 1.0)
    '0.333 to 1.000'
    """
    return f"{score(low)} to {score(high)}"


def point_range(low: float, high: float) -> str:
    """Spell an interval of differences of shares in percentage points, signs at both ends.

    >>> point_range(-0.0369, 1 / 3), point_range(0.0, 0.05)
    ('−3.7 to +33.3 points', '0 to +5.0 points')
    """
    return f"{points(low).removesuffix(' points')} to {points(high)}"


def score_range(low: float, high: float) -> str:
    """Spell an interval of differences of scores, signs at both ends.

    >>> score_range(-0.0369, 1 / 3)
    '−0.037 to +0.333'
    """
    return f"{score_change(low)} to {score_change(high)}"


def level(share: float) -> str:
    """Spell the level of an interval without digits that say nothing.

    >>> level(0.95), level(0.999)
    ('95 %', '99.9 %')
    """
    return f"{(Decimal(str(share)) * 100).normalize():f} %"


def p_value(share: float) -> str:
    """Spell a p-value with its relation, so that it can follow ``p``.

    >>> p_value(0.125), p_value(0.0499), p_value(0.00001), p_value(0.9999), p_value(1.0)
    ('= 0.125', '= 0.0499', '< 0.0001', '> 0.999', '= 1.000')
    """
    places = 4 if share < _SMALL_P else 3
    step = Decimal(1).scaleb(-places)
    exact = Decimal(str(share))
    if exact < step:
        return f"< {step}"
    if 1 - step < exact < 1:
        return f"> {1 - step}"
    return f"= {_inside(share, scale=1, places=places)}"


def often(share: float) -> str:
    """Spell a chance as so many of so many, as far as two figures say it.

    >>> often(0.344), often(0.125), often(0.0039), often(0.0000001)
    ('about 34 of 100', 'about 12 of 100', 'about 4 of 1,000', 'fewer than 1 of 10,000')
    """
    for whole in (100, 1_000, 10_000):
        if share * whole >= _TELLING:
            return f"about {round(share * whole)} of {whole:,}"
    return "fewer than 1 of 10,000"


def count(number: int, noun: str, plural: str | None = None) -> str:
    """Spell a count and what is counted.

    >>> count(1, "case"), count(12345, "case"), count(0, "query", "queries")
    ('1 case', '12,345 cases', '0 queries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
