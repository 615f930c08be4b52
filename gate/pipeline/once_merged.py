"""Whether the rules that a pull request leaves behind can judge anything once it is merged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gate.errors import PolicyInvalid
from gate.gates.evidence import Setting
from gate.gates.table import check_gates
from gate.gates.waivers import Known, check_waivers
from gate.pipeline.policy_changes import in_force
from gate.policy.effective import with_inputs
from gate.scorers.table import is_judged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gate.policy.file import PolicyFile
    from gate.records.case import EvalCase
    from gate.records.policy import Overrides

_COMPARED: Final = True
"""There may be a baseline by then, and a gate that waits for one is not refused."""


def refused_once_merged(
    file: PolicyFile, cases: Sequence[EvalCase], options: Overrides, *, day: Callable[[], str]
) -> str | None:
    """Say why a policy would be refused beside ``cases``; ``None`` if it would not be.

    Every later pull request is judged by it, also the one that would mend it. ``options`` are
    this run's, and likely the next one's. ``day`` gives today, and is asked only where there are
    waivers.
    """
    told = in_force(file)
    gates = with_inputs(told.gates, options, trust=options.judge_trust is not None)
    policy = type(told)(**{**dict(told), "gates": gates})
    alone = policy.scorer is not None and is_judged(policy.scorer)
    labels = frozenset(label for case in cases for label in case.labels)
    judged = frozenset(
        label for case in cases if alone and case.scorer is None for label in case.labels
    )
    mode = options.trajectory or policy.suite.trajectory or "exact"
    try:
        check_gates(policy.gates, Setting(_COMPARED, labels, mode, judged))
        if policy.waivers:
            known = {case.id: Known(case.labels, bool(case.expected_tools)) for case in cases}
            check_waivers(policy, known, day())
    except PolicyInvalid as error:
        return str(file.placed(error))
    return None
