"""Gate ``completeness``: every golden case is answered and scored, or the run fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from gate.records.figures import count
from gate.records.json_text import canonical
from gate.records.verdict import GateVerdict

if TYPE_CHECKING:
    from gate.gates.evidence import Evidence, Setting
    from gate.records.base import Standing
    from gate.records.gating import CompletenessOptions
    from gate.records.result import CaseResult

_ERRORS: Final[tuple[Standing, ...]] = ("agent_error", "unscorable")
"""Not ``unscored``: what a judge left open is decided both ways (see the pipeline)."""


class _Found(NamedTuple):
    """The cases that have a run of some standings, and how many such runs there are."""

    ids: list[str]
    n_runs: int


def objection(options: CompletenessOptions, setting: Setting) -> str | None:
    """Nothing can be wrong that reading the options has not refused."""
    del options, setting
    return None


def judge(options: CompletenessOptions, evidence: Evidence) -> GateVerdict:
    """Count cases with a missing run and cases with a run that gave no score.

    An unpinned suite (nothing says which cases there should be) is undecided: a dropped case
    could not be seen. So is a run in which nothing was scored, however much is allowed, and one
    whose predictions may not hold all that was run.
    """
    if not evidence.pinned:
        return GateVerdict(
            gate="completeness",
            outcome="undecided",
            because=(
                "neither a case file nor a baseline says which cases there should be, "
                "so a dropped one could not be seen: give --cases"
            )
            + _gaps(evidence.gaps),
        )
    rows = evidence.rows
    missing = _having(rows, ("missing",))
    errors = _having(rows, _ERRORS)
    fails = len(missing.ids) > options.max_missing or len(errors.ids) > options.max_errors
    unsure = evidence.nothing_scored or evidence.gaps
    numbers = {
        "n_cases": len(rows),
        "n_missing": len(missing.ids),
        "max_missing": options.max_missing,
        "n_errors": len(errors.ids),
        "max_errors": options.max_errors,
    }
    return GateVerdict(
        gate="completeness",
        outcome="fail" if fails else "undecided" if unsure else "pass",
        because=_said(options, evidence, missing, errors) + _gaps(evidence.gaps),
        numbers=canonical(numbers),
        case_ids=tuple(sorted({*missing.ids, *errors.ids})),
    )


def _gaps(gaps: tuple[str, ...]) -> str:
    if not gaps:
        return ""
    others = count(len(gaps) - 1, "other reason")
    more = f" (and {others})" if len(gaps) > 1 else ""
    return f"; the predictions may not hold all that was run: {gaps[0]}{more}"


def _said(
    options: CompletenessOptions, evidence: Evidence, missing: _Found, errors: _Found
) -> str:
    rows, repeats = evidence.rows, evidence.suite.repeats
    total, expected = len(rows), f"{len(rows) * repeats:,}"
    said = []
    if missing.ids:
        cases = f"{len(missing.ids):,} of {count(total, 'case')}"
        said.append(
            f"{cases} {'has' if len(missing.ids) == 1 else 'have'} no prediction"
            if repeats == 1
            else f"{missing.n_runs:,} of {expected} expected runs did not come, in {cases}"
        )
        said[-1] += f" (allowed {options.max_missing:,})"
    if errors.ids:
        cases = f"{len(errors.ids):,} of {count(total, 'case')}"
        where = cases if repeats == 1 else f"{errors.n_runs:,} of {expected} runs, in {cases}"
        crashed = _having(rows, ("agent_error",)).n_runs == errors.n_runs
        what = "the agent reported an error in" if crashed else "there is no score in"
        said.append(f"{what} {where} (allowed {options.max_errors:,})")
    if not said:
        whole = f"all {total:,} cases were" if total > 1 else "the case was"
        open_ = _having(rows, ("unscored",))
        if open_.ids:
            return f"{whole} answered; {count(open_.n_runs, 'run')} without a verdict of the judge"
        return f"{whole} answered and scored"
    return " and ".join(said)


def _having(rows: tuple[CaseResult, ...], standings: tuple[Standing, ...]) -> _Found:
    ids, n_runs = [], 0
    for row in rows:
        if row.repeats:
            found = sum(run.standing in standings for run in row.repeats)
        else:
            found = row.standing in standings
        if found:
            ids.append(row.id)
            n_runs += found
    return _Found(ids, n_runs)
