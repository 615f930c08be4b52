"""The judge in a report: which one it was, what happened, and how it voted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gate.records import figures
from gate.records.figures import count, level
from gate.records.json_text import canonical, loads
from gate.report.corrected import corrected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.judge_run import Judgement, JudgeRun
    from gate.records.report import Report
    from gate.records.result import CaseResult, SuiteResult

_DIGEST: Final = len("sha256:") + 12


def pins(report: Report) -> tuple[tuple[str, str], ...]:
    """Give what the protocol pins, so that a run can be repeated; empty where nobody judged."""
    run, config = report.judge_run, report.judge_config
    if run is None or config is None:
        return ()
    judge: dict[str, Any] = loads(config)
    suite = report.suite
    found = (
        ("golden set", _golden_set(report)),
        ("snapshot dates", _snapshots(run)),
        ("judge", f"{judge['provider']}, model {judge['model']}"),
        ("version that answered", ", ".join(run.models)),
        ("sent besides the question", _sent(judge)),
        ("prompt", f"{judge['prompt']}, {str(judge['prompt_digest'])[:_DIGEST]}"),
        ("schema of the reply", str(judge["schema_digest"])[:_DIGEST]),
        ("shape was asked for by", ", ".join(run.rungs)),
        ("rating map", "" if judge["rating_map"] == {} else canonical(judge["rating_map"])),
        ("looks at each response", f"{judge['runs']}"),
        ("the judge was told", f"Today is {run.date}." if run.date else ""),
        ("tools it was shown", str(judge["tools"] or "")[:_DIGEST]),
        ("command", str(judge["command"] or "")[:_DIGEST]),
        ("versions", _versions(judge)),
        ("interval", _intervals(suite)),
    )
    return tuple((name, value) for name, value in found if value)


def happened(report: Report) -> tuple[tuple[str, str], ...]:
    """Give what happened when the judge was asked; empty where nobody was."""
    run = report.judge_run
    return () if run is None else (*_happened(run), *corrected(report))


def _happened(run: JudgeRun) -> Iterator[tuple[str, str]]:
    counts = run.counts
    yield "responses", f"{counts.responses:,}"
    without = (
        ("equal to the reference", counts.exact),
        ("empty", counts.empty),
        ("to an empty golden list", counts.no_elements),
        ("errors of the agent", counts.errors),
        ("scored by the case's own scorer", counts.own),
    )
    said = ", ".join(f"{number:,} {name}" for name, number in without if number)
    yield "without a call", said or "none"
    unasked = sum(one.count for one in run.unscored if one.why == "unasked")
    left = f"; {count(unasked, 'response')} not asked about" if unasked else ""
    yield "calls", f"{counts.calls:,}, and {counts.canaries:,} known-bad answers{left}"
    yield "judged", f"{counts.judged:,}"
    if counts.unscored:
        whys = ", ".join(f"{one.count:,} {one.why}" for one in run.unscored)
        yield "no verdict", f"{counts.unscored:,} ({whys})"
    for one in run.unscored:
        if one.message and one.why != "unasked":
            yield f"first {one.why}", one.message
    if run.bounds is not None:
        yield "pass rate with those at 0 and at 1", _between(run.bounds.pass_rate)
        yield "mean score with those at 0 and at 1", _between(run.bounds.mean_score)
    if run.canaries:
        held = sum(one.score == 0 for one in run.canaries)
        yield "known-bad answers that scored 0", f"{held:,} of {len(run.canaries):,}"
    if run.flip_rate is not None and run.within_sd is not None:
        share = f"in {figures.percent(run.flip_rate)} of responses"
        scatter = f"standard deviation within one {figures.score(run.within_sd)}"
        yield "looks that differ", f"{share}; {scatter}"
    yield "tokens", _tokens(run)
    yield "cost", _cost(run)
    if run.stopped:
        yield "stopped", run.stopped


def votes(report: Report, *, most: int) -> tuple[tuple[tuple[str, str], ...], int]:
    """Give the votes of the first ``most`` cases that were looked at several times, and the rest.

    Each is a case's id and its votes with their mean, by repeat where there are several.
    """
    if report.judge_run is None:
        return (), 0
    found = [
        (_named(row, number), spelled(judgement))
        for row in report.cases
        for number, judgement in _judgements(row)
        if len(judgement.votes) > 1
    ]
    return tuple(found[:most]), max(0, len(found) - most)


def spelled(judgement: Judgement) -> str:
    """Spell votes and their mean.

    >>> from gate.records.judge_run import Judgement
    >>> spelled(Judgement(status="ok", votes=(1.0, 0.5, 1.0)))
    '1, 0.5, 1: mean 0.833'
    >>> spelled(Judgement(status="timeout", votes=(1.0, None)))
    '1, none: no mean (timeout)'
    """
    said = ", ".join("none" if vote is None else f"{vote:g}" for vote in judgement.votes)
    known = [vote for vote in judgement.votes if vote is not None]
    if len(known) < len(judgement.votes):
        return f"{said}: no mean ({judgement.status})"
    return f"{said}: mean {figures.score(sum(known) / len(known))}"


def _named(row: CaseResult, number: int | None) -> str:
    return row.id if number is None else f"{row.id}, run {number}"


def _judgements(row: CaseResult) -> Iterator[tuple[int | None, Judgement]]:
    if row.judgement is not None:
        yield None, row.judgement
    for run in row.repeats:
        if run.judgement is not None:
            yield run.repeat, run.judgement


def _intervals(suite: SuiteResult) -> str:
    boot, wilson = suite.protocol_interval, suite.interval
    said = f"{level(boot.level)} percentile bootstrap of the mean score"
    return f"{said}, {boot.n_boot or 0:,} resamples; {level(wilson.level)} Wilson beside it"


def _golden_set(report: Report) -> str:
    named = loads(report.policy)["suite"].get("dataset")
    digest = report.digests.cases[:_DIGEST]
    return f"{named}, {digest}" if named else digest


def _snapshots(run: JudgeRun) -> str:
    found = run.snapshots
    if found is None:
        return ""
    span = found.first if found.first == found.last else f"{found.first} to {found.last}"
    return f"{span} ({count(found.n_cases, 'case')})"


def _sent(judge: dict[str, Any]) -> str:
    return canonical(judge["params"]) if judge["params"] else "nothing: the model's defaults"


def _versions(judge: dict[str, Any]) -> str:
    condenser = judge["condenser"]
    parts = [f"reply reader {judge['parser']}"]
    if condenser is not None:
        parts.insert(0, f"condenser {condenser}")
    return ", ".join(parts)


def _between(ends: tuple[float, float]) -> str:
    return f"{figures.score(ends[0])} and {figures.score(ends[1])}"


def _tokens(run: JudgeRun) -> str:
    usage = run.spent.usage
    parts = (
        ("in", usage.input_tokens),
        ("out", usage.output_tokens),
        ("thinking", usage.thinking_tokens),
    )
    said = ", ".join(f"{number:,} {name}" for name, number in parts if number is not None)
    return said or "not told"


def _cost(run: JudgeRun) -> str:
    spent = run.spent
    if spent.cost_usd is None:
        return "not known: " + ("no price is known" if spent.price is None else "no token count")
    return f"${spent.cost_usd:.4f} (at {spent.price})"
