"""Read a stored result: decide it again, or accept it as the baseline."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from gate.errors import BaselineAbsent, ResultInvalid
from gate.policy.effective import effective_policy, lacking, suite_options
from gate.records.json_text import loads
from gate.shell.gather import Names, baseline_at, gather_baseline, gather_rules, result_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.baseline import Baseline
    from gate.records.policy import Overrides, Policy
    from gate.records.report import Report
    from gate.shell.gather import Means


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
        means.reads(() if options.baseline is None else (options.baseline,))
        baseline = gather_baseline(means.files, suite_options(None, options), names)
        with _about(result):
            return regate(report, embedded_policy(report), baseline=baseline, rules=None)
    rules = gather_rules(means.files, options, policy)
    means.reads(rules.files)
    baseline = gather_baseline(means.files, rules.suite, names)
    with _about(result):
        _refuse_edited(report)
    with rules.placing(), _about(result):
        effective = effective_policy(rules.file, options, gated=True)
        told = None if rules.source is None else means.redact(rules.source)
        return regate(report, effective, baseline=baseline, rules=told)


def promoted(means: Means, result: str, *, target: str, reason: str | None) -> Baseline:
    """Make the baseline of a stored result, which must agree with itself.

    Its verdict is not trusted either: the gates of its policy are asked again. What stands at
    ``target`` becomes history. Raises ``PromotionRefused``, ``ResultInvalid``.
    """
    from gate.baseline.promote import promote
    from gate.suite.stored import require_consistent

    report = result_at(means.files, result)
    with _about(result):
        suite = require_consistent(report)
        _refuse_edited(report)
    previous = baseline_at(means.files, target) if means.files.exists(target) else None
    return promote(report, suite, previous=previous, reason=reason)


def _refuse_edited(report: Report) -> None:
    """Refuse a gated result that its own policy and rows do not give, whatever decides next."""
    from gate.pipeline.replay import regate

    if report.verdict is not None:
        regate(report, embedded_policy(report), baseline=None, rules=None)


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
