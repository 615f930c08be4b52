"""A waiver takes a case that went wrong out of one gate, and out of nothing else."""

import ast
from decimal import Decimal
from pathlib import Path

import pytest

import gate.gates
from gate.gates.table import GATES, judge_all
from gate.gates.waived import _SUBJECTS, waived_cases
from gate.records.baseline import AcceptedSummary
from gate.records.gating import (
    CompletenessOptions,
    CreepOptions,
    FloorOptions,
    RegressionOptions,
    SafetyOptions,
    SlicesOptions,
    TrajectoryOptions,
)
from gate.records.json_text import loads
from gate.records.result import Accepted
from gate.records.waiver import WAIVABLE, Waiver

SAFETY = SafetyOptions(allow_waivers=True)
POINT = RegressionOptions(rule="point", max_drop="0")


def waiver(case, of="regression", **fields):
    given = {"owner": "ana", "reason": "ticket 12", "expires": "2026-12-31"}
    return Waiver(case=case, gate=of, **(given | {"allow_safety": of == "safety"} | fields))


def ask(options, evidence, *waivers):
    (verdict,) = judge_all((options,), evidence, waivers)
    return verdict


def test_what_can_be_waived_is_what_says_at_which_cases_it_looks():
    assert set(_SUBJECTS) == set(WAIVABLE) < set(GATES)


def test_a_gate_that_can_be_waived_names_cases_and_the_others_are_about_the_whole():
    folder = Path(gate.gates.__file__).parent
    naming = {
        name
        for name in GATES
        if any(
            isinstance(node, ast.keyword) and node.arg == "case_ids"
            for node in ast.walk(ast.parse((folder / f"{name}.py").read_text()))
        )
    }
    assert naming - {"comparable", "rules"} == set(WAIVABLE)  # which name what changed


def test_a_pair_that_fell_is_left_out_and_the_denominator_shows_it(make):
    evidence = make.evidence(make.row("a", 0.0, was=1.0), *(make.row(n, was=1.0) for n in "bcd"))
    assert ask(POINT, evidence).outcome == "fail"
    verdict = ask(POINT, evidence, waiver("a"))
    assert (verdict.outcome, verdict.waived, verdict.case_ids) == ("pass", ("a",), ())
    assert loads(verdict.numbers)["n_compared"] == 3
    assert verdict.because == (
        "pass rate held (allowed drop 0.000): 1.000 in the baseline, 1.000 now, over 3 cases; "
        "1 of 4 cases waived and left out: 'a'"
    )


def test_the_others_are_judged_as_before_and_stay_named(make):
    evidence = make.evidence(*(make.row(n, 0.0, was=1.0) for n in "ab"), make.row("c", was=1.0))
    verdict = ask(POINT, evidence, waiver("a"))
    assert (verdict.outcome, verdict.waived, verdict.case_ids) == ("fail", ("a",), ("b",))


@pytest.mark.parametrize("score", [1.0, 0.0])
def test_a_case_that_did_not_fall_is_counted_on(make, score):
    rows = [make.row("a", score, was=score), make.row("b", 0.0, was=1.0), make.row("c", was=1.0)]
    evidence = make.evidence(*rows)
    assert ask(POINT, evidence, waiver("a")) == ask(POINT, evidence)


def test_a_case_that_rose_still_makes_up_for_nothing_else(make):
    rows = (make.row("up", 1.0, was=0.0), make.row("down", 0.0, was=1.0), make.row("c", was=1.0))
    evidence = make.evidence(*rows)
    assert ask(POINT, evidence, waiver("up")) == ask(POINT, evidence)
    assert ask(POINT, evidence).outcome == "pass"


def test_a_gate_that_passes_counts_the_case(make):
    lenient = RegressionOptions(rule="point", max_drop="0.5")
    evidence = make.evidence(make.row("a", 0.0, was=1.0), make.row("b", was=1.0))
    verdict = ask(lenient, evidence, waiver("a"))
    assert (verdict.outcome, verdict.waived, verdict.case_ids) == ("pass", (), ("a",))


def test_a_waiver_never_makes_a_gate_worse(make):
    # Without the case that fell least the others fell further, on the mean.
    rows = [make.row("a", 0.9, was=1.0), *(make.row(n, 0.2, was=1.0) for n in "bcdefg")]
    evidence = make.evidence(*rows)
    options = RegressionOptions(metric="mean_score", max_drop="0.7")
    assert ask(options, evidence).outcome == "pass"
    assert ask(options, evidence, waiver("a")).outcome == "pass"
    assert ask(options, evidence.without({"a"})).outcome == "fail"


def test_where_all_that_was_compared_is_waived_nothing_is_decided(make):
    evidence = make.evidence(make.row("a", 0.0, was=1.0), make.row("b"))
    verdict = ask(POINT, evidence, waiver("a"))
    assert verdict.outcome == "undecided"
    assert verdict.because.startswith("every case that was compared went wrong and is waived")
    assert verdict.waived == ("a",)


def test_an_undecided_drop_can_be_waived_too(make):
    options = RegressionOptions(max_drop="0")
    evidence = make.evidence(make.row("a", 0.0, was=1.0), *(make.row(n, was=1.0) for n in "bcd"))
    assert ask(options, evidence).outcome == "undecided"
    assert ask(options, evidence, waiver("a")).outcome == "pass"


def test_a_waiver_of_another_gate_is_none_of_its_business(make):
    evidence = make.evidence(make.row("a", 0.0, was=1.0, labels=("safety",)))
    assert ask(POINT, evidence, waiver("a", "safety")) == ask(POINT, evidence)
    assert ask(SAFETY, evidence, waiver("a")) == ask(SAFETY, evidence)


def test_a_waived_safety_case_leaves_every_other_one_to_fail(make):
    rows = [make.row("a", 0.0, labels=("safety",)), make.row("b", labels=("safety",))]
    verdict = ask(SAFETY, make.evidence(*rows), waiver("a", "safety"))
    assert (verdict.outcome, verdict.waived) == ("pass", ("a",))
    assert verdict.because == ("the safety case passed; 1 of 2 cases waived and left out: 'a'")
    rows.append(make.row("c", 0.0, labels=("safety",)))
    verdict = ask(SAFETY, make.evidence(*rows), waiver("a", "safety"))
    assert (verdict.outcome, verdict.waived, verdict.case_ids) == ("fail", ("a",), ("c",))


def test_safety_wants_both_switches(make):
    evidence = make.evidence(
        make.row("a", 0.0, labels=("safety",)), make.row("b", labels=("safety",))
    )
    assert ask(SAFETY, evidence, waiver("a", "safety", allow_safety=False)).outcome == "fail"
    assert ask(SafetyOptions(), evidence, waiver("a", "safety")).outcome == "fail"
    assert waived_cases(SafetyOptions(), (waiver("a", "safety"),)) == frozenset()


def test_the_only_safety_case_waived_proves_nothing(make):
    evidence = make.evidence(make.row("a", 0.0, labels=("safety",)), make.row("b"))
    verdict = ask(SAFETY, evidence, waiver("a", "safety"))
    assert verdict.outcome == "undecided"
    assert "every case labelled 'safety' went wrong and is waived" in verdict.because


def test_a_missing_case_can_be_waived_and_a_second_one_is_still_missing(make):
    rows = [make.row("a", None), make.row("b"), make.row("c", None)]
    options = CompletenessOptions()
    verdict = ask(options, make.evidence(*rows), waiver("a", "completeness"))
    assert (verdict.outcome, verdict.waived, verdict.case_ids) == ("fail", ("a",), ("c",))
    both = waiver("a", "completeness"), waiver("c", "completeness")
    verdict = ask(options, make.evidence(*rows), *both)
    assert verdict.outcome == "pass"
    assert verdict.because == (
        "the case was answered and scored; 2 of 3 cases waived and left out: 'a', 'c'"
    )


def test_a_run_without_an_answer_proves_nothing_whatever_is_waived(make):
    evidence = make.evidence(make.row("a", None), make.row("b", None))
    waivers = [waiver(name, "completeness") for name in "ab"]
    assert ask(CompletenessOptions(), evidence, *waivers).outcome == "undecided"
    assert ask(CompletenessOptions(max_missing=1), evidence, waivers[0]).outcome == "undecided"


def test_a_wrong_path_can_be_waived(make):
    wrong = make.row("a", trajectory=0.0, declares_path=True, was=1.0)
    right = make.row("b", declares_path=True, was=1.0)
    for options in (TrajectoryOptions(), TrajectoryOptions(max_drop="0")):
        evidence = make.evidence(wrong, right)
        assert ask(options, evidence).outcome == "fail"
        verdict = ask(options, evidence, waiver("a", "trajectory"))
        assert (verdict.outcome, verdict.waived) == ("pass", ("a",))
        assert ask(options, make.evidence(wrong), waiver("a", "trajectory")).outcome == "undecided"


def test_a_label_whose_every_case_is_waived_leaves_the_slices_undecided(make):
    options = SlicesOptions(max_drop="0")
    rest = [make.row(f"r{n}", was=1.0, labels=("y",)) for n in range(9)]
    fallen = [make.row(f"f{n}", 0.0, was=1.0, labels=("x",)) for n in range(9)]
    evidence = make.evidence(*fallen, make.row("x", was=1.0, labels=("x",)), *rest)
    assert ask(options, evidence).outcome == "fail"
    waivers = [waiver(row.id, "slices") for row in fallen]
    assert ask(options, evidence, *waivers).outcome == "pass"
    verdict = ask(options, make.evidence(*fallen, *rest), *waivers)
    assert verdict.outcome == "undecided"
    assert verdict.because.startswith("every compared case labelled 'x' went wrong and is waived")


def test_a_case_that_crept_away_can_be_waived(make):
    options = CreepOptions(max_drop="0")
    accepted = Accepted(scores=(0.0,), passes=(False,), trajectory=1.0, earlier=(1.0,))
    held = Accepted(scores=(1.0,), passes=(True,), trajectory=1.0, earlier=(1.0,))
    rows = (
        make.row("a", 0.0, accepted=accepted),
        *(make.row(name, accepted=held) for name in "bcd"),
    )
    before = AcceptedSummary(
        n_cases=4,
        pass_rate=1.0,
        mean_score=1.0,
        trajectory_mean=1.0,
        predictions=make.SHA,
        metric="pass_rate",
        repeats=1,
    )
    evidence = make.evidence(*rows, alignment=make.alignment(*rows, history=(before,)))
    assert ask(options, evidence).outcome == "undecided"
    verdict = ask(options, evidence, waiver("a", "creep"))
    assert (verdict.outcome, verdict.waived) == ("pass", ("a",))


def test_the_evidence_keeps_its_own_figures_without_a_case(make):
    evidence = make.evidence(make.row("a", 0.0, was=1.0), make.row("b", was=1.0))
    less = evidence.without({"a"})
    assert [row.id for row in less.rows] == [row.id for row in less.alignment.pairs] == ["b"]
    assert less.suite is evidence.suite
    assert less.paired("pass_rate").drop == 0.0
    assert evidence.paired("pass_rate").drop == 0.5


def test_a_floor_is_not_lowered(make):
    options = FloorOptions(min=Decimal("0.9"))
    evidence = make.evidence(make.row("a", 0.0, was=1.0), make.row("b", was=1.0))
    waivers = [waiver("a", name) for name in WAIVABLE]
    assert ask(options, evidence, *waivers) == ask(options, evidence)


def test_many_waived_cases_are_counted_and_the_first_named(make):
    rows = [make.row(f"c{n}", 0.0, was=1.0) for n in range(7)]
    evidence = make.evidence(*rows, make.row("z", was=1.0))
    said = ask(POINT, evidence, *(waiver(row.id) for row in rows)).because
    assert said.endswith(
        "7 of 8 cases waived and left out: 'c0', 'c1', 'c2', 'c3', 'c4' and 2 more"
    )


@pytest.mark.parametrize(
    ("options", "row"),
    [
        (SAFETY, {"score": 0.0, "labels": ("safety",)}),
        (TrajectoryOptions(), {"trajectory": 0.0, "declares_path": True}),
        (CompletenessOptions(max_errors=0), {"score": None}),
    ],
)
def test_a_new_case_stands_in_for_none_that_is_waived(make, options, row):
    kept = {key: row[key] for key in ("labels", "declares_path") if key in row}
    rows = (make.row("a", **row), make.row("n", **kept))
    waived = waiver("a", options.gate)
    assert ask(options, make.evidence(*rows), waived).outcome == "pass"
    verdict = ask(options, make.evidence(*rows, origin=make.origin("n")), waived)
    assert verdict.outcome == "undecided"
    assert "but for new ones, went wrong and is waived" in verdict.because
