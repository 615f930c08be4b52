"""Gate ``floor``: the metric may not lie below ``min``, whatever the baseline was."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from gate.gates.change import NAMES
from gate.records.figures import count, score
from gate.records.json_text import canonical
from gate.records.values import case_value
from gate.records.verdict import GateVerdict
from gate.statistics.exact import mean_below

if TYPE_CHECKING:
    from gate.gates.evidence import Evidence, Setting
    from gate.records.gating import FloorOptions


def objection(options: FloorOptions, setting: Setting) -> str | None:
    """Nothing can be wrong that reading the options has not refused."""
    del options, setting
    return None


def judge(options: FloorOptions, evidence: Evidence) -> GateVerdict:
    """Compare over every golden case, exactly: a metric equal to ``min`` passes.

    New cases lift nothing over the floor: it must hold without those that the baseline lacks, and
    without those that only a pull request has.
    A floor of 0 decides nothing where there is no baseline (see ``Evidence.has_floor``).
    """
    metric = options.metric or evidence.suite.metric
    views = [[case_value(row, metric) for row in rows] for rows in evidence.views]
    values = next((view for view in views if mean_below(view, options.min)), views[0])
    fails = mean_below(values, options.min)
    n_new = len(views[0]) - len(values)
    without = f" without the {count(n_new, 'new case')}" if n_new else ""
    found = fsum(values) / len(values)
    relation = "below" if fails else "not below"
    least = score(float(options.min))
    return GateVerdict(
        gate="floor",
        outcome="fail" if fails else "pass",
        because=(
            f"{NAMES[metric]} {score(found)}{without} is {relation} the floor {least}"
            + ("" if options.min else ": nothing lies below 0, so this proves nothing")
        ),
        numbers=canonical({"metric": metric, "value": found, "min": float(options.min)}),
    )
