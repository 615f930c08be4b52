"""A judged run, both pure halves: what is asked before a token is spent, and what it comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import UsageInvalid
from gate.judges.canaries import Canaries, canaries, findings
from gate.judges.prices import cost, price_of, shown
from gate.judges.prompts import prompt_of
from gate.judges.questions import NOTHING_ASKED, Response, Setup, judge_config, plan
from gate.judges.replay import replay, usage_of
from gate.judges.reply import settled
from gate.policy.judge import DEFAULT_MODEL
from gate.records.json_text import canonical, digest, loads
from gate.records.judge_run import (
    Graded,
    JudgeCounts,
    Judgement,
    JudgeRun,
    Snapshots,
    Spent,
    Unscored,
    short_key,
)
from gate.scorers.table import asked as how_asked

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from gate.judges.questions import Questionnaire
    from gate.judges.replay import Judged
    from gate.records.case import EvalCase, Prediction
    from gate.records.judge_options import JudgeOptions, Price
    from gate.records.judging import Answer, Question
    from gate.records.scoring import ScorerOptions

_MAX_TOKENS: Final = 4096
"""What is sent to a provider that wants a bound, where nobody sets one."""
_MESSAGE: Final = 300
_DAY: Final = 40
"""Characters of a snapshot's date, whatever stands there."""


class Texts(NamedTuple):
    """What was found for a judge: prompt or rubric, tools, a command's digest, an address."""

    prompt: str | None = None
    tools: str | None = None
    command: str | None = None
    address: str | None = None


def judge_setup(judge: JudgeOptions, scorer: ScorerOptions, texts: Texts, *, today: str) -> Setup:
    """Say who judges and how. Raises ``UsageInvalid`` where the rubric stands twice or nowhere.

    ``today`` (``YYYY-MM-DD``) is what the judge is told where its prompt wants a date and the
    options give none.
    """
    how, provider = how_asked(scorer), judge.provider
    assert provider is not None  # noqa: S101 - the policy refuses a judge without one
    if how.text is not None and texts.prompt is not None:
        raise UsageInvalid("the rubric stands in [scorer] and in [judge] prompt: keep one")
    prompt = prompt_of(how.prompt, text=texts.prompt or how.text)
    return Setup(
        prompt=prompt,
        provider=provider,
        model=judge.model or (DEFAULT_MODEL if provider == "gemini" else provider),
        params=_sent(judge),
        base_url=texts.address,
        runs=judge.runs or how.runs,
        date=judge.date or (today if prompt.dated else None),
        tools=texts.tools,
        command=texts.command,
    )


def _sent(judge: JudgeOptions) -> str:
    """Spell what is sent besides the question; what nobody sets is left to the model."""
    bound = judge.max_tokens or (_MAX_TOKENS if judge.provider == "anthropic" else None)
    temperature = None if judge.temperature is None else float(judge.temperature)
    sent = {"max_tokens": bound, "seed": judge.seed, "temperature": temperature}
    return canonical({key: value for key, value in sent.items() if value is not None})


class JudgePlan(NamedTuple):
    """All that is to be asked: about the responses, and the canaries.

    ``own`` is how many responses are scored by their case's own scorer.
    """

    setup: Setup
    asked: Questionnaire
    canaries: Canaries
    own: int
    price: Price | None
    snapshots: Snapshots | None
    known_bad_wanted: bool

    @property
    def questions(self) -> tuple[Question, ...]:
        """Every question once, the canaries first."""
        both = (*self.canaries.asked.questions, *self.asked.questions)
        return tuple({one.key: one for one in both}.values())

    def settling(self) -> Callable[[Question, Answer], Answer]:
        """Give what makes an answer as it is to be kept: ``ok`` only where it holds a verdict."""
        entries = (*self.canaries.asked.entries, *self.asked.entries)
        counts = {key: entry.elements for entry in entries for key in entry.keys}
        reply = self.setup.prompt.reply
        return lambda question, answer: settled(answer, reply=reply, count=counts[question.key])

    @property
    def cost(self) -> float | None:
        """What it may cost, by the estimate of the tokens; ``None`` without a price."""
        from gate.records.judge_words import Usage

        both = (self.asked.counts, self.canaries.asked.counts)
        return cost(
            Usage(
                input_tokens=sum(counts.input_tokens for counts in both),
                output_tokens=sum(counts.output_tokens for counts in both),
            ),
            self.price,
        )


def judge_plan(
    setup: Setup,
    judge: JudgeOptions,
    cases: Mapping[str, EvalCase],
    predictions: Iterable[Prediction],
    *,
    today: str,
    brought: Collection[str] = (),
) -> JudgePlan:
    """List the questions about every answer of a case that brings no scorer of its own.

    Known-bad answers are none to cases that a pull request has ``brought``, unless a judge is
    asked about no other: whoever writes a case would choose the question.
    """
    pairs = [
        (cases[prediction.id], prediction) for prediction in predictions if prediction.id in cases
    ]
    responses = [
        Response(case, prediction, prediction.trace)
        for case, prediction in sorted(pairs, key=lambda pair: (pair[0].id, pair[1].repeat))
        if case.scorer is None
    ]
    found = plan(responses, setup)
    wanted = judge.canaries and (judge.canary is not None or setup.prompt.name != "rubric")
    about = [case for case in cases.values() if case.scorer is None] if found.questions else []
    about = [case for case in about if case.id not in brought] or about
    return JudgePlan(
        setup=setup,
        asked=found,
        canaries=canaries(about if wanted else (), setup, own=judge.canary),
        own=len(pairs) - len(responses),
        price=price_of(setup.model, judge.price, today=today),
        snapshots=_snapshots(cases.values()),
        known_bad_wanted=wanted,
    )


def _snapshots(cases: Iterable[EvalCase]) -> Snapshots | None:
    told = [loads(case.metadata).get("snapshot_date") for case in cases]
    days = sorted(day[:_DAY] for day in told if isinstance(day, str) and day)
    return Snapshots(first=days[0], last=days[-1], n_cases=len(days)) if days else None


class Verdicts(NamedTuple):
    """What the answers come to: a score or none of each response, and what happened.

    ``config`` is the judge's identity as canonical text. ``run`` is known but for what the rows
    say (see :func:`gate.pipeline.unscored.with_rows`).
    """

    graded: dict[tuple[str, int], Graded]
    config: str
    run: JudgeRun

    def reasons(self, case_id: str, repeat: int) -> tuple[str, ...]:
        """Give what was said of one run, for its evidence; nothing where nobody was asked."""
        found = self.graded.get((case_id, repeat))
        return () if found is None else found.reasons


def verdicts(
    made: JudgePlan,
    answers: Mapping[str, Answer],
    *,
    stopped: str | None = None,
    budget: bool = False,
) -> Verdicts:
    """Score every response from the answers, and nothing else.

    ``stopped`` says why not everything was asked, ``budget`` that it was for money.
    """
    setup = made.setup
    judged = replay(made.asked, answers, reply=setup.prompt.reply)
    graded = {
        (one.case_id, one.repeat): _graded(one, entry.keys, entry.elements)
        for one, entry in zip(judged, made.asked.entries, strict=True)
    }
    used = [answers[one.key] for one in made.questions if one.key in answers]
    usage = usage_of(used)
    run = JudgeRun(
        models=tuple(sorted({answer.model for answer in used if answer.model})),
        rungs=tuple(sorted({answer.rung for answer in used if answer.rung})),
        date=setup.date,
        counts=_counts(made, judged),
        unscored=_unscored(judged),
        bounds=None,
        canaries=findings(made.canaries, answers, setup),
        known_bad_wanted=made.known_bad_wanted,
        spent=Spent(
            usage=usage,
            cost_usd=cost(usage, made.price),
            price=None if made.price is None else shown(made.price),
        ),
        flip_rate=None,
        within_sd=None,
        questions=digest(sorted(one.key for one in made.questions)),
        snapshots=made.snapshots,
        stopped=stopped,
        budget=budget,
    )
    return Verdicts(graded, judge_identity(setup), run)


def judge_identity(setup: Setup) -> str:
    """Spell the identity of the judge that ``setup`` describes, as a result holds it."""
    return canonical(judge_config(setup).model_dump(mode="json"))


def _graded(one: Judged, keys: tuple[str, ...], elements: int) -> Graded:
    judgement = Judgement(
        status=one.status,
        votes=one.votes,
        keys=tuple(map(short_key, keys)),
        elements=elements,
    )
    said = one.reasons or ((one.because,) if one.because else ())
    if one.score is None and one.message is not None:
        said = (*said, f"no verdict ({one.status}): {one.message}")
    return Graded(one.score, judgement, said)


def _counts(made: JudgePlan, judged: Iterable[Judged]) -> JudgeCounts:
    counts = made.asked.counts
    rows = tuple(judged)
    return JudgeCounts(
        responses=counts.responses + made.own,
        exact=counts.exact,
        empty=counts.empty,
        no_elements=sum(entry.because == NOTHING_ASKED for entry in made.asked.entries),
        errors=counts.errors,
        own=made.own,
        calls=counts.calls,
        canaries=made.canaries.asked.counts.calls,
        judged=sum(bool(row.votes) and row.score is not None for row in rows),
        unscored=sum(row.status != "ok" for row in rows),
    )


def _unscored(judged: Iterable[Judged]) -> tuple[Unscored, ...]:
    """Count by why, most frequent first, each with the words of the first one."""
    found: dict[str, list[Judged]] = {}
    for one in judged:
        if one.status != "ok":
            found.setdefault(one.status, []).append(one)
    ordered = sorted(found.values(), key=lambda rows: (-len(rows), rows[0].status))
    return tuple(
        Unscored(why=rows[0].status, count=len(rows), message=(rows[0].message or "")[:_MESSAGE])
        for rows in ordered
    )
