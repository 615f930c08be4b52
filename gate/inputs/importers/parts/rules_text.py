"""The rules of a tool's verdict as text that stays short however many cases share them."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from gate.records.json_text import canonical

MAX_TEXT: Final = 10_000
"""Characters of rules that are given as they are; of longer ones, there is a digest."""


def rules_text(rules: Any) -> str:  # noqa: ANN401 - any of six types
    """Give rules as canonical text, or its digest.

    >>> rules_text({"b": 1, "a": []}), rules_text("x" * 20_000)[:7]
    ('{"a":[],"b":1}', 'sha256:')
    """
    text = canonical(rules)
    return text if len(text) <= MAX_TEXT else f"sha256:{sha256(text.encode()).hexdigest()}"
