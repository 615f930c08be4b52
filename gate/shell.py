"""Gather text, let the pure core decide, apply what follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.baseline.store import MAX_BYTES as MAX_BASELINE
from gate.baseline.store import read_baseline
from gate.errors import BaselineAbsent, FileAbsent, PolicyInvalid, ResultInvalid, UsageInvalid
from gate.policy.effective import DEFAULT_GATES, effective_policy, suite_options
from gate.policy.toml import read_policy
from gate.records.json_text import loads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gate.policy.toml import PolicyFile
    from gate.ports import Files
    from gate.records.baseline import Baseline
    from gate.records.policy import Overrides, Policy, SuiteOptions
    from gate.records.report import Report

POLICY: Final = "gate.toml"
"""The policy that is read where none is named, if it is there."""
MAX_POLICY: Final = 1024 * 1024
MAX_CASES: Final = 256 * 1024 * 1024
MAX_RESULT: Final = 1024 * 1024 * 1024


class Means(NamedTuple):
    """What a run is given to work with."""

    files: Files
    redact: Callable[[str], str]
    watch: Callable[[Iterable[bytes]], Iterable[bytes]]


class Rules(NamedTuple):
    """The policy file, if there is one, and what it and the options say of the suite."""

    file: PolicyFile | None
    source: str | None
    suite: SuiteOptions


def measure(means: Means, options: Overrides, *, policy: str | None, gated: bool) -> Report:
    """Score predictions, and gate them unless ``gated`` is false (``check``, ``score``)."""
    from gate.inputs.cases import read_cases
    from gate.inputs.lines import MAX_LINE_BYTES
    from gate.inputs.predictions import PredictionReader
    from gate.pipeline.conclude import conclude
    from gate.pipeline.prepare import prepare

    rules = gather_rules(means.files, options, policy)
    suite = rules.suite
    if suite.predictions is None:
        raise UsageInvalid("no predictions are named: pass --predictions FILE")
    baseline = gather_baseline(means.files, suite) if gated or suite.cases is None else None
    cases = None
    if suite.cases is not None:
        data = means.files.read(suite.cases, limit=MAX_CASES)
        cases = read_cases(data, source=suite.cases)
    effective = effective_policy(
        rules.file, options, baseline_scorer=scorer_of(baseline), gated=gated
    )
    setup = prepare(
        effective,
        cases=cases,
        source=suite.cases or suite.baseline or "",
        baseline=baseline,
        gated=gated,
    )
    del cases
    lines = means.files.lines(suite.predictions, limit=MAX_LINE_BYTES)
    reader = PredictionReader(means.watch(lines), source=suite.predictions)
    return conclude(
        setup, reader, source=suite.predictions, policy=rules.source, redact=means.redact
    )


def redecide(
    means: Means,
    result: str,
    options: Overrides,
    *,
    policy: str | None,
    embedded: bool,
) -> Report:
    """Gate a stored result without scoring: by its own policy (``embedded``) or by this one."""
    from gate.pipeline.replay import regate
    from gate.report.result_json import read_result

    report = read_result(means.files.read(result, limit=MAX_RESULT), source=result)
    if embedded and policy is None:
        baseline = gather_baseline(means.files, suite_options(None, options))
        return regate(report, embedded_policy(report), baseline=baseline, rules=None)
    rules = gather_rules(means.files, options, policy)
    baseline = gather_baseline(means.files, rules.suite)
    effective = effective_policy(rules.file, options, gated=True)
    return regate(report, effective, baseline=baseline, rules=rules.source)


def gather_rules(files: Files, options: Overrides, policy: str | None) -> Rules:
    """Read the policy that is named, else ``./gate.toml`` if it is there, else none."""
    source = policy or (POLICY if files.exists(POLICY) else None)
    if source is None:
        return Rules(None, None, suite_options(None, options))
    try:
        data = files.read(source, limit=MAX_POLICY)
    except FileAbsent:
        raise PolicyInvalid(f"{source}: no such policy file") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PolicyInvalid(f"{source}: not UTF-8 at byte {error.start}") from None
    file = read_policy(text, source=source)
    return Rules(file, source, suite_options(file, options))


def gather_baseline(files: Files, suite: SuiteOptions) -> Baseline | None:
    """Read the baseline that is named; only an allowed absence is ``None``."""
    if suite.baseline is None:
        return None
    if not files.exists(suite.baseline):
        if suite.allow_missing_baseline:
            return None
        raise BaselineAbsent(f"{suite.baseline}: no such baseline")
    return baseline_at(files, suite.baseline)


def baseline_at(files: Files, path: str) -> Baseline:
    """Read one baseline file. Raises ``FileAbsent``, ``BaselineInvalid``."""
    return read_baseline(files.read(path, limit=MAX_BASELINE), source=path)


def promoted(means: Means, result: str, *, target: str, reason: str | None) -> Baseline:
    """Make the baseline of a stored result, which must agree with itself.

    Its verdict is not trusted either: the gates of its policy are asked again. What stands at
    ``target`` becomes history. Raises ``PromotionRefused``, ``ResultInvalid``.
    """
    from gate.baseline.promote import promote
    from gate.pipeline.replay import regate
    from gate.report.result_json import read_result
    from gate.suite.stored import require_consistent

    report = read_result(means.files.read(result, limit=MAX_RESULT), source=result)
    suite = require_consistent(report)
    if report.verdict is not None:
        regate(report, embedded_policy(report), baseline=None, rules=None)
    previous = baseline_at(means.files, target) if means.files.exists(target) else None
    return promote(report, suite, previous=previous, reason=reason)


def scorer_of(baseline: Baseline | None) -> dict[str, object] | None:
    """Give the scorer that a baseline was made with, as options."""
    if baseline is None:
        return None
    return {**loads(baseline.scorer.params), "name": baseline.scorer.name}


def embedded_policy(report: Report) -> Policy:
    """Read the policy that a stored result was decided by. Raises ``ResultInvalid``."""
    from pydantic import ValidationError

    from gate.records.policy import Policy
    from gate.records.problems import explain

    try:
        found = Policy.model_validate(loads(report.policy))
    except ValidationError as error:
        said = "; ".join(text for _, text in explain(error))
        raise ResultInvalid(f"the result's policy: {said}") from None
    if report.verdict is None or not found.gates:
        raise ResultInvalid(
            "this result was scored and never gated, so it holds no policy to replay",
            hint="use `compare` with --baseline, or pass --policy",
        )
    lacking = [name for name in DEFAULT_GATES if name not in {gate.gate for gate in found.gates}]
    if lacking:
        raise ResultInvalid(
            f"the result's policy lacks the gate {lacking[0]!r}, which every policy in force holds"
        )
    return found
