r"""The ledger of a judged run: one line an answer, only ever added to.

A line is one JSON object in ASCII: the entry, ``v`` and ``sum``, the digest of all the rest. A
run that is killed while it writes leaves a torn last line, and that answer alone is asked again.
The sum proves that a line is whole, not who wrote it: a ledger is as trustworthy as the place
it is kept in.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from pydantic import TypeAdapter, ValidationError

from gate.records.base import reader
from gate.records.json_text import JsonRefused, digest, loads, spelled
from gate.records.judging import LedgerEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gate.records.judging import Answer, Question

VERSION: Final = 1
MAX_LINE: Final = 4_000_000
"""Bytes of a line, at most: a longer one is damaged."""
MAX_TEXT: Final = 300_000
"""Characters of a reply that are kept: more than any that is read, and within a line."""
_MAX_WORD: Final = 2_000
_OPENING: Final = b'{"answer":'
"""How every line begins: what does not was never one, and was not torn off."""


class Ledger(NamedTuple):
    """What a ledger holds.

    ``answers`` has one answer a key: the latest, except that none without a verdict hides one
    with. ``damaged`` are the numbers, from 1, of lines that are not whole, save the last line
    if it was torn off. ``unfinished`` says that the file does not end with a line end: whoever
    adds to it starts a new line first.
    """

    answers: Mapping[str, Answer]
    damaged: tuple[int, ...]
    torn: bool
    unfinished: bool

    @property
    def reusable(self) -> dict[str, Answer]:
        """The answers that hold a verdict: these alone are not asked for again."""
        return {key: answer for key, answer in self.answers.items() if answer.status == "ok"}

    @property
    def first(self) -> str:
        r"""What has to be added before the next line: ``"\n"`` after an unfinished one."""
        return "\n" if self.unfinished else ""


def ledger_line(question: Question, answer: Answer) -> str:
    r"""Spell one answer as a line of the ledger, its ``\n`` included.

    A reply beyond :data:`MAX_TEXT`, which is no verdict, is cut: no line is too long to be read.
    """
    entry = LedgerEntry(
        key=question.key,
        case_id=question.case_id,
        repeat=question.repeat,
        run=question.run,
        answer=replace(
            answer,
            text=_cut(answer.text, MAX_TEXT),
            model=_cut(answer.model, _MAX_WORD),
            finish_reason=_cut(answer.finish_reason, _MAX_WORD),
            message=_cut(answer.message, _MAX_WORD),
        ),
    )
    document = {**_writer().dump_python(entry, mode="json"), "v": VERSION}
    return spelled({**document, "sum": digest(document)}) + "\n"


def read_ledger(lines: Iterable[bytes]) -> Ledger:
    r"""Read a ledger from its lines, each with its line end (``\n``); no content raises.

    >>> read_ledger(iter(())).answers
    {}
    >>> read_ledger([b"not a line\n", b'{"answer":{"fin']).damaged
    (1,)
    """
    read = reader(LedgerEntry)
    answers: dict[str, Answer] = {}
    damaged: list[int] = []
    torn = unfinished = False
    for number, line in enumerate(lines, 1):
        unfinished = not line.endswith(b"\n")
        document = _whole(line)
        entry = None
        if document is not None:
            try:
                entry = read(document)
            except ValidationError:
                entry = None
        if entry is None:
            torn = unfinished and _begins_like_ours(line)
            if line.strip() and not torn:
                damaged.append(number)
            continue
        known = answers.get(entry.key)
        if known is None or known.status != "ok" or entry.answer.status == "ok":
            answers[entry.key] = entry.answer
    return Ledger(answers, tuple(damaged), torn, unfinished)


def _begins_like_ours(line: bytes) -> bool:
    return line.startswith(_OPENING) or _OPENING.startswith(line)


def _whole(line: bytes) -> dict[str, Any] | None:
    """Give the entry of a line that is whole, as a document, without its version and sum."""
    if len(line) > MAX_LINE:
        return None
    try:
        document = loads(line.decode("ascii"))
    except (UnicodeDecodeError, JsonRefused):
        return None
    if not isinstance(document, dict):
        return None
    said = document.pop("sum", None)
    if said != digest(document) or document.pop("v", None) != VERSION:
        return None
    return document


def _cut(text: str | None, limit: int) -> str | None:
    return None if text is None else text[:limit]


@cache
def _writer() -> TypeAdapter[LedgerEntry]:
    return TypeAdapter(LedgerEntry)
