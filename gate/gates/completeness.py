"""Gate ``completeness``: every golden case is answered and scored, or the run fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.json_text import canonical
from gate.records.verdict import GateVerdict

if TYPE_CHECKING:
    from gate.gates.evidence import Evidence, Setting
    from gate.records.base import Standing
    from gate.records.gating import CompletenessOptions
    from gate.records.result import CaseResult

_ERRORS: Final[tuple[Standing, ...]] = ("agent_error", "unscorable", "unscored")


def objection(options: CompletenessOptions, setting: Setting) -> str | None:
    """Nothing can be wrong that reading the options has not refused."""
    del options, setting
    return None


def judge(options: CompletenessOptions, evidence: Evidence) -> GateVerdict:
    """Count cases with a missing run and cases with a run that gave no score.

    An unpinned suite (nothing says which cases there should be) is undecided: a dropped case
    could not be seen.
    """
    if not evidence.pinned:
        return GateVerdict(
            gate="completeness",
            outcome="undecided",
            because=(
                "neither a case file nor a baseline says which cases there should be, "
                "so a dropped one could not be seen: give --cases"
            ),
        )
    missing = _having(evidence.rows, ("missing",))
    errors = _having(evidence.rows, _ERRORS)
    fails = len(missing) > options.max_missing or len(errors) > options.max_errors
    total = len(evidence.rows)
    if missing or errors:
        said = (
            f"of {total} cases {len(missing)} are missing (allowed {options.max_missing}) and "
            f"{len(errors)} ended without a score (allowed {options.max_errors})"
        )
    else:
        said = f"all {total} cases were answered and scored"
    numbers = {
        "n_cases": total,
        "n_missing": len(missing),
        "max_missing": options.max_missing,
        "n_errors": len(errors),
        "max_errors": options.max_errors,
    }
    return GateVerdict(
        gate="completeness",
        outcome="fail" if fails else "pass",
        because=said,
        numbers=canonical(numbers),
        case_ids=tuple(sorted({*missing, *errors})),
    )


def _having(rows: tuple[CaseResult, ...], standings: tuple[Standing, ...]) -> list[str]:
    return [
        row.id
        for row in rows
        if row.standing in standings
        or (row.repeats and any(run.standing in standings for run in row.repeats))
    ]
