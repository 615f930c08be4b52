"""Several runs of one case become its row."""

import random

import pytest

from gate.suite.rows import case_row, compose, runs_of


def row(make, *runs, repeats=1, **fields):
    return case_row(make.case(**fields), list(runs), digest=make.digest(), repeats=repeats)


def test_one_run_is_the_row_itself(make):
    found = row(make, make.run(0.5))
    assert (found.score, found.passed, found.standing, found.repeats) == (0.5, False, "scored", ())
    assert runs_of(found) == (make.run(0.5),)


def test_no_run_is_missing(make):
    found = row(make)
    assert (found.score, found.passed, found.standing) == (None, False, "missing")


@pytest.mark.parametrize(("tools", "path"), [((), 1.0), (("t",), 0.0)])
def test_a_missing_run_has_no_path_where_one_is_declared(make, tools, path):
    assert row(make, expected_tools=tools).trajectory == path
    assert row(make, expected_tools=tools).declares_path is bool(tools)


def test_the_score_is_the_mean_with_absent_ones_at_zero(make):
    found = row(make, make.run(1.0), make.run(0.5, repeat=1), repeats=4)
    assert found.score == 0.375
    assert [run.standing for run in found.repeats] == ["scored", "scored", "missing", "missing"]


def test_the_score_is_none_where_no_run_has_one(make):
    found = row(make, make.run(None, standing="agent_error"), repeats=2)
    assert found.score is None


def test_passed_needs_every_run(make):
    assert row(make, make.run(1.0), make.run(1.0, repeat=1), repeats=2).passed
    assert not row(make, make.run(1.0), make.run(0.0, repeat=1), repeats=2).passed
    assert not row(make, make.run(1.0), repeats=2).passed


def test_the_standing_is_the_worst(make):
    standings = ("scored", "unscorable", "unscored", "agent_error", "missing")
    for worst in range(len(standings)):
        runs = tuple(
            make.run(1.0 if standing == "scored" else None, repeat=at, standing=standing)
            for at, standing in enumerate(standings[: worst + 1])
        )
        assert compose(runs).standing == standings[worst]


def test_missing_runs_take_the_numbers_that_are_free(make):
    found = row(make, make.run(1.0, repeat=3), make.run(1.0, repeat=1), repeats=4)
    assert [(run.repeat, run.standing) for run in found.repeats] == [
        (0, "missing"),
        (1, "scored"),
        (2, "missing"),
        (3, "scored"),
    ]


def test_the_order_in_which_runs_come_changes_nothing(make):
    runs = [make.run(score, repeat=at) for at, score in enumerate((0.1, 0.2, 0.7, 1.0))]
    expected = row(make, *runs, repeats=5)
    for seed in range(5):
        random.Random(seed).shuffle(runs)
        assert row(make, *runs, repeats=5) == expected


def test_the_path_is_the_mean_over_runs(make):
    runs = (make.run(1.0, trajectory=1.0), make.run(1.0, repeat=1, trajectory=0.0))
    assert row(make, *runs, repeats=2, expected_tools=("t",)).trajectory == 0.5
