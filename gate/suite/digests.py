"""What a case was when it was scored, as digests: equal exactly when nothing that counts moved."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from gate.records.json_text import canonical, digest
from gate.records.result import CaseDigest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gate.records.case import EvalCase
    from gate.records.result import CaseResult

_PART: Final = 12
"""Hexadecimal digits of a part: enough to name the field that moved; ``whole`` decides."""


def case_digest(case: EvalCase, *, scorer: str) -> CaseDigest:
    """Digest the fields that a comparison is about: metadata is not one of them.

    ``scorer`` is the canonical identity of the scorer in force for this case. Labels go into
    ``whole`` only, since rows hold them openly.
    """
    tools = canonical(case.expected_tools)
    return CaseDigest(
        whole=digest((case.input, case.reference, case.expected_tools, case.labels, scorer)),
        input=short_digest(case.input),
        reference=short_digest(canonical(case.reference)),
        expected_tools=short_digest(tools),
        scorer=short_digest(scorer),
    )


def suite_digest(rows: Iterable[CaseResult]) -> str:
    """Digest the golden set: ids and what each case was, in canonical order."""
    return digest([(row.id, row.digest.whole) for row in rows])


@lru_cache(maxsize=1024)
def short_digest(text: str) -> str:
    """Digest a text in :data:`_PART` digits: enough to name what moved, not to prove it.

    >>> short_digest("")
    'e3b0c44298fc'
    """
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_PART]
