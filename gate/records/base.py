"""What a record is made of: frozen, closed, strict, hashable."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Annotated, Final, Literal, TypeVar, cast, dataclass_transform

from pydantic import (
    AllowInfNan,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    Strict,
    TypeAdapter,
)
from pydantic.dataclasses import dataclass

from gate.records.json_text import as_object_text, loads

CLOSED: Final = ConfigDict(
    extra="forbid",
    allow_inf_nan=False,
    defer_build=True,
    hide_input_in_errors=True,
)
LIMIT_DIGITS: Final = 30
"""Digits a limit may have: more is a mistake, and would make exact arithmetic slow."""


class Record(BaseModel):
    """A value that exists once a run: a frozen, closed pydantic model."""

    model_config = ConfigDict(frozen=True, **CLOSED)


_T = TypeVar("_T")


@dataclass_transform(kw_only_default=True, frozen_default=True)
def row(cls: type[_T]) -> type[_T]:
    """Make ``cls`` a value that exists once a case: a frozen pydantic dataclass with slots."""
    return cast("type[_T]", dataclass(cls, frozen=True, slots=True, kw_only=True, config=CLOSED))


def reader(cls: type[_T]) -> Callable[[object], _T]:
    """Give what makes a row of a plain object: for very many, so without a frame between."""
    adapter = TypeAdapter(cls)
    adapter.rebuild()
    found: Callable[[object], _T] = adapter.validator.validate_python
    return found


def exact_decimal(value: object) -> Decimal:
    """Read a limit exactly as its text says: ``0.05`` is one twentieth, not a binary float.

    >>> exact_decimal("0.05"), exact_decimal(0.05)
    (Decimal('0.05'), Decimal('0.05'))
    >>> exact_decimal(True)
    Traceback (most recent call last):
        ...
    ValueError: a number is wanted here
    """
    if isinstance(value, bool) or not isinstance(value, (Decimal, int, float, str)):
        raise ValueError("a number is wanted here")  # noqa: TRY004 - pydantic reports ValueError
    text = repr(value) if isinstance(value, float) else str(value).strip()
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise ValueError(f"{text[:40]!r} is not a number") from None
    if not number.is_finite():
        raise ValueError(f"{text[:40]} is not a finite number")
    digits = number.as_tuple()
    if len(digits.digits) > LIMIT_DIGITS or abs(number.adjusted()) > LIMIT_DIGITS:
        raise ValueError(f"a number of at most {LIMIT_DIGITS} digits is wanted here")
    return number


def written_decimal(value: object) -> Decimal:
    """Read a limit of a file, where a text is no number."""
    if isinstance(value, str):
        raise ValueError("a number is wanted here")  # noqa: TRY004 - pydantic reports ValueError
    return exact_decimal(value)


def _plain(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


_FINITE = AllowInfNan(allow_inf_nan=False)
Text = Annotated[str, Strict()]
Name = Annotated[str, Strict(), Field(min_length=1, max_length=1000)]
Flag = Annotated[bool, Strict()]
_MOST_INT: Final = 2**63 - 1
Count = Annotated[int, Strict(), Field(ge=0, le=_MOST_INT)]
Positive = Annotated[int, Strict(), Field(ge=1, le=_MOST_INT)]
Resamples = Annotated[int, Strict(), Field(ge=1, le=1_000_000)]
"""Bootstrap resamples: more would take minutes, in a stored result as in a policy."""
Real = Annotated[float, Strict(), _FINITE]
"""Any finite number."""
Share = Annotated[float, Strict(), _FINITE, Field(ge=0.0, le=1.0)]
"""A score, a rate: from 0 to 1."""
Limit = Annotated[Decimal, BeforeValidator(exact_decimal), PlainSerializer(_plain)]
"""A number people wrote, in an option's text too: compared exactly as it was written."""
StoredThreshold = Annotated[
    Decimal, BeforeValidator(written_decimal), PlainSerializer(_plain), Field(ge=0, le=1)
]
"""The same in a file that this product wrote itself, where it is never a text."""
ObjectText = Annotated[str, BeforeValidator(as_object_text), PlainSerializer(loads)]
"""Any JSON object, held as canonical text (hashable) and written as the object it is."""
Digest = Annotated[str, Strict(), Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Standing = Literal["scored", "missing", "agent_error", "unscored", "unscorable"]
"""What became of a case: its score says how good it was, its standing whether it was."""
TrajectoryMode = Literal["exact", "set", "order"]
Metric = Literal["pass_rate", "mean_score"]
