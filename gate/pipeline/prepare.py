"""Before the answers come: rules, golden set and baseline, put together or refused."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import BaselineAbsent, CasesInvalid, Problem, UsageInvalid
from gate.gates.evidence import Setting
from gate.gates.table import check_gates
from gate.inputs.misspelt import Misspelt, misspelt
from gate.records.case import EvalCase
from gate.scorers.table import is_graded, objection, scorer_text
from gate.suite.digests import short_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.records.base import Metric, TrajectoryMode
    from gate.records.baseline import Baseline, BaselineRow
    from gate.records.policy import Policy
    from gate.records.scoring import ScorerOptions

_ALL: Final = Decimal(1)
_ANY: Final = EvalCase(id="(any)", input="")
"""What an unpinned suite knows of a case before it comes: that it has no reference."""


class Setup(NamedTuple):
    """Everything that is known before the answers come.

    ``cases`` is empty where the suite is not ``pinned``: then each new id becomes a case.
    """

    policy: Policy
    scorer: ScorerOptions
    pass_threshold: Decimal
    trajectory_mode: TrajectoryMode
    baseline: Baseline | None
    accepted: dict[str, BaselineRow]
    cases: dict[str, EvalCase]
    pinned: bool
    known_by_baseline: bool
    gated: bool
    misspelt: tuple[Misspelt, ...]

    @property
    def metric(self) -> Metric:
        """The headline: a graded scorer without a threshold is judged by its mean score."""
        graded = is_graded(self.scorer) and self.pass_threshold == _ALL
        said = self.policy.suite.pass_threshold is not None
        return "mean_score" if graded and not said else "pass_rate"


def prepare(
    policy: Policy,
    *,
    cases: Sequence[EvalCase] | None,
    source: str,
    baseline: Baseline | None,
    gated: bool,
) -> Setup:
    """Put the rules, the golden set and the baseline together.

    ``cases`` is ``None`` where no file was named: the baseline's ids then say which cases
    there are, and ``source`` names whichever of the two files it was. Raises
    ``UsageInvalid``, ``PolicyInvalid``, ``CasesInvalid``, ``BaselineAbsent``.
    """
    if policy.scorer is None:
        raise UsageInvalid(
            "no scorer is named: pass --scorer, set `name` under [scorer] in the policy, or "
            "give a baseline, which remembers its own"
        )
    if gated and baseline is None and not policy.suite.allow_missing_baseline:
        raise BaselineAbsent("no baseline is given, and a change is judged against one")
    threshold, mode = policy.suite.pass_threshold, policy.suite.trajectory
    known_by_baseline = cases is None and baseline is not None
    if cases is None:
        cases = _cases_of(baseline, policy.scorer, source)
    setup = Setup(
        policy=policy,
        scorer=policy.scorer,
        pass_threshold=threshold
        if threshold is not None
        else (baseline.pass_threshold if baseline else _ALL),
        trajectory_mode=mode or (baseline.trajectory_mode if baseline else "exact"),
        baseline=baseline,
        accepted={row.id: row for row in baseline.rows} if baseline else {},
        cases={case.id: case for case in cases},
        pinned=bool(cases),
        known_by_baseline=known_by_baseline,
        gated=gated,
        misspelt=misspelt(cases),
    )
    _refuse_unscorable(cases or (_ANY,), policy.scorer, source)
    if gated:
        labels = frozenset(label for case in cases for label in case.labels)
        setting = Setting(baseline is not None, labels, setup.trajectory_mode)
        check_gates(policy.gates, setting)
    return setup


def _cases_of(
    baseline: Baseline | None, scorer: ScorerOptions, source: str
) -> tuple[EvalCase, ...]:
    if baseline is None:
        return ()
    part = short_digest(scorer_text(scorer))
    own = [row.id for row in baseline.rows if row.digest.scorer != part]
    paths = [row.id for row in baseline.rows if row.declares_path]
    for ids, what in ((own, "was scored by another scorer"), (paths, "declares a path")):
        if ids:
            raise CasesInvalid(
                f"{source}: case {ids[0]!r} of the baseline {what}, which only the case "
                "file tells: give --cases"
            )
    return tuple(EvalCase(id=row.id, input="", labels=row.labels) for row in baseline.rows)


def _refuse_unscorable(cases: Sequence[EvalCase], scorer: ScorerOptions, source: str) -> None:
    problems = [
        Problem(source, None, f"case {case.id!r} {said}")
        for case in cases
        if (said := objection(case, scorer)) is not None
    ]
    if problems:
        raise CasesInvalid.of(problems)
