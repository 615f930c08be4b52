"""The paths of the cases that declare one, by `min` and by `max_drop`."""

from decimal import Decimal

import pytest

from gate.gates.evidence import Setting
from gate.gates.trajectory import judge, objection
from gate.records.gating import TrajectoryOptions

SETTING = Setting(has_baseline=True, labels=frozenset({"safety", "qa"}), trajectory_mode="exact")


def rows_of(make, *values):
    return [
        make.row(f"p{at}", declares_path=True, trajectory=value, accepted=make.accepted(1.0))
        for at, value in enumerate(values)
    ]


def test_exact_needs_one_and_names_the_rest(make):
    evidence = make.evidence(*rows_of(make, 1.0, 0.0), make.row("x", trajectory=1.0))
    verdict = judge(TrajectoryOptions(), evidence)
    assert (verdict.outcome, verdict.case_ids) == ("fail", ("p1",))
    perfect = make.evidence(*rows_of(make, 1.0, 1.0))
    assert judge(TrajectoryOptions(), perfect).outcome == "pass"


@pytest.mark.parametrize(("least", "outcome"), [("0.5", "pass"), ("0.51", "fail")])
def test_min_is_inclusive(make, least, outcome):
    evidence = make.evidence(*rows_of(make, 1.0, 0.0))
    assert judge(TrajectoryOptions(min=least), evidence).outcome == outcome


@pytest.mark.parametrize(("limit", "outcome"), [("0.5", "pass"), ("0.49", "fail")])
def test_max_drop_is_inclusive(make, limit, outcome):
    evidence = make.evidence(*rows_of(make, 1.0, 0.0))
    assert judge(TrajectoryOptions(max_drop=limit), evidence).outcome == outcome


def test_max_drop_without_a_baseline_is_undecided(make):
    rows = [make.row("p", declares_path=True, trajectory=0.0)]
    given = TrajectoryOptions(max_drop=Decimal("0.1"))
    assert judge(given, make.evidence(*rows, compared=False)).outcome == "undecided"


def test_a_path_below_min_fails_although_the_drop_is_undecided(make):
    rows = [make.row("p", declares_path=True, trajectory=0.0)]
    given = TrajectoryOptions(max_drop=Decimal("0.1"), min=Decimal("0.5"))
    assert judge(given, make.evidence(*rows, compared=False)).outcome == "fail"


@pytest.mark.parametrize("given", [{}, {"min": "0.5"}, {"max_drop": "0.1"}])
def test_no_path_at_all_is_nothing_to_judge(make, given):
    verdict = judge(TrajectoryOptions(**given), make.evidence(make.row("a")))
    assert (verdict.outcome, verdict.because) == ("off", "no case declares a path")


def test_another_mode_than_the_suites_is_refused():
    assert "'set'" in objection(TrajectoryOptions(mode="set"), SETTING)
    soft = SETTING._replace(trajectory_mode="set")
    assert "required" in objection(TrajectoryOptions(), soft)
    assert objection(TrajectoryOptions(min="0.5", mode="set"), soft) is None


def test_a_failure_says_the_mean_the_floor_and_the_drop(make):
    evidence = make.evidence(*rows_of(make, 1.0, 0.5, 0.5))
    verdict = judge(TrajectoryOptions(min="0.9", max_drop="0.05"), evidence)
    assert verdict.because == (
        "mean path score 0.667 (exact) over 3 cases that declare a path: below the floor 0.900 "
        "and down 0.333 (allowed drop 0.050) from 1.000 in the baseline, over 3 cases compared"
    )


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"compared": False}, "there is no baseline"),
        ({"comparable": False}, "the two runs were measured differently"),
    ],
)
def test_an_unknown_drop_says_why(make, fields, reason):
    evidence = make.evidence(*rows_of(make, 1.0), **fields)
    assert reason in judge(TrajectoryOptions(max_drop="0.1"), evidence).because


def test_a_drop_without_an_unchanged_case_is_unknown(make):
    evidence = make.evidence(make.row("p", declares_path=True))
    verdict = judge(TrajectoryOptions(max_drop="0.1"), evidence)
    assert "no case that declares a path stands unchanged" in verdict.because


def test_new_paths_lift_nothing_over_min(make):
    later = make.row("later", declares_path=True, trajectory=0.0)
    new = [make.row(f"n{at}", declares_path=True) for at in range(8)]
    old = make.row("a", declares_path=True, was=1.0)
    names = tuple(row.id for row in new)
    beside = make.alignment(old, added=("later", *names))
    evidence = make.evidence(old, later, *new, alignment=beside, origin=make.origin(*names))
    verdict = judge(TrajectoryOptions(min="0.6"), evidence)
    assert verdict.outcome == "fail"
    assert verdict.because.endswith("0.500 without the 8 new cases, below the floor 0.600")
    assert judge(TrajectoryOptions(min="0.5"), evidence).outcome == "pass"


def test_new_paths_alone_are_judged_by_themselves(make):
    evidence = make.evidence(
        make.row("a"), make.row("n", declares_path=True), origin=make.origin("n")
    )
    assert judge(TrajectoryOptions(), evidence).outcome == "pass"
