"""The baseline file: strict on the way in, one line a case on the way out."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from json.encoder import encode_basestring_ascii as quoted
from math import fsum
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from gate.errors import BaselineInvalid, Problem
from gate.records.baseline import Baseline, BaselineRow
from gate.records.byte_order import undecoded
from gate.records.json_lines import quotation_marks
from gate.records.json_text import JsonRefused, canonical, digest_of_parts, loads, spelled
from gate.records.problems import explain
from gate.records.values import accepted_value

MAX_BYTES: Final = 512 * 1024 * 1024
"""A baseline of a million cases is about 300 MB."""
_ROWS: Final = b',\n"rows":[\n'
_END: Final = b"\n]}\n"
_TEXTS: Final = 20
"""Keys and texts of a row, those of its digest among them, without its labels."""
_PLACES: Final = 6
_CLOSE: Final = Decimal("0.000001")


def read_baseline(data: bytes, *, source: str) -> Baseline:
    """Read a baseline and check it against itself.

    Raises ``BaselineInvalid``: not strict JSON (duplicate keys, NaN), another schema version,
    wrong types, ids that come twice, rows that contradict the stored summary.
    """
    found = _as_written(data) or _as_json(data, source)
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
    """Digest a baseline's content, whatever the spelling of its file.

    Of a case it takes what decides: the digest of the whole, not the parts that name what moved.
    """
    head = baseline.model_dump(mode="json", exclude={"rows"})
    rows = ",".join(map(_decisive, baseline.rows))
    return digest_of_parts((spelled(head), f"[{rows}]"))


def _decisive(row: BaselineRow) -> str:
    """Spell what decides of a row by hand, which takes half as long as an encoder."""
    if len(row.scores) == len(row.passes) == 1 and not row.earlier:  # what follows, in less time
        score = "null" if row.scores[0] is None else repr(row.scores[0])
        passed = "true" if row.passes[0] else "false"
        head = f'[{quoted(row.id)},"{row.digest.whole}",[{score}],[{passed}],'
        return f"{head}{row.trajectory!r},[]]"
    passes = ",".join(["true" if passed else "false" for passed in row.passes])
    return (
        f'[{quoted(row.id)},"{row.digest.whole}",[{_numbers(row.scores)}],[{passes}],'
        f"{row.trajectory!r},[{_numbers(row.earlier)}]]"
    )


def _numbers(values: tuple[float | None, ...]) -> str:
    return ",".join(["null" if value is None else repr(value) for value in values])


def _as_written(data: bytes) -> Baseline | None:
    """Read a file that is laid out as :func:`write_baseline` does; ``None`` for any other.

    It only saves time: whatever it gives, reading the whole strictly would give as well. A raw
    line break stands in no text and the head is whole without the rows, so they are what lies
    between. A row must have every field and may have no other, so a key that came twice shows
    in there being more quotation marks than its fields and texts have.
    """
    start = data.find(_ROWS)
    if start < 0 or not data.endswith(_END, start + len(_ROWS)):
        return None
    text = b"".join((b"[", memoryview(data)[start + len(_ROWS) : -len(_END)], b"]"))
    try:
        document = loads((data[:start] + b"}").decode())
        if "rows" in document or type(document.get("schema_version")) is not int:
            return None
        rows = _row_reader().validate_json(text)
        found = Baseline.model_validate({**document, "rows": rows})
    except ValueError:
        return None
    texts = sum(_TEXTS + len(row.labels) + (row.cluster is not None) for row in found.rows)
    return found if quotation_marks(text) == 2 * texts else None


@cache
def _row_reader() -> TypeAdapter[tuple[BaselineRow, ...]]:
    return TypeAdapter(tuple[BaselineRow, ...])


def _as_json(data: bytes, source: str) -> Baseline:
    try:
        return Baseline.model_validate(_document(data, source))
    except ValidationError as error:
        listed = [Problem(source, None, text) for _, text in explain(error)]
        raise BaselineInvalid.of(listed) from None


def _document(data: bytes, source: str) -> dict[str, Any]:
    try:
        document = loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BaselineInvalid(f"{source}: {undecoded(data, error)}") from None
    except JsonRefused as error:
        raise BaselineInvalid(f"{source}: {error}") from None
    if not isinstance(document, dict):
        raise BaselineInvalid(f"{source}: a baseline is a JSON object")
    version = document.get("schema_version")
    if version != 1 or isinstance(version, bool):
        shown = canonical(version)[:40]
        raise BaselineInvalid(f"{source}: schema_version is {shown}; this version reads 1")
    kind = document.get("kind")
    if kind == "agent-eval-gate/result":
        raise BaselineInvalid(
            f"{source}: is a result, not a baseline",
            hint="make one of it with `agent-eval-gate baseline promote --result … --to …`",
        )
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
    if _hold(rows, baseline) and _remember(rows, baseline):
        return _summary_contradictions(baseline)
    found: list[str] = []
    seen: set[str] = set()
    for row in rows:
        if row.id in seen:
            found.append(f"case {row.id!r} appears twice; ids must be unique")
        seen.add(row.id)
        found.extend(f"case {row.id!r}: {text}" for text in _row_contradictions(row, baseline))
    return found


def _hold(rows: tuple[BaselineRow, ...], baseline: Baseline) -> bool:
    """Say whether no row contradicts anything: quickly, since nearly always none does."""
    repeats, threshold = baseline.repeats, float(baseline.pass_threshold)
    if len({row.id for row in rows}) < len(rows):
        return False
    for row in rows:
        if not (len(row.scores) == len(row.passes) == repeats and _agree(row, threshold)):
            return False
    return True


def _remember(rows: tuple[BaselineRow, ...], baseline: Baseline) -> bool:
    size = len(baseline.history)
    return all(not row.earlier or len(row.earlier) == size for row in rows)


def _agree(row: BaselineRow, threshold: float) -> bool:
    scores, passes = row.scores, row.passes
    if len(scores) == len(passes) == 1:  # what follows, in less time
        return passes[0] == (scores[0] is not None and scores[0] >= threshold)
    for score, passed in zip(scores, passes, strict=False):
        if passed != (score is not None and score >= threshold):
            return False
    return True


def _row_contradictions(row: BaselineRow, baseline: Baseline) -> list[str]:
    found = []
    if not (len(row.scores) == len(row.passes) == baseline.repeats):
        found.append(f"needs {baseline.repeats} score(s) and as many passes")
    if not _agree(row, float(baseline.pass_threshold)):
        found.append("`passes` contradicts its score and the pass threshold")
    if row.earlier and len(row.earlier) != len(baseline.history):
        found.append(f"`earlier` needs {len(baseline.history)} value(s), one a run of `history`")
    return found


def _summary_contradictions(baseline: Baseline) -> list[str]:
    rows, summary = baseline.rows, baseline.summary
    size = len(rows)
    computed = {
        "n_cases": size,
        "pass_rate": fsum([accepted_value(row, "pass_rate") for row in rows]) / size,
        "mean_score": fsum([accepted_value(row, "mean_score") for row in rows]) / size,
        "trajectory_mean": fsum([row.trajectory for row in rows]) / size,
    }
    return [
        f"summary.{key} is {getattr(summary, key)}, and its rows give {round(value, _PLACES)}"
        for key, value in computed.items()
        if abs(Decimal(repr(getattr(summary, key))) - Decimal(repr(value))) > _CLOSE
    ]
