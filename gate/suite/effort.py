"""What the agent's answers took: dollars and milliseconds, as the predictions say."""

from __future__ import annotations

from math import ceil, fsum
from typing import TYPE_CHECKING, Final

from gate.records.result import Effort

if TYPE_CHECKING:
    from gate.records.case import Prediction

_SHARE: Final = 0.95


class EffortTally:
    """Adds up what answers took, the same whatever their order."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._costs: list[float] = []
        self._latencies: list[float] = []
        self._n_answers = 0

    def add(self, prediction: Prediction) -> None:
        """Count one answer, or a failure: that costs as well."""
        self._n_answers += 1
        if prediction.cost_usd is not None:
            self._costs.append(prediction.cost_usd)
        if prediction.latency_ms is not None:
            self._latencies.append(prediction.latency_ms)

    @property
    def effort(self) -> Effort | None:
        """The totals; ``None`` where no answer says anything of either."""
        costs, latencies = self._costs, sorted(self._latencies)
        if not costs and not latencies:
            return None
        n = len(latencies)
        return Effort(
            n_answers=self._n_answers,
            n_costs=len(costs),
            cost_usd=fsum(costs),
            n_latencies=n,
            mean_latency_ms=fsum(latencies) / n if n else 0.0,
            p95_latency_ms=latencies[ceil(_SHARE * n) - 1] if n else 0.0,
            max_latency_ms=latencies[-1] if n else 0.0,
        )
