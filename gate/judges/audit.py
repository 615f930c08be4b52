"""An audit of a judge, in two pure halves like all of judging: what to ask, what it showed.

The answers of a run are changed in ways that should not matter, or that should, and each probe
has a figure and what it should be. Every question is asked once: a judge's votes scatter, and a
mean over cases evens that out.
"""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.judges import probes as made
from gate.judges.families import family
from gate.judges.pairwise import render_pair
from gate.judges.preferences import PREFERENCE_SCHEMA
from gate.judges.questions import Counts, Entry, Questionnaire, Response, looks, plan
from gate.judges.replay import replay
from gate.judges.reply import settled
from gate.records.case import Prediction
from gate.records.trust import Probe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from gate.judges.prompts import Reply
    from gate.judges.questions import Setup
    from gate.records.judging import Answer, Question

SIZE: Final = 20
"""Cases that are tried, at most: some ten questions each."""
_NO_COUNTS: Final = Counts(0, 0, 0, 0, 0, 0, 0)
_SHOWN: Final = 80
_FREE: Final = "known without a call"


class _Trial(NamedTuple):
    """One try of a probe: what is scored, and what that is held against, if anything."""

    probe: str
    entry: Entry
    base: Entry | None
    reply: Reply


class Plan(NamedTuple):
    """What each answer is about; ``expected`` gives the form of a reply by a question's key."""

    trials: tuple[_Trial, ...]
    expected: Mapping[str, tuple[Reply, int]]
    judge_model: str
    agent_model: str | None

    def settle(self, question: Question, answer: Answer) -> Answer:
        """Give the answer as it is to be kept: ``ok`` only where it is what was asked for."""
        reply, count = self.expected[question.key]
        return settled(answer, reply=reply, count=count)


class Audit(NamedTuple):
    """The questions, each once, and what they are about."""

    questions: tuple[Question, ...]
    plan: Plan


def probes(
    responses: Iterable[Response],
    setup: Setup,
    *,
    size: int = SIZE,
    agent_model: str | None = None,
) -> Audit:
    """Put together what an audit of the judge of ``setup`` asks, about ``size`` cases at most.

    ``responses`` are those of the run; ``agent_model`` names the model that wrote them. Questions
    that the run itself asks bear the same keys, so their answers are used again. Raises
    ``UsageInvalid`` for a setup that cannot be asked.
    """
    once = setup._replace(runs=1)
    reply = setup.prompt.reply
    chosen = made.sample(tuple(responses), size=size, reply=reply)
    wrong = [made.wrong_answers(response, chosen) for response in chosen]
    asked, trials = _scored(chosen, wrong, once)
    paired = [
        trial
        for response, others in zip(chosen, wrong, strict=True)
        for trial in _compared(response, others, once, asked)
    ]
    every = (*trials, *paired)
    return Audit(
        tuple(asked.values()),
        Plan(every, dict(_expected(every)), setup.model, agent_model),
    )


def findings(plan: Plan, answers: Mapping[str, Answer]) -> tuple[Probe, ...]:
    """Say what the answers show, a probe at a time; what has no verdict is not counted."""
    found = [_finding(name, plan, answers) for name in made.PROBES]
    return (*found, _kinship(plan))


def _scored(
    chosen: Sequence[Response], wrong: Sequence[Sequence[str]], setup: Setup
) -> tuple[dict[str, Question], list[_Trial]]:
    """Plan whatever is scored as the run scores it: each variant, and what it is held against."""
    reply = setup.prompt.reply
    tried = [
        (variant, response)
        for response, others in zip(chosen, wrong, strict=True)
        for variant in made.variants(response, others, reply=reply)
    ]
    texts: list[Response] = []
    for variant, response in tried:
        texts.append(_saying(response, variant.output, own=variant.own))
        if variant.base is not None:
            texts.append(_saying(response, variant.base, own=variant.own))
    questionnaire = plan(texts, setup)
    entries = iter(questionnaire.entries)
    trials = [
        _Trial(
            variant.probe, next(entries), None if variant.base is None else next(entries), reply
        )
        for variant, _ in tried
    ]
    return {question.key: question for question in questionnaire.questions}, trials


def _saying(response: Response, output: str, *, own: bool) -> Response:
    """Put ``output`` in place of the answer; what the agent did goes only with its own."""
    case, prediction, trace = response
    said = Prediction(
        id=prediction.id,
        repeat=prediction.repeat,
        output=output,
        tools=prediction.tools if own else None,
    )
    return Response(case, said, trace if own else None)


def _compared(
    response: Response, others: Sequence[str], setup: Setup, asked: dict[str, Question]
) -> Iterator[_Trial]:
    """Plan the pairs of one case, each in both orders; add their questions to ``asked``."""
    for first, second in made.pairs(response, others):
        orders: list[Entry] = []
        for one, other in ((first, second), (second, first)):
            rendered = render_pair(response.case, first=one, second=other, date=setup.date)
            (question,) = looks(response, setup, rendered, PREFERENCE_SCHEMA)
            asked.setdefault(question.key, question)
            orders.append(
                Entry(response.case.id, response.prediction.repeat, keys=(question.key,))
            )
        yield _Trial("position", orders[0], orders[1], "preference")


def _expected(trials: Iterable[_Trial]) -> Iterator[tuple[str, tuple[Reply, int]]]:
    for trial in trials:
        for entry in (trial.entry, trial.base):
            if entry is not None:
                yield from ((key, (trial.reply, entry.elements)) for key in entry.keys)


def _finding(name: str, plan: Plan, answers: Mapping[str, Answer]) -> Probe:
    wanted = made.PROBES[name]
    tried = [trial for trial in plan.trials if trial.probe == name]
    known = [
        figure for trial in tried if (figure := _figure(trial, wanted.kind, answers)) is not None
    ]
    figure = fsum(known) / len(known) if known else None
    lacking = len(tried) - len(known)
    because = f"{lacking:,} without a verdict" if lacking else None
    if not tried:
        because = "no case to try it on"
    elif not any(trial.entry.keys for trial in tried):
        because = _FREE
    return Probe(
        name=name,
        n=len(known),
        figure=figure,
        wanted=str(wanted),
        held=None if figure is None else wanted.holds(figure),
        because=because,
    )


def _figure(trial: _Trial, kind: made.Kind, answers: Mapping[str, Answer]) -> float | None:
    score = _score(trial.entry, trial.reply, answers)
    base = None if trial.base is None else _score(trial.base, trial.reply, answers)
    if score is None or (base is None and trial.base is not None):
        return None
    if base is None:
        return score
    if kind == "order":
        # What the first response wins, from -1 to 1, averaged over both orders: one that wins
        # because it is better wins once as the first and once as the second, which is 0.
        return score + base - 1
    return abs(score - base) if kind == "change" else score - base


def _score(entry: Entry, reply: Reply, answers: Mapping[str, Answer]) -> float | None:
    (judged,) = replay(Questionnaire((entry,), (), _NO_COUNTS), answers, reply=reply)
    return judged.score


def _kinship(plan: Plan) -> Probe:
    """Warn where the judge may prefer its own kind; it has no figure without another kind."""
    judge = family(plan.judge_model)
    agent = None if plan.agent_model is None else family(plan.agent_model)
    if plan.agent_model is None:
        said = "nobody says which model answered (--agent-model)"
    elif judge is None or agent is None:
        unknown = plan.judge_model if judge is None else plan.agent_model
        said = f"nothing tells which house {unknown[:_SHOWN]!r} is of"
    elif judge == agent:
        said = f"judge and agent are both of {judge}: judges prefer their own kind"
    else:
        said = f"the judge is of {judge}, the agent of {agent}"
    return Probe(
        name=made.SELF_PREFERENCE,
        n=0,
        figure=None,
        wanted="two houses",
        held=None if judge is None or agent is None else judge != agent,
        because=said,
    )
