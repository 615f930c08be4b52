"""The table of gates: name to module, each imported when a policy first needs it.

A gate's module holds ``judge(options, evidence) -> GateVerdict``, and
``objection(options, setting) -> str | None``: why these options cannot be judged here, asked
before anything is scored.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from gate.errors import PolicyInvalid
from gate.gates.waived import excused, waived_cases
from gate.records.verdict import GateVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.gates.evidence import Evidence, Setting
    from gate.records.gating import GateOptions
    from gate.records.waiver import Waiver

GATES: Final = {
    "regression": "gate.gates.regression",
    "safety": "gate.gates.safety",
    "completeness": "gate.gates.completeness",
    "comparable": "gate.gates.comparable",
    "floor": "gate.gates.floor",
    "trajectory": "gate.gates.trajectory",
    "slices": "gate.gates.slices",
    "creep": "gate.gates.creep",
    "judged": "gate.gates.judged",
    "judge_trust": "gate.gates.judge_trust",
    "budget": "gate.gates.budget",
    "rules": "gate.gates.rules",
}


def check_gates(gates: Sequence[GateOptions], setting: Setting) -> None:
    """Raise ``PolicyInvalid`` listing every gate that could not judge in this setting."""
    said = [
        f"gate {options.gate!r}: {text}"
        for options in gates
        if options.enabled
        and (text := import_module(GATES[options.gate]).objection(options, setting)) is not None
    ]
    if said:
        raise PolicyInvalid("\n".join(said))


def judge_all(
    gates: Sequence[GateOptions], evidence: Evidence, waivers: Sequence[Waiver] = ()
) -> tuple[GateVerdict, ...]:
    """Ask every gate of the policy, in its order; one that is switched off says so.

    Two cannot be switched off where nothing else would notice what is missing: completeness
    without a list of cases, without a single score or with gaps in the predictions, and
    regression without baseline and floor.
    One that does not pass is asked again without the cases that a waiver excuses.
    """
    return tuple(_judge(options, evidence, waivers) for options in gates)


def _judge(options: GateOptions, evidence: Evidence, waivers: Sequence[Waiver]) -> GateVerdict:
    if not options.enabled and not _indispensable(options, evidence):
        return GateVerdict(gate=options.gate, outcome="off", because="switched off by the policy")
    judge = import_module(GATES[options.gate]).judge
    verdict: GateVerdict = judge(options, evidence)
    allowed = waived_cases(options, waivers) if waivers else ()
    if not allowed:
        return verdict
    return excused(verdict, options, evidence, allowed=allowed, judge=judge)


def _indispensable(options: GateOptions, evidence: Evidence) -> bool:
    if options.gate == "completeness":
        return not evidence.pinned or evidence.nothing_scored or bool(evidence.gaps)
    return options.gate == "regression" and evidence.alignment is None and not evidence.has_floor
