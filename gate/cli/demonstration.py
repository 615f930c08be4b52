"""The embedded example: six cases, a good agent's answers and a regressed one's."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

from gate.baseline.promote import promote
from gate.inputs.cases import read_cases
from gate.inputs.predictions import PredictionReader
from gate.pipeline.conclude import conclude
from gate.pipeline.prepare import prepare
from gate.policy.effective import effective_policy
from gate.records.policy import Overrides
from gate.report.terminal import render_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.baseline import Baseline
    from gate.records.report import Report

DATA: Final = files("gate.cli") / "demo_data"
OPTIONS: Final = Overrides(scorer="contains", max_drop="0.05")


def pages() -> Iterator[str]:
    """Give the demonstration: what is shown, then each agent's page and exit status."""
    yield "agent-eval-gate demo: six golden cases, scored by `contains`, allowed drop 0.05.\n"
    accepted = _run("good", None)
    baseline = promote(accepted, accepted.suite, previous=None, reason=None)
    for agent, title in (("good", "The agent as accepted"), ("regressed", "After a bad change")):
        report = _run(agent, baseline)
        page = render_terminal(report, colour=False, width=100)
        yield f"== {title} ==\n\n{page}\n`check` would end with status {report.exit_status}.\n"
    yield "Next: agent-eval-gate --help"


def _run(agent: str, baseline: Baseline | None) -> Report:
    gated = baseline is not None
    cases = read_cases((DATA / "cases.jsonl").read_bytes(), source="cases.jsonl")
    policy = effective_policy(None, OPTIONS, gated=gated)
    setup = prepare(policy, cases=cases, source="cases.jsonl", baseline=baseline, gated=gated)
    with (DATA / f"{agent}.jsonl").open("rb") as lines:
        reader = PredictionReader(lines, source=f"{agent}.jsonl")
        return conclude(setup, reader, source=f"{agent}.jsonl", policy=None, redact=str)
