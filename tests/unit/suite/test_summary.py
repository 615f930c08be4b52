"""Rows become a suite: means over all golden cases, slices, full runs."""

from math import sqrt

import pytest


def test_the_denominator_is_every_golden_case(make):
    suite = make.suite(make.row("a"), make.row("b", None), make.row("c", 0.5))
    assert (suite.n_cases, suite.n_passed) == (3, 1)
    assert suite.pass_rate == pytest.approx(1 / 3)
    assert suite.mean_score == 0.5


def test_standings_are_counted(make):
    suite = make.suite(make.row("a"), make.row("b", None), make.row("c"))
    assert suite.standings == '{"missing":1,"scored":2}'


def test_a_case_bears_each_of_its_labels(make):
    suite = make.suite(make.row("a", labels=("x", "y")), make.row("b", 0.0, labels=("y",)))
    assert [(part.label, part.n_cases, part.pass_rate) for part in suite.slices] == [
        ("x", 1, 1.0),
        ("y", 2, 0.5),
    ]


def test_the_macro_average_is_the_unweighted_mean_of_the_strata(make):
    rows = [make.row(name, labels=("k:1",)) for name in "abc"]
    rows += [make.row("d", 0.0, labels=("k:2", "other"))]
    assert make.suite(*rows).k_macro_average == 0.5
    assert make.suite(make.row("a", labels=("other",))).k_macro_average is None


def test_the_headline_decides_what_the_interval_is_about(make):
    rows = [make.row(str(at), 0.5) for at in range(8)]
    assert make.suite(*rows).interval.low == 0.0
    graded = make.suite(*rows, metric="mean_score").interval
    assert graded.low < 0.5 < graded.high


def test_the_protocol_interval_is_about_the_mean_score_and_says_how_it_was_computed(make):
    rows = [make.row(f"{at:02d}", at / 20, passed=False) for at in range(21)]
    one, other = (make.suite(*rows, seed=seed).protocol_interval for seed in (1, 2))
    assert (one.seed, one.n_boot, one.method) == (1, 50, "percentile_bootstrap")
    assert one.low < 0.5 < one.high
    assert one.computed == "ideal"
    assert (one.low, one.high) == (other.low, other.high)


def test_clusters_widen_the_interval_and_are_counted(make):
    rows = [make.row(f"{at:02d}", float(at < 10), cluster=str(at // 5)) for at in range(20)]
    alone = [make.row(f"{at:02d}", float(at < 10)) for at in range(20)]
    clustered, iid = make.suite(*rows), make.suite(*alone)
    assert (clustered.n_clusters, iid.n_clusters, iid.cluster_interval) == (4, None, None)
    assert clustered.interval.method == "wilson_clustered"
    assert clustered.cluster_interval.method == "cluster_bootstrap"
    width = clustered.interval.high - clustered.interval.low
    assert width > 1.5 * (iid.interval.high - iid.interval.low)


def test_repeats_give_pass_at_k_and_pass_hat_k(make):
    suite = make.suite(
        repeated(make, "a", 1.0, 1.0, 0.0), repeated(make, "b", 1.0, 1.0, 1.0), repeats=3
    )
    found = [(one.k, round(one.any_passes, 6), round(one.all_pass, 6)) for one in suite.pass_at]
    assert found == [(1, 0.833333, 0.833333), (2, 1.0, 0.666667), (3, 1.0, 0.5)]
    assert make.suite(make.row("a")).pass_at == ()


def repeated(make, name, *scores):
    runs = tuple(make.run(score, repeat=at) for at, score in enumerate(scores))
    mean = sum(score or 0.0 for score in scores) / len(scores)
    return make.row(name, mean, repeats=runs, passed=all(run.passed for run in runs))


def test_full_runs_have_a_mean_and_a_sample_deviation(make):
    rows = [repeated(make, "a", 1.0, 0.0, 1.0), repeated(make, "b", 1.0, 1.0, 0.0)]
    runs = make.suite(*rows, repeats=3).runs
    assert runs.values == (1.0, 0.5, 0.5)
    assert runs.mean == pytest.approx(2 / 3)
    assert runs.sd == pytest.approx(sqrt(1 / 12))


def test_a_missing_run_counts_zero_in_its_full_run(make):
    suite = make.suite(repeated(make, "a", 1.0, None), repeats=2, metric="mean_score")
    assert suite.runs.values == (1.0, 0.0)


def test_one_run_has_no_summary_of_runs(make):
    assert make.suite(make.row("a")).runs is None


def test_paths_are_averaged_over_every_case_vacuous_ones_included(make):
    rows = (make.row("a", trajectory=0.0, declares_path=True), make.row("b"))
    assert make.suite(*rows).trajectory_mean == 0.5
