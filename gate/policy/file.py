"""A policy file as it was read: its parts, and the place of each for later findings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from gate.errors import PolicyInvalid, Problem
from gate.policy.waivers import HEADER as WAIVERS
from gate.records.policy import SuiteOptions

if TYPE_CHECKING:
    from collections.abc import Collection

    from gate.records.gating import GateOptions
    from gate.records.judge_options import JudgeOptions
    from gate.records.scoring import ScorerOptions
    from gate.records.waiver import Waiver

_GATE: Final = re.compile(r"gate '(\w+)': ")
_WAIVER: Final = re.compile(r"waiver (\d+): (?:`(\w+)`)?")
_LABEL: Final = re.compile(r"the label '(.*?)' is ")


class PolicyText:
    """The text and its name: tells in which line a key of a table stands, for messages."""

    __slots__ = ("_lines", "source")

    def __init__(self, text: str, source: str) -> None:
        """Keep the lines; nothing is parsed a second time."""
        self._lines = [line.strip() for line in text.split("\n")]
        self.source = source

    def problem(self, header: str, number: int, key: str, said: str) -> Problem:
        """Place ``said`` at ``key`` in the ``number``-th table under ``header``."""
        where = f"{header}: " if header else ""
        return Problem(self.source, self.line(header, number, key), where + said)

    def line(self, header: str, number: int, key: str) -> int | None:
        """Give the line of ``key``, else of the table's header; ``None`` where it is not told."""
        at: int | None = None
        if not header:
            return self._top(key)
        for position, line in enumerate(self._lines, start=1):
            if line.startswith(header):
                number -= 1
                at = position if number == 0 else at
            elif line.startswith("[") and number == 0:
                break
            elif number == 0 and key and line.split("=")[0].strip().strip("\"'") == key:
                return position
        return at

    def _top(self, key: str) -> int | None:
        """Give the line of a key that stands above all tables."""
        for position, line in enumerate(self._lines, start=1):
            if line.startswith("["):
                return None
            if key and line.split("=")[0].strip().strip("\"'") == key:
                return position
        return None


class PolicyFile:
    """What a policy file says, each part validated by itself and none merged yet."""

    __slots__ = ("gates", "judge", "scorer", "suite", "text", "waivers", "written")

    def __init__(
        self,
        suite: SuiteOptions,
        scorer: ScorerOptions | None,
        gates: tuple[GateOptions, ...],
        text: PolicyText | None = None,
        *,
        judge: JudgeOptions | None = None,
        waivers: tuple[Waiver, ...] = (),
        written: tuple[Waiver, ...] | None = None,
    ) -> None:
        """Keep the parts, and the text to place later findings in.

        ``written`` are all waivers as they stand in that text.
        """
        self.judge = judge
        self.waivers = waivers
        self.written = waivers if written is None else written
        self.suite = suite
        self.scorer = scorer
        self.gates = gates
        self.text = text

    def without(self, gate: str) -> PolicyFile:
        """Give the same without what it says of one kind of gate."""
        kept = tuple(one for one in self.gates if one.gate != gate)
        return self._with(gates=kept)

    def without_waivers(self, gone: Collection[Waiver]) -> PolicyFile:
        """Give the same without these waivers."""
        return self._with(waivers=tuple(one for one in self.waivers if one not in gone))

    def without_advisory(self) -> PolicyFile:
        """Give the same without what it says of ``advisory``."""
        return self._with(suite=SuiteOptions(**{**dict(self.suite), "advisory": False}))

    def _with(
        self,
        *,
        suite: SuiteOptions | None = None,
        gates: tuple[GateOptions, ...] | None = None,
        waivers: tuple[Waiver, ...] | None = None,
    ) -> PolicyFile:
        return PolicyFile(
            self.suite if suite is None else suite,
            self.scorer,
            self.gates if gates is None else gates,
            self.text,
            judge=self.judge,
            waivers=self.waivers if waivers is None else waivers,
            written=self.written,
        )

    @property
    def says_nothing(self) -> bool:
        """Say whether the file sets nothing at all, as one does that lost what it held."""
        parts = (self.suite.model_fields_set, self.scorer, self.judge, self.gates, self.waivers)
        return not any(parts)

    def placed(self, error: PolicyInvalid) -> PolicyInvalid:
        """Place what is found wrong later, with the cases known, in the file that says it."""
        if self.text is None:
            return error
        lines = [self._placed(line, self.text) for line in str(error).split("\n")]
        return PolicyInvalid("\n".join(lines), hint=error.remedy)

    def _placed(self, said: str, text: PolicyText) -> str:
        waiver = _WAIVER.match(said)
        if waiver is not None:
            bare = said.partition(": ")[2]
            number = self.written.index(self.waivers[int(waiver[1]) - 1]) + 1
            return str(text.problem(WAIVERS, number, waiver[2] or "", bare))
        about = _GATE.match(said)
        if about is None:
            return str(Problem(text.source, None, said))
        numbers = [
            number
            for number, gate in enumerate(self.gates, start=1)
            if gate.gate == about[1] and gate.enabled
        ]
        if not numbers:  # a default gate, of which the file says nothing
            return said
        label = _LABEL.search(said)
        named = [
            number
            for number in numbers
            if label and getattr(self.gates[number - 1], "label", None) == label[1]
        ]
        one = named or numbers
        line = text.line("[[gates]]", one[0], "") if len(one) == 1 else None
        return str(Problem(text.source, line, said))
