"""Gate ``creep``: many small drops, each accepted, may not add up to a large one.

A baseline that is saved anew with every merge forgets what was lost before. This gate compares
with an earlier one: the oldest that the baseline remembers, or one that the policy pins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gate.gates.change import change_numbers, fallen, over, units
from gate.records.figures import count, p_value
from gate.records.json_text import canonical
from gate.records.verdict import GateVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gate.gates.evidence import Evidence, Setting
    from gate.gates.paired import Paired
    from gate.records.baseline import AcceptedSummary
    from gate.records.gating import CreepOptions
    from gate.records.verdict import Outcome


class _Anchor(NamedTuple):
    """The earlier baseline that counts: its place in the history, oldest first."""

    at: int
    summary: AcceptedSummary
    ago: int


def objection(options: CreepOptions, setting: Setting) -> str | None:
    """Nothing can be wrong that reading the options has not refused."""
    del options, setting
    return None


def judge(options: CreepOptions, evidence: Evidence) -> GateVerdict:
    """Fail if the metric fell by more than ``max_drop`` since then, beyond chance.

    The same test as of the regression gate, over the cases that stand unchanged in all three.
    A baseline that was accepted although it had not passed starts anew: what was lost up to it
    is accepted.
    Without an earlier baseline there is nothing to forget, and the gate is ``off``; where one is
    pinned that is not remembered, or none of its cases can be compared, it is undecided.
    """
    alignment = evidence.alignment
    history = alignment.history if alignment is not None else ()
    anchor = _anchor(options, history, accepted=alignment is not None and alignment.knowingly)
    if anchor is None:
        return _unanchored(options, history)
    metric = options.metric or evidence.suite.metric
    now = evidence.paired(metric)
    if now is None:
        return _answer("undecided", evidence.why_unpaired)
    when = _when(anchor)
    if anchor.summary.metric != metric:
        held = anchor.summary.metric
        return _answer("undecided", f"{when} was kept by its {held}, and this run has {metric}")
    if now.repeats < anchor.summary.repeats:
        fewer, runs = count(now.repeats, "run"), count(anchor.summary.repeats, "run")
        said = f"{when} has {runs} of each case, and this run {fewer}: run each case as often"
        return _answer("undecided", said)
    paired = _since(anchor, now)
    if paired is None or 2 * len(paired) < len(now):
        left = 0 if paired is None else len(paired)
        said = f"of {count(len(now), 'compared case')} only {left:,} stand unchanged since {when}"
        return _answer("undecided", f"{said}: too few to speak for them")
    return _judge(options, paired, when)


def _judge(options: CreepOptions, paired: Paired, when: str) -> GateVerdict:
    p = paired.test.p_value
    unsure = paired.exceeds(options.max_drop) and p > options.alpha
    outcome: Outcome = "pass"
    said = f"{fallen(paired, options.max_drop)} since {when}, p {p_value(p)}"
    if unsure:
        outcome = "pass" if options.on_inconclusive == "pass" else "undecided"
        said += f": not distinguishable from noise with {units(paired)}"
        said += ", which the policy lets pass" if outcome == "pass" else ""
    else:
        outcome = "fail" if paired.exceeds(options.max_drop) else "pass"
        said += over(paired, before="it")
    if outcome == "fail" and options.pinned is None:
        said += "; accept it with `baseline promote --reason`, and creep starts anew"
    numbers = {
        **change_numbers(paired),
        "since": when,
        "max_drop": float(options.max_drop),
        "alpha": float(options.alpha),
        "inconclusive": unsure,
    }
    return GateVerdict(
        gate="creep",
        outcome=outcome,
        because=said,
        numbers=canonical(numbers),
        case_ids=paired.worse,
    )


def _unanchored(options: CreepOptions, history: Sequence[AcceptedSummary]) -> GateVerdict:
    if options.pinned is not None:
        return _answer("undecided", _unknown(options.pinned, history))
    if history:
        return _answer(
            "off", "the baseline was accepted although it had not passed, so creep starts anew"
        )
    return _answer("off", "the baseline remembers no earlier one")


def _answer(outcome: Outcome, said: str) -> GateVerdict:
    return GateVerdict(gate="creep", outcome=outcome, because=said)


def _anchor(
    options: CreepOptions, history: Sequence[AcceptedSummary], *, accepted: bool
) -> _Anchor | None:
    size = len(history)
    if options.pinned is None:
        reasoned = [at for at, one in enumerate(history) if one.knowingly]
        at = max(0, size - options.last, *reasoned)
        return _Anchor(at, history[at], size - at) if history and not accepted else None
    wanted = options.pinned.removeprefix("sha256:")
    for at in reversed(range(size)):
        if history[at].predictions.removeprefix("sha256:").startswith(wanted):
            return _Anchor(at, history[at], size - at)
    return None


def _unknown(pinned: str, history: Sequence[AcceptedSummary]) -> str:
    kept = count(len(history), "earlier one")
    return f"the baseline remembers {kept}, and none of predictions {pinned}"


def _when(anchor: _Anchor) -> str:
    digest = anchor.summary.predictions[:15]
    if anchor.ago == 1:
        return f"the baseline before the present one ({digest})"
    return f"the baseline {anchor.ago} before the present one ({digest})"


def _since(anchor: _Anchor, now: Paired) -> Paired | None:
    """Put the values of then beside those of this run, over the cases that have both."""
    places: list[int] = []
    was: list[float] = []
    for place, row in enumerate(now.rows):
        earlier = row.accepted.earlier if row.accepted is not None else ()
        value = earlier[anchor.at] if earlier else None
        if value is not None:
            places.append(place)
            was.append(value)
    if not was:
        return None
    return now.only(places).against(was, repeats=anchor.summary.repeats)
