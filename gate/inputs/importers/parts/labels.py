"""Labels that a tool's metadata of a case hold."""

from __future__ import annotations

from typing import Final

from gate.inputs.fields import is_usual_id

FIELDS: Final = ("labels", "label", "tags")
"""Where people keep them."""


def labels_of(metadata: object) -> tuple[str, ...]:
    """Give the texts of :data:`FIELDS`, each once, in code-point order; others are left.

    >>> labels_of({"labels": ["safety", "de"], "tags": "de"}), labels_of({"labels": 3})
    (('de', 'safety'), ())
    """
    if not isinstance(metadata, dict):
        return ()
    found: set[str] = set()
    for field in FIELDS:
        said = metadata.get(field)
        found.update(filter(is_usual_id, said if isinstance(said, list) else [said]))
    return tuple(sorted(found))
