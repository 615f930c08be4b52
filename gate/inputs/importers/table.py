"""The table of importers: name to module, each imported when a file first needs it.

An importer's module holds ``NAME`` and ``TITLE``, ``recognises(opening) -> bool`` (by content,
and by no other tool's), ``found(source, options)``, which yields findings, and ``DOC``, its
section of the documents. What several share, or what one is split into, lies in ``parts``.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from gate.errors import UsageInvalid
from gate.inputs.lines import BOM
from gate.records.json_text import JsonRefused, loads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.importers.found import Finding
    from gate.inputs.importers.options import ImportOptions
    from gate.inputs.importers.source import Source

OURS: Final = "agent-eval-gate"
"""What the format is called that this product defines: predictions as JSONL."""
PLAIN: Final = "plain"
"""The importer that a map of fields is for."""
IMPORTERS: Final = {
    "inspect_ai": "gate.inputs.importers.inspect_ai",
    "promptfoo": "gate.inputs.importers.promptfoo",
    "deepeval": "gate.inputs.importers.deepeval",
    "pydantic_evals": "gate.inputs.importers.pydantic_evals",
    "messages": "gate.inputs.importers.messages",
    "otel": "gate.inputs.importers.otel",
    "junit": "gate.inputs.importers.junit",
    "plain": "gate.inputs.importers.plain",
    "lm_eval": "gate.inputs.importers.lm_eval",
    "openai_evals": "gate.inputs.importers.openai_evals",
    "ragas": "gate.inputs.importers.ragas",
    "openinference": "gate.inputs.importers.openinference",
    "tau_bench": "gate.inputs.importers.tau_bench",
}
_OWN: Final = frozenset(
    ("id", "repeat", "output", "error", "tools", "cost_usd", "latency_ms", "trace")
)
_START: Final = re.compile(rb'\{\s*"')
_CUT: Final = 60_000
"""A first line of more bytes than this may not be here whole."""


class Importer(Protocol):
    """What a module of the table holds."""

    NAME: str
    TITLE: str
    DOC: str

    def recognises(self, opening: bytes) -> bool:
        """Say whether a file that begins so is this tool's."""
        ...

    def found(self, source: Source, options: ImportOptions) -> Iterator[Finding]:
        """Give what stands in a file, in its order."""
        ...


def importer(name: str) -> Importer:
    """Load the importer called ``name``. Raises ``UsageInvalid`` where there is none."""
    if name not in IMPORTERS:
        from gate.records.problems import nearest

        shown, known = name[:80], (OURS, *IMPORTERS)
        raise UsageInvalid(
            f"no format {shown!r}{nearest(shown, known)} (known: {', '.join(known)})"
        )
    module: Any = import_module(IMPORTERS[name])
    return cast("Importer", module)


def recognise(opening: bytes) -> tuple[str, ...]:
    """Name every format that a file with this beginning may be, ours among them; none is fine.

    ``opening`` may be cut anywhere. A first line that is a prediction of ours is known at once.
    """
    if is_ours(opening):
        return (OURS,)
    return tuple(name for name in IMPORTERS if importer(name).recognises(opening))


def is_ours(opening: bytes) -> bool:
    r"""Say whether the first line is one of our own predictions, or reads like one.

    >>> is_ours(b'{"id": "a", "output": "x"}\n'), is_ours(b'{"id": "a", "scores": {}}\n')
    (True, False)
    """
    bare = opening.removeprefix(BOM).lstrip(b" \t\r\n")
    if not _START.match(bare):
        return False
    line, end, _ = bare.partition(b"\n")
    if not end and b'"id"' in line and b'"output"' in line and len(opening) > _CUT:
        return line.startswith((b'{"id":', b'{"id" :'))
    try:
        record = loads(line.decode(), max_values=100_000)
    except (JsonRefused, UnicodeDecodeError):
        return False
    if not isinstance(record, dict) or "id" not in record:
        return False
    return record.keys() <= _OWN or "output" in record
