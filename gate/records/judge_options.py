"""How a judge is asked: the ``[judge]`` table of a policy."""

import re
from decimal import Decimal
from shlex import split
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, Strict

from gate.records.base import Count, Flag, Limit, Name, Record, Text
from gate.records.judge_words import Provider

MAX_RUNS: Final = 9
"""Independent looks at one response, at most."""
USUAL_CONCURRENCY: Final = 8
_DAY: Final = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")


def _written_day(value: object) -> object:
    if isinstance(value, str) and not _DAY.fullmatch(value):
        raise ValueError("a date is written YYYY-MM-DD")
    return value


Mode = Literal["worker", "oneshot"]
"""How a command is spoken to: one process that answers many questions, or one a question."""
Runs = Annotated[int, Strict(), Field(ge=1, le=MAX_RUNS)]
Concurrency = Annotated[int, Strict(), Field(ge=1, le=256)]
Cost = Annotated[Limit, Field(ge=0)]
Seconds = Annotated[Limit, Field(gt=0, le=86_400)]
Date = Annotated[
    str,
    Strict(),
    BeforeValidator(_written_day),
    Field(pattern=r"^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$"),
]
Variable = Annotated[str, Strict(), Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,199}$")]


def _words(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return tuple(split(value))
    except ValueError as error:
        raise ValueError(f"cannot be split into words: {error}") from None


CommandLine = Annotated[
    tuple[Text, ...], BeforeValidator(_words), Field(min_length=1, max_length=1000)
]
"""A program and its arguments; a text is split into words as a shell would, and by no shell."""


class Price(Record):
    """What a model costs, in US dollars for a million tokens; ``dated`` says as of when."""

    input: Cost
    output: Cost
    dated: Date


class JudgeOptions(Record):
    """Who is asked, what is sent, and how long and how much may be spent on it.

    ``provider``, ``model``, what is sent (``temperature``, ``seed``, ``max_tokens``), ``prompt``,
    ``tools``, ``runs`` and ``command`` are the judge's identity: another one is not comparable.
    ``prompt`` is a file with instructions, or with the rubric of the scorer ``judge``; ``tools``
    one that lists what was available to the agent. ``date`` is what the judge is told the day is.
    ``key_env`` names the variable that holds the provider's key; the key itself stands nowhere.
    ``env`` names variables that a command is given besides the usual ones. ``timeout`` is
    for one call and ``deadline`` for all of them, in seconds. ``canary`` is an answer that must
    score 0, for a rubric of your own; ``trust`` the record that ``calibrate`` wrote.
    """

    provider: Provider | None = None
    model: Name | None = None
    command: CommandLine | None = None
    mode: Mode | None = None
    base_url: Name | None = None
    key_env: Variable | None = None
    env: Annotated[tuple[Variable, ...], Field(max_length=100)] = ()
    prompt: Name | None = None
    tools: Name | None = None
    runs: Runs | None = None
    date: Date | None = None
    temperature: Annotated[Limit, Field(ge=0, le=2)] | None = None
    seed: Count | None = None
    max_tokens: Annotated[int, Strict(), Field(ge=1, le=1_000_000)] | None = None
    concurrency: Concurrency = USUAL_CONCURRENCY
    timeout: Seconds = Decimal(120)
    deadline: Seconds = Decimal(3600)
    max_calls: Count | None = None
    max_cost: Cost | None = None
    price: Price | None = None
    ledger: Name | None = None
    canaries: Flag = True
    canary: Text | None = None
    trust: Name | None = None
