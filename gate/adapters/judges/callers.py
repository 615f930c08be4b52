"""Threads that do nothing but call a provider; whoever hands out the calls decides everything."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.ports import Provider
    from gate.records.judging import Attempt, Question

T = TypeVar("T")


class _Call(NamedTuple, Generic[T]):
    """One call, and what it is about to the one who handed it out."""

    about: T
    question: Question
    timeout: float


class _Outcome(NamedTuple, Generic[T]):
    """What came of a call: an attempt, or what a provider raised against its word."""

    about: T
    attempt: Attempt | BaseException


class Callers(Generic[T]):
    """As many threads as calls were ever under way at once; used by one thread alone.

    They are daemons: one that hangs in a call keeps no process from ending.
    """

    def __init__(self, provider: Provider) -> None:
        """Start nothing yet."""
        self.under_way = 0
        self._provider = provider
        self._calls: SimpleQueue[_Call[T] | None] = SimpleQueue()
        self._outcomes: SimpleQueue[_Outcome[T]] = SimpleQueue()
        self._threads: list[Thread] = []

    def call(self, about: T, question: Question, *, timeout: float) -> None:
        """Have ``question`` asked now, within ``timeout`` seconds."""
        self.under_way += 1
        if len(self._threads) < self.under_way:
            given = (self._provider, self._calls, self._outcomes)
            self._threads.append(Thread(target=_work, args=given, daemon=True, name="judge"))
            self._threads[-1].start()
        self._calls.put(_Call(about, question, timeout))

    def finished(self, *, wait: float | None) -> Iterator[tuple[T, Attempt]]:
        """Give what came back, waiting so many seconds for the first; ``None``: until then.

        What a provider raised is raised here.
        """
        while self.under_way:
            try:
                about, attempt = self._outcomes.get(block=wait != 0, timeout=wait)
            except Empty:
                return
            self.under_way -= 1
            if isinstance(attempt, BaseException):
                raise attempt
            yield about, attempt
            wait = 0.0

    def release(self) -> None:
        """Let the threads end: at once where nothing is under way, else as their calls do."""
        for _ in self._threads:
            self._calls.put(None)
        if not self.under_way:
            for thread in self._threads:
                thread.join()


def _work(
    provider: Provider,
    calls: SimpleQueue[_Call[T] | None],
    outcomes: SimpleQueue[_Outcome[T]],
) -> None:
    while (call := calls.get()) is not None:
        attempt: Attempt | BaseException
        try:
            attempt = provider.ask(call.question, timeout=call.timeout)
        except BaseException as error:  # noqa: BLE001 - raised again by the thread that decides
            attempt = error
        outcomes.put(_Outcome(call.about, attempt))
