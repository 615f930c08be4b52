"""Questions and answers become scores again: a pure scorer, however the answers were got."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from gate.judges.reply import Verdict, read_answer
from gate.metrics.mean import mean
from gate.records.judge_words import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gate.judges.prompts import Reply
    from gate.judges.questions import Entry, Questionnaire
    from gate.records.judge_run import Why
    from gate.records.judging import Answer


class Judged(NamedTuple):
    """What became of one response.

    ``score`` is the mean of ``votes``, one a run, or what was known without a call (then there
    are no votes). It is ``None`` where any run has no verdict, whose vote is ``None`` too:
    then ``status`` and ``message`` are those of the first such run. That is neither a 0 nor a
    case less. An agent's error has no score, no vote and the status ``ok``: no judge is at fault.
    """

    case_id: str
    repeat: int
    status: Why
    score: float | None
    votes: tuple[float | None, ...] = ()
    reasons: tuple[str, ...] = ()
    because: str | None = None
    message: str | None = None


class Bounds(NamedTuple):
    """The scores of a run with every unscored response at 0, and at 1; in the same order.

    A decision that is the same on both would be the same whatever the judge had said.
    """

    low: tuple[float | None, ...]
    high: tuple[float | None, ...]


def replay(
    questionnaire: Questionnaire, answers: Mapping[str, Answer], *, reply: Reply
) -> tuple[Judged, ...]:
    """Score every entry from the answers to its questions, by key; nothing else is looked at.

    Each answer is read again from its text, so a stored one is worth what it says and no more.
    """
    return tuple(_judged(entry, answers, reply) for entry in questionnaire.entries)


def bounds(judged: Iterable[Judged]) -> Bounds:
    """Give both sets of scores; an agent's error stays ``None`` in both, for it is no unknown.

    >>> late = Judged("a", 0, "timeout", None, (1.0, None, None))
    >>> bounds((Judged("b", 0, "ok", 0.5, (0.5,)), late))
    Bounds(low=(0.5, 0.0), high=(0.5, 1.0))
    """
    rows = tuple(judged)
    return Bounds(
        tuple(row.score if row.status == "ok" else 0.0 for row in rows),
        tuple(row.score if row.status == "ok" else 1.0 for row in rows),
    )


def unscored(judged: Iterable[Judged]) -> dict[Why, int]:
    """Count the responses without a score by why, most frequent first, then by name.

    >>> unscored((Judged("a", 0, "timeout", None), Judged("b", 0, "ok", 1.0)))
    {'timeout': 1}
    """
    found = Counter(row.status for row in judged if row.status != "ok")
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def usage_of(answers: Iterable[Answer]) -> Usage:
    """Add up what answers used; a figure that no answer has stays ``None``.

    >>> usage_of(()).input_tokens is None
    True
    """
    used = [answer.usage for answer in answers]
    return Usage(
        input_tokens=_total(usage.input_tokens for usage in used),
        output_tokens=_total(usage.output_tokens for usage in used),
        thinking_tokens=_total(usage.thinking_tokens for usage in used),
    )


def _judged(entry: Entry, answers: Mapping[str, Answer], reply: Reply) -> Judged:
    place = (entry.case_id, entry.repeat)
    if not entry.keys:
        return Judged(*place, "ok", entry.score, because=entry.because)
    votes: list[float | None] = []
    reasons: list[str] = []
    status: Why = "ok"
    message: str | None = None
    for key in entry.keys:
        answer = answers.get(key)
        found = None if answer is None else read_answer(answer, reply=reply, count=entry.elements)
        if isinstance(found, Verdict):
            votes.append(found.score)
            reasons.append(found.reason)
            continue
        votes.append(None)
        if status == "ok":
            status, message = ("unasked", "it was not asked") if found is None else found
    known = [vote for vote in votes if vote is not None]
    score = mean(map(Fraction, known), of=len(known)) if len(known) == len(votes) else None
    return Judged(*place, status, score, tuple(votes), tuple(reasons), message=message)


def _total(figures: Iterable[int | None]) -> int | None:
    known = [figure for figure in figures if figure is not None]
    return sum(known) if known else None
