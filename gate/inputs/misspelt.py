"""Fields of cases that were kept as metadata and look like fields that would have counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.json_text import loads
from gate.records.problems import nearest_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gate.records.case import EvalCase

_COUNTING: Final = (
    "reference",
    "expected_tools",
    "labels",
    "cluster",
    "scorer",
    "golden_answer_raw",
)
_ALIKE: Final = 0.8


class Misspelt(NamedTuple):
    """A field that was not read, what it may have meant, and in how many cases it stands."""

    name: str
    meant: str
    n_cases: int


def misspelt(cases: Iterable[EvalCase]) -> tuple[Misspelt, ...]:
    """Find them, by name.

    ``label`` for ``labels`` takes a case out of the safety gate without a word; as metadata may
    bear any name, it is noted and not refused.

    >>> from gate.records.case import EvalCase
    >>> misspelt([EvalCase(id="a", input="?", metadata='{"label":["safety"],"source":"x"}')])
    (Misspelt(name='label', meant='labels', n_cases=1),)
    """
    counts: dict[str, int] = {}
    for case in cases:
        if case.metadata != "{}":
            for name in loads(case.metadata):
                counts[name] = counts.get(name, 0) + 1
    found = ((name, nearest_name(name, _COUNTING, cutoff=_ALIKE)) for name in sorted(counts))
    return tuple(Misspelt(name, meant, counts[name]) for name, meant in found if meant)
