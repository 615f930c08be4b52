"""An audit of a judge: what it is asked about the answers of a run, and what that costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gate.judges.audit import findings, probes
from gate.judges.prices import cost, price_of
from gate.judges.questions import ELEMENT_TOKENS, REPLY_TOKENS, Response, input_tokens
from gate.records.judge_words import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from gate.judges.audit import Audit
    from gate.judges.questions import Setup
    from gate.records.case import EvalCase, Prediction
    from gate.records.judge_options import JudgeOptions, Price
    from gate.records.judging import Answer, Question
    from gate.records.trust import Probe


class AuditPlan(NamedTuple):
    """All that an audit asks, and at which price."""

    setup: Setup
    audit: Audit
    price: Price | None

    @property
    def questions(self) -> tuple[Question, ...]:
        """Every question, each once."""
        return self.audit.questions

    def settling(self) -> Callable[[Question, Answer], Answer]:
        """Give what makes an answer as it is to be kept: ``ok`` only where it holds a verdict."""
        return self.audit.plan.settle

    @property
    def cost(self) -> float | None:
        """What it may cost, by the estimate of the tokens; ``None`` without a price."""
        expected = self.audit.plan.expected
        replies = sum(
            REPLY_TOKENS + ELEMENT_TOKENS * expected[question.key][1]
            for question in self.questions
        )
        read = sum(map(input_tokens, self.questions))
        return cost(Usage(input_tokens=read, output_tokens=replies), self.price)

    def findings(self, answers: Mapping[str, Answer]) -> tuple[Probe, ...]:
        """Say what the answers showed."""
        return findings(self.audit.plan, answers)


def audit_plan(
    setup: Setup,
    judge: JudgeOptions,
    cases: Mapping[str, EvalCase],
    predictions: Iterable[Prediction],
    *,
    today: str,
    agent_model: str | None,
) -> AuditPlan:
    """Put together what an audit asks about the answers; ``today`` dates the price."""
    responses = [
        Response(cases[prediction.id], prediction, prediction.trace)
        for prediction in predictions
        if prediction.id in cases
    ]
    return AuditPlan(
        setup=setup,
        audit=probes(responses, setup, agent_model=agent_model),
        price=price_of(setup.model, judge.price, today=today),
    )
