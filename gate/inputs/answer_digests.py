"""What was answered, as digests: equal exactly when nothing that counts moved."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from json.encoder import encode_basestring as quoted
from typing import TYPE_CHECKING

from gate.records.json_text import canonical

if TYPE_CHECKING:
    from gate.records.case import Prediction


def joint_digest(digests: bytearray) -> str:
    """Digest the predictions' own digests, put one after another, whatever their order."""
    step = sha256().digest_size
    kept = bytes(digests)
    parts = sorted([kept[at : at + step] for at in range(0, len(kept), step)])
    return f"sha256:{sha256(b''.join(parts)).hexdigest()}"


def prediction_digest(prediction: Prediction) -> bytes:
    """Digest one prediction: 32 bytes over a line of its small parts and then its text."""
    output = prediction.output
    answered, text = ("false", prediction.error) if output is None else ("true", output)
    # A canonical list of six or seven, by hand: an encoder takes longer than the digest.
    cost, latency = prediction.cost_usd, prediction.latency_ms
    taken = "null,null" if cost is latency is None else f"{_number(cost)},{_number(latency)}"
    recorded = "" if prediction.recorded is None else f",{_number(prediction.recorded)}"
    head = (
        f"[{quoted(prediction.id)},{prediction.repeat},{answered},{_spelt(prediction.tools)},"
        f"{taken}{recorded}]"
    )
    if prediction.trace is not None:
        head += f"\n{sha256(prediction.trace.encode()).hexdigest()}"
    return sha256(f"{head}\n{text}".encode()).digest()


_spelt = lru_cache(maxsize=4096)(canonical)


def _number(value: float | None) -> str:
    return "null" if value is None else repr(value)
