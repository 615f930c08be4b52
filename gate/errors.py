"""Everything that can go wrong, as one tree; each error has a status and a hint.

::

    GateError
    ├── InvalidInput          2  nothing was decided
    │   ├── UsageInvalid         the command line or an action input
    │   ├── PolicyInvalid        gate.toml, or options that contradict it
    │   ├── FileAbsent           a named file is not there
    │   ├── FileUnreadable       it is there and cannot be read
    │   ├── CasesInvalid         the golden set
    │   ├── PredictionsInvalid   the predictions
    │   ├── BaseUnreadable       the base commit, whose rules judge a pull request
    │   ├── BaselineInvalid      the baseline
    │   ├── BaselineAbsent       no baseline, and nobody allowed that
    │   ├── ResultInvalid        a stored result.json
    │   ├── ArtifactRefused      what another run left, and no honest run leaves
    │   ├── LabelsInvalid        what people said of answers
    │   ├── TrustInvalid         a trust record
    │   └── PromotionRefused     a result that nobody should compare with
    ├── Undecided             3  not enough evidence to decide
    │   ├── ResultUnwritable     the result could not be written whole
    │   ├── JudgeUnusable        the judge refuses whoever asks, or cannot be reached at all
    │   ├── OverBudget           asking would cost more than is allowed
    │   └── HostFailed           the host of the pull request did not do what it was asked
    └── Defect                4  a bug of ours

The statuses are those of the command (see the README): they never overlap with
``1``, "a gate failed", which is a verdict and not an error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

SHOWN: Final = 20
"""How many problems an error spells out; the rest is counted."""


class Problem:
    """One thing that is wrong, and where: ``source:line: message``.

    >>> str(Problem("cases.jsonl", 3, "not JSON"))
    'cases.jsonl:3: not JSON'
    >>> str(Problem("gate.toml", None, "unknown key"))
    'gate.toml: unknown key'
    """

    __slots__ = ("line", "message", "source")

    def __init__(self, source: str, line: int | None, message: str) -> None:
        """Keep the three parts; ``line`` counts from 1, ``None`` means the whole file."""
        self.source = source
        self.line = line
        self.message = message

    def __str__(self) -> str:
        """Spell it the way compilers do, so that editors can jump to it."""
        place = self.source if self.line is None else f"{self.source}:{self.line}"
        return f"{place}: {self.message}"


class GateError(Exception):
    """An error that a user can act on: what, where and what to do."""

    status: ClassVar[int] = 2
    hint: ClassVar[str] = "run `agent-eval-gate --help`"

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        """Say ``message``; ``hint`` replaces the class's remedy with a nearer one."""
        super().__init__(message)
        self.advisory = False
        """Whether the rules in force say that whatever is undecided blocks nothing."""
        self.remedy: str = self.hint if hint is None else hint

    @classmethod
    def of(
        cls, problems: Iterable[Problem], *, total: int | None = None, hint: str | None = None
    ) -> GateError:
        """Make one error of many problems, listing the first :data:`SHOWN` of them.

        ``total`` is how many there were, if more than are given.
        """
        listed = tuple(problems)
        count = len(listed) if total is None else total
        lines = [str(problem) for problem in listed[:SHOWN]]
        if count > len(lines):
            lines.append(f"... and {count - len(lines)} more")
        return cls("\n".join(lines), hint=hint)

    def prefixed(self, place: str) -> GateError:
        """Give the same error with each of its lines placed at ``place``, unless it is already.

        >>> str(InvalidInput("has no rows").prefixed("b.json"))
        'b.json: has no rows'
        >>> str(InvalidInput("b.json: has no rows").prefixed("b.json"))
        'b.json: has no rows'
        """
        lines = str(self).split("\n")
        placed = (line if line.startswith(place) else f"{place}: {line}" for line in lines)
        return type(self)("\n".join(placed), hint=self.remedy)


class InvalidInput(GateError):
    """Input, policy or usage is wrong: nothing was decided."""

    status = 2
    hint = "correct the input and run again"


class UsageInvalid(InvalidInput):
    """The command line, or an input of the action."""

    hint = "see `agent-eval-gate COMMAND --help`"


class PolicyInvalid(InvalidInput):
    """The policy file, or options that contradict it."""

    hint = "see the policy section of the README"


class FileAbsent(InvalidInput):
    """A file that was named is not there."""

    hint = "check the path; relative paths start at the working directory"


class FileUnreadable(InvalidInput):
    """A file is there and cannot be read, or is larger than a named limit."""

    hint = "check its permissions, its size and that it is a regular file"


class CasesInvalid(InvalidInput):
    """The golden set breaks its format."""

    hint = (
        'a case is one JSON object: {"id", "input", "reference", "expected_tools", "labels", '
        '"scorer"}'
    )


class PredictionsInvalid(InvalidInput):
    """The predictions break their format, or answer none of the cases."""

    hint = 'a prediction is one JSON object a line: {"id", "output", "tools", "repeat"}'


class BaseUnreadable(InvalidInput):
    """The rules are to be those of the base commit, and it cannot be read."""

    hint = (
        "a pull request is judged by the rules of its base commit, never without them: mend what "
        "is said here, and run again"
    )


class BaselineInvalid(InvalidInput):
    """The baseline breaks its format or contradicts itself."""

    hint = "write baselines with `agent-eval-gate baseline promote`, never by hand"


class BaselineAbsent(InvalidInput):
    """There is no baseline, and nobody allowed that."""

    hint = (
        "make one with `agent-eval-gate score` and `baseline promote`, or pass "
        "--allow-missing-baseline together with --min-pass-rate"
    )


class ResultInvalid(InvalidInput):
    """A stored result breaks its format or contradicts itself."""

    hint = "results are written by `check` and `score`; run them again"


class ArtifactRefused(InvalidInput):
    """An artifact of another run is not as an honest run leaves one."""

    hint = "upload the folder that --out names, and hand over that artifact as it came"


class LabelsInvalid(InvalidInput):
    """The labels of people break their format, or are about none of the answers."""

    hint = 'a label is one JSON object a line: {"id", "repeat", "label"}, on the judge\'s scale'


class TrustInvalid(InvalidInput):
    """A trust record breaks its format or contradicts itself."""

    hint = "write trust records with `agent-eval-gate calibrate`, never by hand"


class PromotionRefused(InvalidInput):
    """A result that did not pass, or has holes, was to become a baseline without a reason."""

    hint = 'accept it knowingly with --reason "…", which the baseline then carries'


class Undecided(GateError):
    """There is not enough evidence to decide."""

    status = 3
    hint = "nothing was found wrong and nothing was proven: do not merge on this"


class ResultUnwritable(Undecided):
    """The result could not be written whole, so nobody could rely on it."""

    hint = "check the space and permissions of the output folder (--out)"


class JudgeUnusable(Undecided):
    """The judge refuses whoever asks: its key, its model, its command; no try helps."""

    hint = "mend what it says, then run again: what was answered is in the ledger, and kept"


class OverBudget(Undecided):
    """The questions are more, or cost more, than somebody allowed."""

    hint = "raise --max-calls or --max-cost, or ask less: fewer cases, fewer runs"


class HostFailed(Undecided):
    """The host of the pull request did not do what it was asked: down, slow, or not allowed.

    It changes no verdict, which stands before anything is posted; only where the rules
    themselves are to be read from the host does a run end in it.
    """

    hint = "check the token's permissions, and whether the host is up; the verdict stands"
    lasting = False
    """Whether another run with another token would be refused as well."""
    cause: Literal["token", "outage", "other"] = "other"
    """``token``: there is none, or it may not. ``outage``: it did not answer; ask again later."""


class Defect(GateError):
    """A bug of ours: never the fault of the agent under test."""

    status = 4
    hint = "please report this with the traceback that --verbose shows"
