"""A case as one line of JSON: by hand, since there are many (twice as fast as an encoder).

Every object has its keys in order; numbers are exact. A field that a record gains must be
written here too, which the tests hold.
"""

from __future__ import annotations

from json.encoder import encode_basestring_ascii as quoted
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gate.records.result import Accepted, CaseResult, Evidence, RepeatResult


def case_line(case: CaseResult) -> str:
    """Spell one case as a JSON object on one line, ASCII only, keys sorted."""
    digest = case.digest
    return (
        f'{{"accepted": {_accepted(case.accepted)}, "declares_path": {_flag(case.declares_path)}, '
        f'"digest": {{"expected_tools": {quoted(digest.expected_tools)}, '
        f'"input": {quoted(digest.input)}, "reference": {quoted(digest.reference)}, '
        f'"scorer": {quoted(digest.scorer)}, "whole": {quoted(digest.whole)}}}, '
        f'"evidence": {_list(map(_evidence, case.evidence))}, "id": {quoted(case.id)}, '
        f'"labels": {_texts(case.labels)}, "passed": {_flag(case.passed)}, '
        f'"repeats": {_list(map(_repeat, case.repeats))}, "score": {_number(case.score)}, '
        f'"standing": {quoted(case.standing)}, "trajectory": {_number(case.trajectory)}}}'
    )


def _accepted(accepted: Accepted | None) -> str:
    if accepted is None:
        return "null"
    return (
        f'{{"passes": {_list(map(_flag, accepted.passes))}, '
        f'"scores": {_list(map(_number, accepted.scores))}, '
        f'"trajectory": {_number(accepted.trajectory)}}}'
    )


def _repeat(run: RepeatResult) -> str:
    return (
        f'{{"passed": {_flag(run.passed)}, "repeat": {run.repeat}, '
        f'"score": {_number(run.score)}, "standing": {quoted(run.standing)}, '
        f'"trajectory": {_number(run.trajectory)}}}'
    )


def _evidence(evidence: Evidence) -> str:
    return (
        f'{{"error": {_text(evidence.error)}, "expected": {_text(evidence.expected)}, '
        f'"expected_tools": {_texts(evidence.expected_tools)}, '
        f'"output": {_text(evidence.output)}, "repeat": {evidence.repeat}, '
        f'"tools": {_texts(evidence.tools)}}}'
    )


def _text(text: str | None) -> str:
    return "null" if text is None else quoted(text)


def _texts(texts: tuple[str, ...] | None) -> str:
    return "null" if texts is None else f"[{', '.join(map(quoted, texts))}]"


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def _number(value: float | None) -> str:
    return "null" if value is None else repr(value)


def _flag(value: object) -> str:
    return "true" if value else "false"
