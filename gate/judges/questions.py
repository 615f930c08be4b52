"""What is to be asked, listed and counted before a token is spent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import UsageInvalid
from gate.judges import condense, reply
from gate.judges.elements import golden_elements, is_exact
from gate.judges.prompts import render
from gate.judges.ratings import RATING_MAP
from gate.records.json_text import canonical, digest
from gate.records.judge_options import MAX_RUNS
from gate.records.judging import JudgeConfig, Question

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gate.judges.prompts import Prompt, Rendered
    from gate.records.case import EvalCase, Prediction
    from gate.records.judge_words import Provider


_DATE: Final = re.compile(r"[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")
_KEY_VERSION: Final = 1
_BYTES_A_TOKEN: Final = 4
REPLY_TOKENS: Final = 200
"""Of a usual reply; and more for each element that it scores:"""
ELEMENT_TOKENS: Final = 50


class Setup(NamedTuple):
    """Who judges and how: all that is the same for every question of a run.

    ``params`` is a JSON object as canonical text, what is sent besides the question. ``date``
    (``YYYY-MM-DD``) is shown to the judge; ``tools`` is the list of what was available to the
    agent, as the user wrote it; ``command`` digests the command line of a judge that is one.
    """

    prompt: Prompt
    provider: Provider
    model: str
    params: str = "{}"
    base_url: str | None = None
    runs: int = 1
    date: str | None = None
    tools: str | None = None
    command: str | None = None


class Response(NamedTuple):
    """One response under judgement; ``trace`` is the JSON text of what the agent did."""

    case: EvalCase
    prediction: Prediction
    trace: str | None = None


class Entry(NamedTuple):
    """What stands to be decided of one response.

    Either ``score`` is known without a call, and ``because`` says why; or ``keys`` are those of
    its questions, one a run. With an agent's error there is neither. ``elements`` is how many
    golden elements there are where the judge scores them one by one, else 0.
    """

    case_id: str
    repeat: int
    score: float | None = None
    because: str | None = None
    keys: tuple[str, ...] = ()
    elements: int = 0


class Counts(NamedTuple):
    """What a run would cost: calls exactly, tokens as an estimate.

    ``calls`` are different questions: equal ones (two runs of an agent that said the same) are
    asked once. Tokens are estimated at four bytes of UTF-8 each, replies at a usual length.
    """

    responses: int
    exact: int
    empty: int
    errors: int
    calls: int
    input_tokens: int
    output_tokens: int


class Questionnaire(NamedTuple):
    """The entries in the order of the responses, and the questions, each once."""

    entries: tuple[Entry, ...]
    questions: tuple[Question, ...]
    counts: Counts


EXACT: Final = "equals the reference"
EMPTY: Final = "the response is empty"
NOTHING_ASKED: Final = "the golden list is empty and the response is not"
AGENT_ERROR: Final = "the agent failed"


def plan(responses: Iterable[Response], setup: Setup) -> Questionnaire:
    """List the questions about ``responses``.

    A prompt that scores elements asks nothing about a response that equals the reference (1.0),
    nor where the golden list is empty (0.0 unless equal). No prompt asks about an empty response
    (0.0) or an agent's error. Everything else is asked ``runs`` times.

    Raises ``UsageInvalid`` for a setup that cannot be asked.
    """
    _check(setup)
    entries: list[Entry] = []
    questions: dict[str, Question] = {}
    output_tokens = 0
    for response in responses:
        entry = _without_asking(response, setup)
        if entry.because is None:
            rendered = _rendered(response, setup)
            asked = tuple(looks(response, setup, rendered, setup.prompt.schema_text))
            entry = entry._replace(keys=tuple(question.key for question in asked))
            for question in asked:
                if question.key not in questions:
                    questions[question.key] = question
                    output_tokens += REPLY_TOKENS + ELEMENT_TOKENS * entry.elements
        entries.append(entry)
    because = [entry.because for entry in entries]
    counts = Counts(
        responses=len(entries),
        exact=because.count(EXACT),
        empty=because.count(EMPTY),
        errors=because.count(AGENT_ERROR),
        calls=len(questions),
        input_tokens=sum(map(input_tokens, questions.values())),
        output_tokens=output_tokens,
    )
    return Questionnaire(tuple(entries), tuple(questions.values()), counts)


def judge_config(setup: Setup) -> JudgeConfig:
    """Give the identity of the judge that ``setup`` describes: another one's do not compare."""
    prompt = setup.prompt
    rated = prompt.reply == "rating"
    return JudgeConfig(
        provider=setup.provider,
        model=setup.model,
        params=setup.params,
        prompt=prompt.name,
        prompt_digest=prompt.digest,
        schema_digest=digest(prompt.schema_text),
        runs=setup.runs,
        rating_map=canonical(
            {str(key): worth for key, worth in RATING_MAP.items()} if rated else {}
        ),
        condenser=condense.VERSION if prompt.shows_work else None,
        parser=reply.VERSION,
        tools=digest(setup.tools) if prompt.shows_work and setup.tools else None,
        command=setup.command,
    )


def _check(setup: Setup) -> None:
    if not 1 <= setup.runs <= MAX_RUNS:
        raise UsageInvalid(f"a judge is asked 1 to {MAX_RUNS} times, not {setup.runs}")
    if setup.date is None:
        if setup.prompt.dated:
            raise UsageInvalid(f"the prompt {setup.prompt.name!r} says what day it is: which one?")
    elif not _DATE.fullmatch(setup.date):
        raise UsageInvalid("a judge's date is written YYYY-MM-DD")


def _without_asking(response: Response, setup: Setup) -> Entry:
    case, prediction, _ = response
    entry = Entry(case.id, prediction.repeat)
    if prediction.output is None:
        return entry._replace(because=AGENT_ERROR)
    by_elements = setup.prompt.reply == "elements"
    if by_elements and case.reference is not None and is_exact(prediction.output, case.reference):
        return entry._replace(score=1.0, because=EXACT)
    if not prediction.output.strip():
        return entry._replace(score=0.0, because=EMPTY)
    if not by_elements:
        return entry
    if case.reference is None:
        raise UsageInvalid(f"case {case.id[:80]!r} has no reference, which its judge needs")
    count = len(golden_elements(case.reference))
    if not count:
        return entry._replace(score=0.0, because=NOTHING_ASKED)
    return entry._replace(elements=count)


def _rendered(response: Response, setup: Setup) -> Rendered:
    case, prediction, trace = response
    shows_work = setup.prompt.shows_work
    return render(
        setup.prompt,
        case=case,
        prediction=prediction,
        trajectory=condense.condense(trace, prediction.tools) if shows_work else None,
        tools=setup.tools,
        date=setup.date,
    )


def looks(
    response: Response, setup: Setup, rendered: Rendered, schema_text: str
) -> Iterator[Question]:
    """Give the questions that ask ``rendered`` about a response: one for each run of the judge."""
    # All that an answer could depend on. Without the run, three looks would be one; the date is
    # in the system text and stands here too, so that no prompt can lose it.
    identity = {
        "version": _KEY_VERSION,
        "provider": setup.provider,
        "base_url": setup.base_url,
        "model": setup.model,
        "command": setup.command,
        "params": setup.params,
        "system": rendered.system,
        "prompt": rendered.prompt,
        "schema": schema_text,
        "date": setup.date,
        "parser": reply.VERSION,
    }
    for run in range(setup.runs):
        yield Question(
            key=digest({**identity, "run": run}),
            case_id=response.case.id,
            repeat=response.prediction.repeat,
            run=run,
            system=rendered.system,
            prompt=rendered.prompt,
            schema_text=schema_text,
            params=setup.params,
        )


def input_tokens(question: Question) -> int:
    """Estimate what a question costs to read, at four bytes of UTF-8 a token."""
    texts = (question.system, question.prompt, question.schema_text)
    return -(-sum(len(text.encode()) for text in texts) // _BYTES_A_TOKEN)
