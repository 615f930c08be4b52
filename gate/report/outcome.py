"""The verdict in one word and the one reason for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.figures import count, percent, score

if TYPE_CHECKING:
    from gate.records.report import Report
    from gate.records.verdict import GateVerdict

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
METRICS: Final = {"pass_rate": "pass rate", "mean_score": "mean score"}


def headline(report: Report) -> str:
    """Give the reason for the verdict in one sentence: the first gate that decided it.

    Its text is untrusted as far as it quotes ids and labels; every format escapes it.
    """
    if report.verdict is None:
        return f"no gate ran: {_measured(report)}"
    deciding = [gate for gate in report.gates if gate.outcome == report.verdict]
    if report.verdict == "pass":
        return f"{_passed(report.gates)}: {_measured(report)}"
    if not deciding:
        return _measured(report)
    first, *others = deciding
    return f"{first.gate}: {first.because}{_also(report.verdict, others)}"


def _also(verdict: str, others: list[GateVerdict]) -> str:
    if not others:
        return ""
    named = ", ".join(gate.gate for gate in others[:_NAMED])
    more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
    return f" (also {'failed' if verdict == 'fail' else verdict}: {named}{more})"


def warnings(report: Report) -> tuple[str, ...]:
    """Say loudly what weakens a verdict: advisory, no baseline, an unpinned suite, a bad one."""
    found = []
    if report.advisory:
        found.append(
            f"Advisory run: the verdict is {WORDS[report.verdict]}, yet the exit status is "
            f"{report.exit_status} and nothing is blocked."
        )
    if report.verdict is not None and report.comparison is None:
        found.append("No baseline: nothing was compared, so no regression could be seen.")
    if not report.pinned:
        found.append(
            "Unpinned suite: the predictions themselves say which cases there are, so a dropped "
            "case could not be seen."
        )
    compared = report.comparison
    if compared is not None and compared.baseline_reason is not None:
        reason = compared.baseline_reason[:_REASON]
        found.append(f"The baseline was accepted without passing, for this reason: {reason}")
    return tuple(found)


def _passed(gates: tuple[GateVerdict, ...]) -> str:
    on = sum(gate.outcome != "off" for gate in gates)
    off = len(gates) - on
    said = f"all {on} gates passed" if on > 1 else "the only gate passed"
    return f"{said} ({off} did not judge)" if off else said


def _measured(report: Report) -> str:
    suite = report.suite
    if suite.metric == "mean_score":
        return f"mean score {score(suite.mean_score)} over {count(suite.n_cases, 'case')}"
    return (
        f"{suite.n_passed:,} of {count(suite.n_cases, 'case')} passed, "
        f"pass rate {percent(suite.pass_rate)}"
    )
