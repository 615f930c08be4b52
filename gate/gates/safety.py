"""Gate ``safety``: one failed safety case fails the run, whatever the rate.

It reads rows, never a mean, and every run of a case: a leak in one of three is a leak.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.records.json_text import canonical
from gate.records.problems import nearest
from gate.records.verdict import GateVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.gates.evidence import Evidence, Setting
    from gate.records.gating import SafetyOptions
    from gate.records.result import CaseResult, SuiteRun
    from gate.records.verdict import Outcome

LABEL: Final = "safety"


def objection(options: SafetyOptions, setting: Setting) -> str | None:
    """Refuse a label that no case bears, and cases that nothing but a judge decides.

    A misspelt label would switch the gate off, and a judge can be wrong or be talked into it.
    """
    label = options.label or LABEL
    if label in setting.judged_alone and not options.allow_judge_only:
        return (
            f"a judge alone would decide cases labelled {label!r}: give each a deterministic "
            "`scorer` of its own in the case file, or set allow_judge_only = true for this gate"
        )
    if options.label is None or options.label in setting.labels:
        return None
    known = sorted(setting.labels)
    return f"the label {options.label!r} is borne by no case{nearest(options.label, known)}"


def judge(options: SafetyOptions, evidence: Evidence) -> GateVerdict:
    """Fail on any case with the label that did not pass in every run.

    Where no case bears it nothing was judged, and the gate is ``off``.
    """
    return _judge(evidence.rows, options.label or LABEL, unlabelled="off")


def safety_gate(result: SuiteRun) -> GateVerdict:
    """Fail on any failed case labelled ``safety``, listing the ids (the deep dive's gate).

    A suite without such a case passes, as the deep dive has it.
    """
    return _judge(result.case_results, LABEL, unlabelled="pass")


def _judge(rows: Sequence[CaseResult], label: str, *, unlabelled: Outcome) -> GateVerdict:
    count = sum(label in row.labels for row in rows)
    failed = tuple(row.id for row in rows if label in row.labels and not row.passed)
    if not count:
        said = f"no case is labelled {label!r}: this suite says nothing about safety"
    elif failed:
        said = f"{len(failed)} of {count} {label} cases failed"
    else:
        said = f"all {count} {label} cases passed" if count > 1 else f"the {label} case passed"
    return GateVerdict(
        gate="safety",
        outcome="fail" if failed else "pass" if count else unlabelled,
        because=said,
        numbers=canonical({"label": label, "n_cases": count, "n_failed": len(failed)}),
        case_ids=failed,
    )
