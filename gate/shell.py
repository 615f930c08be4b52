"""Gather text, let the pure core decide, apply what follows."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.baseline.store import MAX_BYTES as MAX_BASELINE
from gate.baseline.store import read_baseline
from gate.errors import (
    BaselineAbsent,
    FileAbsent,
    FileUnreadable,
    PolicyInvalid,
    ResultInvalid,
)
from gate.policy.effective import effective_policy, lacking, suite_options
from gate.policy.toml import read_policy
from gate.records.json_text import loads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gate.inputs.predictions import PredictionReader
    from gate.pipeline.prepare import Setup
    from gate.policy.toml import PolicyFile
    from gate.ports import Files
    from gate.records.baseline import Baseline
    from gate.records.policy import Overrides, Policy, SuiteOptions
    from gate.records.report import Report

POLICY: Final = "gate.toml"
"""The policy that is read where none is named, if it is there."""
MAX_POLICY: Final = 256 * 1024
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

    @contextmanager
    def placing(self) -> Iterator[None]:
        """Place what is found wrong with the rules in the file that says them."""
        try:
            yield
        except PolicyInvalid as error:
            if self.file is None:
                raise
            raise self.file.placed(error) from None


class Names(NamedTuple):
    """What the options say, to name in an error the one that named a file."""

    options: Overrides

    def of(self, key: str) -> str:
        """Name the option of a file, or the key of the policy if that named it."""
        return f"[suite] {key}" if getattr(self.options, key) is None else f"--{key}"

    @contextmanager
    def around(self, key: str) -> Iterator[None]:
        """Name it in what goes wrong with that file."""
        try:
            yield
        except (FileAbsent, FileUnreadable) as error:
            raise error.prefixed(self.of(key)) from None


@contextmanager
def _about(result: str) -> Iterator[None]:
    """Name the stored result in what it is refused for, and what helps where one is decided."""
    try:
        yield
    except ResultInvalid as error:
        raise error.prefixed(result) from None
    except BaselineAbsent as error:
        raise BaselineAbsent(
            f"{result}: {error}", hint="pass --baseline FILE, the accepted result to compare with"
        ) from None


def measure(means: Means, options: Overrides, *, policy: str | None, gated: bool) -> Report:
    """Score predictions, and gate them unless ``gated`` is false (``check``, ``score``)."""
    from gate.pipeline.conclude import conclude
    from gate.pipeline.prepare import require_named

    rules = gather_rules(means.files, options, policy)
    names = Names(options)
    scored_by = options.scorer or (rules.file and rules.file.scorer)
    source = require_named(rules.suite, scorer_named=bool(scored_by), gated=gated)
    setup = _setup(means.files, rules, names, gated=gated)
    reader = _reader(means, source, names)
    report = conclude(setup, reader, source=source, policy=rules.source, redact=means.redact)
    return report if setup.baseline or not gated else _without(report, rules.suite.baseline)


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


def _without(report: Report, path: str | None) -> Report:
    """Say in the report which baseline was named and is not there."""
    from gate.records.report import Report

    if path is None:
        return report
    said = f"baseline: nothing is at {path[:200]}, and the policy or an option allows that"
    return Report(**{**dict(report), "conditions": (*report.conditions, said)})


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

    report = result_at(means.files, result)
    names = Names(options)
    if embedded and policy is None:
        baseline = gather_baseline(means.files, suite_options(None, options), names)
        with _about(result):
            return regate(report, embedded_policy(report), baseline=baseline, rules=None)
    rules = gather_rules(means.files, options, policy)
    baseline = gather_baseline(means.files, rules.suite, names)
    with rules.placing(), _about(result):
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


def gather_baseline(files: Files, suite: SuiteOptions, names: Names) -> Baseline | None:
    """Read the baseline that is named; only an allowed absence is ``None``."""
    if suite.baseline is None:
        return None
    if not files.exists(suite.baseline):
        if suite.allow_missing_baseline:
            return None
        raise BaselineAbsent(f"{names.of('baseline')}: {suite.baseline}: no such baseline")
    with names.around("baseline"):
        return baseline_at(files, suite.baseline)


def baseline_at(files: Files, path: str) -> Baseline:
    """Read one baseline file. Raises ``FileAbsent``, ``BaselineInvalid``."""
    return read_baseline(files.read(path, limit=MAX_BASELINE), source=path)


def result_at(files: Files, path: str) -> Report:
    """Read one stored result. Raises ``FileAbsent``, ``ResultInvalid``."""
    from gate.report.result_json import read_result

    data = files.read(path, limit=MAX_RESULT)
    try:
        return read_result(data, source=path)
    except ResultInvalid:
        kind = _kind(data)
        if kind == "baseline":
            raise ResultInvalid(
                f"{path}: is a baseline, not a result",
                hint="`check` and `score` write a result.json into the folder --out names",
            ) from None
        raise


def _kind(data: bytes) -> str | None:
    """Give what a file of this product says it is."""
    try:
        found = loads(data.decode("utf-8-sig"))
    except ValueError:
        return None
    kind = found.get("kind") if isinstance(found, dict) else None
    return kind.removeprefix("agent-eval-gate/") if isinstance(kind, str) else None


def promoted(means: Means, result: str, *, target: str, reason: str | None) -> Baseline:
    """Make the baseline of a stored result, which must agree with itself.

    Its verdict is not trusted either: the gates of its policy are asked again. What stands at
    ``target`` becomes history. Raises ``PromotionRefused``, ``ResultInvalid``.
    """
    from gate.baseline.promote import promote
    from gate.pipeline.replay import regate
    from gate.suite.stored import require_consistent

    report = result_at(means.files, result)
    with _about(result):
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
            hint="use `agent-eval-gate compare RESULT --baseline FILE --max-drop X`",
        )
    absent = lacking(found.gates)
    if absent:
        raise ResultInvalid(
            f"the result's policy lacks the gate {absent[0]!r}, which every policy in force holds"
        )
    return found
