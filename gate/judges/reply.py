"""What a judge said becomes a verdict, or the word for why it is none: nothing in between.

The whole reply is one JSON value, or else one fence whose content is; a digit in a sentence is
no rating. The reply has to be finished by its own end. Its shape is exactly the one that was
asked for: a number out of range is an error, never the nearest number that is not.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.judges.elements import mean_credit, read_elements
from gate.judges.preferences import read_preference
from gate.judges.ratings import read_rating
from gate.judges.shape import WrongShape
from gate.records.json_text import JsonRefused, loads

if TYPE_CHECKING:
    from gate.judges.elements import ElementReply
    from gate.judges.prompts import Reply
    from gate.records.judge_words import AnswerStatus
    from gate.records.judging import Answer

VERSION: Final = 1
"""Of this reading: it stands in every question's key and in the judge's identity."""
MAX_CHARACTERS: Final = 200_000
MAX_VALUES: Final = 20_000
FINISHED: Final = frozenset({"stop", "end_turn"})
"""How providers say that a reply came to its own end (in any case of letters)."""
_CUT: Final = frozenset({"max_tokens", "length", "model_length", "model_context_window_exceeded"})
_BLOCKED: Final = frozenset(
    {
        "safety",
        "recitation",
        "blocklist",
        "prohibited_content",
        "spii",
        "language",
        "content_filter",
        "refusal",
    }
)
_BLANK: Final = " \t\r\n"
_SHOWN: Final = 200
"""Characters of a message, at most."""


class Verdict(NamedTuple):
    """A score in [0, 1] and what was said for it: of a preference, what the first response wins.

    ``element_scores`` are pairs of an element's number and the score that the judge gave it.
    """

    score: float
    reason: str
    element_scores: tuple[tuple[int, float], ...] = ()


class Refused(NamedTuple):
    """Why a reply is no verdict; of the reply the message quotes a repeated key at most."""

    status: AnswerStatus
    message: str


def read_answer(answer: Answer, *, reply: Reply, count: int = 0) -> Verdict | Refused:
    """Read an answer about ``count`` golden elements (for ``elements``).

    An answer that is not ``ok`` is refused with its own status. Else its finish reason decides
    first (``truncated``, ``blocked``, or ``unparseable`` for one that nobody knows or that is not
    there), then its form (``unparseable``), then its content (``schema``). No answer raises.

    >>> from gate.records.judging import Answer
    >>> said = Answer(status="ok", text='{"assessment": "ok", "rating": 2}', finish_reason="STOP")
    >>> read_answer(said, reply="rating")
    Verdict(score=1.0, reason='ok', element_scores=())
    """
    if answer.status != "ok":
        return Refused(answer.status, answer.message or "the judge gave no verdict")
    unfinished = _unfinished(answer.finish_reason)
    if unfinished is not None:
        return unfinished
    try:
        return _verdict(_parsed(answer.text or ""), reply, count)
    except WrongShape as error:
        return Refused("schema", str(error)[:_SHOWN])
    except JsonRefused as error:
        return Refused("unparseable", f"the reply is no JSON alone ({error})")


def settled(answer: Answer, *, reply: Reply, count: int = 0) -> Answer:
    """Give the answer as it is to be kept: ``ok`` only where it holds a verdict.

    >>> from gate.records.judging import Answer
    >>> settled(Answer(status="ok", text="2", finish_reason="stop"), reply="rating").status
    'schema'
    """
    found = read_answer(answer, reply=reply, count=count)
    if isinstance(found, Verdict) or answer.status != "ok":
        return answer
    return replace(answer, status=found.status, message=found.message)


def _verdict(value: object, reply: Reply, count: int) -> Verdict:
    if reply == "rating":
        return Verdict(*read_rating(value))
    if reply == "preference":
        return Verdict(*read_preference(value))
    found = read_elements(value, count=count)
    return Verdict(
        mean_credit(found, count=count) if count else 0.0,
        _reasons(found),
        tuple((element.number, element.score) for element in found.elements),
    )


def _reasons(found: ElementReply) -> str:
    """Say what each element got and why; first whether a wrong entity cost the others theirs."""
    wrong = () if found.primary_entity_correct else ("the primary entity is wrong.",)
    each = (f"{one.number} ({one.score:g}): {one.reason}" for one in found.elements)
    return " ".join((*wrong, *each))


def _unfinished(reason: str | None) -> Refused | None:
    if reason is None:
        return Refused("unparseable", "nothing says that the reply is finished")
    word = reason.lower()
    if word in FINISHED:
        return None
    if word in _CUT:
        return Refused("truncated", "the reply ran out of tokens")
    if word in _BLOCKED:
        return Refused("blocked", "the provider withheld the reply")
    return Refused("unparseable", "the reply ended for a reason that is not its end")


def _parsed(text: str) -> Any:  # noqa: ANN401 - any of six types
    if len(text) > MAX_CHARACTERS:
        raise JsonRefused(f"more than {MAX_CHARACTERS:,} characters")
    whole = text.strip(_BLANK)
    body = _fenced(whole)
    bare = whole if body is None else body
    try:
        return loads(bare, max_values=MAX_VALUES)
    except JsonRefused as error:
        if _is_lax_json(bare):
            # JSON to others, with a NaN, a number beyond all bounds or a key that comes twice.
            raise WrongShape(str(error)) from None
        raise


def _fenced(whole: str) -> str | None:
    """Give what stands in the one fence that ``whole`` is, ``None`` where it is none."""
    first, _, rest = whole.partition("\n")
    ticks = first[: len(first) - len(first.lstrip("`"))]
    language = first[len(ticks) :].strip(_BLANK)
    if len(ticks) < len("```") or not (language == "" or language.isalnum()):
        return None
    body, _, last = rest.rpartition("\n")
    return body if last.strip(_BLANK) == ticks else None


def _is_lax_json(text: str) -> bool:
    try:
        _LAX.decode(text)
    except (ValueError, RecursionError):
        return False
    return True


_LAX: Final = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=str)
