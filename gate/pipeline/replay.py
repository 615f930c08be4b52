"""A stored result is decided again, from its rows, without scoring anything."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from gate.baseline.comparable import Measured, accepted_case, align, recall
from gate.baseline.store import baseline_digest
from gate.errors import BaselineAbsent, PolicyInvalid, ResultInvalid
from gate.gates.evidence import Circumstances, Setting, brought_cases
from gate.gates.table import check_gates
from gate.gates.waivers import Known, check_waivers
from gate.pipeline.judge import judged, shown_policy
from gate.pipeline.measure_in_force import is_its
from gate.pipeline.unscored import miscounted, with_rows
from gate.records.figures import rounded
from gate.records.json_text import digest, loads
from gate.records.report import Digests, Report
from gate.records.result import Effort
from gate.records.rule_change import Origin
from gate.report.notes import conditions
from gate.scorers.table import is_graded
from gate.suite.digests import suite_digest
from gate.suite.stored import measurement_of, require_consistent
from gate.suite.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gate.records.alignment import Alignment
    from gate.records.base import Metric
    from gate.records.baseline import Baseline, BaselineRow
    from gate.records.policy import Policy
    from gate.records.result import CaseResult, SuiteResult
    from gate.records.trust import TrustRecord


class Anew(NamedTuple):
    """What decides a stored result in place of what it holds itself.

    ``rules`` names the policy file, ``trust`` is a record of the judge's, ``day`` the day on which
    the waivers of the policy are judged, and ``origin`` says whose rules these are; ``tightened``
    whether options say more than those, ``None`` where nobody knows.
    """

    rules: str | None
    trust: TrustRecord | None
    day: str | None
    origin: Origin
    tightened: bool | None = None


@contextmanager
def unfit_refused(source: str | None = None) -> Iterator[None]:
    """Refuse a stored result of which no verdict can be made, however it comes to that.

    Each of its fields has the form that a file may have; what a stranger wrote into them may
    still be more than a verdict holds, and that is no defect of ours. ``source`` names it. Raises
    ``ResultInvalid``.
    """
    from pydantic import ValidationError

    from gate.records.problems import explain

    try:
        yield
    except ValidationError as error:
        said = "; ".join(finding.text for finding in explain(error))
        refused = ResultInvalid(f"what it holds makes no verdict: {said}")
        raise (refused if source is None else refused.prefixed(source)) from None


@unfit_refused()
def regate(
    report: Report, policy: Policy, *, baseline: Baseline | None, anew: Anew | None = None
) -> Report:
    """Decide a stored result again by ``policy``, without scoring anything.

    With a ``baseline`` the rows are compared with it; without one they are compared with what
    the result itself holds of the baseline it was decided with, unless ``anew`` has the rules of
    a pull request's base: then there is none. Its aggregates are computed anew from its rows.
    Without ``anew`` all else is what the result holds, the day of its waivers among it, so that
    the same comes of it later. Raises ``ResultInvalid`` where they disagree or make no verdict,
    ``PolicyInvalid`` where the policy wants another scorer, threshold or trajectory mode: that
    needs ``check``.
    """
    itself = Origin(report.rules_from, report.rule_changes)
    by = anew or Anew(None, report.judge_trust, report.waived_on, itself)
    rows, stored = report.cases, report.suite
    suite = require_consistent(report)
    bound = anew is not None and by.origin.bound
    metric = _headline(report, policy, baseline, bound=bound)
    if metric != suite.metric:
        suite = summarise(rows, measurement_of(stored)._replace(metric=metric))
    _refuse_other_judging(report, suite)
    _refuse_rescoring(policy, report)
    if baseline is not None:
        before = {row.id: row for row in baseline.rows}
        _refuse_other_labels(rows, before)
        brought = brought_cases(by.origin)
        compared = {name: row for name, row in before.items() if name not in brought}
        rows = tuple(
            replace(row, accepted=accepted_case(row.digest, compared.get(row.id))) for row in rows
        )
        measured = Measured(
            report.scorer,
            report.judge_config,
            metric,
            stored.pass_threshold,
            stored.trajectory_mode,
        )
        alignment: Alignment | None = align(rows, baseline, measured, brought=brought)
    elif bound:
        rows, alignment = tuple(replace(row, accepted=None) for row in rows), None
    else:
        alignment = recall(report)
    if alignment is None and not policy.suite.allow_missing_baseline:
        raise BaselineAbsent("this result was not compared with a baseline, and none is given")
    labels = frozenset(label for row in rows for label in row.labels)
    alone = frozenset(label for row in rows if _judged_alone(row) for label in row.labels)
    setting = Setting(alignment is not None, labels, stored.trajectory_mode, alone)
    check_gates(policy.gates, setting)
    if policy.waivers:
        if by.day is None:
            raise ResultInvalid("`waived_on` is absent, and the policy has waivers, which end")
        known = {row.id: Known(row.labels, row.declares_path) for row in rows}
        check_waivers(policy, known, by.day)
    effort = report.effort
    if effort is not None and brought_cases(by.origin) != brought_cases(itself):
        effort = Effort(**{**dict(effort), "of_base": None})  # told apart by other cases
    # Its own policy is the one that it holds, spelt with or without what is usual.
    shown = report.policy if anew is None else shown_policy(policy)
    own = baseline is None and shown == report.policy and by.origin == itself
    kept = {
        **dict(report),
        "suite": suite,
        "cases": rows,
        "policy": shown,
        "judge_trust": by.trust,
        "effort": effort,
        "rules_from": by.origin.rules_from,
        "rule_changes": by.origin.changes,
        "digests": Digests(
            cases=suite_digest(rows),
            predictions=report.digests.predictions,
            policy=digest(shown),
            baseline=baseline_digest(baseline)
            if baseline
            else report.digests.baseline
            if alignment
            else None,
        ),
        "conditions": report.conditions
        if own
        else conditions(
            suite,
            alignment,
            policy=by.rules,
            scorer=report.scorer,
            origin=by.origin.rules_from,
            tightened=by.tightened,
        ),
    }
    others = Circumstances(
        report.judge_config,
        report.judge_run,
        by.trust,
        effort,
        by.day if policy.waivers else None,
        by.origin,
        report.gaps,
    )
    verdict = judged(rows, suite, policy, alignment, pinned=report.pinned, others=others)
    again = Report(**{**kept, **verdict})
    if own:
        _refuse_contradiction(report, again)
    return again


def _refuse_another_judge(policy: Policy, report: Report) -> None:
    """Refuse a result of another judge than the policy names, or asked in another way."""
    wanted, config = policy.judge, report.judge_config
    if wanted is None or config is None:
        return
    was = loads(config)
    sent = was["params"]
    asked = {
        "provider": wanted.provider,
        "model": wanted.model,
        "runs": wanted.runs,
        "temperature": None if wanted.temperature is None else float(wanted.temperature),
        "seed": wanted.seed,
        "max_tokens": wanted.max_tokens,
    }
    differ = [
        key
        for key, value in asked.items()
        if value is not None and value != (was[key] if key in was else sent.get(key))
    ]
    run = report.judge_run
    shown = wanted.canary is not None or was["prompt"] != "rubric"
    if wanted.canaries and shown and run is not None and not run.known_bad_wanted:
        differ.append("canaries")
    if differ:
        raise PolicyInvalid(
            f"the policy's [judge] is not who judged this result ({', '.join(differ)}): run check"
        )


def _refuse_other_judging(report: Report, suite: SuiteResult) -> None:
    """Refuse a result whose rows say otherwise of the judge than its record of the run does."""
    run, rows = report.judge_run, report.cases
    asked = any(map(_judged_alone, rows))
    if (run is None) != (report.judge_config is None) or (asked and run is None):
        raise ResultInvalid("`judge_config` and `judge_run` stand together, where a judge judged")
    if run is None:
        return
    wrong = miscounted(run, rows)
    if wrong:
        raise ResultInvalid(f"judge_run: {', '.join(wrong)} disagree(s) with the rows")
    if run != with_rows(run, rows, suite):
        raise ResultInvalid("judge_run disagrees with the votes in the rows")


def _judged_alone(row: CaseResult) -> bool:
    return any(run.judgement is not None for run in (row.repeats or (row,)))


def _refuse_other_labels(rows: Iterable[CaseResult], before: dict[str, BaselineRow]) -> None:
    """Refuse rows whose labels or cluster are not those that their digest was made of."""
    for row in rows:
        was = before.get(row.id)
        if was is None or was.digest.whole != row.digest.whole:
            continue
        for name in ("labels", "cluster"):
            if getattr(was, name) != getattr(row, name):
                raise ResultInvalid(
                    f"case {row.id!r} has other {name} than the baseline's, and the same digest"
                )


def _headline(report: Report, policy: Policy, baseline: Baseline | None, *, bound: bool) -> Metric:
    """Choose the headline as a run that scores would.

    What the result says itself stands only where no rules of a base commit decide (``bound``).
    """
    if policy.suite.pass_threshold is not None:
        return "pass_rate"
    if baseline is not None and baseline.scorer == report.scorer:
        return baseline.metric
    if bound and policy.scorer is not None:
        return "mean_score" if is_graded(policy.scorer) else "pass_rate"
    return report.suite.metric


def _refuse_contradiction(stored: Report, again: Report) -> None:
    """Refuse a result that the same rows and rules do not give: somebody edited it."""
    problems = [
        f"{name} is not what the rows and the policy give"
        for name in (
            *("digests", "verdict", "exit_status", "advisory", "gates", "comparison"),
            *("waivers", "waived_on"),
        )
        if _figures(stored, name) != _figures(again, name)
    ]
    if problems:
        raise ResultInvalid("\n".join(problems))


def _figures(report: Report, name: str) -> object:
    return rounded(report.model_dump(mode="json", include={name})[name])


def _refuse_rescoring(policy: Policy, report: Report) -> None:
    suite, wanted = report.suite, policy.suite
    if policy.scorer is not None and not is_its(policy.scorer, report.scorer):
        raise PolicyInvalid("the policy's scorer is not the one that made this result: run check")
    if wanted.pass_threshold not in {None, suite.pass_threshold}:
        raise PolicyInvalid(f"this result was counted at {suite.pass_threshold}: run check")
    if wanted.trajectory not in {None, suite.trajectory_mode}:
        raise PolicyInvalid(f"this result's paths were graded {suite.trajectory_mode}: run check")
    _refuse_another_judge(policy, report)
    if wanted.repeats not in {None, suite.repeats}:
        raise PolicyInvalid(f"this result has {suite.repeats} run(s) a case: run check")
