"""What a JUnit file says of its own totals, beside what is in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

TALLIED: Final = ("tests", "failures", "errors", "skipped", "disabled")
"""The attributes of a suite that count what is in it."""
_PYTEST: Final = {"testsuite": "pytest", "testsuites": "pytest tests"}
_TAGS: Final = {
    "failures": ("failure",), "errors": ("error",),
    "skipped": ("skipped", "xfail"), "disabled": ("skipped", "xfail"),
}  # fmt: skip
_HELD: Final = 20
"""Gaps that are held until the root ends: more are never listed."""
_TOTAL: Final = re.compile(r" (tests|suites|pass|fail|cancelled|skipped|todo) ([0-9]{1,9}) ")
_SUMMARY: Final = frozenset(("tests", "pass", "fail", "cancelled", "skipped", "todo"))


class Counts:
    """What is in one suite, the suites in it included.

    ``seen`` has a number for each of :data:`TALLIED`. ``failed`` counts tests that failed and were
    not to be skipped, ``around`` the suites that hold one of those at any depth, and ``elements``
    all tests and suites.
    """

    def __init__(self, tag: str, attributes: Mapping[str, str], *, by_pytest: bool) -> None:
        """Count nothing yet. ``by_pytest`` says that a suite around it is one of pytest's."""
        self.by_pytest = by_pytest or attributes.get("name") == _PYTEST[tag]
        self.seen = dict.fromkeys(TALLIED, 0)
        self.failed = self.around = self.elements = 0

    def add(self, tags: Collection[str]) -> None:
        """Count a test with these outcomes.

        Others count tests; pytest counts each outcome, and a test with subtests has several.
        """
        self.elements += 1
        self.seen["tests"] += 1
        for what, words in _TAGS.items():
            number = sum(tag in words for tag in tags)
            self.seen[what] += number if self.by_pytest else min(number, 1)
        bad = "failure" in tags or "error" in tags
        self.failed += bad and "skipped" not in tags and "xfail" not in tags

    def take(self, inner: Counts) -> None:
        """Count a suite that is right in this one."""
        for what, number in inner.seen.items():
            self.seen[what] += number
        self.failed += inner.failed
        self.around += inner.around + (inner.failed > 0)
        self.elements += inner.elements + 1

    def told(
        self, called: str, attributes: Mapping[str, str], totals: NodeTotals
    ) -> tuple[list[str], list[str]]:
        """Give the gaps and the remarks where a suite says more of itself than is in it.

        pytest counts subtests that it does not list: more tests of it alone are a remark, and
        count in the suites around. What is said of skipped tests is left to ``totals``.
        """
        gaps, remarks = list[str](), list[str]()
        for what in TALLIED:
            said, seen = _number(attributes.get(what, "")), self.seen[what]
            if said <= seen:
                continue
            if what == "tests" and self.by_pytest:
                self.seen[what] = said
                remarks.append(
                    f"{called} counts {said} tests and lists {seen}: {said - seen} are subtests, "
                    "which pytest counts and does not list, or were cut from the file"
                )
                continue
            gap = f"{called} declares {said} {what}, and {seen} are in the file"
            (totals.held if what == "skipped" else gaps).append(gap)
        del totals.held[_HELD:]
        return gaps, remarks


def _number(text: str) -> int:
    said = text.strip().removeprefix("+")
    longest = 9  # digits: more tests than anybody has
    return int(said) if said.isascii() and said.isdigit() and len(said) <= longest else 0


class NodeTotals:
    """What the test runner of Node says of a whole run, in comments at the end of the root.

    A test of it with subtests is written as a suite, and that it failed by itself is said in those
    totals alone. Only comments in one row that name each total are a summary: a test may say the
    same of something else.
    """

    def __init__(self) -> None:
        """Know nothing yet; ``held`` are gaps that stand unless there is a summary."""
        self.held: list[str] = []
        self._row: dict[str, int] = {}
        self._said: dict[str, int] = {}

    def note(self, comment: str) -> None:
        """Take a comment that is in the root and in no other suite."""
        total = _TOTAL.fullmatch(comment)
        if total is not None:
            self._row[total[1]] = int(total[2])

    def end_row(self) -> None:
        """Take notice that something else than a comment comes."""
        if self._row.keys() >= _SUMMARY:
            for name, number in self._row.items():
                self._said[name] = self._said.get(name, 0) + number
        self._row = {}

    def gaps(self, counts: Counts) -> list[str]:
        """Say at the end of the root what the file does not account for.

        Tests and suites are elements both, and each of them is in the file. Of a suite that holds
        a failed test it is not said whether it is a test, which failed with that one, or a
        ``describe``, which is not among the failed: as many count as must be tests. A suite with
        a failure in it is counted as a skipped test of the suite around it, so beside a summary
        nothing that was held counts.
        """
        self.end_row()
        if not self._said:
            return self.held
        said = {name: self._said.get(name, 0) for name in (*_SUMMARY, "suites")}
        gaps = list[str]()
        if said["tests"] + said["suites"] > counts.elements:
            gaps.append(
                f"Node counted {said['tests']} tests and {said['suites']} suites, and "
                f"{counts.elements} of both are in the file"
            )
        unmarked = max(0, said["skipped"] + said["todo"] - counts.seen["skipped"])
        explained = counts.failed + max(0, counts.around - said["suites"] - unmarked)
        bad = said["fail"] + said["cancelled"]
        if bad > explained:
            counted = f"Node counted {bad}, and the file accounts for {explained}"
            of_itself = "of a test with subtests it does not say that it failed by itself"
            gaps.append(f"tests that failed or were cancelled: {counted}; {of_itself}")
        return gaps
