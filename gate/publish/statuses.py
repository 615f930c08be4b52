"""What a commit is marked with besides the check that the job itself is, where somebody asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from gate.records.host import Occasion

MAX_DESCRIPTION: Final = 140
"""Characters of a commit status's description."""


class Mark(NamedTuple):
    """What a commit status and a check run say of one run."""

    state: Literal["success", "failure", "error"]
    conclusion: Literal["success", "failure"]
    description: str


def mark(verdict: str, *, exit_status: int, reason: str, visible: Callable[[str], str]) -> Mark:
    """Say of a commit what the exit status of the run says, and no more.

    Success is a status of 0 alone, so an advisory run marks success, and its description says
    the verdict. Whatever else is there is never ``neutral``, which would let a change through.
    ``visible`` makes one printable line of a text.

    >>> mark("undecided", exit_status=3, reason="too few cases", visible=str)
    Mark(state='error', conclusion='failure', description='undecided: too few cases')
    >>> mark("fail", exit_status=0, reason="safety", visible=str).description
    'fail (advisory, nothing is blocked): safety'
    """
    passed = exit_status == 0
    advisory = " (advisory, nothing is blocked)" if passed and verdict != "pass" else ""
    said = visible(f"{verdict}{advisory}: {reason}")
    if len(said) > MAX_DESCRIPTION:
        said = f"{said[: MAX_DESCRIPTION - 1]}…"
    if passed:
        return Mark("success", "success", said)
    return Mark("failure" if verdict == "fail" else "error", "failure", said)


def unmarkable(where: Occasion) -> str | None:
    """Say why no commit can be marked on this occasion; ``None`` where one can.

    It is the head, never the merge commit that a runner checks out, which nobody looks at.
    """
    if where.refusal is not None:
        return where.refusal
    if where.kind == "local":
        return "no runner started this run"
    if where.read_only:
        return "the token of a run for a fork or for Dependabot may not set it"
    if where.head_sha is None or where.repository is None:
        return f"the event {where.kind} does not say which commit was judged"
    return None
