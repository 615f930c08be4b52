"""When to ask a judge again, when to wait and when to stop: decisions on values alone.

There is one such layer for all providers. It holds no clock and draws no number: how long a run
has taken and a number in [0, 1) come as arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from gate.records.judge_words import CONTENT, TRANSIENT, Usage

if TYPE_CHECKING:
    from gate.records.judge_words import AnswerStatus


class Rules(NamedTuple):
    """How patient to be.

    ``tries`` bounds the calls of one question that fail on the way, the first among them;
    ``reasks`` how often it is asked again for what was said. Waits double from ``first`` to
    ``longest`` seconds. After ``breaker`` questions in a row that failed on the way for good
    nothing more is asked, nor after ``hopeless`` ones to which nothing was said but what holds
    no verdict.
    """

    tries: int = 8
    reasks: int = 2
    first: float = 1.0
    longest: float = 60.0
    breaker: int = 5
    hopeless: int = 10


USUAL: Final = Rules()


class Done(NamedTuple):
    """The answer holds a verdict, or no try could change it."""


class Wait(NamedTuple):
    """Ask again after so many seconds."""

    seconds: float


class AskAgain(NamedTuple):
    """Ask again at once: another try may say something else."""


class GiveUp(NamedTuple):
    """Ask this question no more, and why."""

    why: str


Decision: TypeAlias = Done | Wait | AskAgain | GiveUp


class Tries(NamedTuple):
    """How often one question was asked, the last time included, by how that ended."""

    content: int = 0
    transient: int = 0

    def after(self, status: AnswerStatus) -> Tries:
        """Count one more.

        >>> Tries().after("timeout").after("schema").after("server")
        Tries(content=1, transient=2)
        """
        return Tries(self.content + (status in CONTENT), self.transient + (status in TRANSIENT))


def decide(
    status: AnswerStatus,
    tries: Tries,
    *,
    retry_after: float | None,
    left: float,
    chance: float,
    rules: Rules = USUAL,
) -> Decision:
    """Say what follows from an answer of ``status``, which ``tries`` counts already.

    ``left`` is what remains of the run's deadline, in seconds, and ``chance`` a number in [0, 1).
    The wait is exponential with full jitter (a draw from 0 to the bound, which doubles): those
    who failed together do not come back together. The provider's own wish (``retry_after``,
    seconds) is a lower bound; one that goes beyond the deadline is not waited for.

    >>> decide("server", Tries(0, 3), retry_after=None, left=600, chance=0.5)
    Wait(seconds=2.0)
    >>> decide("rate_limited", Tries(0, 1), retry_after=20.0, left=600, chance=0.5)
    Wait(seconds=20.0)
    >>> decide("rate_limited", Tries(0, 1), retry_after=90.0, left=40, chance=0.5)
    GiveUp(why='the provider asks for 90 s of peace, and 40 s are left')
    >>> decide("schema", Tries(2, 0), retry_after=None, left=600, chance=0.5)
    AskAgain()
    >>> decide("schema", Tries(3, 0), retry_after=None, left=600, chance=0.5)
    GiveUp(why='asked 3 times')
    >>> decide("auth", Tries(), retry_after=None, left=600, chance=0.5)
    Done()
    """
    if status in CONTENT:
        if tries.content > rules.reasks:
            return GiveUp(f"asked {tries.content} times")
        return AskAgain() if left > 0 else GiveUp("the deadline is over")
    if status not in TRANSIENT:
        return Done()
    if tries.transient >= rules.tries:
        return GiveUp(f"tried {tries.transient} times")
    wished = max(0.0, retry_after or 0.0)
    if wished >= left:
        return GiveUp(
            f"the provider asks for {wished:.0f} s of peace, and {max(0.0, left):.0f} s are left"
            if wished
            else "the deadline is over"
        )
    bound = min(rules.longest, rules.first * 2.0 ** min(tries.transient - 1, 60))
    wait = max(chance * bound, wished)
    return Wait(wait) if wait < left else GiveUp(f"{left:.0f} s are left, too few to try again")


def cooled(
    until: float, *, now: float, status: AnswerStatus, wait: Wait | None, wish: float | None
) -> float:
    """Give until when everybody leaves the provider in peace, on the clock of ``now``.

    Whoever is told to slow down tells all others: a rate limit holds for a key and not for a
    thread. It is the provider's wish where it has one, else the ``wait`` of the one it told.

    >>> cooled(0.0, now=10.0, status="rate_limited", wait=Wait(3.0), wish=None)
    13.0
    >>> cooled(50.0, now=10.0, status="server", wait=Wait(3.0), wish=7.0)
    50.0
    >>> cooled(0.0, now=10.0, status="timeout", wait=Wait(3.0), wish=None)
    0.0
    """
    if wish is not None:
        return max(until, now + wish)
    if status == "rate_limited" and wait is not None:
        return max(until, now + wait.seconds)
    return until


def in_a_row(failed: int, status: AnswerStatus) -> int:
    """Count the questions in a row that failed on the way for good; any reply begins anew.

    >>> in_a_row(4, "timeout"), in_a_row(4, "ok"), in_a_row(4, "schema")
    (5, 0, 0)
    """
    return failed + 1 if status in TRANSIENT else 0


def unsaid_in_a_row(unsaid: int, status: AnswerStatus) -> int:
    """Count the questions in a row whose every reply holds no verdict; a verdict begins anew.

    >>> unsaid_in_a_row(4, "unparseable"), unsaid_in_a_row(4, "ok"), unsaid_in_a_row(4, "timeout")
    (5, 0, 4)
    """
    if status in CONTENT:
        return unsaid + 1
    return 0 if status == "ok" else unsaid


def together(one: Usage, other: Usage) -> Usage:
    """Add up what two tries used; a figure that neither has stays ``None``.

    >>> together(Usage(input_tokens=5), Usage(input_tokens=7, output_tokens=2)).input_tokens
    12
    """
    return Usage(
        input_tokens=_sum(one.input_tokens, other.input_tokens),
        output_tokens=_sum(one.output_tokens, other.output_tokens),
        thinking_tokens=_sum(one.thinking_tokens, other.thinking_tokens),
    )


def _sum(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return one + other
