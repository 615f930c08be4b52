"""What happened when a judge was asked, and what it said of each response."""

from typing import Annotated, Final, Literal, NamedTuple

from pydantic import Field, Strict

from gate.records.base import Count, Digest, Flag, Name, Real, Record, Share, Text, row
from gate.records.judge_options import Date
from gate.records.judge_words import AnswerStatus, Usage

Short = Annotated[str, Strict(), Field(pattern=r"^[0-9a-f]{16}$")]
"""The first digits of a question's key: enough to find its answer in a ledger."""
_SCHEME: Final = "sha256:"
Why = Literal["unasked"] | AnswerStatus
"""``ok``, or why a response has no score: ``unasked`` is a question without any answer."""


def short_key(key: str) -> str:
    """Shorten a question's key.

    >>> short_key("sha256:0123456789abcdef0123")
    '0123456789abcdef'
    """
    return key.removeprefix(_SCHEME)[:16]


@row
class Judgement:
    """What a judge said of one run of one case.

    ``votes`` has one score a look, ``None`` where there is no verdict, and is empty where the
    score was known without a call. ``keys`` find the answers in a ledger, in the same order;
    ``elements`` is how many golden elements were scored one by one, else 0.
    """

    status: Why
    votes: tuple[Share | None, ...] = ()
    keys: tuple[Short, ...] = ()
    elements: Count = 0


class Graded(NamedTuple):
    """One run of one case, as a judge has it: ``score`` is ``None`` where it is not known."""

    score: float | None
    judgement: Judgement
    reasons: tuple[str, ...] = ()


class JudgeCounts(Record):
    """How many responses there were, and what became of them.

    ``exact`` and ``empty`` made no call, nor did those to a golden list of ``no_elements`` and the
    agent's ``errors``; ``own`` were scored by the case's own scorer. ``calls`` are the different
    questions about all others, ``canaries`` not among them. ``unscored`` counts responses.
    """

    responses: Count
    exact: Count
    empty: Count
    no_elements: Count
    errors: Count
    own: Count
    calls: Count
    canaries: Count
    judged: Count
    unscored: Count


class Unscored(Record):
    """How many responses have no score for one reason."""

    why: Why
    count: Count
    message: Text | None = None


class Canary(Record):
    """A known-bad answer with an injection: ``score`` must be 0; ``None`` if nobody said.

    ``key`` and ``elements`` are as in :class:`Judgement`.
    """

    case_id: Name
    kind: Name
    score: Share | None
    status: Why
    key: Short
    elements: Count = 0


class Bound(Record):
    """A figure of the suite with every unscored response at 0, and at 1."""

    pass_rate: tuple[Share, Share]
    mean_score: tuple[Share, Share]


class Spent(Record):
    """What a run cost: tokens as the provider counted them, dollars by a dated price."""

    usage: Usage
    cost_usd: Real | None
    price: Text | None


class Snapshots(Record):
    """The days as of which cases are true, as their ``snapshot_date`` says: first and last."""

    first: Text
    last: Text
    n_cases: Count


class JudgeRun(Record):
    """What happened, as a record: none of it is compared.

    It is about the answers that the scores rest on, whenever they were given, so that a run
    that was killed and taken up again says the same. ``models`` are the versions that the
    provider says answered, ``rungs`` how the shape of replies was asked for. ``date`` is the day
    that the judge was told. ``flip_rate`` is the share of responses with several votes whose
    votes are not all equal, ``within_sd`` the root of the mean of their variances. ``stopped``
    says why not everything was asked, and ``budget`` that it was for money.
    ``known_bad_wanted`` is false where the rules want no known-bad answers.
    """

    models: tuple[Text, ...]
    rungs: tuple[Text, ...]
    date: Date | None
    counts: JudgeCounts
    unscored: tuple[Unscored, ...]
    bounds: Bound | None
    canaries: tuple[Canary, ...]
    known_bad_wanted: Flag
    spent: Spent
    flip_rate: Share | None
    within_sd: Share | None
    questions: Digest
    snapshots: Snapshots | None = None
    stopped: Text | None = None
    budget: Flag = False


class Forecast(NamedTuple):
    """What a judge would be asked: responses by what becomes of them, calls, tokens, dollars.

    ``known`` of the ``calls`` (the canaries among them) are answered by the ledger. Tokens and
    ``cost`` are estimates for the rest; ``price`` is ``None`` where none is known.
    """

    judge: str
    runs: int
    responses: int
    exact: int
    empty: int
    errors: int
    own: int
    calls: int
    canaries: int
    known: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    price: str | None


class Progress(NamedTuple):
    """How far the asking is: questions answered and in all, and the dollars so far, if known."""

    done: int
    total: int
    spent: float | None
