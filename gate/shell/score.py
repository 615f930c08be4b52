"""Score predictions, and gate them: ``check`` and ``score``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import JudgeUnusable, OverBudget, UsageInvalid
from gate.policy.effective import effective_policy
from gate.records.json_text import loads
from gate.shell.gather import Names, gather_baseline, gather_rules, gather_trust

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.held import HeldPredictions
    from gate.inputs.predictions import PredictionReader
    from gate.pipeline.auditing import AuditPlan
    from gate.pipeline.prepare import Setup
    from gate.ports import Files
    from gate.records.baseline import Baseline
    from gate.records.judge_options import JudgeOptions
    from gate.records.judge_run import Forecast
    from gate.records.policy import Overrides
    from gate.records.report import Report
    from gate.shell.gather import Means, Rules

MAX_CASES: Final = 256 * 1024 * 1024


def measure(means: Means, options: Overrides, *, policy: str | None, gated: bool) -> Report:
    """Score predictions, and gate them unless ``gated`` is false (``check``, ``score``)."""
    from gate.pipeline.conclude import UNJUDGED, Judge, conclude, refuse_unusable

    source, rules, setup, names = _prepared(means, options, policy=policy, gated=gated)
    told = None if rules.source is None else means.redact(rules.source)
    stream = _reader(means, source, names, setup)
    reader: PredictionReader | HeldPredictions = stream
    judge = UNJUDGED
    if setup.policy.judge is not None:
        from gate.inputs.held import HeldPredictions
        from gate.shell.judging import judged_by

        reader = held = HeldPredictions(stream)
        refuse_unusable(setup, held, source=source)
        # Only a gate reads it, and `calibrate` runs before there is one.
        trust = gather_trust(means.files, setup.policy.judge.trust) if gated else None
        try:
            judge = Judge(judged_by(means, setup, held), trust)
        except (JudgeUnusable, OverBudget) as error:
            error.advisory = gated and setup.policy.suite.advisory
            raise
    report = conclude(setup, reader, source=source, policy=told, redact=means.redact, judge=judge)
    if setup.baseline or not gated or rules.suite.baseline is None:
        return report
    return _without(report, means.redact(rules.suite.baseline))


def foreseen(means: Means, options: Overrides, *, policy: str | None, gated: bool) -> Forecast:
    """List what a judge would be asked (``--dry-run``). Raises ``UsageInvalid`` for no judge."""
    from gate.inputs.held import HeldPredictions
    from gate.shell.judging import forecast

    source, _, setup, names = _prepared(means, options, policy=policy, gated=gated)
    if setup.policy.judge is None:
        raise UsageInvalid(f"--dry-run: the scorer {setup.scorer.name!r} asks no judge")
    held = HeldPredictions(_reader(means, source, names, setup))
    return forecast(means, setup, held)


def planned_audit(
    means: Means, options: Overrides, *, policy: str | None, agent_model: str | None
) -> tuple[AuditPlan, JudgeOptions]:
    """List what an audit asks about the predictions (``calibrate --audit``), and whom."""
    from gate.inputs.held import HeldPredictions
    from gate.shell import judging

    source, _, setup, names = _prepared(means, options, policy=policy, gated=False)
    judge = setup.policy.judge
    if judge is None:
        raise UsageInvalid(f"--audit: the scorer {setup.scorer.name!r} asks no judge")
    held = HeldPredictions(_reader(means, source, names, setup))
    return judging.planned_audit(means, setup, held, agent_model=agent_model), judge


class _Prepared(NamedTuple):
    """What is known before the answers are read; ``source`` names their file."""

    source: str
    rules: Rules
    setup: Setup
    names: Names


def _prepared(means: Means, options: Overrides, *, policy: str | None, gated: bool) -> _Prepared:
    from gate.pipeline.prepare import require_named

    rules = gather_rules(means.files, options, policy)
    means.reads(rules.files)
    names = Names(options)
    scored_by = options.scorer or (rules.file and rules.file.scorer)
    source = require_named(rules.suite, scorer_named=bool(scored_by), gated=gated)
    return _Prepared(source, rules, _setup(means.files, rules, names, gated=gated), names)


def _setup(files: Files, rules: Rules, names: Names, *, gated: bool) -> Setup:
    from gate.inputs.cases import case_lines, read_cases
    from gate.pipeline.prepare import prepare

    suite = rules.suite
    baseline = gather_baseline(files, suite, names) if gated or suite.cases is None else None
    cases, data = None, b""
    if suite.cases is not None:
        with names.around("cases"):
            data = files.read(suite.cases, limit=MAX_CASES)
        cases = read_cases(data, source=suite.cases)
    with rules.placing():
        effective = effective_policy(
            rules.file, names.options, baseline_scorer=scorer_of(baseline), gated=gated
        )
        return prepare(
            effective,
            cases=cases,
            source=suite.cases or suite.baseline or "",
            baseline=baseline,
            gated=gated,
            lines=lambda: case_lines(data),
        )


def _reader(means: Means, path: str, names: Names, setup: Setup) -> PredictionReader:
    from gate.inputs.lines import MAX_LINE_BYTES
    from gate.inputs.predictions import PredictionReader

    def lines() -> Iterator[bytes]:
        with names.around("predictions"):
            yield from means.files.lines(path, limit=MAX_LINE_BYTES)

    judged = setup.policy.judge is not None
    return PredictionReader(means.watch(lines()), source=path, traces=judged)


def _without(report: Report, path: str) -> Report:
    """Say in the report which baseline was named and is not there."""
    from gate.records.report import Report

    said = f"baseline: nothing is at {path[:200]}, and the policy or an option allows that"
    return Report(**{**dict(report), "conditions": (*report.conditions, said)})


def scorer_of(baseline: Baseline | None) -> dict[str, object] | None:
    """Give the scorer that a baseline was made with, as options."""
    if baseline is None:
        return None
    return {**loads(baseline.scorer.params), "name": baseline.scorer.name}
