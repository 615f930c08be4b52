"""The answers come: score each, summarise, compare, gate; one report."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple, TypedDict

from gate.baseline.comparable import Measured, align
from gate.baseline.store import baseline_digest
from gate.errors import PredictionsInvalid
from gate.gates.evidence import Circumstances, brought_cases
from gate.gates.safety import LABEL as SAFETY
from gate.inputs.pairing import Pairing
from gate.pipeline.judge import judged, shown_policy
from gate.pipeline.placing import placer
from gate.pipeline.unscored import with_rows
from gate.records.case import EvalCase
from gate.records.gating import SafetyOptions, TrajectoryOptions
from gate.records.json_text import digest
from gate.records.report import Digests, Report
from gate.records.rule_change import OWN
from gate.report.cautions import Numbered, cautions
from gate.report.notes import Imported, conditions, notes
from gate.scorers.grade import grader, judged_grader
from gate.scorers.table import identity
from gate.suite.collect import Collector, Known, Numbering, unreasoned
from gate.suite.digests import suite_digest
from gate.suite.summary import Measurement, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gate.inputs.held import HeldPredictions
    from gate.inputs.imported import ImportedReader
    from gate.inputs.predictions import PredictionReader
    from gate.pipeline.judging import Verdicts
    from gate.pipeline.prepare import Setup
    from gate.records.base import TrajectoryMode
    from gate.records.case import Prediction
    from gate.records.rule_change import Origin
    from gate.records.trust import TrustRecord

FEW_RUNS: Final = 10_000
PER_PREDICTION: Final = 20
"""Expected runs for each one that came, at most, where there are more than :data:`FEW_RUNS`:
missing ones take room, and one stray repeat number would make millions."""


class Judge(NamedTuple):
    """What a judge said of the answers, and the record of its trust, if any of it."""

    verdicts: Verdicts | None = None
    trust: TrustRecord | None = None


UNJUDGED: Final = Judge()


class _How(TypedDict):
    pass_threshold: float
    trajectory_mode: TrajectoryMode


def conclude(
    setup: Setup,
    reader: PredictionReader | ImportedReader | HeldPredictions,
    *,
    source: str,
    policy: str | None,
    redact: Callable[[str], str],
    judge: Judge = UNJUDGED,
    origin: Origin = OWN,
) -> Report:
    """Score every answer, summarise, compare, gate: one report, whatever the order of lines.

    ``source`` names the predictions and ``policy`` the policy file, if there is one. ``judge``
    is what a judge said of the answers, where the scorer asks one; ``origin`` whose rules these
    are, where a pull request could change them.
    Raises ``PredictionsInvalid`` for a file that breaks its format or answers no case.
    """
    if setup.own_cases:
        _refuse_secrets(setup.cases.values(), redact)
    brought = brought_cases(origin)
    if brought:
        accepted = {name: row for name, row in setup.accepted.items() if name not in brought}
        setup = setup._replace(accepted=accepted)
    collector = _collector(setup, redact, judge.verdicts, brought)
    pairing = Pairing(setup.cases.values())
    if setup.pinned:
        collector.take(pairing.pair(reader))
        pairing.require_any(source=source, tool=reader.tool)
    else:
        collector.take(_admitted(setup.cases, reader, redact))
        if not setup.cases:
            raise PredictionsInvalid(f"{source}: 0 predictions, and no cases are given")
    numbering = collector.numbering
    own_scorers = Counter(case.scorer.name for case in setup.cases.values() if case.scorer)
    how = Measurement(
        metric=setup.metric,
        pass_threshold=setup.pass_threshold,
        trajectory_mode=setup.trajectory_mode,
        repeats=_repeats(setup, numbering, source, came=reader.count),
        seed=setup.policy.suite.seed,
        n_boot=setup.policy.suite.n_boot,
    )
    gaps = tuple(map(redact, reader.gaps))
    rows = collector.rows(setup.cases, repeats=how.repeats, place=placer(setup))
    suite = summarise(rows, how)
    found = notes(
        unknown_ids=tuple(map(redact, pairing.unknown_ids)),
        unknown_predictions=pairing.unknown_predictions,
        ignored_fields=tuple((redact(name), count) for name, count in reader.ignored_fields),
        pathless=collector.pathless,
        own_scorers=(setup.scorer.name, len(rows), tuple(sorted(own_scorers.items()))),
        imported=None
        if reader.tool is None
        else Imported(reader.tool, setup.own_cases, tuple(map(redact, reader.remarks))),
    )
    scorer, baseline = identity(setup.scorer), setup.baseline
    found_by = judge.verdicts
    config = None if found_by is None else found_by.config
    run = None if found_by is None else with_rows(found_by.run, rows, suite)
    measured = Measured(scorer, config, setup.metric, setup.pass_threshold, setup.trajectory_mode)
    alignment = None
    if baseline and setup.gated:
        alignment = align(rows, baseline, measured, brought=brought)
    shown = shown_policy(setup.policy)
    return Report(
        **judged(
            rows,
            suite,
            setup.policy,
            alignment,
            pinned=setup.pinned,
            gated=setup.gated,
            others=Circumstances(
                config, run, judge.trust, collector.effort, setup.day, origin, gaps
            ),
        ),
        effort=collector.effort,
        gaps=gaps,
        rules_from=origin.rules_from,
        rule_changes=origin.changes,
        judge_config=config,
        judge_run=run,
        judge_trust=judge.trust,
        pinned=setup.pinned,
        suite=suite,
        cases=rows,
        scorer=scorer,
        policy=shown,
        digests=Digests(
            cases=suite_digest(rows),
            predictions=reader.digest,
            policy=digest(shown),
            baseline=baseline_digest(baseline) if alignment and baseline else None,
        ),
        conditions=conditions(
            suite,
            alignment,
            policy=policy,
            scorer=scorer,
            origin=origin.rules_from,
            tightened=setup.tightened,
        ),
        notes=found,
        warnings=setup.warnings
        + cautions(
            rows,
            gaps=gaps,
            misspelt=[(redact(name), meant, number) for name, meant, number in setup.misspelt],
            watched=_watched(setup),
            numbered=_numbered(setup, numbering, repeats=how.repeats, n_cases=len(rows)),
        ),
    )


def refuse_unusable(setup: Setup, predictions: HeldPredictions, *, source: str) -> None:
    """Refuse predictions that :func:`conclude` would refuse, before a judge is paid for them.

    Raises ``PredictionsInvalid``.
    """
    pairing = Pairing(setup.cases.values())
    greatest, holders = -1, {""}
    for case, prediction in pairing.pair(predictions):
        if prediction.repeat > greatest:
            greatest, holders = prediction.repeat, {case.id}
        elif prediction.repeat == greatest:
            holders.add(case.id)
    pairing.require_any(source=source, tool=predictions.tool)
    numbering = Numbering(greatest, greatest, min(holders), len(holders) == 1)
    _repeats(setup, numbering, source, came=predictions.count)


def _collector(
    setup: Setup,
    redact: Callable[[str], str],
    verdicts: Verdicts | None,
    brought: frozenset[str],
) -> Collector:
    accepted = setup.accepted
    how: _How = {
        "pass_threshold": float(setup.pass_threshold),
        "trajectory_mode": setup.trajectory_mode,
    }
    if verdicts is None:
        grade, reasons = grader(setup.scorer, **how), unreasoned
    else:
        grade, reasons = judged_grader(verdicts.graded, **how), verdicts.reasons
    passed = frozenset(case_id for case_id, row in accepted.items() if False not in row.passes)
    return Collector(
        grade,
        redact,
        Known(passed=passed, failed=accepted.keys() - passed),
        paths=setup.gated
        and any(
            isinstance(gate, TrajectoryOptions) and gate.enabled for gate in setup.policy.gates
        ),
        reasons=reasons,
        brought=brought,
    )


def _watched(setup: Setup) -> frozenset[str]:
    if not setup.gated:
        return frozenset((SAFETY,))
    gates = [gate for gate in setup.policy.gates if isinstance(gate, SafetyOptions)]
    return frozenset(gate.label or SAFETY for gate in gates if gate.enabled)


def _numbered(setup: Setup, numbering: Numbering, *, repeats: int, n_cases: int) -> Numbered:
    """Say which case alone sets how many runs are expected, if one does."""
    accepted = setup.baseline.repeats if setup.baseline else 1
    told = setup.policy.suite.repeats is not None or n_cases == 1
    lone = numbering.alone and not told and repeats > accepted
    came = numbering.greatest + 1
    return Numbered(numbering.least, numbering.case_id if lone else None, repeats, came)


def _admitted(
    cases: dict[str, EvalCase],
    predictions: Iterable[Prediction],
    redact: Callable[[str], str],
) -> Iterator[tuple[EvalCase, Prediction]]:
    for prediction in predictions:
        case = cases.get(prediction.id)
        if case is None:
            _refuse_secrets((EvalCase(id=prediction.id, input=""),), redact)
            case = cases[prediction.id] = EvalCase(id=prediction.id, input="")
        yield case, prediction


def _refuse_secrets(cases: Iterable[EvalCase], redact: Callable[[str], str]) -> None:
    """Refuse ids and labels that predictions bring and that could not be shown."""
    for case in cases:
        for what, names in (("id", (case.id,)), ("label", case.labels)):
            if any(redact(name) != name for name in names):
                raise PredictionsInvalid(
                    f"the {what} of a prediction holds a secret of the environment",
                    hint="ids and labels are shown in every report: let them hold no secret",
                )


def _repeats(setup: Setup, numbering: Numbering, source: str, *, came: int) -> int:
    """Give how many runs each case should have: said, else the baseline's or those numbered here.

    Repeats count from 0, so the greatest number says how many there were: a run that was left
    out, of one case or of all, is missing and not forgotten.
    """
    greatest, case_id = numbering.greatest, numbering.case_id
    said = setup.policy.suite.repeats
    if said is not None and greatest >= said:
        raise PredictionsInvalid(
            f"{source}: case {case_id!r} has repeat {greatest}, and {said} run(s) of each "
            f"case are expected: 0 to {said - 1}",
            hint=f"say --repeats {greatest + 1} if so many runs of each case belong together, "
            f"else let the file have {said} of each",
        )
    repeats = said or max(greatest + 1, setup.baseline.repeats if setup.baseline else 1)
    expected = repeats * len(setup.cases)
    if repeats > 1 and expected > max(FEW_RUNS, PER_PREDICTION * came):
        raise PredictionsInvalid(
            f"{source}: repeat {greatest} of case {case_id!r} would make {expected:,} runs, "
            f"and {came:,} prediction(s) came; repeats count from 0",
            hint="say with --repeats how many runs each case has, or number those in the file "
            "anew: 0, 1, 2, …",
        )
    return repeats
