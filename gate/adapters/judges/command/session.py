"""One worker process: many threads ask it at once, one thread listens to it."""

from __future__ import annotations

import select
import time
from signal import SIGKILL, SIGTERM
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Final

from gate.adapters.judges.command.process import TAIL_READS, Child, ending, received, sent
from gate.adapters.judges.command.protocol import (
    MAX_LINE,
    Breach,
    Hello,
    Reply,
    hello_of,
    reply_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STRAYS: Final = 1000
"""Lines that answer no question and are overlooked, between two replies."""
GRACE: Final = 1.0
"""Seconds a worker has to end by itself at the end of its input, and again after a SIGTERM."""
_TICK: Final = 0.1
"""Seconds between looks at what no pipe tells."""
_LAST_WORDS: Final = 0.5
"""Seconds in which a worker that closed its output ends with a status of its own."""
_QUOTED: Final = 80


class Lost(Exception):
    """The worker is over; the message says how it came to that, in the worker's own words too."""


class _Slot:
    """Where one thread waits for one reply."""

    __slots__ = ("reply", "told")

    def __init__(self) -> None:
        self.reply: Reply | None = None
        self.told = Event()


class Session:
    """A worker from its start to its end, which is never waited for without a bound."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        """Start the worker. Raises ``NotStarted``."""
        self._child = Child(command, environ)
        self._hello: Hello | None = None
        self._greeted = Event()
        self._state = Lock()
        self._waiting: dict[str, _Slot] = {}
        self._given_up: set[str] = set()
        self._blame: str | None = None
        self._over: str | None = None
        self._writing = Lock()
        self._closing = False
        # What only the listening thread writes.
        self._heard = time.monotonic()
        self._unfinished = bytearray()
        self._strays = 0
        self._stray = ""
        self._listener = Thread(target=self._listen, name="judge-worker", daemon=True)
        self._listener.start()

    @property
    def over(self) -> str | None:
        """How the worker came to its end; ``None`` while it lives."""
        return self._over

    def greeting(self, *, within: float) -> Hello:
        """Wait for the first line. Raises :class:`Lost`, and the worker is over then."""
        self._greeted.wait(within)
        if self._hello is None:
            self._condemn(f"said nothing for {within:.3g} s, and its hello was expected")
            self._listener.join()
        if self._hello is None:
            raise Lost(self._over or "did not say hello")
        return self._hello

    def exchange(self, number: str, line: bytes, *, deadline: float) -> Reply:
        """Send the question ``number`` and wait for its reply until ``deadline`` (monotonic).

        Raises ``TimeoutError``, and :class:`Lost`. A worker that said nothing at all in the time
        of a whole question is not waited for again.
        """
        slot = _Slot()
        began = time.monotonic()
        with self._state:
            if self._over is not None:
                raise Lost(self._over)
            self._waiting[number] = slot
        if self._write(line, deadline):
            slot.told.wait(max(0.0, deadline - time.monotonic()))
        with self._state:
            if self._waiting.pop(number, None) is not None:
                self._given_up.add(number)
        if slot.reply is not None:
            return slot.reply
        if self._over is not None:
            raise Lost(self._over)
        if self._heard < began:
            self._condemn(f"said nothing for the {deadline - began:.3g} s of a question")
        raise TimeoutError(self._remark())

    def close(self) -> None:
        """End the worker: at the end of its input, else by SIGTERM, else by SIGKILL."""
        self._closing = True
        if self._writing.acquire(timeout=GRACE):
            try:
                self._child.close_stdin()
            finally:
                self._writing.release()
        for number in (SIGTERM, SIGKILL):
            self._listener.join(GRACE)
            if not self._listener.is_alive():
                return
            self._child.send(number)
        self._listener.join()

    def _condemn(self, why: str) -> None:
        """Kill the worker; the listener notices, and tells everybody."""
        with self._state:
            self._blame = self._blame or why
        self._child.send(SIGKILL)

    def _remark(self) -> str:
        if not self._strays:
            return ""
        return f"; {self._strays} of its lines answered no question, the last: {self._stray}"

    def _write(self, line: bytes, deadline: float) -> bool:
        """Say whether there is something to wait for: an answer, or how the worker ended."""
        if not self._writing.acquire(timeout=max(0.0, deadline - time.monotonic())):
            return False
        try:
            return self._write_all(memoryview(line), deadline)
        finally:
            self._writing.release()

    def _write_all(self, left: memoryview, deadline: float) -> bool:
        whole = len(left)
        poller = select.poll()
        poller.register(self._child.stdin, select.POLLOUT)
        while left and self._over is None and not self._closing:
            size = sent(self._child.stdin, left)
            if size is None:
                break
            left = left[size:]
            remaining = deadline - time.monotonic()
            if left and remaining <= 0:
                if len(left) < whole:
                    self._condemn("stopped reading in the middle of a question")
                return False
            if not size:
                poller.poll(1000 * min(remaining, _TICK))
        return True

    def _listen(self) -> None:
        try:
            self._hear_out()
        except Breach as breach:
            with self._state:
                self._blame = self._blame or str(breach)
        status = self._child.finish()
        why = self._blame or ending(status)
        words = self._child.last_words()
        with self._state:
            self._over = f"{why}; its last words: {words}" if words else why
            left, self._waiting = self._waiting, {}
        for slot in left.values():
            slot.told.set()
        self._greeted.set()
        with self._writing:
            self._child.close()

    def _hear_out(self) -> None:
        """Listen to the end. Raises :class:`Breach` where it comes to what nobody should hear."""
        child = self._child
        poller = select.poll()
        poller.register(child.stdout, select.POLLIN)
        poller.register(child.stderr, select.POLLIN)
        while not child.ended():
            ready = {descriptor for descriptor, _ in poller.poll(1000 * _TICK)}
            if child.stderr in ready:
                if (data := received(child.stderr)) == b"":
                    poller.unregister(child.stderr)
                child.keep(data or b"")
            if child.stdout in ready:
                if (data := received(child.stdout)) == b"":
                    self._await_end()
                    return
                self._hear(data or b"")
        for _ in range(TAIL_READS):
            self._hear(received(child.stdout) or b"")

    def _await_end(self) -> None:
        until = time.monotonic() + _LAST_WORDS
        while not self._child.ended():
            self._child.keep(received(self._child.stderr) or b"")
            if time.monotonic() > until:
                raise Breach("closed its standard output")
            time.sleep(_TICK / 10)

    def _hear(self, data: bytes) -> None:
        if data:
            self._heard = time.monotonic()
        self._unfinished += data
        if b"\n" in data:
            *lines, self._unfinished = self._unfinished.split(b"\n")
            for line in lines:
                self._take(bytes(line))
        if len(self._unfinished) > MAX_LINE:
            raise Breach(f"wrote a line of more than {MAX_LINE:,} bytes")

    def _take(self, line: bytes) -> None:
        if len(line) > MAX_LINE:
            raise Breach(f"wrote a line of more than {MAX_LINE:,} bytes")
        if self._hello is None:
            try:
                self._hello = hello_of(line)
            except Breach as breach:
                raise Breach(
                    f"did not say hello: its first line {breach}: {_quoted(line)}"
                ) from None
            self._greeted.set()
            return
        reply = reply_of(line)
        with self._state:
            slot = self._waiting.pop(reply.id, None) if reply else None
            late = reply is not None and reply.id in self._given_up
        if slot is not None:
            slot.reply = reply
            slot.told.set()
            self._strays = 0
        elif not late:
            self._strays += 1
            self._stray = _quoted(line)
            if self._strays > STRAYS:
                raise Breach(f"wrote {STRAYS:,} lines that answer no question{self._remark()}")


def _quoted(line: bytes) -> str:
    return repr(line[:_QUOTED].decode("utf-8", "replace"))
