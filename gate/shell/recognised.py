"""What lies in a folder, as far as it is recognised: results of tools, answers, golden sets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import UsageInvalid
from gate.inputs.importers.table import IMPORTERS, OURS, recognise
from gate.report.sanitize import visible
from gate.shell.converting import are_cases

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.ports import Listing

_PLAIN_PATH: Final = re.compile(r"[\w.@+=/ -]+", re.ASCII)
"""Paths that mean nothing else in a policy, a workflow or a shell."""
_CASES: Final = "cases"
_LISTED: Final = 5
_TABLES: Final = (".csv", ".tsv", ".jsonl", ".json")


class Seen(NamedTuple):
    """The files that were recognised, by what they are: a tool's name, ours, or cases."""

    by_kind: dict[str, list[str]]

    def best(self) -> tuple[str, str] | None:
        """Give the kind and the path of the results to begin with.

        Predictions of ours come first, then tools in the order of their table. Of several files
        of one tool it is the last by name, which is the newest where names begin with a time.
        """
        for kind in (OURS, *IMPORTERS):
            if self.by_kind.get(kind):
                return kind, max(self.by_kind[kind])
        return None

    @property
    def cases(self) -> str | None:
        """Give the path of a golden set of ours, the first by name."""
        return min(self.by_kind.get(_CASES, ()), default=None)


def seen_in(listing: Listing, said: list[str]) -> Seen:
    """Sort the files of a folder by what they are; what is passed over is added to ``said``."""
    by_kind: dict[str, list[str]] = {}
    odd = 0
    tables: list[str] = []
    for path, opening in listing.files:
        names = recognise(opening)
        kind = names[0] if len(names) == 1 else None
        if kind is None and not names and _is_golden(path, opening):
            kind = _CASES
        if kind is None:
            tables += [path] if path.endswith(_TABLES) else []
            continue
        if not _PLAIN_PATH.fullmatch(path):
            odd += 1
            continue
        by_kind.setdefault(kind, []).append(path)
    if tables and not by_kind.keys() - {_CASES}:
        tables.sort()
        said.append(
            f"not recognised: {', '.join(tables[:_LISTED])}. A table of your own is read by its "
            f"columns: agent-eval-gate import {tables[0]} --map id=COLUMN --map output=COLUMN "
            "--map reference=COLUMN --cases-to evals/cases.jsonl "
            "--predictions-to predictions.jsonl"
        )
    if odd:
        said.append(f"files with odd characters in their names, passed over: {odd:,}")
    if not listing.whole:
        said.append("there are too many files to look at all of them: name one with --predictions")
    return Seen(by_kind)


def _is_golden(path: str, opening: bytes) -> bool:
    return path.endswith(".jsonl") and are_cases(opening)


def named_in(listing: Listing, path: str) -> tuple[str, str]:
    """Give the kind and the path of a file that somebody named. Raises ``UsageInvalid``."""
    found = next((one for one in listing.files if one.path == path), None)
    names = () if found is None else recognise(found.opening)
    if len(names) != 1 or not _PLAIN_PATH.fullmatch(path):
        why = "may be of " + " or ".join(names) if len(names) > 1 else "is not recognised"
        raise UsageInvalid(
            f"--predictions: {visible(path)} {why if found else 'is not there, or too large'}",
            hint=f"name a file of the folder, by its path from there ({', '.join(IMPORTERS)}); "
            "`import --map` makes one of a table of your own",
        )
    return names[0], path


def told_of(seen: Seen, best: tuple[str, str] | None) -> Iterator[str]:
    """Say what else there was to begin with."""
    if best is None:
        return
    kind, path = best
    yield f"found: {path}, {'our own predictions' if kind == OURS else f'a file of {kind}'}"
    others = [
        f"{one} ({name})"
        for name, paths in seen.by_kind.items()
        for one in sorted(paths, reverse=True)
        if one != path and name != _CASES
    ]
    if others:
        more = f", and {len(others) - _LISTED:,} more" if len(others) > _LISTED else ""
        yield f"also there, for --predictions: {', '.join(others[:_LISTED])}{more}"
