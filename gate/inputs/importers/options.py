"""What a user may say of how a tool's file is read."""

from __future__ import annotations

from typing import NamedTuple


class ImportOptions(NamedTuple):
    """The options of an import. Importers read what concerns them.

    ``id_field`` is a dotted path into one record of the tool's file, where a case's id stands
    (``metadata.id``, ``vars.qid``); a record without it is ``Wrong``. ``map`` holds pairs of one
    of our fields and a dotted path into a row; only the importer of plain files reads it.
    """

    id_field: str | None = None
    map: tuple[tuple[str, str], ...] = ()

    def score_at(self, name: str | None) -> str | None:
        """Say where the map has the score called ``name``; ``None`` where it has none.

        >>> ImportOptions(map=(("score", "m.f1"), ("score:x", "m.x"))).score_at("score")
        'm.f1'
        """
        held = dict(self.map)
        return held.get(f"score:{name}", held.get("score") if name == "score" else None)
