"""The ledger of a run: read before anything is asked, and able to keep what is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gate.errors import ResultUnwritable, UsageInvalid
from gate.judges.ledger import MAX_LINE, read_ledger
from gate.records.figures import count
from gate.report.sanitize import visible

if TYPE_CHECKING:
    from gate.judges.ledger import Ledger
    from gate.ports import Files
    from gate.records.judge_options import JudgeOptions
    from gate.records.judging import Answer
    from gate.shell.asking import Asking


class Kept(NamedTuple):
    """The ledger of a run: where it is, what it held, and what of that is used again."""

    path: str
    unfinished: bool
    answers: dict[str, Answer]


def open_ledger(files: Files, asking: Asking, judge: JudgeOptions, *, bound: bool) -> Kept:
    """Read the ledger that is named, else the usual one. Raises ``UsageInvalid`` for no ledger.

    Where a change is ``bound`` to the rules of its base, one that lies in the checkout could be
    its own, and is not read.
    """
    path = judge.ledger or asking.ledger
    if not files.exists(path):
        return Kept(path, unfinished=False, answers={})
    trusted = asking.reuse if judge.ledger is None else not (bound and asking.in_checkout(path))
    if not trusted:
        asking.tell(
            f"judge: {path} is written and not read, since a change could bring its own; name one "
            "outside the checkout with --ledger to use answers again"
        )
        return Kept(path, unfinished=True, answers={})
    found = read_ledger(files.lines(path, limit=MAX_LINE))
    _complain(found, path, asking)
    return Kept(path, unfinished=found.unfinished, answers=found.reusable)


def _complain(found: Ledger, path: str, asking: Asking) -> None:
    if found.damaged and not found.answers:
        raise UsageInvalid(
            f"{visible(path)}: is no ledger: none of its {len(found.damaged):,} line(s) is whole",
            hint="name a file of its own with --ledger; it need not exist",
        )
    if found.damaged:
        lines = ", ".join(map(str, found.damaged[:5]))
        asking.tell(
            f"warning: {path}: {count(len(found.damaged), 'line')} damaged and not read "
            f"(first: {lines})"
        )


def require_keeping(files: Files, path: str) -> None:
    """See to it that answers can be kept before any is asked for. Raises ``ResultUnwritable``."""
    try:
        files.keep(path, "")
    except ResultUnwritable as error:
        raise ResultUnwritable(
            f"ledger: {error}", hint="answers that cannot be kept are not asked for: see --ledger"
        ) from None
