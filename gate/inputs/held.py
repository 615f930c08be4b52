"""Predictions that are kept, since a judge is asked about all of them before any is scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.imported import ImportedReader
    from gate.inputs.predictions import PredictionReader
    from gate.records.case import Prediction


class HeldPredictions:
    """Reads a stream to its end at once; then it is what the stream was, as often as wanted."""

    def __init__(self, reader: PredictionReader | ImportedReader) -> None:
        """Read all. Raises what reading them raises."""
        self._held = tuple(reader)
        self.count = reader.count
        self.digest = reader.digest
        self.ignored_fields = reader.ignored_fields
        self.tool = reader.tool
        self.gaps = reader.gaps
        self.remarks = reader.remarks

    def __iter__(self) -> Iterator[Prediction]:
        """Give the predictions in the order of the file."""
        return iter(self._held)
