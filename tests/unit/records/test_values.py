"""What one case weighs in a mean."""

import pytest

from gate.records.values import accepted_value, case_value, paired_values, run_without_score


def test_one_run_weighs_whether_it_passed_and_what_it_scored(make):
    row = make.row("a", 0.25)
    assert (case_value(row, "pass_rate"), case_value(row, "mean_score")) == (0.0, 0.25)


def test_several_runs_weigh_their_share_and_their_mean(make):
    runs = (make.run(1.0), make.run(0.5, repeat=1), make.run(None, repeat=2))
    row = make.row("a", 0.5, repeats=runs, passed=False)
    assert case_value(row, "pass_rate") == pytest.approx(1 / 3)
    assert case_value(row, "mean_score") == 0.5


def test_no_score_weighs_nothing(make):
    assert case_value(make.row("a", None), "mean_score") == 0.0
    assert case_value(make.row("a", None), "pass_rate") == 0.0


@pytest.mark.parametrize(
    ("scores", "share", "mean"),
    [((1.0,), 1.0, 1.0), ((0.5,), 0.0, 0.5), ((None,), 0.0, 0.0), ((1.0, None), 0.5, 0.5)],
)
def test_an_accepted_case_weighs_the_same(make, scores, share, mean):
    accepted = make.accepted(*scores)
    assert accepted_value(accepted, "pass_rate") == share
    assert accepted_value(accepted, "mean_score") == mean


def test_only_rows_that_stand_in_both_are_paired(make):
    rows = (make.row("a", 0.0, was=1.0), make.row("new"), make.row("b", was=0.0))
    assert paired_values(rows, "pass_rate") == ([1.0, 0.0], [0.0, 1.0])


def test_a_run_without_a_score_is_not_passed(make):
    declared = run_without_score(make.case(expected_tools=("t",)), 2, "agent_error")
    assert (declared.score, declared.passed, declared.trajectory) == (None, False, 0.0)
    assert run_without_score(make.case(), 2, "missing").trajectory == 1.0
    assert run_without_score(make.case(), 2, "unscorable", trajectory=0.5).trajectory == 0.5
