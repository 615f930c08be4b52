"""A comment that has no verdict to tell: what stood in its place was about another commit."""

from __future__ import annotations

from typing import Final

from gate.records.marker import MARKER
from gate.report.bounds import USUAL, code
from gate.report.sanitize import excerpt, prose

REASON: Final = 300
"""Characters of the reason, what is said of a cut aside."""


def no_verdict(verdict: str, reason: str, *, suite: str = "") -> str:
    r"""Say that a run ended without a verdict, and why, in one sentence; more is on its page.

    ``verdict`` is a word of ours. ``reason`` may hold anybody's text, and its first line is told;
    ``suite`` names the run beside others in the heading.

    >>> print(no_verdict("invalid", "p.jsonl:1: not JSON\nhint: see <b>", suite="geo"))
    <!-- agent-eval-gate -->
    ## ⛔ agent-eval-gate: no verdict · `geo`
    <BLANKLINE>
    **This commit has no verdict (invalid):** `p.jsonl:1`: not JSON
    <BLANKLINE>
    A verdict about an earlier commit stood here. The run's summary page says more.
    <BLANKLINE>
    """
    named = f" · {code(suite, USUAL.suite)}" if suite else ""
    first = reason.strip().partition("\n")[0]
    why = prose(excerpt(first, limit=REASON))
    return (
        f"{MARKER}\n## ⛔ agent-eval-gate: no verdict{named}\n\n"
        f"**This commit has no verdict ({verdict}):** {why}\n\n"
        "A verdict about an earlier commit stood here. The run's summary page says more.\n"
    )
