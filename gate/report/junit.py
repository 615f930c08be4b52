"""The report as JUnit XML: one test a golden case, one a gate, for what reads test results.

A case that did not pass is a failure, one without a score an error. A gate that fails is a
failure, an undecided one an error, one that did not judge is skipped. There is no time in it:
equal reports give equal bytes.

Only :func:`_plain` brings text in. It leaves one printable line, and every character that
XML 1.0 forbids is none of those, so that whatever a model said the file is well-formed.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.report import outcome
from gate.report.bounds import USUAL
from gate.report.failures import Failure, case_failure
from gate.report.measures import is_comparable
from gate.report.sanitize import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from gate.records.report import Report
    from gate.records.result import CaseResult
    from gate.records.verdict import GateVerdict

_NAME: Final = 1000
"""Characters of a test's name: whole ids, since test results are joined by them."""
_OUTCOMES: Final = {"pass": "", "fail": "failure", "undecided": "error", "off": "skipped"}
_KINDS: Final = ("failure", "error", "skipped")


class _Test(NamedTuple):
    """One test; texts as they come, but for secrets. ``kind`` is empty where it passed."""

    classname: str
    name: str
    kind: str = ""
    type: str = ""
    message: str = ""
    lines: tuple[str, ...] = ()


def write(report: Report, *, show_expected: bool, redact: Callable[[str], str]) -> str:
    """Give the report as JUnit XML: the suite ``cases``, then the suite ``gates``.

    All text in ``report`` is untrusted and comes out harmless, and redacted before it is cut
    and escaped. ``show_expected=False`` leaves out whatever the golden set expects. A verdict
    that blocks though no gate says so is a test of its own, ``verdict``.
    """
    comparable = is_comparable(report)
    cases = [
        _case(case, redact, show_expected=show_expected, comparable=comparable)
        for case in report.cases
    ]
    gates = _gates(report, redact)
    said = (outcome.WORDS[report.verdict], outcome.headline(report), *outcome.warnings(report))
    page = "\n".join(_plain(redact(line), USUAL.fact) for line in said)
    return "\n".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuites name="agent-eval-gate" {_counts((*cases, *gates))}>',
            *_suite("cases", cases),
            *_suite("gates", gates, f"    <system-out>{page}</system-out>"),
            "</testsuites>\n",
        )
    )


def _case(
    case: CaseResult, redact: Callable[[str], str], *, show_expected: bool, comparable: bool
) -> _Test:
    classname = case.labels[0] if case.labels else "cases"
    if case.passed:
        return _Test(classname, case.id)
    found = case_failure(case, show_expected=show_expected, comparable=comparable)
    kind, name = ("failure", "fail") if case.standing == "scored" else ("error", case.standing)
    return _Test(classname, case.id, kind, name, found.became, _details(found, redact))


def _details(found: Failure, redact: Callable[[str], str]) -> tuple[str, ...]:
    return tuple(
        f"{name}: {excerpt(redact(text), limit=_limit(name))}" for name, text in found.details
    )


def _limit(name: str) -> int:
    return USUAL.tools if name.endswith("tools") else USUAL.excerpt


def _gates(report: Report, redact: Callable[[str], str]) -> list[_Test]:
    found = [_gate(gate, redact) for gate in report.gates]
    if report.verdict in {"fail", "undecided"} and all(
        gate.outcome != report.verdict for gate in report.gates
    ):
        why = redact(outcome.headline(report))
        found.append(_Test("gates", "verdict", _OUTCOMES[report.verdict], report.verdict, why))
    return found


def _gate(gate: GateVerdict, redact: Callable[[str], str]) -> _Test:
    name, kind = redact(outcome.gate_name(gate)), _OUTCOMES[gate.outcome]
    if not kind:
        return _Test("gates", name)
    because = redact(gate.because)
    lines = (_listed(gate.case_ids),) if gate.case_ids and kind != "skipped" else ()
    return _Test("gates", name, kind, gate.outcome, because, lines)


def _listed(ids: Sequence[str]) -> str:
    shown = ", ".join(excerpt(one, limit=USUAL.name) for one in ids[: USUAL.ids])
    more = len(ids) - USUAL.ids
    return f"cases: {shown} and {more:,} more" if more > 0 else f"cases: {shown}"


def _suite(name: str, tests: Sequence[_Test], *after: str) -> Iterable[str]:
    return (
        f'  <testsuite name="{name}" {_counts(tests)}>',
        *map(_spelt, tests),
        *after,
        "  </testsuite>",
    )


def _counts(tests: Sequence[_Test]) -> str:
    kinds = [test.kind for test in tests]
    failures, errors, skipped = map(kinds.count, _KINDS)
    return f'tests="{len(kinds)}" failures="{failures}" errors="{errors}" skipped="{skipped}"'


def _spelt(test: _Test) -> str:
    names = f'classname="{_plain(test.classname, _NAME)}" name="{_plain(test.name, _NAME)}"'
    if not test.kind:
        return f"    <testcase {names}/>"
    said = f'message="{_plain(test.message, USUAL.sentence)}"'
    if test.kind != "skipped":  # which has no type in any schema
        said += f' type="{test.type}"'
    body = "\n".join(map(escape, test.lines))
    element = f"<{test.kind} {said}>{body}</{test.kind}>" if body else f"<{test.kind} {said}/>"
    return f"    <testcase {names}>{element}</testcase>"


def _plain(text: str, limit: int) -> str:
    """Give text for an attribute or an element, in one line."""
    return escape(excerpt(text, limit=limit))
