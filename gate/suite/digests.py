"""What a case was when it was scored, as digests: equal exactly when nothing that counts moved."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from json.encoder import encode_basestring_ascii as quoted
from typing import TYPE_CHECKING

from gate.records.json_text import canonical, digest_of_parts, short_digest, spelled
from gate.records.result import CaseDigest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gate.records.case import EvalCase
    from gate.records.result import CaseResult


def case_digest(case: EvalCase, *, scorer: str, before: CaseDigest | None = None) -> CaseDigest:
    """Digest the fields that a comparison is about: metadata is not one of them.

    ``scorer`` is the canonical identity of the scorer in force for this case. Labels go into
    ``whole`` only, since rows hold them openly. Where ``before``, what the baseline holds of
    the case, says the same of the whole, it is the answer: its parts need no computing.
    """
    whole = _whole(case, scorer)
    if before is not None and before.whole == whole:
        return before
    return CaseDigest(
        whole=whole,
        input=short_digest(case.input),
        reference=short_digest(canonical(case.reference)),
        expected_tools=_tools_digest(case.expected_tools),
        scorer=_scorer_digest(scorer),
    )


def suite_digest(rows: Iterable[CaseResult]) -> str:
    """Digest the golden set: ids and what each case was, in canonical order."""
    # A digest is hexadecimal and needs no escaping.
    return digest_of_parts([f'[{quoted(row.id)},"{row.digest.whole}"]' for row in rows])


def _whole(case: EvalCase, scorer: str) -> str:
    # What `digest` gives for (input, reference, expected tools, labels, scorer) and the cluster
    # where there is one, put together from texts most of which very many cases share.
    reference = "null" if case.reference is None else quoted(case.reference)
    tools, labels = _texts(case.expected_tools), _texts(case.labels)
    cluster = "" if case.cluster is None else f",{quoted(case.cluster)}"
    text = f"[{quoted(case.input)},{reference},{tools},{labels},{_quoted(scorer)}{cluster}]"
    return "sha256:" + sha256(text.encode("ascii")).hexdigest()


_texts = lru_cache(maxsize=1024)(spelled)
_quoted = lru_cache(maxsize=64)(quoted)
_scorer_digest = lru_cache(maxsize=64)(short_digest)


@lru_cache(maxsize=1024)
def _tools_digest(tools: tuple[str, ...]) -> str:
    return short_digest(canonical(tools))
