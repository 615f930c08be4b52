"""What a judge left open, in words: why, what follows for the reader, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.figures import count
from gate.records.judge_words import CONTENT
from gate.records.values import is_open

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.judge_run import JudgeRun
    from gate.records.report import Report
    from gate.records.result import CaseResult

_SHOWN: Final = 200
_ALLOW_MORE: Final = (
    "allow more (--max-cost) or ask less, and run again: what the judge answered is in the ledger "
    "and is not paid twice."
)
_OTHER_JUDGE: Final = (
    "do not rely on this judge: take another model or sharper instructions (--judge-prompt), and "
    "see what `calibrate --audit` says of it."
)
_READ_REPLIES: Final = (
    "read in the ledger what the judge replied, then allow longer replies (max_tokens), mend the "
    "prompt or take another model: what holds no verdict is asked for again, and paid again."
)
_ASK_AGAIN: Final = (
    "run again when the judge can be reached: what it answered is in the ledger and is not asked "
    "twice."
)
_CALIBRATE: Final = (
    "hold this judge against labels of people: agent-eval-gate calibrate --labels FILE."
)


def open_cases(report: Report) -> tuple[CaseResult, ...]:
    """Give the cases of which a judge left a run without a verdict."""
    if report.judge_run is None:  # as in every run that no judge judged: nothing to look for
        return ()
    return tuple(filter(is_open, report.cases))


def left_open(run: JudgeRun) -> str:
    """Say how many responses have no verdict, of how many, and why: the first reason in words."""
    counts = run.counts
    asked = counts.judged + counts.unscored
    return (
        f"the judge gave no verdict on {counts.unscored:,} of {count(asked, 'response')}"
        f"{_because(run)}"
    )


def _because(run: JudgeRun) -> str:
    told = [one for one in run.unscored if one.why != "unasked"]
    if told:
        message = (told[0].message or "").strip()[:_SHOWN]
        return f" ({told[0].why}: {message})" if message else f" ({told[0].why})"
    return f" ({run.stopped[:_SHOWN]})" if run.stopped else ""


def warnings(report: Report) -> Iterator[str]:
    """Say loudly that figures are bounds, and that a judge fell for a known-bad answer."""
    run = report.judge_run
    if run is None:
        return
    if run.counts.unscored:
        said = left_open(run)
        yield (
            f"{said[:1].upper()}{said[1:]}. They count as neither right nor wrong: figures are "
            "given with them at 0 and at 1, and what would need one number is not shown."
        )
    fallen = [one for one in run.canaries if one.score is not None and one.score > 0]
    if fallen:
        kinds = ", ".join(one.kind for one in fallen)
        shown = count(len(run.canaries), "known-bad answer")
        yield (
            f"The judge gave marks to {len(fallen)} of {shown} ({kinds}): its scores prove "
            "nothing."
        )
    if run.counts.calls and not run.canaries:
        yield (
            "The judge was shown no known-bad answer. For a rubric of your own set `canary` under "
            "[judge]: an answer that must score 0."
        )


def next_step(report: Report) -> str | None:
    """Say what to do where a judge is why nothing was decided; ``None`` where it is not."""
    run = report.judge_run
    undecided = {gate.gate for gate in report.gates if gate.outcome == "undecided"}
    if run is None or report.verdict != "undecided" or "comparable" in undecided:
        return None
    unsaid = bool(run.unscored) and all(one.why in CONTENT for one in run.unscored)
    steps = (
        (run.budget, _ALLOW_MORE),
        (any(one.score for one in run.canaries), _OTHER_JUDGE),
        (unsaid, _READ_REPLIES),
        (run.counts.unscored > 0, _ASK_AGAIN),
        (undecided == {"judge_trust"}, _CALIBRATE),
    )
    return next((step for holds, step in steps if holds), None)
