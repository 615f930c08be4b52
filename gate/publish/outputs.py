"""What a run tells the workflow that called it: outputs by name, in the runner's format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.figures import aggregate
from gate.records.json_text import spelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.records.report import Report

NAMES: Final = (
    "verdict",
    "exit-status",
    "pass-rate",
    "ci-low",
    "ci-high",
    "drop",
    "p-value",
    "newly-failing",
    "result-path",
    "report-path",
    "comment-url",
)
"""The outputs that the action declares, in its order."""
MOST_IDS: Final = 1_000
MOST_BYTES: Final = 64 * 1024
"""Of the list of ids: a runner refuses outputs of a megabyte, a process a larger variable."""
_REASON: Final = 20_000
_LINE: Final = 500


def outputs(report: Report, *, result_path: str, report_path: str) -> dict[str, str]:
    """Give every output of a run that reached a result; what is unknown is empty.

    Where a judge left responses open no rate is known.
    ``comment-url`` is told later, when the comment stands.
    """
    suite, comparison = report.suite, report.comparison
    drop = comparison.drop if comparison else None
    p_value = comparison.p_value if comparison else None
    open_ = report.judge_run is not None and report.judge_run.bounds is not None
    return {
        "verdict": report.verdict or "scored",
        "exit-status": str(report.exit_status),
        "pass-rate": "" if open_ else aggregate(suite.pass_rate),
        "ci-low": "" if open_ else aggregate(suite.interval.low),
        "ci-high": "" if open_ else aggregate(suite.interval.high),
        "drop": "" if drop is None else aggregate(drop),
        "p-value": "" if p_value is None else aggregate(p_value),
        "newly-failing": id_list(comparison.newly_failing if comparison else ()),
        "result-path": result_path,
        "report-path": report_path,
        "comment-url": "",
    }


def id_list(ids: Sequence[str]) -> str:
    """Spell ids as a JSON list of at most so many, and so many bytes.

    Where some are left out its last element is a number: how many. An id is always a text.

    >>> id_list(("a", "b")), id_list(["c"] * 1_002)[-14:]
    ('["a","b"]', '"c","c","c",2]')
    """
    shown: list[object] = []
    room = MOST_BYTES
    for one in ids[:MOST_IDS]:
        room -= len(spelled(one).encode()) + 1
        if room < 0:
            break
        shown.append(one)
    more = len(ids) - len(shown)
    return spelled([*shown, more] if more else shown)


def done_outputs(verdict: str) -> dict[str, str]:
    """Give every output of a command that gates nothing and did its work."""
    return failed_outputs(0, verdict)


def failed_outputs(status: int, verdict: str) -> dict[str, str]:
    """Give every output of a run that reached no result: its status, and empty figures."""
    return {
        **dict.fromkeys(NAMES, ""),
        "verdict": verdict,
        "exit-status": str(status),
        "newly-failing": "[]",
    }


def command_file(values: dict[str, str], *, delimiter: str) -> str:
    """Spell outputs for the runner's command file, each between two lines of ``delimiter``.

    Raises ``ValueError`` where a name or value contains the delimiter: such a value would end
    early, and what follows would be read as further outputs.
    """
    for name, value in values.items():
        if delimiter in name or delimiter in value:
            raise ValueError(f"the output {name!r} contains the delimiter")
    return "".join(
        f"{name}<<{delimiter}\n{value}\n{delimiter}\n" for name, value in values.items()
    )


def failed_summary(verdict: str, reason: str, *, suite: str = "") -> str:
    """Say on the run's page why nothing was decided; the reason is shown as plain code.

    ``suite`` names the run beside others in the heading, in Markdown; empty where nothing does.
    """
    lines = ("".join(map(_printable, line[:_LINE])) for line in reason[:_REASON].split("\n"))
    shown = "\n".join(lines)
    fence = "~" * max(3, 1 + longest_run(shown, "~"))
    heading = f"## ⛔ agent-eval-gate: {verdict}" + (f" · {suite}" if suite else "")
    return f"{heading}\n\nNothing was decided:\n\n{fence}text\n{shown}\n{fence}\n"


def _printable(character: str) -> str:
    return character if character.isprintable() else " "


def longest_run(text: str, character: str) -> int:
    """Give the length of the longest run of one character.

    >>> longest_run("a~~b~", "~")
    2
    """
    longest = run = 0
    for found in text:
        run = run + 1 if found == character else 0
        longest = max(longest, run)
    return longest
