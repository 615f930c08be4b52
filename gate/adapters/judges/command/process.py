"""A program that answers, run without a shell, and ended together with all that it started.

It leads a process group of its own, so that one signal reaches whatever it has started as well.
Only after that signal is it reaped: until then nobody else can bear its number. What has made
itself a group of its own is out of reach.
"""

from __future__ import annotations

import errno
import os
import signal
import subprocess
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CHUNK: Final = 65_536
TAIL: Final = 8_192
"""Bytes of the standard error that are kept: the last ones."""
TAIL_READS: Final = 32
"""Reads that empty a pipe that nobody fills any more."""
_PASSING: Final = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ETXTBSY)
ALLOWED: Final = frozenset(
    (
        *("PATH", "HOME", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LD_LIBRARY_PATH"),
        *("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PYTHONUTF8", "PYTHONIOENCODING"),
        *("SSL_CERT_FILE", "SSL_CERT_DIR"),
        *(
            "LC_ALL",
            "LC_COLLATE",
            "LC_CTYPE",
            "LC_MESSAGES",
            "LC_MONETARY",
            "LC_NUMERIC",
            "LC_TIME",
        ),
    )
)
"""What a command is given of the environment, besides what the user names.

Of ``LC_`` the names that POSIX knows: anybody may call a secret ``LC_`` something.
"""


def scrubbed(environ: Mapping[str, str], named: Sequence[str]) -> dict[str, str]:
    """Give what a command sees of ``environ``: what is listed here, and what ``named`` names.

    >>> found = {"PATH": "/bin", "LC_ALL": "C", "LC_SECRET": "t", "MY_KEY": "k"}
    >>> scrubbed(found, ("MY_KEY", "ABSENT"))
    {'PATH': '/bin', 'LC_ALL': 'C', 'MY_KEY': 'k'}
    """
    return {name: value for name, value in environ.items() if name in ALLOWED or name in named}


class NotStarted(Exception):
    """The system does not start the program; ``passing`` says that it may do so later."""

    def __init__(self, reason: str, *, passing: bool) -> None:
        """Keep the system's own words."""
        super().__init__(f"could not be started: {reason}")
        self.passing = passing


class Child:
    """A started program; its three pipes never block whoever uses them."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        """Start it. Raises :class:`NotStarted`."""
        try:
            self._process = subprocess.Popen(  # noqa: S603 - words, and no shell
                list(command),
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(environ),
                start_new_session=True,
            )
        except OSError as error:
            passing = error.errno in _PASSING
            raise NotStarted(str(error.strerror), passing=passing) from None
        except ValueError as error:
            raise NotStarted(str(error), passing=False) from None
        self._pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in self._pipes if pipe)
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self._tail = bytearray()
        self._reaping = Lock()
        self._reaped = False

    def ended(self) -> bool:
        """Say whether the program has ended, and leave it to be reaped."""
        if self._reaped:
            return True
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, flags) is not None

    def keep(self, data: bytes) -> None:
        """Keep the end of what it wrote to its standard error."""
        self._tail += data
        del self._tail[:-TAIL]

    def last_words(self) -> str:
        """Give the last line of its standard error that is not blank, however it is spelt."""
        for _ in range(TAIL_READS):  # somebody out of reach may write on and on
            if data := received(self.stderr):
                self.keep(data)
        lines = self._tail.decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the program and to all that it started; too late is fine."""
        with self._reaping:
            if not self._reaped:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._process.pid, number)

    def finish(self) -> int:
        """Kill what is left of the group and give the program's exit status.

        Below 0 it is the number of the signal that ended the program. A second call is fine.
        """
        self.send(signal.SIGKILL)
        with self._reaping:
            status = self._process.wait()
            self._reaped = True
        return status

    def close_stdin(self) -> None:
        """Let the program see the end of its input."""
        if self._process.stdin:
            with suppress(OSError):
                self._process.stdin.close()

    def close(self) -> None:
        """Close the pipes; nothing may use them any more."""
        for pipe in self._pipes:
            if pipe:
                with suppress(OSError):
                    pipe.close()


def received(descriptor: int) -> bytes | None:
    """Read what is there: ``None`` for nothing yet, nothing at the end."""
    try:
        return os.read(descriptor, CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def sent(descriptor: int, data: memoryview) -> int | None:
    """Write what fits and give its size, ``None`` where nobody will ever read it."""
    try:
        return os.write(descriptor, data[:CHUNK])
    except BlockingIOError:
        return 0
    except OSError:
        return None


def ending(status: int) -> str:
    """Say how a program ended.

    >>> ending(3), ending(-9)
    ('ended with status 3', 'was ended by SIGKILL')
    """
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"was ended by signal {-status}"
