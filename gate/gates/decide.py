"""The gates' answers become one verdict and one exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.records.verdict import GateVerdict, Verdict

OF_THE_MEASURE: Final = frozenset(("comparable", "judged", "judge_trust", "rules"))
"""Gates that say whether a verdict may be had, and nothing of the answers."""
STATUS: Final[dict[Verdict, int]] = {"pass": 0, "fail": 1, "undecided": 3}


def decide(verdicts: Sequence[GateVerdict]) -> Verdict:
    """Fail if any gate fails, else undecided if any is, else pass; no gate proves nothing.

    Nor do those :data:`OF_THE_MEASURE` prove anything by themselves.

    >>> decide([])
    'undecided'
    """
    outcomes = {verdict.outcome for verdict in verdicts}
    if "fail" in outcomes:
        return "fail"
    passed = any(one.outcome == "pass" and one.gate not in OF_THE_MEASURE for one in verdicts)
    return "pass" if passed and "undecided" not in outcomes else "undecided"


def exit_status(verdict: Verdict, *, advisory: bool) -> int:
    """Give the process's status; ``advisory`` never blocks.

    >>> exit_status("fail", advisory=False), exit_status("fail", advisory=True)
    (1, 0)
    """
    return 0 if advisory else STATUS[verdict]
