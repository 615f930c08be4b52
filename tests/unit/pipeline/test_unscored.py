"""What a judge left open is decided at 0 and at 1."""

import pytest

from gate.pipeline.unscored import at_best, either, judgements, open_runs, with_rows
from gate.records.judge_run import Judgement
from gate.records.result import RepeatResult
from gate.records.verdict import GateVerdict

LATE = Judgement(status="timeout", votes=(None,), keys=("0" * 16,))


def verdict(outcome, because="so", gate="floor"):
    return GateVerdict(gate=gate, outcome=outcome, because=because)


def judged(*votes):
    return Judgement(status="ok", votes=votes, keys=("0" * 16,) * len(votes))


def run(repeat, score, standing="scored"):
    return RepeatResult(
        repeat=repeat, standing=standing, score=score, passed=score == 1.0, trajectory=1.0
    )


@pytest.fixture
def rows(make):
    return (
        make.row("a", 1.0),
        make.row("b", None, standing="unscored", judgement=LATE),
        make.row("c", None),
        make.row("d", None, standing="agent_error"),
    )


def test_only_what_a_judge_left_open_is_open(rows):
    assert open_runs(rows) == 1
    assert open_runs(rows[:1]) == 0


def test_without_an_open_answer_there_is_no_best(make, rows):
    closed = (rows[0], *rows[2:])
    assert at_best(closed, make.suite(*closed), None) is None


def test_at_best_an_open_answer_has_full_marks_and_no_other_changes(make, rows):
    best = at_best(rows, make.suite(*rows), None)
    assert [row.score for row in best.rows] == [1.0, 1.0, None, None]
    assert [row.passed for row in best.rows] == [True, True, False, False]
    assert best.rows[0] is rows[0]
    assert best.suite.pass_rate == 0.5
    assert best.alignment is None


def test_one_open_run_of_several_is_mended_alone(make):
    runs = (run(0, 0.5), run(1, None, "unscored"), run(2, None, "agent_error"))
    row = make.row("a", 0.5 / 3, standing="unscored", passed=False, repeats=runs)
    other = make.row("b", 0.0, repeats=(run(0, 0.0), run(1, 0.0), run(2, 0.0)))
    assert open_runs((row, other)) == 1
    best = at_best((row, other), make.suite(row, other, repeats=3), None)
    assert [one.score for one in best.rows[0].repeats] == [0.5, 1.0, None]
    assert best.rows[0].standing == "agent_error"
    assert best.rows[0].score == pytest.approx(0.5)
    assert best.rows[1] is other


def test_the_pairs_of_a_comparison_are_mended_too(make):
    rows = (
        make.row("a", 1.0, was=1.0),
        make.row("b", None, was=1.0, standing="unscored", judgement=LATE),
    )
    best = at_best(rows, make.suite(*rows), make.alignment(*rows))
    assert best.alignment.pairs == best.rows
    assert best.alignment.pairs[1].accepted == rows[1].accepted


def test_a_gate_that_says_the_same_both_times_stays_as_it_is():
    low = (verdict("fail", "two failed"),)
    assert either(low, (verdict("fail", "one failed"),), n_open=1, n_asked=4) == low


@pytest.mark.parametrize(
    ("low", "high"),
    [("fail", "pass"), ("pass", "fail"), ("undecided", "pass"), ("pass", "undecided")],
)
def test_a_gate_that_changes_its_mind_is_undecided_and_says_both(low, high):
    (found,) = either((verdict(low, "x"),), (verdict(high, "y"),), n_open=3, n_asked=1200)
    assert found.outcome == "undecided"
    assert found.because == (
        f"1,197 of 1,200 responses judged; with the others at 0 it is {low} (x), at 1 {high} (y)"
    )


def test_gates_that_are_not_the_same_ones_are_a_defect():
    with pytest.raises(ValueError, match="argument"):
        either((verdict("pass"),), (), n_open=1, n_asked=1)


@pytest.fixture(scope="session")
def bare(fakes):
    return fakes("judged_records").quiet_run()


def test_both_bounds_of_the_suite_are_recorded(bare, make, rows):
    found = with_rows(bare, rows, make.suite(*rows))
    assert found.bounds.pass_rate == (0.25, 0.5)
    assert found.bounds.mean_score == (0.25, 0.5)


def test_without_an_open_answer_there_are_no_bounds(bare, make, rows):
    assert with_rows(bare, rows[:1], make.suite(rows[0])).bounds is None


def test_votes_scatter_by_how_many_differ_and_how_far(bare, make):
    rows = (
        make.row("a", 1.0, judgement=judged(1.0, 1.0, 1.0)),
        make.row("b", 0.5, judgement=judged(0.0, 0.5, 1.0)),
        make.row("c", 0.5, judgement=judged(0.5)),
        make.row("d", 1.0),
    )
    found = with_rows(bare, rows, make.suite(*rows))
    assert found.flip_rate == 0.5
    assert found.within_sd == pytest.approx((0.25 / 2) ** 0.5)


def test_single_votes_scatter_by_nothing_that_is_known(bare, make):
    row = make.row("a", 1.0, judgement=judged(1.0))
    found = with_rows(bare, (row,), make.suite(row))
    assert (found.flip_rate, found.within_sd) == (None, None)


def test_a_vote_that_is_missing_is_left_out_of_the_scatter(bare, make):
    late = Judgement(status="timeout", votes=(1.0, None, 0.0), keys=("0" * 16,) * 3)
    row = make.row("a", None, standing="unscored", judgement=late)
    assert with_rows(bare, (row,), make.suite(row)).flip_rate == 1.0


def test_every_judgement_of_a_result_has_a_name(make):
    class Held:
        cases = (make.row("a", 1.0, judgement=judged(1.0)), make.row("b", 1.0))
        judge_run = None

    assert list(judgements(Held)) == [("case 'a'", judged(1.0))]
