"""A case as one line of JSON: by hand, since there are many (four times as fast as an encoder).

Every object has its keys in order; numbers are exact. A field that a record gains must be
written here too, which the tests hold. What is the same for very many cases is spelt once.
"""

from __future__ import annotations

from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gate.records.judge_run import Judgement
    from gate.records.result import Accepted, CaseResult, Evidence, RepeatResult

_KEPT: Final = 1024


def case_line(case: CaseResult) -> str:
    """Spell one case as a JSON object on one line, ASCII only, keys sorted."""
    digest = case.digest
    # A digest is hexadecimal and a standing a word of ours: neither needs escaping.
    return (
        f'{{"accepted": {_accepted(case.accepted)}, "cluster": {_name(case.cluster)}, '
        f'"declares_path": {_flag(case.declares_path)}, '
        f'"digest": {{"expected_tools": {_spelt(digest.expected_tools)}, '
        f'"input": {quoted(digest.input)}, "reference": {quoted(digest.reference)}, '
        f'"scorer": {_spelt(digest.scorer)}, "whole": "{digest.whole}"}}, '
        f'"evidence": {_list(map(_evidence, case.evidence)) if case.evidence else "[]"}, '
        f'"id": {quoted(case.id)}, "judgement": {_judgement(case.judgement)}, '
        f'"labels": {_labels(case.labels)}, "passed": {_flag(case.passed)}, '
        f'"repeats": {_list(map(_repeat, case.repeats)) if case.repeats else "[]"}, '
        f'"score": {_number(case.score)}, '
        f'"standing": "{case.standing}", "trajectory": {case.trajectory!r}}}'
    )


@lru_cache(maxsize=_KEPT)
def _accepted(accepted: Accepted | None) -> str:
    if accepted is None:
        return "null"
    return (
        f'{{"earlier": {_list(map(_number, accepted.earlier))}, '
        f'"passes": {_list(map(_flag, accepted.passes))}, '
        f'"scores": {_list(map(_number, accepted.scores))}, '
        f'"trajectory": {_number(accepted.trajectory)}}}'
    )


def _repeat(run: RepeatResult) -> str:
    return (
        f'{{"judgement": {_judgement(run.judgement)}, '
        f'"passed": {_flag(run.passed)}, "repeat": {run.repeat}, '
        f'"score": {_number(run.score)}, "standing": "{run.standing}", '
        f'"trajectory": {run.trajectory!r}}}'
    )


def _evidence(evidence: Evidence) -> str:
    return (
        f'{{"error": {_text(evidence.error)}, "expected": {_text(evidence.expected)}, '
        f'"expected_tools": {_texts(evidence.expected_tools)}, '
        f'"output": {_text(evidence.output)}, "reasons": {_texts(evidence.reasons)}, '
        f'"repeat": {evidence.repeat}, '
        f'"tools": {_texts(evidence.tools)}}}'
    )


def _judgement(judgement: Judgement | None) -> str:
    if judgement is None:
        return "null"
    return (
        f'{{"elements": {judgement.elements}, "keys": {_texts(judgement.keys)}, '
        f'"status": "{judgement.status}", "votes": {_list(map(_number, judgement.votes))}}}'
    )


def _text(text: str | None) -> str:
    return "null" if text is None else quoted(text)


def _texts(texts: tuple[str, ...] | None) -> str:
    return "null" if texts is None else f"[{', '.join(map(quoted, texts))}]"


_spelt = lru_cache(maxsize=_KEPT)(quoted)
_name = lru_cache(maxsize=_KEPT)(_text)
_labels = lru_cache(maxsize=_KEPT)(_texts)


def _list(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def _number(value: float | None) -> str:
    return "null" if value is None else repr(value)


def _flag(value: object) -> str:
    return "true" if value else "false"
