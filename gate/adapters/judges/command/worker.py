"""A judge that is one program for all questions, and is started again if it dies."""

from __future__ import annotations

import time
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Final

from gate.adapters.judges.command.process import NotStarted
from gate.adapters.judges.command.protocol import answer_of, request_line
from gate.adapters.judges.command.session import Lost, Session
from gate.errors import JudgeUnusable
from gate.ports import Provider
from gate.records.judging import Attempt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gate.adapters.judges.command.words import Words
    from gate.records.judge_words import AnswerStatus
    from gate.records.judging import Question

RESTARTS: Final = 3
"""How often a worker is started again without an answer in between."""
HINT: Final = (
    'a worker writes {"hello": {"protocol": 1, "name", "version", "concurrency"}} as its first '
    "line; a program that reads one prompt and prints one answer is asked with "
    "--judge-mode oneshot"
)


class Worker(Provider):
    """Asks one process, from many threads at once."""

    def __init__(
        self,
        command: Sequence[str],
        environ: Mapping[str, str],
        *,
        words: Words,
        patience: float,
    ) -> None:
        """Start the worker and wait ``patience`` seconds for its hello, at most.

        Raises ``JudgeUnusable``.
        """
        self._command = tuple(command)
        self._environ = dict(environ)
        self._words = words
        self._patience = patience
        self._numbers = count(1)
        self._starting = Lock()
        self._restarts = 0
        self._closed = False
        try:
            self._session = Session(command, environ)
        except NotStarted as error:
            raise JudgeUnusable(self._said(str(error))) from None
        try:
            self._hello = self._session.greeting(within=patience)
        except Lost as lost:
            self._session.close()
            raise JudgeUnusable(self._said(str(lost)), hint=HINT) from None
        except BaseException:  # somebody ended the run: nobody else knows of the process yet
            self._session.close()
            raise
        self.concurrency = self._hello.concurrency

    def ask(self, question: Question, *, timeout: float) -> Attempt:
        """Ask once. What dies while it is asked gives ``transport``: another try may be answered.

        A worker that dies :data:`RESTARTS` times more without any answer gives ``config``.
        """
        deadline = time.monotonic() + timeout
        session = self._living(deadline)
        if isinstance(session, Attempt):
            return session
        number = str(next(self._numbers))
        milliseconds = max(1, int(1000 * (deadline - time.monotonic())))
        line = request_line(question, number=number, deadline_ms=milliseconds)
        try:
            reply = session.exchange(number, line, deadline=deadline)
        except TimeoutError as late:
            return self._none("timeout", f"did not answer within {timeout:g} s{late}")
        except Lost as lost:
            return self._none("transport", str(lost))
        answer = self._words.clean(answer_of(reply, self._hello))
        if answer.status == "ok":
            self._restarts = 0
        return Attempt(answer=answer)

    def close(self) -> None:
        """End the worker and all that it started; whoever waits for it is told."""
        self._closed = True
        self._session.close()
        with self._starting:
            self._session.close()

    def _living(self, deadline: float) -> Session | Attempt:
        """Give a worker that lives, started again where it has died, or why there is none."""
        if not self._starting.acquire(timeout=max(0.0, deadline - time.monotonic())):
            return self._none("timeout", "was being started again")
        try:
            if self._closed:
                return self._none("transport", "was told to end")
            died = self._session.over
            if died is None:
                return self._session
            if self._restarts >= RESTARTS:
                return self._none("config", f"died again and again; the last time it {died}")
            self._restarts += 1
            return self._started(deadline)
        finally:
            self._starting.release()

    def _started(self, deadline: float) -> Session | Attempt:
        self._session.close()
        try:
            self._session = Session(self._command, self._environ)
            if self._closed:
                self._session.close()
            within = max(0.0, min(self._patience, deadline - time.monotonic()))
            hello = self._session.greeting(within=within)
        except NotStarted as error:
            status: AnswerStatus = "transport" if error.passing else "config"
            return self._none(status, f"died, and {error}")
        except Lost as lost:
            return self._none("transport", f"died, and when it was started again it {lost}")
        if hello != self._hello:
            return self._none("config", f"died, and came back as another one: {hello.model}")
        return self._session

    def _none(self, status: AnswerStatus, why: str) -> Attempt:
        return self._words.attempt(status, self._said(why))

    def _said(self, why: str) -> str:
        return self._words.told(f"the judge's command {self._words.command} {why}")
