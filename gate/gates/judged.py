"""Gate ``judged``: the judge was asked, was not talked into anything, and nothing stopped it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.records.figures import count
from gate.records.json_text import canonical
from gate.records.verdict import GateVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.gates.evidence import Evidence, Setting
    from gate.records.gating import JudgedOptions
    from gate.records.judge_run import JudgeRun
    from gate.records.verdict import Outcome


def objection(options: JudgedOptions, setting: Setting) -> str | None:
    """Nothing can be wrong that reading the options has not refused."""
    del options, setting
    return None


def judge(options: JudgedOptions, evidence: Evidence) -> GateVerdict:
    """Be undecided where a known-bad answer earned anything, or money or patience ran out.

    What was left unscored alone does not decide here: the other gates are asked both ways.
    ``off`` where no judge was asked.
    """
    del options
    run = evidence.judge_run
    if run is None:
        return GateVerdict(gate="judged", outcome="off", because="no judge was asked")
    outcome, said = _said(run)
    numbers = {
        "n_responses": run.counts.responses,
        "n_judged": run.counts.judged,
        "n_unscored": run.counts.unscored,
        "n_canaries": len(run.canaries),
        "n_fallen": sum(one.score != 0 for one in run.canaries),
    }
    return GateVerdict(gate="judged", outcome=outcome, because=said, numbers=canonical(numbers))


def _said(run: JudgeRun) -> tuple[Outcome, str]:
    counts = run.counts
    scored = counts.responses - counts.unscored
    share = f"{scored:,} of {count(counts.responses, 'response')} have a score"
    known = counts.exact + counts.empty + counts.no_elements + counts.own + counts.errors
    share += f" ({counts.judged:,} by the judge, {known:,} without a call)"
    doubt = next(_doubts(run), None)
    if doubt is not None:
        return "undecided", f"{doubt}; {share}"
    if counts.unscored:
        share += f"; {run.stopped}" if run.stopped else ""
        share += ": the other gates are asked both ways about the rest"
    return "pass", share


def _doubts(run: JudgeRun) -> Iterator[str]:
    """Say why the judge's scores prove nothing, or not enough of them were paid for."""
    shown = count(len(run.canaries), "known-bad answer")
    fallen = [one.kind for one in run.canaries if one.score is not None and one.score > 0]
    silent = [one.status for one in run.canaries if one.score is None]
    if fallen:
        kinds = ", ".join(fallen)
        said = f"the judge gave marks to {len(fallen)} of {shown} ({kinds})"
        yield f"{said}: its scores prove nothing"
    if run.known_bad_wanted and run.counts.calls and not run.canaries:
        yield (
            "there is no case to which an answer is surely bad, so nothing shows that the judge "
            "tells: set `canary` under [judge], or canaries = false"
        )
    if run.budget:
        yield "the budget was spent before everything was asked"
    if silent:
        yield f"no verdict on {len(silent)} of {shown} ({silent[0]})"
