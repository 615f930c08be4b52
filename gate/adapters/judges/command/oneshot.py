"""A judge that is a program started once for each question."""

from __future__ import annotations

import os
import select
import time
from signal import SIGKILL
from typing import TYPE_CHECKING, Final

from gate.adapters.judges.command.process import (
    TAIL_READS,
    Child,
    NotStarted,
    ending,
    received,
    sent,
)
from gate.ports import Provider
from gate.records.judging import Answer, Attempt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gate.adapters.judges.command.words import Words
    from gate.records.judge_words import AnswerStatus
    from gate.records.judging import Question

MAX_OUTPUT: Final = 1_000_000
"""Bytes of an answer, at most."""
STATUSES: Final[dict[int, AnswerStatus]] = {
    os.EX_USAGE: "config",
    os.EX_NOPERM: "auth",
    os.EX_CONFIG: "config",
    126: "config",
    127: "config",
}
"""Exit statuses that stop the run: those of ``sysexits.h``, and a shell's for what it cannot
execute (126) or does not find (127). Any other but 0 is ``server``."""
_TICK: Final = 0.05
"""Seconds between looks at whether it still runs, while a pipe is open."""
_AT_THE_END: Final = 0.002
"""The same when none is: it is about to end."""


class _TooMuch(Exception):
    """It wrote more than anybody reads."""


class Oneshot(Provider):
    """Asks a process of its own each time."""

    def __init__(
        self, command: Sequence[str], environ: Mapping[str, str], *, words: Words
    ) -> None:
        """Keep what is to be started; nothing is started before the first question."""
        self._command = tuple(command)
        self._environ = dict(environ)
        self._words = words
        self._running: set[Child] = set()
        self._closed = False

    def ask(self, question: Question, *, timeout: float) -> Attempt:
        """Ask once: the answer is all that the program writes, if it ends with status 0."""
        deadline = time.monotonic() + timeout
        try:
            child = Child(self._command, self._environ)
        except NotStarted as error:
            return self._none("transport" if error.passing else "config", str(error))
        self._running.add(child)
        try:
            if self._closed:
                return self._none("transport", "was told to end")
            said = _converse(child, stdin_of(question), deadline)
            return self._answered(said, child.finish(), child.last_words())
        except TimeoutError:
            return self._none("timeout", f"did not answer within {timeout:g} s")
        except _TooMuch:
            return self._none("unparseable", f"wrote more than {MAX_OUTPUT:,} bytes")
        finally:
            child.finish()
            self._running.discard(child)
            child.close()

    def close(self) -> None:
        """Kill what runs; whoever waits for it is told."""
        self._closed = True
        for child in tuple(self._running):
            child.send(SIGKILL)

    def _answered(self, said: bytes, status: int, last_words: str) -> Attempt:
        if status != 0:
            words = f": {last_words}" if last_words else ""
            kind = "transport" if status < 0 else STATUSES.get(status, "server")
            return self._none(kind, f"{ending(status)}{words}")
        try:
            text = said.decode("utf-8")
        except UnicodeDecodeError:
            return self._none("unparseable", "wrote what is no UTF-8")
        # All of it is there, and nothing says how much was used, or by which model.
        answer = Answer(status="ok", text=text, finish_reason="stop")
        return Attempt(answer=self._words.clean(answer))

    def _none(self, status: AnswerStatus, why: str) -> Attempt:
        return self._words.attempt(status, f"the judge's command {self._words.command} {why}")


def stdin_of(question: Question) -> bytes:
    """Spell a question as a text: the system text, the prompt, and the schema of the reply."""
    schema = f"The JSON Schema of the reply: {question.schema_text}\n"
    return f"{question.system}\n\n{question.prompt}\n\n{schema}".encode()


def _converse(child: Child, question: bytes, deadline: float) -> bytes:
    """Write all of ``question``, if it is read, and give all that is said until the end.

    A pipe that a process of somebody else's still holds is not waited for. Raises
    ``TimeoutError`` and :class:`_TooMuch`.
    """
    said = bytearray()
    left = memoryview(question)
    poller = select.poll()
    poller.register(child.stdin, select.POLLOUT)
    poller.register(child.stdout, select.POLLIN)
    poller.register(child.stderr, select.POLLIN)
    open_ones = 3
    while not child.ended():
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            raise TimeoutError
        tick = _TICK if open_ones else _AT_THE_END
        for descriptor, _ in poller.poll(1000 * min(remaining, tick)):
            if descriptor == child.stdin:
                size = sent(descriptor, left)
                left = left[len(left) if size is None else size :]
                if not left:
                    poller.unregister(descriptor)
                    open_ones -= 1
                    child.close_stdin()
            elif (data := received(descriptor)) == b"":
                poller.unregister(descriptor)
                open_ones -= 1
            elif descriptor == child.stderr:
                child.keep(data or b"")
            else:
                _add(said, data)
    for _ in range(TAIL_READS):
        _add(said, received(child.stdout))
    return bytes(said)


def _add(said: bytearray, data: bytes | None) -> None:
    said += data or b""
    if len(said) > MAX_OUTPUT:
        raise _TooMuch
