"""Before the answers come: rules, golden set and baseline, put together or refused."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final, NamedTuple

from gate.errors import SHOWN, BaselineAbsent, CasesInvalid, Problem, UsageInvalid
from gate.gates.evidence import Setting
from gate.gates.table import check_gates
from gate.gates.waivers import Known, check_waivers
from gate.inputs.misspelt import Misspelt, misspelt
from gate.pipeline.file_cases import FileCases
from gate.records.case import EvalCase
from gate.records.json_text import short_digest
from gate.scorers.table import (
    identity,
    is_graded,
    is_judged,
    needs_reference,
    objector,
    scorer_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gate.records.base import Metric, TrajectoryMode
    from gate.records.baseline import Baseline, BaselineRow
    from gate.records.policy import Policy, SuiteOptions
    from gate.records.scoring import ScorerOptions

NO_PREDICTIONS: Final = "no predictions are named: pass --predictions FILE"
NO_CASES: Final = (
    "no cases are named: pass --cases FILE (without it only scorers that need no reference can "
    "run: rubric)"
)
NO_SCORER: Final = (
    "no scorer is named: pass --scorer NAME, or set `name` under [scorer] in the policy"
)
NO_OWN: Final = (
    "these are the cases of the predictions' own file; pass --cases FILE for a golden set, or "
    "another scorer (recorded takes the tool's scores)"
)
NO_BASELINE: Final = "no baseline is given, and a change is judged against one"
NO_GROUNDS: Final[Mapping[str, str | None]] = {}
_ALL: Final = Decimal(1)
_ANY: Final = EvalCase(id="(any)", input="", reference="")
"""Any case, to ask what a scorer says that needs no reference."""


def require_named(suite: SuiteOptions, *, scorer_named: bool, gated: bool) -> str:
    """Give the path of the predictions; name everything that is missing at once.

    Raises ``UsageInvalid`` where more is missing than a baseline alone, which has an error of
    its own.
    """
    compared = suite.baseline is not None
    holds = {
        NO_PREDICTIONS: suite.predictions is not None,
        NO_CASES: suite.cases is not None or compared or scorer_named,
        f"{NO_BASELINE}: pass --baseline FILE": (
            compared or not gated or suite.allow_missing_baseline
        ),
        NO_SCORER + (", or give a baseline, which remembers its own" if gated else ""): (
            scorer_named or (compared and (gated or suite.cases is None))
        ),
    }
    absent = [said for said, held in holds.items() if not held]
    if suite.predictions is None or len(absent) > 1:
        raise UsageInvalid("\n".join(absent))
    return suite.predictions


class Setup(NamedTuple):
    """Everything that is known before the answers come.

    ``cases`` is empty where the suite is not ``pinned``: then each new id becomes a case. Of those
    ``as_accepted`` nothing is known but what the baseline holds of them. ``own_cases`` says that
    the predictions' own file, another tool's, tells the cases as well. ``grounds`` are digests of
    what that tool's verdict on a case stands on, where that verdict counts. ``brought`` are the
    cases that only a pull request has. ``tightened`` says that options say more than the policy.
    """

    policy: Policy
    scorer: ScorerOptions
    pass_threshold: Decimal
    trajectory_mode: TrajectoryMode
    baseline: Baseline | None
    accepted: dict[str, BaselineRow]
    cases: dict[str, EvalCase]
    pinned: bool
    as_accepted: frozenset[str]
    gated: bool
    misspelt: tuple[Misspelt, ...]
    day: str | None
    own_cases: bool = False
    grounds: Mapping[str, str | None] = NO_GROUNDS
    warnings: tuple[str, ...] = ()
    brought: frozenset[str] = frozenset()
    tightened: bool = False

    @property
    def metric(self) -> Metric:
        """The headline, which a threshold makes the pass rate.

        Without one it is what the baseline was judged by, else a graded scorer's mean score.
        """
        if self.policy.suite.pass_threshold is not None:
            return "pass_rate"
        if self.baseline is not None and self.baseline.scorer == identity(self.scorer):
            return self.baseline.metric
        return "mean_score" if is_graded(self.scorer) else "pass_rate"


def prepare(
    policy: Policy,
    *,
    cases: Sequence[EvalCase] | FileCases | None,
    source: str,
    baseline: Baseline | None,
    gated: bool,
    lines: Callable[[], Mapping[str, int]] = dict,
    day: Callable[[], str] | None = None,
) -> Setup:
    """Put the rules, the golden set and the baseline together.

    ``cases`` is ``None`` where no file was named: the baseline's ids then say which cases
    there are, unless the predictions' own file tells (``FileCases``), and ``source`` names
    whichever of the files it was. ``lines`` tells in which line each case stands, and is asked
    only to word a refusal; ``day`` for today, and only where there are waivers. Raises
    ``UsageInvalid``, ``PolicyInvalid``, ``CasesInvalid``, ``BaselineAbsent``.
    """
    if policy.scorer is None:
        gone = policy.suite.baseline if gated and baseline is None else None
        raise UsageInvalid(NO_SCORER + (f" (nothing is at the baseline {gone})" if gone else ""))
    if gated and baseline is None and not policy.suite.allow_missing_baseline:
        raise BaselineAbsent(NO_BASELINE)
    threshold, mode = policy.suite.pass_threshold, policy.suite.trajectory
    own_cases = isinstance(cases, FileCases)
    as_accepted: frozenset[str] = frozenset()
    warnings: tuple[str, ...] = ()
    if isinstance(cases, FileCases):
        cases, as_accepted, warnings = cases
    elif cases is None:
        _require_no_reference(policy.scorer, baseline, source)
        cases = _cases_of(baseline, policy.scorer, source)
        as_accepted = frozenset(case.id for case in cases)
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
        pinned=bool(cases) and not (own_cases and baseline is None),
        as_accepted=as_accepted,
        gated=gated,
        misspelt=misspelt(cases),
        day=day() if day and gated and policy.waivers else None,
        own_cases=own_cases,
        warnings=warnings,
    )
    _refuse_unscorable(
        [case for case in cases if case.id not in as_accepted] if own_cases else cases,
        policy.scorer,
        source,
        lines,
        hint=NO_OWN if own_cases else None,
    )
    if gated:
        labels = frozenset(label for case in cases for label in case.labels)
        alone = frozenset(
            label
            for case in cases
            if case.scorer is None and is_judged(policy.scorer)
            for label in case.labels
        )
        setting = Setting(baseline is not None, labels, setup.trajectory_mode, alone)
        check_gates(policy.gates, setting)
        if setup.day is not None:
            known = {case.id: Known(case.labels, bool(case.expected_tools)) for case in cases}
            check_waivers(policy, known, setup.day)
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
    return tuple(
        EvalCase(id=row.id, input="", labels=row.labels, cluster=row.cluster)
        for row in baseline.rows
    )


def _require_no_reference(scorer: ScorerOptions, baseline: Baseline | None, source: str) -> None:
    """Refuse to do without the case file, where only that holds the references."""
    if is_judged(scorer):
        raise UsageInvalid(
            f"the scorer {scorer.name!r} shows a judge what was asked, which only the case file "
            "holds: pass --cases FILE"
        )
    if not needs_reference(scorer):
        return
    if baseline is None:
        raise UsageInvalid(NO_CASES)
    raise UsageInvalid(
        f"{source}: a baseline says which cases there are and holds no reference, which the "
        f"scorer {scorer.name!r} needs: pass --cases FILE"
    )


def _refuse_unscorable(
    cases: Sequence[EvalCase],
    scorer: ScorerOptions,
    source: str,
    lines: Callable[[], Mapping[str, int]],
    *,
    hint: str | None,
) -> None:
    if not needs_reference(scorer) and not (cases and all(case.scorer for case in cases)):
        said = objector(scorer)(_ANY)
        if said is not None:
            raise UsageInvalid(
                f"the scorer {scorer.name!r} of the suite {said}; its options stand under "
                "[scorer] in the policy, or with each case in `scorer`"
            )
    ask = objector(scorer)
    found = [(case, said) for case in cases if (said := ask(case)) is not None]
    if found:
        places = lines()
        problems = [
            Problem(source, places.get(case.id), f"case {case.id!r} {said}{_perhaps(case)}")
            for case, said in found[:SHOWN]
        ]
        raise CasesInvalid.of(problems, total=len(found), hint=hint)


def _perhaps(case: EvalCase) -> str:
    meant = [one for one in misspelt([case]) if case.reference is None]
    return f"; its field {meant[0].name!r} may have meant {meant[0].meant!r}" if meant else ""
