"""The answers come: score each, summarise, compare, gate; one report."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from gate.baseline.comparable import Measured, accepted_case, align
from gate.baseline.store import baseline_digest
from gate.errors import PredictionsInvalid
from gate.inputs.pairing import Pairing
from gate.pipeline.judge import judged, shown_policy
from gate.records.case import EvalCase
from gate.records.json_text import digest
from gate.records.report import Digests, Report
from gate.report.notes import conditions, notes
from gate.scorers.grade import grade
from gate.scorers.table import identity, scorer_text
from gate.suite.collect import Collector, Known
from gate.suite.digests import case_digest, suite_digest
from gate.suite.evidence import EvidenceKeeper
from gate.suite.summary import Measurement, summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gate.inputs.predictions import PredictionReader
    from gate.pipeline.prepare import Setup
    from gate.records.case import Prediction
    from gate.records.result import Accepted, CaseDigest


def conclude(
    setup: Setup,
    reader: PredictionReader,
    *,
    source: str,
    policy: str | None,
    redact: Callable[[str], str],
) -> Report:
    """Score every answer, summarise, compare, gate: one report, whatever the order of lines.

    ``source`` names the predictions and ``policy`` the policy file, if there is one.
    Raises ``PredictionsInvalid`` for a file that breaks its format or answers no case.
    """
    collector = _collector(setup, redact)
    pairing = Pairing(setup.cases.values())
    if setup.pinned:
        collector.take(pairing.pair(reader))
        pairing.require_any(source=source)
    else:
        collector.take(_admitted(setup.cases, reader))
        if not setup.cases:
            raise PredictionsInvalid(f"{source}: 0 predictions, and no cases are given")
    how = Measurement(
        metric=setup.metric,
        pass_threshold=setup.pass_threshold,
        trajectory_mode=setup.trajectory_mode,
        repeats=_repeats(setup, collector.most, source),
        seed=setup.policy.suite.seed,
        n_boot=setup.policy.suite.n_boot,
    )
    place = partial(_place, setup)
    rows = collector.rows(setup.cases, repeats=how.repeats, place=place)
    suite = summarise(rows, how)
    found = notes(
        unknown_ids=pairing.unknown_ids,
        unknown_predictions=pairing.unknown_predictions,
        ignored_fields=reader.ignored_fields,
        pathless=collector.pathless,
    )
    scorer, baseline = identity(setup.scorer), setup.baseline
    measured = Measured(scorer, None, setup.pass_threshold, setup.trajectory_mode)
    alignment = align(rows, baseline, measured) if baseline and setup.gated else None
    shown = shown_policy(setup.policy)
    return Report(
        **judged(rows, suite, setup.policy, alignment, pinned=setup.pinned, gated=setup.gated),
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
        conditions=conditions(suite, alignment, policy=policy),
        notes=tuple(redact(note) for note in found),
    )


def _collector(setup: Setup, redact: Callable[[str], str]) -> Collector:
    accepted = setup.accepted
    passed = frozenset(case_id for case_id, row in accepted.items() if all(row.passes))
    return Collector(
        partial(
            grade,
            scorer=setup.scorer,
            pass_threshold=float(setup.pass_threshold),
            trajectory_mode=setup.trajectory_mode,
        ),
        EvidenceKeeper(redact),
        Known(passed=passed, failed=accepted.keys() - passed),
    )


def _place(setup: Setup, case: EvalCase) -> tuple[CaseDigest, Accepted | None]:
    before = setup.accepted.get(case.id)
    if setup.known_by_baseline and before is not None:
        return before.digest, accepted_case(before.digest, before)
    own = scorer_text(case.scorer or setup.scorer)
    found = case_digest(case, scorer=own)
    return found, accepted_case(found, before)


def _admitted(
    cases: dict[str, EvalCase], predictions: Iterable[Prediction]
) -> Iterator[tuple[EvalCase, Prediction]]:
    for prediction in predictions:
        case = cases.get(prediction.id)
        if case is None:
            case = cases[prediction.id] = EvalCase(id=prediction.id, input="")
        yield case, prediction


def _repeats(setup: Setup, most: tuple[int, str], source: str) -> int:
    """Give how many runs each case should have: said, else the baseline's or the suite's most."""
    count, case_id = most
    said = setup.policy.suite.repeats
    if said is None:
        return max(count, setup.baseline.repeats if setup.baseline else 1)
    if count > said:
        raise PredictionsInvalid(
            f"{source}: case {case_id[:80]!r} has {count} runs, and {said} are expected"
        )
    return said
