"""The rules of regression: what a drop comes to, and on which evidence."""

import json
from dataclasses import replace

import pytest

from gate.errors import PolicyInvalid
from gate.gates.evidence import Setting
from gate.gates.regression import judge, objection
from gate.records.gating import RegressionOptions


def lost(make, worse, *, better=0, size=60):
    """Make ``size`` cases, of which ``worse`` fell from 1 to 0 and ``better`` rose."""
    rows = [make.row(f"w{at:03}", 0.0, was=1.0) for at in range(worse)]
    rows += [make.row(f"b{at:03}", 1.0, was=0.0) for at in range(better)]
    rows += [make.row(f"k{at:03}", was=1.0) for at in range(size - worse - better)]
    return make.evidence(*rows)


def significant(limit=None, **fields):
    return RegressionOptions(max_drop=limit, **fields)


def test_significant_is_the_default_and_its_limit_is_zero(make):
    verdict = judge(RegressionOptions(), lost(make, 9))
    numbers = json.loads(verdict.numbers)
    assert verdict.outcome == "fail"
    assert (numbers["rule"], numbers["max_drop"], numbers["test"]) == (
        "significant",
        0.0,
        "mcnemar_mid_p",
    )
    assert numbers["p_value"] == 2**-10


def test_a_drop_that_may_be_chance_is_undecided_and_says_so(make):
    verdict = judge(significant(), lost(make, 2, size=6))
    assert verdict.outcome == "undecided"
    assert "p = 0.125: not distinguishable from noise with 6 cases" in verdict.because
    assert json.loads(verdict.numbers)["inconclusive"] is True


def test_the_policy_may_let_it_pass_and_the_verdict_says_that(make):
    verdict = judge(significant(on_inconclusive="pass"), lost(make, 2, size=6))
    assert verdict.outcome == "pass"
    assert "which the policy lets pass" in verdict.because
    assert json.loads(verdict.numbers)["inconclusive"] is True


def test_a_drop_within_the_limit_passes_however_sure_it_is(make):
    verdict = judge(significant("0.15"), lost(make, 9))
    assert verdict.outcome == "pass"
    assert json.loads(verdict.numbers)["p_value"] < 0.05


def test_fifteen_points_nine_newly_failing_and_none_fixed_fail(make):
    verdict = judge(significant("0.05"), lost(make, 9))
    assert (verdict.outcome, len(verdict.case_ids)) == ("fail", 9)


@pytest.mark.parametrize(("worse", "outcome"), [(3, "undecided"), (4, "fail")])
def test_four_lost_cases_and_none_won_are_the_least_that_fails(make, worse, outcome):
    assert judge(significant(), lost(make, worse)).outcome == outcome


def test_alpha_is_inclusive(make):
    evidence = lost(make, 4)  # its mid-p is 1/32
    assert judge(significant(alpha="0.03125"), evidence).outcome == "fail"
    assert judge(significant(alpha="0.03124"), evidence).outcome == "undecided"


def rerun(make, *scores, size=8):
    """Make cases of ``scores`` in several runs, beside one accepted run of each, which passed."""
    runs = tuple(make.run(score, repeat=at) for at, score in enumerate(scores))
    mean = sum(scores) / len(scores)
    fields = {"repeats": runs, "passed": all(run.passed for run in runs), "standing": "scored"}
    return [make.row(f"r{at}", mean, was=1.0, **fields) for at in range(size)]


def test_all_runs_count_where_this_run_has_more_than_the_baseline(make):
    """Two of a case's four runs passed: the accepted one is among them by a chance of 1/2."""
    verdict = judge(significant(), make.evidence(*rerun(make, 1.0, 0.0, 0.0)))
    numbers = json.loads(verdict.numbers)
    assert numbers["drop"] == pytest.approx(2 / 3)
    assert (numbers["test"], numbers["p_value"], verdict.outcome) == (
        "run_exchange",
        2**-8,
        "fail",
    )


def test_graded_scores_of_unequal_many_runs_are_compared_by_the_first_of_them(make):
    rows = rerun(make, 1.0, 0.5, 0.5)
    numbers = json.loads(judge(significant(metric="mean_score"), make.evidence(*rows)).numbers)
    assert (numbers["test"], numbers["p_value"]) == ("mcnemar_mid_p", 1.0)


def test_cases_of_one_cluster_count_once(make):
    rows = [make.row(f"c{at}", 0.0, was=1.0, cluster="one page") for at in range(8)]
    rows += [make.row(f"k{at}", was=1.0) for at in range(8)]
    verdict = judge(significant(), make.evidence(*rows))
    assert (verdict.outcome, json.loads(verdict.numbers)["p_value"]) == ("undecided", 0.5)


def test_noninferior_needs_evidence_even_where_nothing_moved(make):
    small, large = lost(make, 0, size=20), lost(make, 0, size=300)
    rule = RegressionOptions(rule="noninferior", max_drop="0.05")
    assert judge(rule, small).outcome == "undecided"
    assert "not shown to be within what is allowed" in judge(rule, small).because
    assert judge(rule, large).outcome == "pass"
    assert "with 95.0 % confidence it fell by less than" in judge(rule, large).because


def test_noninferior_fails_beyond_the_margin(make):
    rule = RegressionOptions(rule="noninferior", max_drop="0.05")
    assert judge(rule, lost(make, 4)).outcome == "fail"


@pytest.mark.parametrize(
    "options",
    [
        {"rule": "point"},
        {"rule": "noninferior"},
        {"rule": "noninferior", "max_drop": "0"},
        {"rule": "noninferior", "max_drop": "0.05", "on_inconclusive": "pass"},
    ],
)
def test_a_rule_that_cannot_work_is_refused_before_anything_is_scored(options):
    setting = Setting(has_baseline=True, labels=frozenset(), trajectory_mode="exact")
    assert objection(RegressionOptions(**options), setting) is not None


def test_significant_needs_no_limit():
    setting = Setting(has_baseline=True, labels=frozenset(), trajectory_mode="exact")
    assert objection(RegressionOptions(), setting) is None


def test_a_stored_policy_without_a_limit_that_its_rule_needs_is_refused(make):
    with pytest.raises(PolicyInvalid, match="max_drop"):
        judge(RegressionOptions(rule="point"), lost(make, 1))


def test_what_is_not_comparable_is_undecided_under_every_rule(make):
    evidence = replace(lost(make, 9), comparable=False)
    for rule in ("significant", "point", "noninferior"):
        options = RegressionOptions(rule=rule, max_drop="0.05")
        assert judge(options, evidence).outcome == "undecided"


def test_means_of_repeats_stay_on_their_lattice(make):
    """(0.1 + 0.2 + 0.3) / 3 is no fifth in floats; drawn signs would be the price."""
    rows = []
    for at in range(40):
        runs = tuple(make.run(score, repeat=n) for n, score in enumerate((0.1, 0.2, 0.3)))
        accepted = make.accepted(0.7, 0.1, 0.1 * (at % 2))
        rows.append(make.row(f"r{at}", 0.2, repeats=runs, passed=False, accepted=accepted))
    options = significant(metric="mean_score")
    assert json.loads(judge(options, make.evidence(*rows)).numbers)["test"] == "sign_flip"


def test_fewer_repeats_than_the_baseline_has_make_nobody_look_worse(make):
    """A mean of ten runs mostly lies a little above the 0 of a single run of a hard case."""
    rows = []
    for at in range(20):
        passes = tuple(float(run == at % 10) for run in range(10))
        rows.append(make.row(f"r{at:02}", 0.0, accepted=make.accepted(*passes)))
    verdict = judge(significant(), make.evidence(*rows))
    numbers = json.loads(verdict.numbers)
    assert numbers["drop"] == pytest.approx(0.1)
    assert numbers["p_value"] == pytest.approx((10 / 11) ** 20)
    assert verdict.outcome == "undecided"
