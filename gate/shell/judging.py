"""Ask a judge: what the ledger does not answer is asked, and every answer is kept at once."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gate.errors import JudgeUnusable, OverBudget, UsageInvalid
from gate.judges.ledger import ledger_line
from gate.judges.prices import cost, shown
from gate.judges.replay import usage_of
from gate.pipeline.judging import (
    JudgePlan,
    Texts,
    judge_identity,
    judge_plan,
    judge_setup,
    verdicts,
)
from gate.records.figures import count
from gate.records.judge_run import Forecast, Progress
from gate.records.judge_words import STOPPING
from gate.report.sanitize import visible
from gate.shell.ledger import open_ledger, require_keeping

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gate.inputs.held import HeldPredictions
    from gate.pipeline.auditing import AuditPlan
    from gate.pipeline.judging import Verdicts
    from gate.pipeline.prepare import Setup
    from gate.ports import Asker, ReadFiles
    from gate.records.judge_options import JudgeOptions
    from gate.records.judging import Answer, Question
    from gate.records.policy import Policy
    from gate.shell.asking import Asking
    from gate.shell.gather import Means
    from gate.shell.ledger import Kept

MAX_PROMPT: Final = 256 * 1024


def planned_questions(means: Means, setup: Setup, held: HeldPredictions) -> JudgePlan:
    """List what is to be asked about the answers, before anything is."""
    judge, asking = _judge(setup), _asking(means)
    texts, today = _texts(means.rules, judge, asking), asking.day()
    who = judge_setup(judge, setup.scorer, texts, today=today)
    return judge_plan(who, judge, setup.cases, held, today=today, brought=setup.brought)


def judge_in_force(means: Means, policy: Policy) -> str | None:
    """Give the identity of the judge that a policy comes to; ``None`` where it asks none."""
    judge, scorer = policy.judge, policy.scorer
    if judge is None or scorer is None:
        return None
    asking = _asking(means)
    who = judge_setup(judge, scorer, _texts(means.rules, judge, asking), today=asking.day())
    return judge_identity(who)


def forecast(means: Means, setup: Setup, held: HeldPredictions) -> Forecast:
    """Count what would be asked, and what of it the ledger answers; nothing is asked."""
    made = planned_questions(means, setup, held)
    kept = open_ledger(means.files, _asking(means), _judge(setup), bound=means.base is not None)
    known = sum(question.key in kept.answers for question in made.questions)
    left = (len(made.questions) - known) / max(1, len(made.questions))
    counts, probes, who = made.asked.counts, made.canaries.asked.counts, made.setup
    price = made.price
    return Forecast(
        judge=who.provider if who.model == who.provider else f"{who.provider} {who.model}",
        runs=who.runs,
        responses=counts.responses + made.own,
        exact=counts.exact,
        empty=counts.empty,
        errors=counts.errors,
        own=made.own,
        calls=len(made.questions),
        canaries=probes.calls,
        known=known,
        input_tokens=round((counts.input_tokens + probes.input_tokens) * left),
        output_tokens=round((counts.output_tokens + probes.output_tokens) * left),
        cost=None if made.cost is None else made.cost * left,
        price=None if price is None else shown(price),
    )


def judged_by(means: Means, setup: Setup, held: HeldPredictions) -> Verdicts:
    """Ask what is not known yet, keep every answer, and give what all of them come to.

    Raises ``OverBudget`` before anything is asked where it would be too much, and
    ``JudgeUnusable`` where the judge refuses whoever asks.
    """
    judge = _judge(setup)
    made = planned_questions(means, setup, held)
    answers, stopped, budget = answered(means, judge, made)
    return verdicts(made, answers, stopped=stopped, budget=budget)


def answered(
    means: Means, judge: JudgeOptions, made: JudgePlan | AuditPlan
) -> tuple[Mapping[str, Answer], str | None, bool]:
    """Give the answers to all questions of a plan, why it stopped early, and if for money."""
    asking = _asking(means)
    kept = open_ledger(means.files, asking, judge, bound=means.base is not None)
    warn_of_a_nameless_program(judge, asking)
    missing = [question for question in made.questions if question.key not in kept.answers]
    _refuse_over_budget(made, missing, judge)
    run = _Run(means, made, kept, judge, total=len(missing))
    known = len(made.questions) - len(missing)
    try:
        if missing:
            require_keeping(means.files, kept.path)
            with asking.connect(judge, made.setup.model, made.setup.params) as asker:
                run.ask(asker, missing)
    finally:  # whoever interrupts is told as well what was kept
        if made.questions:
            asking.tell(_summary(run, known))
    return {**kept.answers, **run.answers}, run.stopped, run.over_budget


def planned_audit(
    means: Means, setup: Setup, held: HeldPredictions, *, agent_model: str | None
) -> AuditPlan:
    """List what an audit of the judge asks about the answers, before anything is."""
    from gate.pipeline.auditing import audit_plan

    judge, asking = _judge(setup), _asking(means)
    texts, today = _texts(means.rules, judge, asking), asking.day()
    who = judge_setup(judge, setup.scorer, texts, today=today)
    return audit_plan(who, judge, setup.cases, held, today=today, agent_model=agent_model)


class _Run:
    """One asking: what came, what it cost, and whether to go on."""

    def __init__(
        self,
        means: Means,
        made: JudgePlan | AuditPlan,
        kept: Kept,
        judge: JudgeOptions,
        *,
        total: int,
    ) -> None:
        self.answers: dict[str, Answer] = {}
        self.spent: float | None = None
        self.stopped: str | None = None
        self.over_budget = False
        self._launched = 0
        self.refused: Answer | None = None
        self.total = total
        self._means = means
        self._made = made
        self.path = kept.path
        self._before = "\n" if kept.unfinished else ""
        self._limit = judge.max_cost
        self._usual = (made.cost or 0.0) / max(1, len(made.questions))
        self._settle = made.settling()

    def ask(self, asker: Asker, questions: Sequence[Question]) -> None:
        """Ask all of them, as long as money and judge allow."""
        asking = _asking(self._means)
        asked = asker.ask(questions, settle=self._settle, go_on=self._go_on)
        with closing(asked):
            for question, answer in asked:
                self._take(question, answer)
                asking.progress(Progress(len(self.answers), self.total, self.spent))
        if self.refused is not None:
            raise JudgeUnusable(
                f"the judge {self._made.setup.provider!r} cannot be asked "
                f"({self.refused.status}): {self.refused.message or 'it gave no reason'}"
            )
        unasked = self.total - len(self.answers)
        if self.over_budget and unasked:
            self.stopped = (
                f"stopped at ${self.spent:.4f}, with ${self._limit} allowed; "
                f"{count(unasked, 'question')} not asked"
            )
        else:
            self.over_budget = False
            self.stopped = asker.stopped

    def _go_on(self) -> bool:
        """Say whether one more question can be paid, with those under way at their estimate."""
        if self._limit is not None:
            under_way = max(0, self._launched - len(self.answers))
            certain = (self.spent or 0.0) + self._usual * (under_way + 1)
            self.over_budget = self.over_budget or certain > self._limit
        self._launched += 1
        return not self.over_budget

    def _take(self, question: Question, answer: Answer) -> None:
        """Keep an answer, without secrets, before anything else is done with it."""
        clean = without_secrets(answer, self._means.redact)
        self._means.files.keep(self.path, self._before + ledger_line(question, clean))
        self._before = ""
        self.answers[question.key] = clean
        if clean.status in STOPPING and self.refused is None:
            self.refused = clean
        paid = cost(clean.usage, self._made.price)
        if paid is None and self._made.price is not None:
            paid = self._usual  # who does not say what it took is taken at the estimate
        if paid is not None:
            self.spent = (self.spent or 0.0) + paid


def without_secrets(answer: Answer, redact: Callable[[str], str]) -> Answer:
    """Give the answer as it may be kept."""
    return replace(
        answer,
        text=None if answer.text is None else redact(answer.text),
        message=None if answer.message is None else redact(answer.message),
        model=None if answer.model is None else redact(answer.model),
        finish_reason=None if answer.finish_reason is None else redact(answer.finish_reason),
    )


def _refuse_over_budget(
    made: JudgePlan | AuditPlan, missing: Sequence[Question], judge: JudgeOptions
) -> None:
    if judge.max_calls is not None and len(missing) > judge.max_calls:
        raise OverBudget(
            f"budget: {count(len(missing), 'question')} would be asked, and --max-calls allows "
            f"{judge.max_calls:,}: nothing was asked"
        )
    if judge.max_cost is None or not missing:
        return
    if made.price is None:
        raise UsageInvalid(
            "max_cost (--max-cost, or under [judge]): no price is known for the model "
            f"{made.setup.model!r}: set "
            '`price = { input = …, output = …, dated = "YYYY-MM-DD" }` under [judge]'
        )
    share = len(missing) / len(made.questions)
    estimate = (made.cost or 0.0) * share
    if estimate > judge.max_cost:
        raise OverBudget(
            f"budget: about ${estimate:.4f} for {count(len(missing), 'question')}, and "
            f"--max-cost allows ${judge.max_cost}: nothing was asked"
        )


def warn_of_a_nameless_program(judge: JudgeOptions, asking: Asking) -> None:
    """Say where a judge's program could change and stay the same judge."""
    if judge.command is not None and not asking.names_a_file(judge.command):
        asking.tell(
            "warning: no word of the judge's command is a file, so that a change of its program "
            "makes no other judge: name the file itself (python3 judge.py, not -m judge)"
        )


def _texts(files: ReadFiles, judge: JudgeOptions, asking: Asking) -> Texts:
    return Texts(
        prompt=text_at(files, judge.prompt, "--judge-prompt"),
        tools=text_at(files, judge.tools, "[judge] tools"),
        command=None if judge.command is None else asking.command_digest(judge.command),
        address=asking.address(judge),
    )


def text_at(files: ReadFiles, path: str | None, name: str) -> str | None:
    """Read a text for a judge, if one is named. Raises ``UsageInvalid`` for one that is none."""
    if path is None:
        return None
    data = files.read(path, limit=MAX_PROMPT)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageInvalid(f"{name}: {visible(path)}: is no UTF-8 text") from None
    if not text.strip():
        raise UsageInvalid(f"{name}: {visible(path)}: is blank")
    return text


def _summary(run: _Run, known: int) -> str:
    asked = len(run.answers)
    usage = usage_of(run.answers.values())
    used = sum(filter(None, (usage.input_tokens, usage.output_tokens, usage.thinking_tokens)))
    said = f"judge: {count(asked, 'question')} asked, {known:,} answered by the ledger"
    said += f"; {used:,} tokens" if used else ""
    said += f", ${run.spent:.4f}" if run.spent is not None else ""
    said += f"; kept in {run.path}"
    return f"{said}; {run.stopped}" if run.stopped else said


def _judge(setup: Setup) -> JudgeOptions:
    judge = setup.policy.judge
    assert judge is not None  # noqa: S101 - a judged scorer without a judge is refused before
    return judge


def _asking(means: Means) -> Asking:
    assert means.asking is not None  # noqa: S101 - whoever runs a command gives it
    return means.asking
