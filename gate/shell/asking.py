"""What it takes to ask a judge, besides the questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from gate.ports import Asker
    from gate.records.judge_options import JudgeOptions
    from gate.records.judge_run import Progress


class Asking(NamedTuple):
    """The world as a judged run needs it.

    ``address`` is where questions would be sent, if that is said anywhere. ``connect`` gives who
    asks (options, model, parameters sent), until its context ends. ``command_digest`` says which
    judge a command line is, and ``names_a_file`` whether a program's content is part of that.
    ``day`` gives today, written ``YYYY-MM-DD``. ``ledger`` is where
    answers are kept if nobody says where, and ``reuse`` whether that one is read, too.
    ``in_checkout`` says whether a path lies where a change could have put a file. ``tell`` says a
    line to whoever watches.
    """

    address: Callable[[JudgeOptions], str | None]
    connect: Callable[[JudgeOptions, str, str], AbstractContextManager[Asker]]
    command_digest: Callable[[tuple[str, ...]], str]
    names_a_file: Callable[[tuple[str, ...]], bool]
    day: Callable[[], str]
    ledger: str
    reuse: bool
    in_checkout: Callable[[str], bool]
    progress: Callable[[Progress], None]
    tell: Callable[[str], None]
