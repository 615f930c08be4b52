"""The XML of JUnit files: no document type, no entities, nothing fetched, everything bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import PredictionsInvalid
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
_SUITE: Final = "testsuite"
_TEST: Final = "testcase"
_FLAKY: Final = frozenset(("flakyFailure", "flakyError"))
_STATUSES: Final = {"failure": "failed", "error": "error", "skipped": "skipped"}
_WORST: Final = ("passed", "xfail", "skipped", "error", "failed")
_TALLIED: Final = ("tests", "failures", "errors")


class Element(NamedTuple):
    """One ``testcase``.

    ``status`` is ``passed``, ``failed``, ``error``, ``skipped`` or ``xfail``.
    """

    place: str
    attributes: dict[str, str]
    properties: dict[str, str]
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

    def merged(self, later: Element) -> Element:
        """Make one of two elements that are one test, by the worse of them."""
        worse = max((self, later), key=lambda one: _WORST.index(one.status))
        return worse._replace(
            properties={**self.properties, **later.properties}, flaky=self.flaky or later.flaky
        )


class Suite(NamedTuple):
    """One ``testsuite``: the tests right in it, in order.

    ``declared`` holds what it says of itself and of suites in it, and what was seen: the thing,
    the number said, the number seen. ``errors`` are those that stand in no test.
    """

    name: str
    tests: list[Element]
    declared: list[tuple[str, int, int]]
    errors: list[str]


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

    def __init__(self, attributes: dict[str, str]) -> None:
        self.attributes = attributes
        self.tests: list[Element] = []
        self.errors: list[str] = []
        self.seen = dict.fromkeys(_TALLIED, 0)


class _Reader:
    """What the parser tells, made into tests and suites."""

    def __init__(self, parser: XMLParserType) -> None:
        self._parser = parser
        self._path: list[str] = []
        self._elements = 0
        self._suites: list[_Open] = []
        self._ended: list[Suite] = []
        self._attributes: dict[str, str] | None = None
        self._place = ""
        self._properties: dict[str, str] = {}
        self._outcomes: list[tuple[str, str]] = []
        self._text: list[str] = []
        self._length = 0
        self._flaky = False
        self._message = ""
        self._property = ""
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters

    def done(self) -> Iterator[Suite]:
        """Give the suites that ended since this was asked last."""
        ended, self._ended = self._ended, []
        yield from ended

    def _doctype(self, *_: object) -> None:
        raise _Refused("a document type (<!DOCTYPE>) is refused, and with it every entity")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        self._hold(tag)
        self._path.append(tag)
        self._text, self._length = [], 0
        if tag == _SUITE:
            self._suites.append(_Open(attributes))
        elif tag == _TEST:
            if not self._suites:
                self._suites.append(_Open({}))
            self._attributes = attributes
            self._place = f"line {self._parser.CurrentLineNumber}"
            self._properties, self._outcomes, self._flaky = {}, [], False
        elif self._attributes is not None and tag == "property" and "name" in attributes:
            self._property = attributes["name"]
            self._properties[self._property] = attributes.get("value", "")
        elif tag in _STATUSES:
            kind, message = attributes.get("type", ""), attributes.get("message", "")
            self._message = message or ("" if tag == "skipped" else kind)
            if tag == "skipped" and kind == "pytest.xfail":
                tag = "xfail"
            self._outcomes.append((tag, self._message))
        elif tag in _FLAKY:
            self._flaky = True

    def _hold(self, tag: str) -> None:
        self._elements += 1
        if self._elements > MAX_ELEMENTS:
            raise _Refused(f"more than {MAX_ELEMENTS} elements")
        if len(self._path) == MAX_LEVELS:
            raise _Refused(f"nested deeper than {MAX_LEVELS} levels")
        if not self._path and tag not in {_SUITE, "testsuites"}:
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
        elif tag == "property" and self._attributes is not None and text:
            # Some tools write the value as text.
            self._properties[self._property] = self._properties.get(self._property) or text
        elif tag == _TEST and self._attributes is not None:
            self._suites[-1].tests.append(self._test(self._attributes))
            self._attributes = None
        elif tag == _SUITE or (not self._path and self._suites):
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
        seen = self._suites[-1].seen
        seen["tests"] += 1
        seen["failures"] += any(tag == "failure" for tag, _ in self._outcomes)
        seen["errors"] += any(tag == "error" for tag, _ in self._outcomes)
        status, said = "passed", ""
        for tag, words in self._outcomes:
            now = _STATUSES.get(tag, tag)
            if _WORST.index(now) >= _WORST.index(status):
                status, said = now, words
        if status in {"failed", "error"} and not said.strip():
            said = f"the test's verdict is {status}, and no word of why"
        return Element(self._place, attributes, self._properties, status, said, self._flaky)

    def _close(self) -> None:
        suite = self._suites.pop()
        declared = [
            (what, int(said), suite.seen[what])
            for what in _TALLIED
            if (said := suite.attributes.get(what, "")).isascii()
            and said.isdigit()
            and len(said) < 10  # noqa: PLR2004 - more tests than anybody has
        ]
        if self._suites:
            for what, count in suite.seen.items():
                self._suites[-1].seen[what] += count
        name = suite.attributes.get("name", "")[:200]
        self._ended.append(Suite(name, suite.tests, declared, suite.errors))
