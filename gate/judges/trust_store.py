"""The trust record's file: strict on the way in, one line a key on the way out."""

from __future__ import annotations

from math import isclose
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from gate.errors import Problem, ResultInvalid, TrustInvalid
from gate.judges.agreed import agreed
from gate.judges.calibration import replies_by
from gate.records.byte_order import undecoded
from gate.records.json_text import JsonRefused, canonical, digest, loads, spelled
from gate.records.problems import explain
from gate.records.trust import TrustRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES: Final = 16 * 1024 * 1024
_KIND: Final = "agent-eval-gate/trust"
_CLOSE: Final = 1e-9
"""What two machines may differ by in a square root."""
_MAX_VALUES: Final = 500_000


def write_trust(record: TrustRecord) -> str:
    """Spell a record as the text of its file: ASCII, sorted keys, one line a key."""
    document = record.model_dump(mode="json")
    return (
        "{" + ",\n".join(f'"{key}":{spelled(document[key])}' for key in sorted(document)) + "}\n"
    )


def read_trust(data: bytes, *, source: str) -> TrustRecord:
    """Read a record and compute again all that its confusion matrix gives.

    Raises ``TrustInvalid``: not strict JSON, another kind or schema version, wrong types, or a
    figure that the matrix does not give, each named.
    """
    document = _document(data, source)
    try:
        found = TrustRecord.model_validate(document)
    except ValidationError as error:
        raise TrustInvalid.of(Problem(source, None, text) for _, text in explain(error)) from None
    problems = [Problem(source, None, text) for text in contradictions(found)]
    if problems:
        raise TrustInvalid.of(problems)
    return found


def contradictions(record: TrustRecord) -> Iterator[str]:
    """Say where a record contradicts itself; nothing where it does not."""
    if record.judge != digest(loads(record.judge_config)):
        yield "`judge` is not the digest of `judge_config`"
    rated = _is_rated(record)
    scale = (0.0, 1.0, 2.0) if rated else (0.0, 1.0)
    if record.categories != scale or (record.threshold is None) != rated:
        yield "`categories` and `threshold` are not those of this judge's scale"
    if record.weighting != ("quadratic" if rated else "none"):
        yield "`weighting` is not that of this judge's scale"
    made = agreed(record.confusion, record.categories, weighting=record.weighting)
    for name, value in made._asdict().items():
        stored = getattr(record, name)
        if name == "interval":
            same = _bounds_alike(record, value)
        elif isinstance(value, float) and isinstance(stored, float):
            same = isclose(stored, value, rel_tol=0, abs_tol=_CLOSE)
        else:
            same = stored == value
        if not same:
            yield f"`{name}` is not what its confusion matrix gives"


def _is_rated(record: TrustRecord) -> bool:
    """Say whether the judge rates; an unknown prompt is taken at its word."""
    try:
        return replies_by(record.judge_config) == "rating"
    except ResultInvalid:
        return record.threshold is None


def _bounds_alike(record: TrustRecord, made: Any) -> bool:  # noqa: ANN401 - bounds or nothing
    stored = record.interval
    if stored is None or made is None:
        return stored is made
    return stored.method == made.method and all(
        isclose(getattr(stored, end), getattr(made, end), rel_tol=0, abs_tol=_CLOSE)
        for end in ("low", "high", "lower_bound")
    )


def _document(data: bytes, source: str) -> dict[str, Any]:
    try:
        document = loads(data.decode("utf-8-sig"), max_values=_MAX_VALUES)
    except UnicodeDecodeError as error:
        raise TrustInvalid(f"{source}: {undecoded(data, error)}") from None
    except JsonRefused as error:
        raise TrustInvalid(f"{source}: {error}") from None
    if not isinstance(document, dict):
        raise TrustInvalid(f"{source}: a trust record is a JSON object")
    kind = document.get("kind")
    if kind != _KIND:
        shown = canonical(kind)[:60]
        raise TrustInvalid(
            f"{source}: not a trust record (its kind is {shown})",
            hint="`agent-eval-gate calibrate --labels … --to trust.json` writes one",
        )
    version = document.get("schema_version")
    if version != 1 or isinstance(version, bool):
        shown = canonical(version)[:40]
        raise TrustInvalid(f"{source}: schema_version is {shown}; this version reads 1")
    return document
