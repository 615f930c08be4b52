"""The verdict in one word and the one reason for it."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Final

from gate.records.figures import count, percent, score
from gate.records.json_text import loads
from gate.report import judge_outage
from gate.report.rule_page import rule_warnings
from gate.report.waivers import waiver_warnings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gate.records.report import Report
    from gate.records.result import CaseResult
    from gate.records.verdict import Comparison, GateVerdict

WORDS: Final = {"pass": "PASS", "fail": "FAIL", "undecided": "UNDECIDED", None: "SCORE ONLY"}
SYMBOLS: Final = {
    "pass": "\N{WHITE HEAVY CHECK MARK}",
    "fail": "\N{CROSS MARK}",
    "undecided": "\N{WARNING SIGN}\N{VARIATION SELECTOR-16}",
    "off": "\N{MEDIUM WHITE CIRCLE}",
    None: "\N{BAR CHART}",
}
_NAMED: Final = 4
_REASON: Final = 300
_WARNED: Final = 12
_QUOTED: Final = 80
_DUST: Final = 1e-9
_USUAL_LABEL: Final = "safety"
_ABSENT: Final = frozenset(("missing", "agent_error"))
METRICS: Final = {"pass_rate": "pass rate", "mean_score": "mean score"}


def headline(report: Report) -> str:
    """Give the reason for the verdict in one sentence, by the gate that says the most.

    A failed safety gate leads; where most cases have no answer at all, and no safety case
    failed by what it said, that leads, since all else follows from it. Undecided, it is the
    comparison with the baseline. Otherwise the first gate that decided. The text is untrusted
    as far as it quotes ids, labels and errors; every format escapes it.
    """
    if report.verdict is None:
        return f"no gate ran: {_measured(report)}"
    if report.verdict == "pass":
        return f"{_passed(report.gates)}: {_measured(report)}"
    deciding = [gate for gate in report.gates if gate.outcome == report.verdict]
    if not deciding:  # undecided, since every gate is off
        return f"no gate judged this run: {_measured(report)}"
    run = report.judge_run
    if report.verdict == "undecided" and run is not None and run.counts.unscored:
        names = [gate_name(gate) for gate in deciding]
        return f"{judge_outage.left_open(run)}; undecided: {', '.join(names[:_NAMED])}"
    first = _leading(report, deciding)
    others = [gate for gate in deciding if gate is not first]
    quoted = _first_error(report.cases) if first.gate == "completeness" else ""
    return f"{gate_name(first)}: {first.because}{quoted}{_also(report.verdict, others)}"


def gate_name(gate: GateVerdict) -> str:
    """Name a gate; a safety gate that looks at another label than the usual names it, too.

    >>> from gate.records.verdict import GateVerdict
    >>> numbers = '{"label":"pii"}'
    >>> gate_name(GateVerdict(gate="safety", outcome="pass", because="", numbers=numbers))
    'safety (pii)'
    """
    if gate.gate != "safety" or gate.numbers == "{}":
        return gate.gate
    label = loads(gate.numbers).get("label")
    return f"safety ({label})" if isinstance(label, str) and label != _USUAL_LABEL else "safety"


def _leading(report: Report, deciding: Sequence[GateVerdict]) -> GateVerdict:
    order: tuple[str, ...] = ("comparable",)
    if report.verdict == "fail":
        answered = not _unanswered(report) or _said_unsafely(report, deciding)
        order = ("safety",) if answered else ("completeness", "safety")
    for name in order:
        for gate in deciding:
            if gate.gate == name:
                return gate
    return deciding[0]


def _unanswered(report: Report) -> bool:
    """Say whether most cases have a run that is missing, or in which the agent failed."""
    return 2 * sum(case.standing in _ABSENT for case in report.cases) > len(report.cases)


def _said_unsafely(report: Report, deciding: Sequence[GateVerdict]) -> bool:
    failed = {name for gate in deciding if gate.gate == "safety" for name in gate.case_ids}
    return any(
        run.standing not in _ABSENT and not run.passed
        for case in report.cases
        if case.id in failed
        for run in case.repeats or (case,)
    )


def _first_error(cases: Sequence[CaseResult]) -> str:
    for case in cases:
        for evidence in case.evidence:
            if evidence.error:
                text = evidence.error
                shown = text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"
                return f"; first error: {shown!r}"
    return ""


def _also(verdict: str, others: list[GateVerdict]) -> str:
    if not others:
        return ""
    named = ", ".join(gate_name(gate) for gate in others[:_NAMED])
    more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
    return f" (also {'failed' if verdict == 'fail' else verdict}: {named}{more})"


def warnings(report: Report) -> tuple[str, ...]:
    """Say loudly what weakens a verdict: its rules, waivers, the report's own warnings, the rest.

    The rest: what a judge left open or fell for, advisory, no baseline, an unpinned suite, a
    baseline accepted for a reason.
    """
    found = [*rule_warnings(report), *waiver_warnings(report), *report.warnings[:_WARNED]]
    found += judge_outage.warnings(report)
    if report.advisory:
        found.append(
            f"Advisory run: the verdict is {WORDS[report.verdict]}, yet the exit status is "
            f"{report.exit_status} and nothing is blocked."
        )
    found.extend(
        f"Let through: {gate_name(gate)} saw a drop beyond what is allowed that may be chance, "
        'and the policy says on_inconclusive = "pass".'
        for gate in report.gates
        if gate.outcome == "pass" and loads(gate.numbers).get("inconclusive") is True
    )
    if report.verdict is not None and report.comparison is None:
        found.append("No baseline: nothing was compared, so no regression could be seen.")
    if not report.pinned:
        found.append(
            "Unpinned suite: the predictions themselves say which cases there are, so a dropped "
            "case could not be seen."
        )
    compared = report.comparison
    if compared is not None and compared.baseline_best_of:
        found.append(
            f"The baseline is the best of {compared.baseline_best_of} runs on record, which is "
            "partly luck: an unchanged agent looks worse beside it. Promote what merges, not what "
            "scored highest."
        )
    found.extend(
        f"The {gate_name(gate)} gate allows a drop of everything (max_drop 1): no run fails it."
        for gate in report.gates
        if gate.outcome == "pass" and loads(gate.numbers).get("max_drop") == 1
    )
    found += [] if compared is None else _of_the_comparison(report, compared)
    return (*found, *_of_paths(report))


def _of_the_comparison(report: Report, compared: Comparison) -> Iterator[str]:
    """Say what a comparison with a baseline leaves out, or stands on."""
    if compared.baseline == 0 and compared.n_compared:
        yield (
            f"The baseline's {METRICS[compared.metric]} is 0: nothing can fall below it, so the "
            "regression gate sees nothing. A floor would."
        )
    watched = any(gate.gate == "slices" for gate in report.gates)
    if compared.fallen_slices and not watched and not _fell(report):
        named = ", ".join(repr(label) for label in compared.fallen_slices[:_NAMED])
        yield (
            f"The cases labelled {named} fell beyond chance, and no `slices` gate looks at labels."
        )
    if compared.metric != report.suite.metric:
        yield (
            f"The regression gate looks at the {METRICS[compared.metric]}, while the headline of "
            f"this suite is the {METRICS[report.suite.metric]}."
        )
    moved = len(compared.changed) + len(compared.removed)
    if moved and any(
        gate.gate == "comparable" and gate.outcome == "pass" for gate in report.gates
    ):
        yield (
            f"{count(moved, 'case')} changed or went away since the baseline, which the policy "
            "allows: no gate compared them."
        )
    if 2 * compared.n_compared < report.suite.n_cases:
        yield (
            f"Only {compared.n_compared:,} of {count(report.suite.n_cases, 'case')} were compared "
            "with the baseline: the comparison says nothing about the others."
        )
    if compared.baseline_reason is not None:
        reason = compared.baseline_reason[:_REASON]
        yield f"The baseline was accepted with a reason: {reason}"


def _of_paths(report: Report) -> Iterator[str]:
    """Say where nobody judges paths that somebody declared, or that somebody meant to judge."""
    gates = [gate for gate in report.gates if gate.gate == "trajectory"]
    if any(gate.outcome == "off" for gate in gates):
        yield "The trajectory gate judged nothing: no case declares a path (`expected_tools`)."
    compared = report.verdict is not None and report.comparison is not None
    if gates or not compared or not any(row.trajectory < 1.0 for row in report.cases):
        return
    pairs = [
        (row.accepted.trajectory, row.trajectory)
        for row in report.cases
        if row.declares_path and row.accepted is not None
    ]
    if not pairs:
        return
    was, now = (fsum(side) / len(pairs) for side in zip(*pairs, strict=True))
    if was - now > _DUST:
        yield (
            f"Paths got worse, and no gate looks at them: their mean score fell from {score(was)} "
            f'to {score(now)}. --trajectory, or [[gates]] gate = "trajectory", does.'
        )


def _fell(report: Report) -> bool:
    return any(gate.gate == "regression" and gate.outcome == "fail" for gate in report.gates)


def _passed(gates: tuple[GateVerdict, ...]) -> str:
    on = sum(gate.outcome != "off" for gate in gates)
    off = len(gates) - on
    said = f"all {on} gates passed" if on > 1 else "the only gate passed"
    waived = len({name for gate in gates for name in gate.waived})
    said += f", {count(waived, 'case')} waived" if waived else ""
    return f"{said} ({off} did not judge)" if off else said


def _measured(report: Report) -> str:
    suite = report.suite
    if suite.metric == "mean_score":
        return f"mean score {score(suite.mean_score)} over {count(suite.n_cases, 'case')}"
    every, over = (" in every run", " over all runs") if suite.repeats > 1 else ("", "")
    return (
        f"{suite.n_passed:,} of {count(suite.n_cases, 'case')} passed{every}, "
        f"pass rate{over} {percent(suite.pass_rate)}"
    )
