"""``result.json``: the report as strict JSON, the same bytes for equal reports.

Sorted keys and ASCII only, so that no control or bidirectional character stands in the file
raw. One line a key, and one line a case and a gate, so that people can read and compare it.
Rows are exact; aggregates (suite, comparison, the gates' numbers) have six places.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from gate.errors import Problem, ResultInvalid
from gate.records.byte_order import undecoded
from gate.records.figures import rounded
from gate.records.json_text import JsonRefused, loads
from gate.records.problems import explain
from gate.records.report import Report
from gate.report.rows import case_line

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHEMA_VERSION: Final = 1
_CASES_A_CHUNK: Final = 500
_ENCODER: Final = json.JSONEncoder(ensure_ascii=True, sort_keys=True, allow_nan=False)


def write_result(report: Report) -> str:
    """Spell ``report`` as the text of ``result.json``, with a line end at its end.

    The text is held whole; for very many cases see :func:`result_chunks`.
    """
    return "".join(result_chunks(report))


def result_chunks(report: Report) -> Iterator[str]:
    """Give the same text in pieces of some hundred cases, so that it is never held whole."""
    head = report.model_dump(mode="json", exclude={"cases"})
    limit = head["suite"]["pass_threshold"]
    head["comparison"] = rounded(head["comparison"])
    # A threshold is what somebody wrote, not something measured.
    head["suite"] = {**_object(rounded(head["suite"])), "pass_threshold": limit}
    for verdict in head["gates"]:
        verdict["numbers"] = rounded(verdict["numbers"])
    before = "{"
    for key in sorted((*head, "cases")):
        yield f'{before}\n"{key}": '
        before = ","
        if key == "cases":
            yield from _case_lines(report)
        elif key == "gates":
            yield _listed(",\n".join(map(_ENCODER.encode, head[key])))
        else:
            yield _ENCODER.encode(head[key])
    yield "\n}\n"


def _object(value: object) -> dict[str, object]:
    assert isinstance(value, dict)  # noqa: S101 - a record's dump is an object
    return value


def _listed(lines: str) -> str:
    return f"[\n{lines}\n]" if lines else "[]"


def _case_lines(report: Report) -> Iterator[str]:
    cases = report.cases
    yield "["
    for start in range(0, len(cases), _CASES_A_CHUNK):
        lines = ",\n".join(map(case_line, cases[start : start + _CASES_A_CHUNK]))
        yield f",\n{lines}" if start else f"\n{lines}"
    yield "\n]" if cases else "]"


def read_result(data: bytes, *, source: str, max_values: int | None = None) -> Report:
    """Read the bytes of a ``result.json`` strictly; ``source`` names the file in errors.

    Numbers are taken as the text has them; nothing is recomputed here. ``max_values`` limits how
    many JSON values a file of somebody else's may hold. Raises
    :class:`~gate.errors.ResultInvalid`, which names the field, or the byte where the file is
    not UTF-8, or the schema version that is not known.
    """
    try:
        found = loads(data.decode("utf-8"), max_values=max_values)
    except UnicodeDecodeError as error:
        raise _refused(source, undecoded(data, error)) from None
    except JsonRefused as error:
        raise _refused(source, str(error)) from None
    if not isinstance(found, dict):
        raise _refused(source, "a result is one JSON object")
    version = found.get("schema_version")
    if version != SCHEMA_VERSION or not isinstance(version, int) or isinstance(version, bool):
        shown = "absent" if version is None else _ENCODER.encode(version)[:40]
        raise _refused(source, f"schema_version is {shown}, and only {SCHEMA_VERSION} is known")
    try:
        report = Report.model_validate(found)
    except ValidationError as error:
        problems = (Problem(source, None, finding.text) for finding in explain(error))
        raise ResultInvalid.of(problems) from None
    if report.judge_config is not None:
        _require_judge(report.judge_config, source)
    return report


def _require_judge(config: str, source: str) -> None:
    """Refuse the identity of a judge that is not of its form."""
    from gate.records.judging import JudgeConfig

    try:
        JudgeConfig.model_validate(loads(config))
    except ValidationError as error:
        texts = (f"judge_config: {finding.text}" for finding in explain(error))
        raise ResultInvalid.of(Problem(source, None, text) for text in texts) from None


def _refused(source: str, message: str) -> ResultInvalid:
    return ResultInvalid(str(Problem(source, None, message)))
