"""What a command said, fit to be kept and shown: without the secrets it was given, in bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.adapters.environ import from_environ
from gate.records.judging import Answer, Attempt
from gate.report.sanitize import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gate.records.judge_words import AnswerStatus

LONGEST: Final = 500
"""Characters of a message."""
_COMMAND: Final = 160


class Words(NamedTuple):
    """How to speak of one command."""

    command: str
    redact: Callable[[str], str]

    def told(self, text: str) -> str:
        """Give ``text`` as one line of at most :data:`LONGEST` characters."""
        return visible(self.redact(text))[:LONGEST]

    def attempt(self, status: AnswerStatus, message: str) -> Attempt:
        """Give an attempt that got no answer."""
        return Attempt(answer=Answer(status=status, message=self.told(message)))

    def clean(self, answer: Answer) -> Answer:
        """Give an answer without any secret that the command was given."""
        return Answer(
            status=answer.status,
            text=_each(answer.text, self.redact),
            model=_each(answer.model, self.redact),
            finish_reason=_each(answer.finish_reason, self.redact),
            usage=answer.usage,
            message=_each(answer.message, self.told),
        )


def words_of(command: Sequence[str], given: Mapping[str, str]) -> Words:
    """Speak of ``command``, which was given the environment ``given``."""
    from shlex import join

    from gate.report.redact import redactor

    redact = redactor(from_environ(given).secrets)
    return Words(_both_ends(visible(redact(join(command)))), redact)


def _both_ends(command: str) -> str:
    """Cut the middle of a long command: it begins with its interpreter, its file comes last."""
    if len(command) <= _COMMAND:
        return command
    return f"{command[: _COMMAND // 2]} … {command[-_COMMAND // 2 :]}"


def _each(text: str | None, change: Callable[[str], str]) -> str | None:
    return None if text is None else change(text)
