"""A plan for people: what a suite can see, in tables and plain sentences."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from gate.records import figures
from gate.report.measures import change, share
from gate.report.outcome import METRICS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gate.records.plan import Plan, Sight

_WIDTH: Final = 96


def plan_lines(plan: Plan) -> Iterator[str]:
    """Give the lines of the page; nothing in them comes from a file but numbers."""
    size, often = figures.count(plan.n_cases, "case"), figures.percent(plan.power)
    yield f"What {size} can see by the {METRICS[plan.metric]}"
    yield ""
    yield (
        f"  rule {plan.rule}, allowed drop {_drop(plan, float(plan.max_drop))}, alpha "
        f"{float(plan.alpha):g}; seen means: fails {often} of the time"
    )
    yield f"  {_source(plan)}"
    yield ""
    yield from _table(plan)
    for paragraph in (_about_the_limit(plan), _about_repeats(plan), _about_unchanged(plan)):
        if paragraph is not None:
            yield ""
            yield from wrap(paragraph, width=_WIDTH, break_on_hyphens=False)


def _source(plan: Plan) -> str:
    if plan.source == "repeats":
        runs = figures.count(plan.repeats, "run")
        return f"noise: measured from {runs} of each case by one agent"
    if plan.source == "pairs":
        return "noise: measured from the result and its baseline, one run each"
    return "noise: not measured; run each case several times, or give a result with its comparison"


def _table(plan: Plan) -> Iterator[str]:
    wanted = f"cases for {_drop(plan, plan.wanted)}"
    head = ("noise of a case", "seen by the test", "seen by the rule", wanted)
    rows = [head, *(_row(plan, one) for one in plan.sights)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(head))]
    for row in rows:
        first, *others = (cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        yield "  " + "  ".join((first.strip().ljust(widths[0]), *others))


def _row(plan: Plan, one: Sight) -> tuple[str, str, str, str]:
    if one.kind == "flips":
        noise = f"{share(one.noise, metric='pass_rate')} flip"
    else:
        noise = f"scatters by {share(one.noise, metric='mean_score')}"
    return (
        f"measured: {noise}" if one.measured else f"if {noise}",
        _seen(plan, one.by_test),
        _seen(plan, one.by_rule),
        "none would do" if one.cases_needed is None else f"{one.cases_needed:,}",
    )


def _about_the_limit(plan: Plan) -> str | None:
    if not plan.max_drop:
        return None
    limit = _drop(plan, float(plan.max_drop))
    return (
        f"A true drop of just the allowed {limit} fails {figures.percent(plan.at_max_drop)} of "
        "the time here, and no more than about half the time with any number of cases: allow less "
        "than what must be seen."
    )


def _about_repeats(plan: Plan) -> str:
    seen = ", ".join(f"{one.repeats}: {_seen(plan, one.by_rule)}" for one in plan.by_repeats)
    at = "the measured noise" if plan.source else "the second row's noise"
    return (
        f"Runs of each case, now and in the baseline, and what the rule then sees at {at}: {seen}."
    )


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
