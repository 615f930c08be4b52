"""The XML of JUnit files: no document type, no entities, nothing fetched, everything bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import PredictionsInvalid
from gate.inputs.importers.parts.junit_counts import Counts, NodeTotals
from gate.inputs.importers.source import MAX_WHOLE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.parsers.expat import XMLParserType

    from gate.inputs.importers.source import Source

MAX_ELEMENTS: Final = 1_000_000
"""Elements of one file, at most."""
MAX_LEVELS: Final = 100
"""Elements inside each other, at most."""
MAX_SAID: Final = 4_000
"""Characters that are kept of what a failure says."""
_CHUNK: Final = 1024 * 1024
_SUITES: Final = frozenset(("testsuite", "testsuites"))
_TEST: Final = "testcase"
_FLAKY: Final = frozenset(("flakyfailure", "flakyerror"))
_STATUSES: Final = {"failure": "failed", "error": "error", "skipped": "skipped"}
_WORST: Final = ("passed", "xfail", "skipped", "error", "failed")
_SAID: Final = {
    "failed": "failure", "failure": "failure", "fail": "failure", "error": "error",
    "notrun": "skipped", "suppressed": "skipped", "skipped": "skipped", "disabled": "skipped",
    **dict.fromkeys(("", "run", "completed", "complete", "finished", "executed"), ""),
    **dict.fromkeys(("pass", "passed", "ok", "success", "successful", "succeeded"), ""),
}  # fmt: skip
"""What a test's own attributes ``status`` and ``result`` say; any other word is an error."""
_NO_PASS: Final = frozenset(
    (
        *("abort", "aborted", "broken", "canceled", "cancelled", "crash", "crashed", "disabled"),
        *("errored", "exception", "fail", "failed", "ignored", "incomplete", "inconclusive"),
        *("interrupted", "notrun", "pending", "rerunerror", "rerunfailure", "timedout"),
        *("timeout", "undefined", "untested"),
    )
)
"""Elements right in a test that are no outcome of JUnit's, and none that a pass has."""


class Element(NamedTuple):
    """One ``testcase``.

    ``status`` is ``passed``, ``failed``, ``error``, ``skipped`` or ``xfail``. ``properties`` holds
    the values of each name in their order: most often one.
    """

    place: str
    attributes: dict[str, str]
    properties: dict[str, list[str]]
    status: str
    said: str
    flaky: bool

    @property
    def classname(self) -> str:
        """Where the test is; empty where the file does not say it."""
        return self.attributes.get("classname", "")

    @property
    def name(self) -> str:
        """What the test is called."""
        return self.attributes.get("name", "")

    @property
    def badness(self) -> int:
        """How bad its status is, from 0."""
        return _WORST.index(self.status)


class Suite(NamedTuple):
    """One ``testsuite``, or the ``testsuites`` at the root: the tests right in it, in order.

    ``gaps`` say what it counts and does not hold, ``remarks`` where that is usual. ``errors`` are
    those that stand in no test. ``wrong`` holds places, and what cannot be read there.
    """

    called: str
    tests: list[Element]
    gaps: list[str]
    remarks: list[str]
    errors: list[str]
    wrong: list[tuple[str, str]]


def read_suites(source: Source) -> Iterator[Suite]:
    """Give the suites of a file, each when it ends.

    Raises ``PredictionsInvalid`` for what is no XML, has a document type, or is beyond a limit.
    """
    from xml.parsers.expat import ExpatError, ParserCreate, errors

    parser = ParserCreate()
    reader = _Reader(parser)
    read = 0
    with source.open() as file:
        try:
            while data := file.read(_CHUNK):
                read += len(data)
                if read > MAX_WHOLE:
                    limit = MAX_WHOLE // (1024 * 1024)
                    raise _Refused(f"larger than {limit} MiB, the limit of an XML file")
                parser.Parse(data, False)  # noqa: FBT003 - expat's own signature
                yield from reader.done()
            parser.Parse(b"", True)  # noqa: FBT003
        except ExpatError as error:
            said = errors.messages.get(error.code, "not XML")
            at = f"{source.name}:{error.lineno}: not well-formed XML: {said}"
            raise PredictionsInvalid(at, hint="was the file written to its end?") from None
        except (ValueError, LookupError) as error:
            # Refused here, or an encoding that expat asks Python for and that is none.
            said = str(error) if isinstance(error, _Refused) else "an encoding that is not known"
            at = f"{source.name}:{parser.CurrentLineNumber}: {said}"
            raise PredictionsInvalid(at, hint="JUnit XML needs none of this") from None
    yield from reader.done()


class _Refused(ValueError):
    """The file is XML and is not read all the same; says why."""


class _Open:
    """A suite that has not ended."""

    def __init__(self, tag: str, attributes: dict[str, str], *, by_pytest: bool) -> None:
        name = attributes.get("name", "")[:200]
        self.called = f"suite {name!r}" if name else "a suite"
        if tag == "testsuites":
            self.called = "the file"
        self.attributes = attributes
        self.tests: list[Element] = []
        self.errors: list[str] = []
        self.wrong: list[tuple[str, str]] = []
        self.counts = Counts(tag, attributes, by_pytest=by_pytest)
        self.broken_off = False


class _Reader:
    """What the parser tells, made into tests and suites."""

    def __init__(self, parser: XMLParserType) -> None:
        self._parser = parser
        self._path: list[str] = []
        self._elements = 0
        self._suites: list[_Open] = []
        self._ended: list[Suite] = []
        self._totals = NodeTotals()
        self._attributes: dict[str, str] | None = None
        self._place = ""
        self._properties: dict[str, list[str]] = {}
        self._outcomes: list[tuple[str, str]] = []
        self._text: list[str] = []
        self._length = 0
        self._flaky = False
        self._message = ""
        self._property: tuple[str, str] | None = None
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.CommentHandler = self._comment

    def done(self) -> Iterator[Suite]:
        """Give the suites that ended since this was asked last."""
        ended, self._ended = self._ended, []
        yield from ended

    def _doctype(self, *_: object) -> None:
        raise _Refused("a document type (<!DOCTYPE>) is refused, and with it every entity")

    def _comment(self, text: str) -> None:
        # Not by the path: Node wraps what follows a failed hook of the root in an <undefined>.
        if len(self._suites) == 1 and self._attributes is None:
            self._totals.note(text)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2].lower()
        self._hold(tag)
        if len(self._suites) == 1:
            self._totals.end_row()
        self._path.append(tag)
        self._text, self._length = [], 0
        if tag in _SUITES:
            by_pytest = bool(self._suites) and self._suites[-1].counts.by_pytest
            self._suites.append(_Open(tag, attributes, by_pytest=by_pytest))
        elif tag == _TEST:
            if self._attributes is not None:
                said = "a <testcase> inside of a <testcase>: which of the two failed?"
                at = f"line {self._parser.CurrentLineNumber}"
                self._suites[-1].wrong.append((at, said))
            self._attributes = attributes
            self._place = f"line {self._parser.CurrentLineNumber}"
            self._properties, self._outcomes, self._flaky = {}, [], False
        elif self._attributes is not None and tag == "property" and "name" in attributes:
            self._property = attributes["name"], attributes.get("value", "")
        elif tag in _STATUSES:
            kind, message = attributes.get("type", ""), attributes.get("message", "")
            self._message = message or ("" if tag == "skipped" else kind)
            if tag == "skipped" and kind == "pytest.xfail":
                tag = "xfail"
            self._outcomes.append((tag, self._message))
        elif tag in _FLAKY:
            self._flaky = True
        elif tag in _NO_PASS and self._path[-2:-1] == [_TEST]:
            self._outcomes.append(("error", f"<{tag}>"))

    def _hold(self, tag: str) -> None:
        self._elements += 1
        if self._elements > MAX_ELEMENTS:
            raise _Refused(f"more than {MAX_ELEMENTS} elements")
        if len(self._path) == MAX_LEVELS:
            raise _Refused(f"nested deeper than {MAX_LEVELS} levels")
        if not self._path and tag not in _SUITES:
            raise _Refused(f"the root element is <{tag[:80]}>, no <testsuites> or <testsuite>")

    def _characters(self, text: str) -> None:
        if self._length < MAX_SAID:
            self._text.append(text[:MAX_SAID])
            self._length += len(text)

    def _end(self, _: str) -> None:
        tag = self._path.pop()
        text = "".join(self._text).strip()[:MAX_SAID]
        if tag in _STATUSES:
            self._outcome(text)
        elif tag == "property" and self._property is not None:
            name, value = self._property
            # Some tools write the value as text.
            self._properties.setdefault(name, []).append(value or text)
            self._property = None
        elif tag == _TEST and self._attributes is not None:
            suite, attributes = self._suites[-1], self._attributes
            said = self._outcomes or self._properties or {"name", "classname"} & attributes.keys()
            if suite.counts.by_pytest and "time" in attributes and not said:
                suite.broken_off = True
            else:
                suite.tests.append(self._test(attributes))
            self._attributes = None
        elif tag in _SUITES:
            self._close()
        self._text, self._length = [], 0

    def _outcome(self, text: str) -> None:
        if not self._outcomes:
            return
        tag, message = self._outcomes[-1]
        said = (message or text)[:MAX_SAID]
        self._outcomes[-1] = tag, said
        if self._attributes is None:
            self._outcomes.pop()
            if self._suites and tag != "skipped":
                self._suites[-1].errors.append(said[:200])

    def _test(self, attributes: dict[str, str]) -> Element:
        outcomes = [
            (tag, f"{name}={word!r}")
            for name in ("status", "result")
            if (tag := _SAID.get(word := attributes.get(name, "").strip().lower(), "error"))
        ] + self._outcomes
        self._suites[-1].counts.add([tag for tag, _ in outcomes])
        status, said = "passed", ""
        for tag, words in outcomes:
            now = _STATUSES.get(tag, tag)
            if _WORST.index(now) >= _WORST.index(status):
                status, said = now, words
        if status in {"failed", "error"} and not said.strip():
            said = f"the test's verdict is {status}, and no word of why"
        return Element(self._place, attributes, self._properties, status, said, self._flaky)

    def _close(self) -> None:
        suite = self._suites.pop()
        gaps, remarks = suite.counts.told(suite.called, suite.attributes, self._totals)
        if suite.broken_off:
            gaps.append(
                f"{suite.called} was broken off in the middle of a test (pytest.exit, Ctrl-C), "
                "which has no name and no outcome here; those after it are not in the file"
            )
        if self._suites:
            self._suites[-1].counts.take(suite.counts)
        else:
            gaps += self._totals.gaps(suite.counts)
        self._ended.append(
            Suite(suite.called, suite.tests, gaps, remarks, suite.errors, suite.wrong)
        )
