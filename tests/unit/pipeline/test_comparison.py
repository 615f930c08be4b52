"""The comparison in numbers: what moved, how surely, and what could be seen."""

from dataclasses import replace

import pytest

from gate.pipeline.comparison import comparison
from gate.records.gating import RegressionOptions

POINT = RegressionOptions(rule="point", max_drop="0")


def compared(make, *rows, rule=POINT, **fields):
    return comparison(make.evidence(*rows, **fields), rule)


def flips(make, worse, better, size):
    rows = [make.row(f"w{at:03}", 0.0, was=1.0) for at in range(worse)]
    rows += [make.row(f"b{at:03}", 1.0, was=0.0) for at in range(better)]
    return [*rows, *(make.row(f"k{at:03}", was=1.0) for at in range(size - worse - better))]


def test_it_is_baseline_minus_current_over_the_pairs(make):
    pairs = (
        make.row("a", 0.0, was=1.0),
        make.row("b", was=1.0),
        make.row("c", was=0.0),
        make.row("d", 0.0, was=1.0),
    )
    alignment = make.alignment(*pairs, added=("n",), reason="why", repeats=3)
    found = compared(make, *pairs, alignment=alignment)
    assert (found.baseline, found.current, found.drop, found.n_compared) == (0.75, 0.5, 0.25, 4)
    assert (found.newly_failing, found.newly_passing) == (("a", "d"), ("c",))
    assert (found.added, found.baseline_reason, found.baseline_repeats) == (("n",), "why", 3)


def test_without_a_baseline_there_is_no_comparison(make):
    assert compared(make, make.row("a"), compared=False) is None


def test_without_a_pair_there_is_no_drop(make):
    found = compared(make, make.row("a"))
    assert (found.baseline, found.current, found.drop, found.n_compared) == (None, None, None, 0)
    assert (found.interval, found.p_value, found.minimum_detectable_drop) == (None, None, None)


def test_a_case_with_several_runs_newly_fails_when_one_of_them_does(make):
    runs = (make.run(1.0), make.run(0.0, repeat=1))
    row = make.row("a", 0.5, repeats=runs, passed=False, accepted=make.accepted(1.0, 1.0))
    assert compared(make, row).newly_failing == ("a",)


def test_the_drop_has_an_interval_of_its_own_and_a_p_value_under_every_rule(make):
    found = compared(make, *flips(make, 12, 2, 50))
    assert (found.interval.method, found.test) == ("newcombe", "mcnemar_mid_p")
    assert (found.n_worse, found.n_better) == (12, 2)
    assert found.interval.low < found.drop < found.interval.high
    assert found.p_value == pytest.approx(0.0036926, abs=1e-6)


def test_an_unchanged_run_has_an_interval_with_width(make):
    found = compared(make, *flips(make, 0, 0, 100))
    assert found.drop == 0.0
    assert found.interval.high == pytest.approx(0.036993, abs=1e-6)
    assert found.interval.low == pytest.approx(-0.036993, abs=1e-6)


def test_what_was_measured_otherwise_is_shown_and_not_tested(make):
    found = compared(make, *flips(make, 3, 0, 10), comparable=False)
    assert found.drop == pytest.approx(0.3)
    assert (found.interval, found.p_value, found.noise) == (None, None, None)


def test_flips_that_cancel_are_the_noise_of_a_single_run(make):
    noise = compared(make, *flips(make, 7, 3, 60)).noise
    assert (noise.kind, noise.value, noise.source) == ("flips", 0.1, "pairs")


def test_repeats_show_the_noise_better(make):
    runs = (make.run(1.0), make.run(0.0, repeat=1))
    rows = [
        make.row(f"r{at}", 0.5, repeats=runs, passed=False, accepted=make.accepted(1.0, 1.0))
        for at in range(4)
    ]
    noise = compared(make, *rows).noise
    # A variance of 1/2 within this run and of 0 in the baseline: 1/4 a run, two runs a side.
    assert (noise.kind, noise.source) == ("spread", "repeats")
    assert noise.value == pytest.approx(0.5)


def test_clusters_are_the_units_of_what_is_seen(make):
    flips = [make.row(f"c{at:02}", float(at >= 4), was=1.0) for at in range(40)]
    alone = compared(make, *flips, rule=RegressionOptions())
    rows = [replace(row, cluster=row.id[:2]) for row in flips]
    found = compared(make, *rows, rule=RegressionOptions())
    assert (alone.noise.n_units, found.noise.n_units) == (40, 4)
    assert (found.minimum_detectable_drop, found.p_value) == (None, 0.5)
    assert alone.minimum_detectable_drop < 0.2


def test_nobody_is_said_to_see_a_loss_of_more_than_there_is(make):
    rows = [make.row(f"c{at:02}", was=float(at < 1)) for at in range(10)]
    found = compared(make, *rows, rule=RegressionOptions())
    assert (found.baseline, found.minimum_detectable_drop) == (0.1, None)


def test_noninferior_says_how_often_an_unchanged_agent_passes(make):
    rule = RegressionOptions(rule="noninferior", max_drop="0.1")
    found = compared(make, *flips(make, 3, 3, 60), rule=rule)
    assert found.minimum_detectable_drop is None
    assert 0.4 < found.certification < 0.9


def test_graded_scores_scatter_around_the_mean_change(make):
    rows = [make.row(f"g{at}", 0.5 if at % 2 else 0.7, was=0.9, passed=False) for at in range(10)]
    rule = RegressionOptions(metric="mean_score")
    noise = compared(make, *rows, rule=rule).noise
    assert (noise.kind, noise.source) == ("spread", "pairs")
    assert noise.value == pytest.approx(0.105409, abs=1e-6)


def test_the_smallest_drop_that_is_seen_follows_the_rule_in_force(make):
    rows = flips(make, 3, 3, 60)
    strict = compared(make, *rows, rule=RegressionOptions()).minimum_detectable_drop
    loose = compared(make, *rows, rule=RegressionOptions(max_drop="0.3")).minimum_detectable_drop
    assert strict < 0.3 < loose


def test_three_cases_see_no_drop_at_all(make):
    found = compared(make, *flips(make, 0, 0, 3), rule=RegressionOptions())
    assert found.minimum_detectable_drop is None


def test_both_metrics_and_every_labels_headline_stand_beside_the_baselines(make):
    rows = (
        make.row("a", 0.5, was=1.0, labels=("x",), passed=False),
        make.row("b", was=1.0, labels=("x", "y")),
        make.row("new", 0.0, labels=("y",)),
    )
    found = compared(make, *rows)
    assert [(one.metric, one.label, one.n_compared, one.drop) for one in found.changes] == [
        ("pass_rate", None, 2, 0.5),
        ("mean_score", None, 2, 0.25),
        ("pass_rate", "x", 2, 0.5),
        ("pass_rate", "y", 1, 0.0),
    ]
