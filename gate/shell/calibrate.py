"""Hold a judge against people's labels: by a stored result, or by asking it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gate.errors import FileAbsent, FileUnreadable, ResultInvalid, UsageInvalid
from gate.judges.calibration import calibrate, replies_by
from gate.judges.labels import MAX_BYTES, read_labels
from gate.records.trust import TrustRecord
from gate.shell.gather import result_at

if TYPE_CHECKING:
    from gate.records.policy import Overrides
    from gate.records.report import Report
    from gate.shell.gather import Means


def calibrated_result(means: Means, result: str, *, labels: str) -> TrustRecord:
    """Calibrate the judge of a stored result, whose rows must agree with themselves.

    Nothing is asked. Raises ``LabelsInvalid``, ``ResultInvalid``.
    """
    from gate.suite.stored import require_consistent

    data = _labels_at(means, labels)
    report = result_at(means.files, result)
    try:
        require_consistent(report)
        return _calibrated(report, data, labels)
    except ResultInvalid as error:
        raise error.prefixed(result) from None


def calibrated_run(
    means: Means,
    options: Overrides,
    *,
    policy: str | None,
    labels: str,
    audit: bool,
    agent_model: str | None,
) -> TrustRecord:
    """Ask the judge about the predictions, and with ``audit`` what its biases are.

    What can be wrong with the labels is found before anything is asked.
    """
    from gate.shell.judging import answered
    from gate.shell.score import measure, planned_audit

    data = _labels_at(means, labels)
    read_labels(data, source=labels, reply=None)
    report = measure(means, options, policy=policy, gated=False)
    if report.judge_config is None:
        raise UsageInvalid(
            f"the scorer {report.scorer.name!r} asks no judge: nothing to calibrate"
        )
    record = _calibrated(report, data, labels)
    if not audit:
        return record
    plan, judge = planned_audit(means, options, policy=policy, agent_model=agent_model)
    answers, _, _ = answered(means, judge, plan)
    return TrustRecord(**{**dict(record), "probes": plan.findings(answers)})


def _labels_at(means: Means, path: str) -> bytes:
    try:
        return means.files.read(path, limit=MAX_BYTES)
    except (FileAbsent, FileUnreadable) as error:
        raise error.prefixed("--labels") from None


def _calibrated(report: Report, data: bytes, source: str) -> TrustRecord:
    config = report.judge_config
    if config is None:
        raise ResultInvalid(
            f"no judge scored this result (its scorer is {report.scorer.name!r})",
            hint="calibrate needs a result of the scorers geoktools, autorater or judge",
        )
    return calibrate(
        report.cases,
        read_labels(data, source=source, reply=replies_by(config)),
        judge_config=config,
        scorer=report.scorer.name,
        pass_threshold=report.suite.pass_threshold,
    )
