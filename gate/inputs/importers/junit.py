"""JUnit XML, as pytest and most other test tools write it: each test is a case."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gate.inputs.fields import read_name, shown
from gate.inputs.importers.found import Found, FoundCase, Gap, RecordedScore, Remark, Wrong
from gate.inputs.importers.parts.dotted import dotted
from gate.inputs.importers.parts.junit_attempts import lowest, worst_of
from gate.inputs.importers.parts.junit_xml import read_suites
from gate.inputs.importers.parts.texts import names_in
from gate.inputs.lines import BOM
from gate.records.json_text import canonical

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.parts.junit_attempts import Attempts
    from gate.inputs.importers.parts.junit_xml import Element, Suite
    from gate.inputs.importers.source import Source

NAME: Final = "junit"
TITLE: Final = "JUnit XML (pytest and others, `.xml`)"
DOC: Final = """\
Each `testcase` is a case; the file says whether it passed.

| here | from |
|---|---|
| id | `--id-field` (`name`, `classname`, `file`, `properties.case_id`), else `classname::name` |
| repeat | the same test in several suites is several runs, in their order |
| input, reference | the properties `input` and `reference`; else the input is the id |
| output | the property `output`. Otherwise there is none: it is read as an empty text, so score with `recorded` |
| tools | the property `tools` (a list, or names with commas) |
| scores | `passed`, the headline: 1 for a test that passed, 0 for one with a `failure` or an expected failure; and the properties `score` and `score.<name>` where they are numbers |
| error | an `error`: the test did not get to its verdict |
| labels | the properties `labels`, `label` and `tags` (a list, or names with commas) |

A skipped test has no score of any name, so it has not passed; an expected failure (`pytest.xfail`) ran and failed: 0.
Both are counted in a remark. A property `score` of a test that failed stands as it was recorded, with a remark: the
test's own verdict is `passed`. pytest writes a test again that was run again or whose teardown failed, and the first of them
looks like a pass: in one suite tests of one name are one run, by the worst of them, with its output and tools and with
the lowest of each score. The same holds for a score that one test has twice; an output, input, reference or list of
tools that stands twice and differs is refused. `status="notrun"` and `result="skipped"` or `"suppressed"` (GoogleTest)
are skipped tests, and `failed` there is a failure. Any other word there that is none of a pass (behave's `untested`,
Ginkgo's `timedout`) is an error, and so is an element such as `<timeout/>` in a test. `flakyFailure` and its kin are passes in the end, and are counted in
a remark. A file or suite that declares more tests, failures, errors or skipped tests than are in it, an error outside
of a test, and a module that could not be collected are gaps. A test inside of a test is refused.

pytest counts subtests and lists none: more tests than are listed, and nothing else, are a remark there, which says how
many (a test cut from the file looks the same, and is missed where a baseline knows it); a failed subtest fails its
test. A test in which pytest was stopped (`pytest.exit`, Ctrl-C) has no name, and is a gap. One stopped in a fixture, or
after a subtest that passed, leaves no trace.

Node's own runner writes a test with subtests as a suite, and that such a test failed only in the totals at the end of
the file (`<!-- fail 1 -->`): more tests and suites than are in the file, or more failed and cancelled tests than it
accounts for, are a gap. A test around a failed subtest has failed with it. Where a run has `describe` suites as well,
the file does not say which is which, and a failed subtest is a gap: run the two apart, each into a file of its own.
A test file that failed by itself (an error after its tests ended) is a test that is called as the file: a gap.
That a `describe` failed by itself, in its `after`, stands nowhere in the file: let Node's own status fail the step.

In pytest, `record_property("output", answer)`, and `record_property("score.accuracy", 0.75)`. Refused are a document
type, so there are no entities; more than 1,000,000 elements, or 100 levels.
"""  # noqa: E501 - rows of a table
_ROOT: Final = re.compile(
    rb"\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--(?:[^-]|-(?!->))*+-->\s*+)*+<testsuites?[\s/>]"
)
_SCRIPT: Final = re.compile(r"(?s)(?:/|[A-Za-z]:[/\\]).*\.[cm]?[jt]sx?")
"""A test that is called as its file by Node, which writes one where the file itself failed."""
_LABELS: Final = ("labels", "label", "tags")
_ONCE: Final = ("output", "input", "reference", "tools")
_VERDICT: Final = "passed"
_UNCOLLECTED: Final = "collection failure"


def recognises(opening: bytes) -> bool:
    """Say whether the root element is ``testsuites`` or ``testsuite``.

    >>> recognises(b'<?xml version="1.0"?><testsuites name="t">'), recognises(b"<html>")
    (True, False)
    """
    return bool(_ROOT.match(opening.removeprefix(BOM)))


class _Count(NamedTuple):
    """A kind of test that is worth a remark, and the words for it."""

    kind: str
    said: str


_COUNTS: Final = (
    _Count("skipped", "tests skipped, which have no score and have not passed"),
    _Count("xfail", "tests that failed as they were expected to, and have not passed"),
    _Count(
        "again",
        "elements for a test that its suite holds already (run again, or torn down with an "
        "error), of which the worst counts",
    ),
    _Count("flaky", "tests that passed only when they were run again"),
    _Count("twice", "tests with a property twice and of several values: a score is the lowest"),
    _Count("beside", "tests that failed and have a score, which stands as it was recorded"),
    _Count("text", "properties called score that hold no number"),
    _Count("silent", "tests without an output, which only the scorer `recorded` can score"),
)


def found(source: Source, options: ImportOptions) -> Iterator[Finding]:
    """Give each test of a file; see :data:`DOC`."""
    counts: dict[str, int] = {}
    tests = 0
    for suite in read_suites(source):
        attempts: dict[tuple[str, str], list[Element]] = {}
        for test in suite.tests:
            attempts.setdefault((test.classname, test.name), []).append(test)
        for elements in attempts.values():
            tests += 1
            counts["again"] = counts.get("again", 0) + len(elements) - 1
            yield _run(worst_of(elements), options, counts)
        yield from (Wrong(place, said) for place, said in suite.wrong)
        yield from _gaps(suite)
        yield from map(Remark, suite.remarks)
    if not tests:
        yield Gap("the file holds no test")
    for kind, said in _COUNTS:
        if counts.get(kind):
            yield Remark(f"{said}: {counts[kind]}")


def _run(test: Attempts, options: ImportOptions, counts: dict[str, int]) -> Found | Wrong:
    properties, worst = test.properties, test.worst
    problems: list[str] = []
    name = _id(test, options, problems)
    if name is None:
        return Wrong(worst.place, problems[0])
    for once in chain(_ONCE, [(options.id_field or "").removeprefix("properties.")]):
        if once in test.twice:
            return Wrong(worst.place, f"the property {once!r} stands twice, and differs")
    error = worst.said if worst.status == "error" else None
    output = None if error is not None else properties.get("output", "")
    unanswered = error is None and "output" not in properties
    happened = {
        "silent": unanswered, "flaky": test.flaky, "twice": test.twice, worst.status: True,
        "beside": worst.status in {"failed", "xfail"} and bool(test.scores.keys() - {_VERDICT}),
    }  # fmt: skip
    for kind, so in happened.items():
        counts[kind] = counts.get(kind, 0) + bool(so)
    counts["text"] = counts.get("text", 0) + test.texts
    labels = {label for field in _LABELS for label in names_in(properties.get(field, ""))}
    tools = properties.get("tools")
    trace = None
    if worst.status in {"failed", "xfail", "skipped"} and worst.said:
        trace = canonical([{"name": worst.status, "output": worst.said}])
    return Found(
        id=name,
        place=worst.place,
        output=output,
        error=error,
        tools=None if tools is None else tuple(names_in(tools)),
        scores=() if error is not None else tuple(_scores(test)),
        case=FoundCase(
            input=properties.get("input", name),
            reference=properties.get("reference"),
            labels=tuple(sorted(labels)),
        ),
        trace=trace,
        unanswered=unanswered,
    )


def _scores(test: Attempts) -> Iterator[RecordedScore]:
    verdict = {"passed": 1.0, "failed": 0.0, "xfail": 0.0}.get(test.worst.status)
    if _VERDICT in test.scores:  # a property of the verdict's own name does not better it
        verdict = lowest(verdict, test.scores[_VERDICT])
    yield RecordedScore(_VERDICT, verdict, headline=True)
    for name, number in test.scores.items():
        if name != _VERDICT:
            yield RecordedScore(name, None if test.worst.status == "skipped" else number)


def _id(test: Attempts, options: ImportOptions, problems: list[str]) -> str | None:
    worst = test.worst
    if options.id_field is None:
        if not worst.name:
            problems.append("`name`: is missing")
            return None
        given = f"{worst.classname}::{worst.name}" if worst.classname else worst.name
        return read_name("name", given, problems)
    record: dict[str, Any] = {**worst.attributes, "properties": test.properties}
    try:
        return read_name(options.id_field, dotted(record, options.id_field), problems)
    except KeyError:
        problems.append(
            f"`{options.id_field}`: is missing, and --id-field says that the id is there"
        )
        return None


def _gaps(suite: Suite) -> Iterator[Gap]:
    yield from map(Gap, suite.gaps)
    uncollected = sum(
        test.status == "error" and test.said.startswith(_UNCOLLECTED) for test in suite.tests
    )
    if uncollected:
        said = "modules that could not be collected, whose tests are not in the file"
        yield Gap(f"{said}: {uncollected}")
    for test in suite.tests:
        if test.status in {"failed", "error"} and _SCRIPT.fullmatch(test.name):
            yield Gap(f"the test file {shown(test.name)} failed by itself: {test.said[:200]}")
    for said in suite.errors:
        yield Gap(f"{suite.called} failed outside of a test: {said}")
