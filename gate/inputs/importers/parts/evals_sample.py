"""One sample of an openai/evals record: its events, joined."""

from __future__ import annotations

from gate.inputs.importers.found import RecordedScore


class Sample:
    """What the first reading keeps of a sample: little, and where its texts stand."""

    __slots__ = ("calls", "contradicted", "error", "graded", "line", "match", "matches", "metrics",
                 "reference", "samplings")  # fmt: skip

    def __init__(self, line: int) -> None:
        """Begin with the line of its first event."""
        self.line = line
        self.samplings: list[int] = []
        """The lines of the first, of the one before the last, and of the last."""
        self.match: int | None = None
        self.matches: list[bool] = []
        self.metrics: dict[str, float | None] = {}
        self.contradicted: set[str] = set()
        self.graded = False
        self.reference: str | None = None
        self.calls: list[str] = []
        self.error: str | None = None

    @property
    def asked(self) -> int | None:
        """Where the input stands."""
        return self.samplings[0] if self.samplings else None

    @property
    def answered(self) -> int | None:
        """Where the output stands."""
        if self.graded and self.samplings:
            return self.samplings[-2] if len(self.samplings) > 1 else self.match
        return self.samplings[-1] if self.samplings else self.match

    def add_sampling(self, line: int) -> None:
        """Keep the place of one more answer of a model."""
        self.samplings = [*self.samplings[:1], *self.samplings[1:][-1:], line]

    def add_metric(self, name: str, value: float | None) -> None:
        """Keep a metric. The tool adds up all events, and prefers none: of two it is neither."""
        if self.metrics.setdefault(name, value) != value:
            self.contradicted.add(name)

    def scores(self) -> tuple[RecordedScore, ...]:
        """Give the mean of the matches, then the metrics."""
        found = [
            RecordedScore(name, None if name in self.contradicted else value)
            for name, value in self.metrics.items()
        ]
        if self.matches:
            found.insert(0, RecordedScore("match", sum(self.matches) / len(self.matches)))
        return tuple(found)
