"""Score predictions, and gate them: ``check`` and ``score``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gate.errors import JudgeUnusable, OverBudget, UsageInvalid
from gate.gates.evidence import brought_cases
from gate.policy.effective import effective_policy
from gate.shell.base import AgainstBase
from gate.shell.gather import (
    MAX_CASES,
    Names,
    cases_of,
    gather_baseline,
    gather_rules,
    gather_trust,
    scorer_of,
    tightens,
    unpacked_cases,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gate.inputs.held import HeldPredictions
    from gate.inputs.imported import ImportedFile, ImportedReader
    from gate.inputs.predictions import PredictionReader
    from gate.pipeline.auditing import AuditPlan
    from gate.pipeline.file_cases import FileCases
    from gate.pipeline.prepare import Setup
    from gate.records.judge_options import JudgeOptions
    from gate.records.judge_run import Forecast
    from gate.records.policy import Overrides
    from gate.records.report import Report
    from gate.shell.gather import Means, Rules


def measure(means: Means, options: Overrides, *, policy: str | None, gated: bool) -> Report:
    """Score predictions, and gate them unless ``gated`` is false (``check``, ``score``)."""
    from gate.pipeline.conclude import UNJUDGED, Judge, conclude, refuse_unusable
    from gate.shell.importing import telling_formats

    found = _prepared(means, options, policy=policy, gated=gated)
    source, rules, setup, names, file, against = found
    told = None if rules.source is None else means.redact(rules.source)
    stream = _reader(means, source, names, setup, file)
    reader: PredictionReader | ImportedReader | HeldPredictions = stream
    judge = UNJUDGED
    if setup.policy.judge is not None:
        from gate.inputs.held import HeldPredictions
        from gate.shell.judging import judged_by

        reader = held = HeldPredictions(stream)
        refuse_unusable(setup, held, source=source)
        # Only a gate reads it, and `calibrate` runs before there is one.
        trust = gather_trust(means.rules, setup.policy.judge.trust) if gated else None
        try:
            judge = Judge(judged_by(means, setup, held), trust)
        except (JudgeUnusable, OverBudget) as error:
            error.advisory = gated and setup.policy.suite.advisory
            raise
    with telling_formats(means.files, source, file):
        report = conclude(
            setup._replace(tightened=tightens(options)),
            reader,
            source=source,
            policy=told,
            redact=means.redact,
            judge=judge,
            origin=against.origin,
        )
    if setup.baseline or not gated or rules.suite.baseline is None:
        return report
    said = against.without_baseline(means.redact(rules.suite.baseline))
    return type(report)(**{**dict(report), "conditions": (*report.conditions, said)})


def foreseen(means: Means, options: Overrides, *, policy: str | None, gated: bool) -> Forecast:
    """List what a judge would be asked (``--dry-run``). Raises ``UsageInvalid`` for no judge."""
    from gate.inputs.held import HeldPredictions
    from gate.shell.judging import forecast

    source, _, setup, names, file, _ = _prepared(means, options, policy=policy, gated=gated)
    if setup.policy.judge is None:
        raise UsageInvalid(f"--dry-run: the scorer {setup.scorer.name!r} asks no judge")
    held = HeldPredictions(_reader(means, source, names, setup, file))
    return forecast(means, setup, held)


def planned_audit(
    means: Means, options: Overrides, *, policy: str | None, agent_model: str | None
) -> tuple[AuditPlan, JudgeOptions]:
    """List what an audit asks about the predictions (``calibrate --audit``), and whom."""
    from gate.inputs.held import HeldPredictions
    from gate.shell import judging

    source, _, setup, names, file, _ = _prepared(means, options, policy=policy, gated=False)
    judge = setup.policy.judge
    if judge is None:
        raise UsageInvalid(f"--audit: the scorer {setup.scorer.name!r} asks no judge")
    held = HeldPredictions(_reader(means, source, names, setup, file))
    return judging.planned_audit(means, setup, held, agent_model=agent_model), judge


class _Prepared(NamedTuple):
    """What is known before the answers are read; ``source`` names their file.

    ``file`` is there where that is another tool's.
    """

    source: str
    rules: Rules
    setup: Setup
    names: Names
    file: ImportedFile | None
    held: AgainstBase


def _prepared(means: Means, options: Overrides, *, policy: str | None, gated: bool) -> _Prepared:
    from gate.pipeline.prepare import require_named
    from gate.shell.importing import offering_recorded

    rules = gather_rules(means.rules, options, policy)
    means.reads(rules.files)
    held = AgainstBase(means.origin)
    if gated and means.base is not None:
        from gate.shell.against_base import against_base

        held = against_base(means, means.base, rules, options)
        options, rules = held.limit(options, rules)
    names = Names(options)
    scored_by = options.scorer or (rules.file and rules.file.scorer)
    with offering_recorded(means.files, rules.suite, names), held.at_the_base():
        source = require_named(rules.suite, scorer_named=bool(scored_by), gated=gated)
        setup, file = _setup(means, rules, names, held, source=source, gated=gated)
    return _Prepared(source, rules, setup, names, file, held)


def _setup(
    means: Means, rules: Rules, names: Names, held: AgainstBase, *, source: str, gated: bool
) -> tuple[Setup, ImportedFile | None]:
    from gate.inputs.cases import case_lines
    from gate.pipeline.prepare import prepare
    from gate.shell.importing import imported_file, refuse_recorded, resolved

    suite = rules.suite
    baseline = None
    # The first of all runs is scored before there is a baseline, whatever the policy names.
    if gated or (suite.cases is None and means.accepted.exists(suite.baseline or "")):
        baseline = gather_baseline(means.accepted, suite, names)
    cases, data = held.cases, b""
    if suite.cases is not None:
        with names.around("cases"):
            data = means.rules.read(suite.cases, limit=MAX_CASES)
        if cases is None:
            cases = cases_of(data, source=suite.cases)
    file = imported_file(means.files, suite, names, source=source)
    with rules.placing():
        effective = effective_policy(
            rules.file,
            names.options,
            baseline_scorer=scorer_of(baseline),
            gated=gated,
            bound=held.origin.bound,
        )
        own: FileCases | None = None
        grounds: Mapping[str, str | None] = {}
        if file is not None:
            effective, own, grounds = resolved(
                effective, file, rules, baseline, own_cases=cases is None, redact=means.redact
            )
        else:
            refuse_recorded(effective, means.files, source)
        setup = prepare(
            effective,
            cases=own or cases,
            source=suite.cases or (source if file else suite.baseline) or "",
            baseline=baseline,
            gated=gated,
            lines=lambda: case_lines(unpacked_cases(data, source=suite.cases or "")),
            day=means.day,
        )
    return setup._replace(grounds=grounds, brought=brought_cases(held.origin)), file


def _reader(
    means: Means, path: str, names: Names, setup: Setup, file: ImportedFile | None
) -> PredictionReader | ImportedReader:
    from gate.inputs.lines import MAX_LINE_BYTES
    from gate.inputs.predictions import PredictionReader

    judged = setup.policy.judge is not None
    if file is not None:
        from gate.inputs.imported import ImportedReader

        score = getattr(setup.scorer, "score", None)
        own = frozenset(case.id for case in setup.cases.values() if case.scorer is not None)
        said = setup.policy.suite.repeats
        expected = setup.baseline.repeats if setup.baseline and said is None else None
        return ImportedReader(file, score=score, traces=judged, by_output=own, expected=expected)

    def lines() -> Iterator[bytes]:
        with names.around("predictions"):
            yield from means.files.lines(path, limit=MAX_LINE_BYTES)

    return PredictionReader(means.watch(lines()), source=path, traces=judged)
