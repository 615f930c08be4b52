"""Score predictions, and gate them: ``check`` and ``score``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.policy.effective import effective_policy
from gate.records.json_text import loads
from gate.shell.gather import Names, gather_baseline, gather_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.inputs.predictions import PredictionReader
    from gate.pipeline.prepare import Setup
    from gate.ports import Files
    from gate.records.baseline import Baseline
    from gate.records.policy import Overrides
    from gate.records.report import Report
    from gate.shell.gather import Means, Rules

MAX_CASES: Final = 256 * 1024 * 1024


def measure(means: Means, options: Overrides, *, policy: str | None, gated: bool) -> Report:
    """Score predictions, and gate them unless ``gated`` is false (``check``, ``score``)."""
    from gate.pipeline.conclude import conclude
    from gate.pipeline.prepare import require_named

    rules = gather_rules(means.files, options, policy)
    means.reads(rules.files)
    names = Names(options)
    scored_by = options.scorer or (rules.file and rules.file.scorer)
    source = require_named(rules.suite, scorer_named=bool(scored_by), gated=gated)
    setup = _setup(means.files, rules, names, gated=gated)
    reader = _reader(means, source, names)
    told = None if rules.source is None else means.redact(rules.source)
    report = conclude(setup, reader, source=source, policy=told, redact=means.redact)
    if setup.baseline or not gated or rules.suite.baseline is None:
        return report
    return _without(report, means.redact(rules.suite.baseline))


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


def _reader(means: Means, path: str, names: Names) -> PredictionReader:
    from gate.inputs.lines import MAX_LINE_BYTES
    from gate.inputs.predictions import PredictionReader

    def lines() -> Iterator[bytes]:
        with names.around("predictions"):
            yield from means.files.lines(path, limit=MAX_LINE_BYTES)

    return PredictionReader(means.watch(lines()), source=path)


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
