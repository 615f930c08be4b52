"""Read a stored result: decide it again, or accept it as the baseline."""

from __future__ import annotations

from contextlib import contextmanager
from posixpath import normpath
from typing import TYPE_CHECKING, Final

from gate.errors import SHOWN, BaselineAbsent, PolicyInvalid, ResultInvalid, UsageInvalid
from gate.policy.effective import effective_policy, lacking, suite_options
from gate.records.json_text import loads
from gate.report.sanitize import visible
from gate.shell.base import AgainstBase
from gate.shell.gather import (
    POLICY,
    Names,
    baseline_at,
    gather_baseline,
    gather_rules,
    gather_trust,
    result_at,
    scorer_of,
    tightens,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.baseline import Baseline
    from gate.records.judge_options import JudgeOptions
    from gate.records.policy import Overrides, Policy
    from gate.records.report import Report
    from gate.shell.base import Base
    from gate.shell.gather import Means

_AS_GIVEN: Final = (
    "`compare RESULT` with the --policy and the options that `check` was given holds it to the "
    "base commit's rules"
)


def redecide(
    means: Means,
    result: str,
    options: Overrides,
    *,
    policy: str | None,
    embedded: bool,
    ledger: str | None = None,
) -> Report:
    """Gate a stored result without scoring: by its own policy (``embedded``) or by this one.

    On a pull request its own never decides alone: the rules of the base commit hold as well.
    With a ``ledger`` every vote of a judge is read from its answer again, and must be the same.
    """
    report = result_at(means.files, result)
    if ledger is not None:
        with _about(result):
            _recount(means, report, ledger)
    if not embedded or policy is not None:
        return _by_rules(means, report, options, policy=policy, result=result)
    if means.base is not None:
        return _on_a_pull_request(means, means.base, report, options, result)
    means.reads(() if options.baseline is None else (options.baseline,))
    return _replayed(means, report, options, result)


def _replayed(means: Means, report: Report, options: Overrides, result: str) -> Report:
    """Decide a result by its own policy, beside the baseline that an option names."""
    baseline = gather_baseline(means.accepted, suite_options(None, options), Names(options))
    with _about(result):
        return _by_itself(report, baseline)


def _on_a_pull_request(
    means: Means, base: Base, report: Report, options: Overrides, result: str
) -> Report:
    """Replay a result that holds by the rules of the base commit as well, else decide by those.

    What a result says of the rules may be anybody's. Raises ``UsageInvalid`` where it names
    others, ``PolicyInvalid`` where it was measured otherwise.
    """
    source = _refuse_other_rules(means, report, base, result)
    with _about(result):
        _refuse_edited(report)
    try:
        held = _by_rules(means, report, options, policy=source, result=result)
    except PolicyInvalid as error:
        raise PolicyInvalid(str(error), hint=_AS_GIVEN) from None
    itself = _replayed(means, report, options, result)
    worse = held.verdict != "pass" if itself.verdict == "pass" else held.exit_status > 0
    return held if worse and not itself.exit_status else itself


def _by_rules(
    means: Means, report: Report, options: Overrides, *, policy: str | None, result: str
) -> Report:
    """Decide a result by a policy file and options, on a pull request those of its base."""
    from gate.pipeline.golden_set import require_cases
    from gate.pipeline.replay import Anew, regate

    rules = gather_rules(means.rules, options, policy)
    means.reads(rules.files)
    held = AgainstBase(means.origin)
    if means.base is not None:
        from gate.shell.against_base import against_base

        held = against_base(means, means.base, rules, options)
        options, rules = held.limit(options, rules)
    baseline = gather_baseline(means.accepted, rules.suite, Names(options))
    with _about(result):
        _refuse_edited(report)
    bound = held.origin.bound
    with held.at_the_base(), rules.placing(), _about(result):
        effective = effective_policy(
            rules.file,
            options,
            baseline_scorer=scorer_of(baseline) if bound else None,
            judged=None if bound else report.judge_config is not None,
            gated=True,
            bound=bound,
        )
    if bound:
        _require_measure(means, report, effective, baseline, result)
    if held.cases is not None:
        require_cases(report, held.cases, source=visible(result))
    named = options.judge_trust or (None if rules.judge is None else rules.judge.trust)
    trust = gather_trust(means.rules, named)
    if rules.judge is not None and not bound:
        _refuse_other_texts(means, rules.judge, report)
    with held.at_the_base(), rules.placing(), _about(result):
        told = None if rules.source is None else means.redact(rules.source)
        day = means.day() if effective.waivers else None
        anew = Anew(told, trust, day, held.origin, tightens(options))
        return regate(report, effective, baseline=baseline, anew=anew)


def _require_measure(
    means: Means, report: Report, policy: Policy, baseline: Baseline | None, result: str
) -> None:
    """Refuse a result that the rules in force would have measured otherwise."""
    from gate.pipeline.measure_in_force import require_measure
    from gate.shell.judging import judge_in_force

    judge = judge_in_force(means, policy)
    require_measure(report, policy, baseline, judge=judge, source=visible(result))


def _refuse_other_rules(means: Means, report: Report, base: Base, result: str) -> str:
    """Refuse to decide a pull request by what a result holds of other rules than its base's.

    Gives the policy file of the base. Raises ``UsageInvalid``, also where that is not the usual.
    """
    shown, found = visible(result), report.rules_from
    if found is None or found.source != "base" or found.commit != base.commit:
        raise UsageInvalid(
            f"{shown}: was not decided by the rules of this pull request's base commit "
            f"({base.commit[:12]})",
            hint="`compare`, or --policy, holds a stored result to them; `check` scores anew",
        )
    if found.file is None or normpath(found.file) != POLICY or not means.rules.exists(POLICY):
        said = "options alone" if found.file is None else visible(found.file)
        raise UsageInvalid(f"{shown}: was decided by {said}, not by {POLICY}", hint=_AS_GIVEN)
    return POLICY


def _refuse_other_texts(means: Means, judge: JudgeOptions, report: Report) -> None:
    """Refuse a result whose judge was another program, or was asked by other texts.

    Raises ``PolicyInvalid``.
    """
    from gate.judges.prompts import prompt_of
    from gate.records.json_text import digest
    from gate.shell.judging import text_at

    if report.judge_config is None:
        return
    was, differ = loads(report.judge_config), []
    prompt = text_at(means.rules, judge.prompt, "[judge] prompt")
    tools = text_at(means.rules, judge.tools, "[judge] tools")
    asking, command = means.asking, judge.command
    if asking and command and asking.command_digest(command) != was["command"]:
        differ.append("command")
    if prompt is not None and prompt_of(was["prompt"], text=prompt).digest != was["prompt_digest"]:
        differ.append("prompt")
    if tools is not None and was["condenser"] is not None and digest(tools) != was["tools"]:
        differ.append("tools")
    if differ:
        raise PolicyInvalid(
            f"the policy's [judge] is not who judged this result ({', '.join(differ)}): run check"
        )


def _recount(means: Means, report: Report, path: str) -> None:
    """Read every vote of a stored result again from a ledger. Raises ``ResultInvalid``."""
    from gate.judges.ledger import MAX_LINE, read_ledger
    from gate.judges.prompts import reply_of
    from gate.judges.recount import recount
    from gate.pipeline.unscored import judgements

    if report.judge_config is None:
        raise UsageInvalid("--ledger: no judge was asked for this result")
    held = read_ledger(means.files.lines(path, limit=MAX_LINE))
    reply = reply_of(loads(report.judge_config)["prompt"])
    problems = list(recount(judgements(report), held.answers, reply=reply))
    if problems:
        raise ResultInvalid("\n".join(problems[:SHOWN]))


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


def require_genuine(report: Report, *, source: str) -> None:
    """Refuse a gated result whose figures its rows, or whose verdict its policy, do not give.

    What is left is a result that holds together, which a stranger can write, too. Raises
    ``ResultInvalid``, also for one that was never gated.
    """
    from gate.suite.stored import require_consistent

    with _about(source):
        require_consistent(report)
        embedded_policy(report)
        _refuse_edited(report)


def _refuse_edited(report: Report) -> None:
    """Refuse a gated result that its own policy and rows do not give, whatever decides next."""
    if report.verdict is not None:
        _by_itself(report, None)


def _by_itself(report: Report, baseline: Baseline | None) -> Report:
    """Decide a result by its own policy, as of the day that it was decided."""
    from gate.pipeline.replay import regate

    policy = embedded_policy(report)
    return regate(report, policy, baseline=baseline)


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
    bound = report.rules_from is not None and report.rules_from.source == "base"
    absent = lacking(found.gates, judged=report.judge_config is not None, bound=bound)
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
