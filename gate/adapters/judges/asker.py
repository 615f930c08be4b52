"""Asks a provider many questions: many at once, patiently, and not forever.

One thread decides, the caller's: it hands calls to threads that do nothing but ask, and decides
by ``gate.judges.patience`` on what they bring back. So nothing is shared that would need a lock,
and whatever ends the caller ends the run.
"""

from __future__ import annotations

import random
import time
from collections import deque
from dataclasses import replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.adapters.judges.callers import Callers
from gate.judges.patience import (
    USUAL,
    AskAgain,
    GiveUp,
    Rules,
    Tries,
    Wait,
    cooled,
    decide,
    in_a_row,
    together,
    unsaid_in_a_row,
)
from gate.ports import Asker
from gate.records.judge_words import STOPPING, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from gate.ports import Provider
    from gate.records.judge_options import JudgeOptions
    from gate.records.judging import Answer, Attempt, Question

_SHOWN: Final = 500
"""Characters of a message, at most."""
_WAITING: Final = 2
"""Questions that wait for another try, for each that may be under way, at most."""


class _Means(NamedTuple):
    """Who is asked, within which bounds, and by which clock."""

    provider: Provider
    rules: Rules
    concurrency: int
    timeout: float
    deadline: float
    clock: Callable[[], float]
    sleep: Callable[[float], None]
    chance: Callable[[], float]


class PatientAsker(Asker):
    """Asks through one provider, at most ``options.concurrency`` questions at once.

    ``options.timeout`` bounds a call and ``options.deadline`` all of them, from the first
    question on. ``clock`` is monotonic, ``sleep`` waits and ``chance`` draws from [0, 1): tests
    give their own.
    """

    def __init__(
        self,
        provider: Provider,
        options: JudgeOptions,
        *,
        rules: Rules = USUAL,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """Ask nothing yet."""
        self.stopped: str | None = None
        self._until: float | None = None
        self._means = _Means(
            provider,
            rules,
            min(options.concurrency, provider.concurrency or options.concurrency),
            float(options.timeout),
            float(options.deadline),
            clock,
            sleep,
            chance,
        )

    def ask(
        self,
        questions: Sequence[Question],
        *,
        settle: Callable[[Question, Answer], Answer],
        go_on: Callable[[], bool],
    ) -> Generator[tuple[Question, Answer], None, None]:
        """Give each question with its last answer, as they come; some may never be asked.

        ``go_on`` is asked before a question, and before asking it again for what was said, since
        both cost; to call again for what failed on the way costs nothing. An answer's usage is
        that of all its calls. When something stops the run, what is under way is waited for and
        given, and what waited for another try is given with its last answer. Who closes the
        generator, or is interrupted in it, waits for nothing: the provider is closed, and the
        calls break off.
        """
        means = self._means
        if self._until is None:
            self._until = means.clock() + means.deadline
        run = _Run(means, questions, settle, go_on, until=self._until, stopped=self.stopped)
        whole = False
        try:
            yield from run.answers()
            whole = True
        finally:
            self.stopped = run.stopped
            run.release()
            if not whole:
                means.provider.close()


class _Matter(NamedTuple):
    """One question and what became of it so far."""

    question: Question
    tries: Tries = Tries()
    used: Usage = Usage()
    last: Answer | None = None


class _Run:
    """One pass over questions: what is under way, what waits, and what is to be given.

    Nothing grows with the number of questions: what waits for another try, or to be given, is
    bounded by how many may be under way.
    """

    def __init__(
        self,
        means: _Means,
        questions: Sequence[Question],
        settle: Callable[[Question, Answer], Answer],
        go_on: Callable[[], bool],
        *,
        until: float,
        stopped: str | None,
    ) -> None:
        self.stopped = stopped
        self._means = means
        self._questions = questions
        self._settle = settle
        self._go_on = go_on
        self._until = until
        self._asked = 0
        self._waiting: list[tuple[float, int, _Matter]] = []
        self._again: deque[_Matter] = deque()
        self._given: deque[tuple[Question, Answer]] = deque()
        self._callers: Callers[_Matter] = Callers(means.provider)
        self._count = 0
        self._failed = 0
        self._unsaid = 0
        self._cool_until = float("-inf")

    def answers(self) -> Iterator[tuple[Question, Answer]]:
        while True:
            self._take(wait=0.0)
            pause = self._launch()
            if self._given:
                yield self._given.popleft()
            elif self._callers.under_way:
                self._take(wait=pause)
            elif pause is not None:
                self._means.sleep(pause)
            else:
                return

    def release(self) -> None:
        """Let the threads end."""
        self._callers.release()

    def _launch(self) -> float | None:
        """Hand out what may be asked now; give the seconds until more may be, if any waits."""
        means = self._means
        now = means.clock()
        while self._waiting or self._again or self._asked < len(self._questions):
            if self.stopped is None:
                self.stopped = self._reason_to_stop(now)
            if self.stopped is not None:
                self._leave()
                return None
            # What came and is not handed on yet would be paid for twice by whoever is killed now.
            if self._callers.under_way + len(self._given) >= means.concurrency:
                return None
            if self._cool_until > now:
                return self._cool_until - now
            matter = self._next(now)
            if matter is not None:
                timeout = min(means.timeout, self._until - now)
                self._callers.call(matter, matter.question, timeout=timeout)
            elif self.stopped is None:
                return self._waiting[0][0] - now if self._waiting else None
        return None

    def _reason_to_stop(self, now: float) -> str | None:
        if now >= self._until:
            return f"the deadline of {self._means.deadline:g} s for all questions is over"
        if self._cool_until >= self._until:
            return (
                f"the provider asks for {self._cool_until - now:.0f} s of peace, and "
                f"{self._until - now:.0f} s of the deadline are left"
            )
        if self._failed >= self._means.rules.breaker:
            return f"{self._failed} questions in a row found no way to the judge"
        if self._unsaid >= self._means.rules.hopeless:
            return f"{self._unsaid} questions in a row got no reply that holds a verdict"
        return None

    def _next(self, now: float) -> _Matter | None:
        """Give what is to be asked now, if anything is and may be."""
        if self._again:
            return self._again.popleft() if self._may_cost() else None
        if self._waiting and self._waiting[0][0] <= now:
            return heappop(self._waiting)[2]
        full = len(self._waiting) >= _WAITING * self._means.concurrency
        if full or self._asked == len(self._questions) or not self._may_cost():
            return None
        self._asked += 1
        return _Matter(self._questions[self._asked - 1])

    def _may_cost(self) -> bool:
        if self._go_on():
            return True
        self.stopped = "told to ask no more"
        return False

    def _take(self, *, wait: float | None) -> None:
        for matter, attempt in self._callers.finished(wait=wait):
            self._weigh(matter, attempt)

    def _weigh(self, matter: _Matter, attempt: Attempt) -> None:
        answer = self._settle(matter.question, attempt.answer)
        tries = matter.tries.after(answer.status)
        matter = _Matter(matter.question, tries, together(matter.used, answer.usage), answer)
        now = self._means.clock()
        decision = decide(
            answer.status,
            tries,
            retry_after=attempt.retry_after,
            left=self._until - now,
            chance=self._means.chance(),
            rules=self._means.rules,
        )
        wait = decision if isinstance(decision, Wait) else None
        self._cool_until = cooled(
            self._cool_until, now=now, status=answer.status, wait=wait, wish=attempt.retry_after
        )
        if wait is not None:
            self._count += 1
            heappush(self._waiting, (now + wait.seconds, self._count, matter))
        elif isinstance(decision, AskAgain):
            self._again.append(matter)
        else:
            self._failed = in_a_row(self._failed, answer.status)
            self._unsaid = unsaid_in_a_row(self._unsaid, answer.status)
            self._give(matter, why=decision.why if isinstance(decision, GiveUp) else None)
        if answer.status in STOPPING and self.stopped is None:
            self.stopped = (
                f"the judge refuses ({answer.status}): {answer.message or 'no word why'}"
            )

    def _leave(self) -> None:
        """Give what waited for another try as it is."""
        while self._waiting:
            self._give(heappop(self._waiting)[2], why=self.stopped)
        while self._again:
            self._give(self._again.popleft(), why=self.stopped)

    def _give(self, matter: _Matter, *, why: str | None) -> None:
        answer = matter.last
        if answer is None:  # pragma: no cover - nothing is given before it was asked
            return
        message = answer.message
        if why is not None:
            said = (message or "no word why")[: _SHOWN - len(why[:_SHOWN]) - 2]
            message = f"{said}; {why}"[:_SHOWN]
        self._given.append((matter.question, replace(answer, usage=matter.used, message=message)))
