"""Run an agent over golden cases in this process: the deep dive's pipeline as one call."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from gate.metrics.trajectory import trajectory_score
from gate.records.result import RepeatResult, SuiteRun
from gate.suite.digests import case_digest
from gate.suite.rows import case_row
from gate.suite.summary import Measurement, summarise

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gate.records.base import TrajectoryMode
    from gate.records.case import AgentFn, EvalCase, Scorer

SEED: Final = 0
N_BOOT: Final = 10_000


def run_suite(
    agent_fn: AgentFn,
    cases: Iterable[EvalCase],
    scorer: Scorer,
    *,
    pass_threshold: float = 1.0,
    trajectory_mode: TrajectoryMode = "exact",
) -> SuiteRun:
    """Ask ``agent_fn`` every case's input, score its output, grade its path, summarise.

    The agent is handed the input, a string, never the case, so it cannot read the reference.
    ``scorer`` is any ``(output, reference)`` to [0, 1]; a case without a reference is scored
    against the empty text. A path is graded only where ``expected_tools`` is not empty.
    An exception of the agent is the caller's: nothing is swallowed here.

    Raises ``ValueError`` for no cases, for an id that comes twice, for a score outside
    [0, 1] and for a threshold outside it.

    Source: the deep dive on agent evaluation, "A worked trace through run_suite".
    """
    golden = sorted(cases, key=lambda case: case.id)
    _check(golden, pass_threshold)
    rows = []
    for case in golden:
        answer = agent_fn(case.input)
        score = scorer(answer.output, case.reference or "")
        if not 0.0 <= score <= 1.0:
            raise ValueError(f"the scorer gave {score!r} for case {case.id!r}: not in [0, 1]")
        path = 1.0
        if case.expected_tools:
            path = trajectory_score(answer.tools, case.expected_tools, trajectory_mode)
        run = RepeatResult(
            repeat=0,
            standing="scored",
            score=float(score),
            passed=score >= pass_threshold,
            trajectory=path,
        )
        digest = case_digest(case, scorer="")
        rows.append(case_row(case, [run], digest=digest, repeats=1))
    how = Measurement(
        metric="pass_rate",
        pass_threshold=Decimal(repr(float(pass_threshold))),
        trajectory_mode=trajectory_mode,
        repeats=1,
        seed=SEED,
        n_boot=N_BOOT,
    )
    return SuiteRun(suite=summarise(rows, how), case_results=tuple(rows))


def _check(golden: list[EvalCase], pass_threshold: float) -> None:
    if not golden:
        raise ValueError("a suite of no cases proves nothing")
    if not 0.0 <= pass_threshold <= 1.0:
        raise ValueError(f"a pass threshold lies in [0, 1], not {pass_threshold!r}")
    for before, after in pairwise(golden):
        if before.id == after.id:
            raise ValueError(f"case {after.id!r} appears twice; ids must be unique")
