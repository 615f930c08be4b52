"""The baseline file: strict on the way in, one line a case on the way out."""

from __future__ import annotations

from decimal import Decimal
from math import fsum
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter, ValidationError

from gate.errors import BaselineInvalid, Problem
from gate.records.baseline import Baseline
from gate.records.json_text import JsonRefused, canonical, digest, loads, spelled
from gate.records.problems import explain
from gate.records.values import accepted_value

if TYPE_CHECKING:
    from gate.records.baseline import BaselineRow

MAX_BYTES: Final = 512 * 1024 * 1024
"""A baseline of a million cases is about 300 MB."""
_PLACES: Final = 6
_CLOSE: Final = Decimal("0.000001")


def read_baseline(data: bytes, *, source: str) -> Baseline:
    """Read a baseline and check it against itself.

    Raises ``BaselineInvalid``: not strict JSON (duplicate keys, NaN), another schema version,
    wrong types, ids that come twice, rows that contradict the stored summary.
    """
    document = _document(data, source)
    try:
        found = Baseline.model_validate(document)
    except ValidationError as error:
        listed = [Problem(source, None, text) for _, text in explain(error)]
        raise BaselineInvalid.of(listed) from None
    problems = [Problem(source, None, text) for text in _contradictions(found)]
    if problems:
        raise BaselineInvalid.of(problems)
    return found


def write_baseline(baseline: Baseline) -> str:
    """Spell a baseline so that a review shows which case moved: one line a case."""
    document = baseline.model_dump(mode="json", exclude={"rows"})
    adapter = TypeAdapter(type(baseline.rows[0]))
    rows = [spelled(adapter.dump_python(row, mode="json")) for row in baseline.rows]
    head = [f'"{key}":{spelled(document[key])}' for key in sorted(document)]
    return "{" + ",\n".join(head) + ',\n"rows":[\n' + ",\n".join(rows) + "\n]}\n"


def baseline_digest(baseline: Baseline) -> str:
    """Digest a baseline's content, whatever the spelling of its file."""
    return digest(baseline.model_dump(mode="json"))


def _document(data: bytes, source: str) -> dict[str, Any]:
    try:
        document = loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BaselineInvalid(f"{source}: not UTF-8 at byte {error.start}") from None
    except JsonRefused as error:
        raise BaselineInvalid(f"{source}: {error}") from None
    if not isinstance(document, dict):
        raise BaselineInvalid(f"{source}: a baseline is a JSON object")
    version = document.get("schema_version")
    if version != 1 or isinstance(version, bool):
        shown = canonical(version)[:40]
        raise BaselineInvalid(f"{source}: schema_version is {shown}; this version reads 1")
    kind = document.get("kind")
    if kind != "agent-eval-gate/baseline":
        raise BaselineInvalid(
            f"{source}: not a baseline (its kind is {canonical(kind)[:60]}); "
            "a result becomes one by `agent-eval-gate baseline promote`"
        )
    return document


def _contradictions(baseline: Baseline) -> list[str]:
    rows = baseline.rows
    if not rows:
        return ["has no rows: nothing could be compared with it"]
    found: list[str] = []
    seen: set[str] = set()
    for row in rows:
        if row.id in seen:
            found.append(f"case {row.id[:80]!r} appears twice; ids must be unique")
        seen.add(row.id)
        found.extend(
            f"case {row.id[:80]!r}: {text}" for text in _row_contradictions(row, baseline)
        )
    if not found:
        found.extend(_summary_contradictions(baseline))
    return found


def _row_contradictions(row: BaselineRow, baseline: Baseline) -> list[str]:
    found = []
    if not (len(row.scores) == len(row.passes) == baseline.repeats):
        found.append(f"needs {baseline.repeats} score(s) and as many passes")
    threshold = float(baseline.pass_threshold)
    for score, passed in zip(row.scores, row.passes, strict=False):
        if passed != (score is not None and score >= threshold):
            found.append("`passes` contradicts its score and the pass threshold")
            break
    return found


def _summary_contradictions(baseline: Baseline) -> list[str]:
    rows, summary = baseline.rows, baseline.summary
    size = len(rows)
    computed = {
        "n_cases": size,
        "pass_rate": fsum(accepted_value(row, "pass_rate") for row in rows) / size,
        "mean_score": fsum(accepted_value(row, "mean_score") for row in rows) / size,
        "trajectory_mean": fsum(row.trajectory for row in rows) / size,
    }
    return [
        f"summary.{key} is {getattr(summary, key)}, and its rows give {round(value, _PLACES)}"
        for key, value in computed.items()
        if abs(Decimal(repr(getattr(summary, key))) - Decimal(repr(value))) > _CLOSE
    ]
