"""A plan for people: what a suite can see, in tables and plain sentences."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from gate.records import figures
from gate.report.columns import laid_out
from gate.report.measures import change, share
from gate.report.outcome import METRICS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.plan import Certification, Plan, Sight

_WIDTH: Final = 96


def plan_lines(plan: Plan) -> Iterator[str]:
    """Give the lines of the page; nothing in them comes from a file but numbers."""
    size, often = figures.count(plan.n_cases, _unit(plan)), figures.percent(plan.power)
    yield f"What {size} can see by the {METRICS[plan.metric]}"
    yield ""
    meant = "" if plan.certifications else f"; seen means: fails {often} of the time"
    yield (
        f"  rule {plan.rule}, allowed drop {_drop(plan, float(plan.max_drop))}, alpha "
        f"{float(plan.alpha):g}{meant}"
    )
    yield f"  {_source(plan)}"
    yield ""
    yield from laid_out(_certified(plan) if plan.certifications else _seen_by(plan))
    for paragraph in (_about_the_limit(plan), _about_repeats(plan), _about_unchanged(plan)):
        if paragraph is not None:
            yield ""
            yield from wrap(paragraph, width=_WIDTH, break_on_hyphens=False)


def _unit(plan: Plan) -> str:
    return "cluster" if plan.clustered else "case"


def _source(plan: Plan) -> str:
    if plan.source == "repeats":
        runs = figures.count(plan.repeats, "run")
        return f"noise: measured from {runs} of each case by one agent, as averaged over them"
    if plan.source == "pairs":
        return "noise: measured from the result and its baseline, one run each"
    return "noise: not measured; run each case several times, or give a result with its comparison"


def _seen_by(plan: Plan) -> list[tuple[str, ...]]:
    wanted = f"{_unit(plan)}s for {_drop(plan, plan.wanted)}"
    head = [f"noise of a {_unit(plan)}", "beyond chance", "and the limit", wanted]
    graded = any(one.even_by_rule is not None for one in plan.sights)
    if graded:
        head.insert(3, "if all lose alike")
    rows = [tuple(head)]
    for one in plan.sights:
        cells = [_noise(one), _seen(plan, one.by_test), _seen(plan, one.by_rule)]
        cells += [_seen(plan, one.even_by_rule)] if graded else []
        rows.append((*cells, _cases(one)))
    return rows


def _certified(plan: Plan) -> list[tuple[str, ...]]:
    wanted = f"{_unit(plan)}s for {figures.percent(plan.power)}"
    return [
        (f"noise of a {_unit(plan)}", "an unchanged agent passes", wanted),
        *((_noise(one), figures.percent(one.passes), _cases(one)) for one in plan.certifications),
    ]


def _noise(one: Sight | Certification) -> str:
    if one.kind == "flips":
        noise = f"{share(one.noise, metric='pass_rate')} flip"
    else:
        noise = f"scatters by {share(one.noise, metric='mean_score')}"
    return f"measured: {noise}" if one.measured else f"if {noise}"


def _cases(one: Sight | Certification) -> str:
    return "none would do" if one.cases_needed is None else f"{one.cases_needed:,}"


def _about_the_limit(plan: Plan) -> str | None:
    if not plan.max_drop or plan.at_max_drop is None:
        return None
    limit = _drop(plan, float(plan.max_drop))
    said = (
        f"A true drop of just the allowed {limit} fails {figures.percent(plan.at_max_drop)} of "
        f"the time here ({_noise(plan.sights[0])}), and no more than about half the time with any "
        f"number of {_unit(plan)}s."
    )
    if plan.wanted <= plan.max_drop:
        said += f" To see {_drop(plan, plan.wanted)}, allow less than that."
    return said


def _about_repeats(plan: Plan) -> str | None:
    if not plan.by_repeats:
        return None
    noise = _noise(plan.sights[0 if plan.source else 1])
    if plan.source == "repeats":
        noise = "at the noise that was measured"
    seen = ", ".join(f"{one.repeats}: {_seen(plan, one.by_rule)}" for one in plan.by_repeats)
    said = (
        "Runs of each case, now and in the baseline, and what the rule then sees "
        f"({noise}): {seen}."
    )
    if plan.wanted <= plan.max_drop:
        return said
    wanted, need = _drop(plan, plan.wanted), plan.repeats_needed
    if need is None:
        return f"{said} No number of runs shows {wanted} here: it takes more {_unit(plan)}s."
    return f"{said} {figures.count(need, 'run')} of each case, on both sides, would show {wanted}."


def _about_unchanged(plan: Plan) -> str | None:
    found = plan.unchanged
    if found is None:
        return None
    passed = found.n_pairs - found.n_failed - found.n_undecided
    return (
        f"Unchanged agent: its own {plan.repeats} full runs, each against each other "
        f"({figures.count(found.n_pairs, 'comparison')}): {found.n_failed} failed, "
        f"{found.n_undecided} undecided, {passed} passed."
    )


def _seen(plan: Plan, drop: float | None) -> str:
    return "no drop" if drop is None else _drop(plan, drop)


def _drop(plan: Plan, drop: float) -> str:
    return change(drop, metric=plan.metric).removeprefix("+")
